"""docs.example, an ordinary site of any size, and folders of HTML files as sites."""

from __future__ import annotations

import gzip
import mimetypes
from dataclasses import dataclass
from html import escape
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from loopback import Reply, Request
from made_text import LANGUAGES, make_paragraphs, make_title

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DocsHost", "FolderHost", "MadePage"]

FAN_OUT = 8  # children of each page; 20,000 pages are five levels deep
LANGS = list(LANGUAGES)


@dataclass(frozen=True)
class MadePage:
    """The content of a page of docs.example."""

    number: int
    lang: str
    title: str
    paragraphs: list[str]
    links: list[int]  # numbers of pages, its children first

    @property
    def path(self) -> str:
        """The path of the page."""
        return f"/{self.lang}/page-{self.number}.html" if self.number else "/"


class DocsHost:
    """Generated articles in five languages, each with navigation, links to others and a footer.

    Page 0 is the front page, from which links lead to all pages. Every third page is compressed if the client accepts
    that, and every fifth is sent in chunks. `/private/` is linked, but disallowed by robots.txt.
    """

    def __init__(self, pages: int = 200, seed: int = 1, host: str = "docs.example") -> None:
        self.pages = pages
        self.seed = seed
        self.host = host

    @property
    def urls(self) -> set[str]:
        """The URLs that a polite crawler can reach from the front page."""
        return {f"http://{self.host}{self.find_path(number)}" for number in range(self.pages)}

    def find_path(self, number: int) -> str:
        """Return the path of a page."""
        return f"/{LANGS[number % len(LANGS)]}/page-{number}.html" if number else "/"

    def make_page(self, number: int) -> MadePage:
        """Return the content of a page; the same number gives the same page."""
        seed = self.seed * 1_000_003 + number
        lang = LANGS[number % len(LANGS)]
        own = range(number * FAN_OUT + 1, min(number * FAN_OUT + FAN_OUT + 1, self.pages))
        others = Random(seed).sample(range(self.pages), min(4, self.pages))
        return MadePage(number, lang, make_title(lang, seed), make_paragraphs(lang, seed), [*own, *others])

    def answer(self, request: Request) -> Reply:
        """Return a page, robots.txt or the sitemap."""
        if request.path == "/robots.txt":
            rules = f"User-agent: *\nDisallow: /private/\nSitemap: http://{self.host}/sitemap.xml\n"
            return Reply(rules, "text/plain")
        if request.path == "/sitemap.xml":
            return Reply(self._list_pages(), "application/xml")
        name = request.path.rpartition("/")[2].removeprefix("page-").removesuffix(".html")
        number = int(name) if name.isdecimal() else 0
        if number >= self.pages or request.path != self.find_path(number):
            return Reply("<title>404</title><p>There is no such page.</p>", status=404)
        body = self.write_page(self.make_page(number)).encode()
        if number % 3 == 2 and "gzip" in request.find_header("accept-encoding"):
            packed = gzip.compress(body, 1, mtime=0)
            return Reply(packed, headers=(("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")))
        return Reply(body, chunked=number % 5 == 4)

    def write_page(self, page: MadePage) -> str:
        """Return the HTML of a page; some of its links are relative or have a fragment."""
        nav = "".join(f'<li><a href="{self.find_path(n)}">{LANGS[n]}</a></li>' for n in range(1, min(5, self.pages)))
        links = "".join(f'<li><a href="{self._link(page, n)}">{self._name(n)}</a></li>' for n in page.links)
        text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in page.paragraphs)
        return (
            f'<!doctype html>\n<html lang="{page.lang}"><head><meta charset="utf-8"><title>{escape(page.title)} | Docs</title>'
            f'<link rel="stylesheet" href="/style.css"></head><body><header><a href="/">Docs</a><nav><ul>{nav}'
            '<li><a href="/private/admin">Admin</a></li><li><a href="mailto:docs@docs.example">Mail</a></li></ul></nav></header>'
            f"<main><article><h1>{escape(page.title)}</h1>{text}</article></main>"
            f'<aside><h2>More</h2><ul>{links}</ul></aside><footer>© Docs. <a href="#top">Top</a></footer></body></html>'
        )

    def _link(self, page: MadePage, number: int) -> str:
        path = self.find_path(number)
        if number % 7 == 3:
            return path + "#part-2"
        return f"..{path}" if number % 7 == 5 and page.number else path

    def _name(self, number: int) -> str:
        return escape(make_title(LANGS[number % len(LANGS)], self.seed * 1_000_003 + number))

    def _list_pages(self) -> str:
        places = "".join(f"<url><loc>{url}</loc></url>" for url in sorted(self.urls))
        return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'


class FolderHost:
    """A folder served as a site."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    @property
    def paths(self) -> set[str]:
        """The paths of all HTML files, linked or not."""
        files = (path for path in self.folder.rglob("*") if path.suffix in (".html", ".htm") and path.is_file())
        return {"/" + quote(str(path.relative_to(self.folder))) for path in files}

    def answer(self, request: Request) -> Reply:
        """Return a file, or the index.html of a folder."""
        path = (self.folder / unquote(request.path).lstrip("/")).resolve()
        if not path.is_relative_to(self.folder):
            return Reply("It is outside.", status=403)
        if path.is_dir() and not request.path.endswith("/"):
            return Reply(status=301, headers=(("Location", request.path + "/"),))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            return Reply("<title>404</title><p>There is no such file.</p>", status=404)
        return Reply(path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream")
