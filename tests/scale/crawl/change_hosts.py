"""Hosts with pages that change, that are duplicates, or that need scripts."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime

from loopback import Reply, Request, link_pages
from made_text import make_paragraphs, make_title

__all__ = ["ChangeHost", "CopyHost", "ShellHost"]

FIRST_DAY = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


def write_article(lang: str, seed: int, head: str = "") -> str:
    """Return a generated article as an HTML page."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in make_paragraphs(lang, seed, 5))
    title = make_title(lang, seed)
    return f'<!doctype html><html lang="{lang}"><head><title>{title}</title>{head}</head><body><article><h1>{title}</h1>{text}</article></body></html>'


@dataclass
class Version:
    """The current version of a page of change.example."""

    body: bytes
    changes: int = 0

    @property
    def etag(self) -> str:
        """The ETag of this version."""
        return f'"{hashlib.sha1(self.body).hexdigest()[:12]}"'

    @property
    def modified(self) -> datetime:
        """The time of the last change; each change adds a day."""
        return FIRST_DAY + timedelta(days=self.changes)


class ChangeHost:
    """change.example: pages that support conditional requests.

    `change(path)` creates a new version; so does a PUT request.
    """

    PATHS = ("/etag", "/weak", "/date", "/both", "/neither")

    def __init__(self) -> None:
        self.versions = {path: Version(write_article("en", number).encode()) for number, path in enumerate(self.PATHS)}

    def change(self, path: str, body: bytes | None = None) -> None:
        """Replace the body of a page by `body` or by a generated one."""
        version = self.versions[path]
        version.changes += 1
        version.body = body or write_article("en", 100 * version.changes + self.PATHS.index(path)).encode()

    def answer(self, request: Request) -> Reply:
        """Return the page, or 304 Not Modified."""
        if request.path == "/":
            return Reply(link_pages("Changes", self.PATHS))
        version = self.versions.get(request.path)
        if version is None:
            return Reply("No such page.", status=404)
        if request.method == "PUT":
            self.change(request.path, request.body)
            return Reply(status=204)
        headers: list[tuple[str, str]] = []
        if request.path in ("/etag", "/weak", "/both"):
            headers.append(("ETag", ("W/" if request.path == "/weak" else "") + version.etag))
        if request.path in ("/date", "/both"):
            headers.append(("Last-Modified", format_datetime(version.modified, usegmt=True)))
        if _is_known(request, dict(headers), version):
            return Reply(b"", "", 304, tuple(headers))
        return Reply(version.body, headers=tuple(headers))


def _is_known(request: Request, sent: dict[str, str], version: Version) -> bool:
    """Return whether the client has this version; an ETag takes precedence over a date."""
    tags, since = request.find_header("if-none-match"), request.find_header("if-modified-since")
    if tags and "ETag" in sent:
        return version.etag in tags
    return bool(since) and "Last-Modified" in sent and parsedate_to_datetime(since) >= version.modified


class CopyHost:
    """copy.example: one body at many URLs, with and without a canonical link, and near-duplicates."""

    SAME = tuple(f"/same/{number}" for number in range(1, 11))
    CANONICAL = ("/story", "/story?ref=mail", "/story?utm_source=x&utm_medium=y", "/print/story", "/STORY")
    NEAR = tuple(f"/near/{number}" for number in range(1, 6))
    ALONE = tuple(f"/alone/{number}" for number in range(1, 6))

    def answer(self, request: Request) -> Reply:
        """Return one of the pages; the front page links to all of them."""
        kind, _, number = request.path.strip("/").partition("/")
        if request.target == "/":
            paths = [*self.SAME, *self.CANONICAL, *self.NEAR, *self.ALONE]
            return Reply(link_pages("Copies", [path.replace("&", "&amp;") for path in paths]))
        if request.path in self.SAME:
            return Reply(write_article("de", 1))
        if request.path in ("/story", "/print/story", "/STORY"):
            return Reply(write_article("en", 2, '<link rel="canonical" href="http://copy.example/story">'))
        if request.path in self.NEAR:
            return Reply(write_article("en", 3).replace("</article>", f"</article><p>Visitor number {number}</p>"))
        if request.path in self.ALONE:
            return Reply(write_article("ru", 10 + int(number)))
        return Reply(f"There is no {kind}.", status=404)


class ShellHost:
    """shell.example: pages whose text and links are created by scripts."""

    PATHS = ("/", "/later", "/fetched", "/static")

    @property
    def text(self) -> list[str]:
        """The paragraphs that the scripts add."""
        return make_paragraphs("ko", 11, 5)

    def answer(self, request: Request) -> Reply:
        """Return a shell, its text as JSON, or the one page that needs no scripts."""
        if request.path == "/text.json":
            return Reply(json.dumps(self.text), "application/json")
        if request.path == "/static":
            return Reply(write_article("en", 12))
        if request.path not in self.PATHS:
            return Reply("No such page.", status=404)
        fill = {
            "/": f"fill({json.dumps(self.text)})",
            "/later": f"setTimeout(() => fill({json.dumps(self.text)}), 300)",
            "/fetched": "fetch('/text.json').then((answer) => answer.json()).then(fill)",
        }
        links = "".join(f'<a href="{path}">{path}</a> ' for path in self.PATHS)
        script = (
            "function fill(text) { const app = document.getElementById('app'); app.innerHTML = '<h1>등대 이야기</h1>';"
            "for (const each of text) { const p = document.createElement('p'); p.textContent = each; app.append(p); }"
            f"app.insertAdjacentHTML('beforeend', {json.dumps(f'<nav>{links}</nav>')}); }} {fill[request.path]};"
        )
        script = script.replace("</", "<\\/")
        return Reply(
            f'<!doctype html><html lang="ko"><meta charset="utf-8"><title>앱</title><div id="app"></div><script>{script}</script></html>'
        )
