"""Write pages as an e-book: EPUB 3 with a table of contents and links between the chapters, without images."""

from __future__ import annotations

import re
import zipfile
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from bonmun.errors import BadInput
from bonmun.outputs.html import write_xhtml
from bonmun.outputs.nodes import Node, walk_nodes
from bonmun.scale.crawl.export.page_links import PageLinks
from bonmun.text.readable import make_readable
from bonmun.text.urls import find_scheme
from bonmun.work.files import open_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.scale.crawl.export.page_store import ExportedPage, PageStore, PageTitle

__all__ = ["LOCAL_HOST", "write_epub"]

LOCAL_HOST = "pages.invalid"  # host of the URLs that are made for files without one
ID_PREFIX = "id-"  # of ids in chapters, which may also have ids of footnotes
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
CONTAINER = f"""{XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
STYLE = """pre { white-space: pre-wrap; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.2em 0.4em; vertical-align: top; }
"""
MAX_LANGUAGE_CHARS = 20
CHAPTER_LINK = re.compile(r"(?:page-[0-9]+\.xhtml)?(?:#|\Z)")
BAD_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")
URL_CHARACTERS = "/?:@!$&'()*+,;=~%"  # that need no escape, besides letters, digits, `-`, `.` and `_`


def write_epub(store: PageStore, path: Path, seed: str | None = None, title: str | None = None) -> int:
    """Write the pages of a store as an e-book. Return the number of chapters.

    `seed` is the URL of the page whose title the book gets, unless there is a `title`.
    """
    if not store.count():
        raise BadInput("There are no pages with a main text, so there is no e-book.")
    first = (store.find_title(seed) if seed else None) or next(store.read_titles("has_text"))
    name = make_readable(title or first.name)
    with open_atomically(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")  # first and not compressed
        _add(archive, "META-INF/container.xml", [CONTAINER])
        _add(archive, "EPUB/style.css", [STYLE])
        language = _add_chapters(archive, store)
        _add(archive, "EPUB/nav.xhtml", _write_contents(store, name, language))
        _add(archive, "EPUB/package.opf", _write_package(store, name, language, first.url))
    return store.count()


def _add(archive: zipfile.ZipFile, path: str, pieces: Iterator[str] | list[str]) -> None:
    entry = zipfile.ZipInfo(path)
    entry.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(entry, "w") as file:
        for piece in pieces:
            file.write(piece.encode("utf-8", "replace"))


def _add_chapters(archive: zipfile.ZipFile, store: PageStore) -> str:
    """Add a file for each page with text. Return the language of the first one that has one."""
    links = PageLinks(store, _find_chapter, ID_PREFIX)
    language = ""
    for page in store.read_pages():
        if page.tree.children:
            chapter = write_xhtml(_make_chapter(page, links), make_readable(page.name), page.language)
            _add(archive, f"EPUB/{_name_file(page)}", [chapter])
            language = language or (page.language or "")[:MAX_LANGUAGE_CHARS]
    return language or "en"


def _find_chapter(source: PageTitle, target: PageTitle) -> str | None:
    """Return the URL of a chapter; None if the page has no text."""
    return _name_file(target) if target.has_text else None


def _name_file(page: PageTitle) -> str:
    return f"page-{page.number:06}.xhtml"


def _make_chapter(page: ExportedPage, links: PageLinks) -> Node:
    """Return the tree of a page as a chapter: with its title, and without images and links that lead nowhere."""
    tree = links.rewrite(page)
    for node in walk_nodes([tree]):
        if node.tag == "a":
            href = _clean_href(node.attr("href") or "")
            node.attributes = {"href": href} if href else None
        node.children = [child for child in node.children if isinstance(child, str) or not _is_empty(child)]
        if node.tag == "dl":
            _complete_definitions(node)
    heading: list[Node | str] = [] if page.has_heading else [Node("h1", None, [make_readable(page.name)])]
    tree.children = [*heading, *tree.children]
    return tree


def _clean_href(href: str) -> str:
    """Return the URL of a link as RFC 3986 requires it; "" if it leads nowhere."""
    if f"//{LOCAL_HOST}/" in href or not find_scheme(href):
        return href if CHAPTER_LINK.match(href) else ""
    start, has_host, rest = href.partition("://")
    host, slash, path = rest.partition("/") if has_host else ("", "", "")
    path, has_fragment, fragment = (path if has_host else start).partition("#")
    path, fragment = (quote(BAD_ESCAPE.sub("%25", each), safe=URL_CHARACTERS) for each in (path, fragment))
    head = f"{start}://{quote(host, safe='[]:@?&=')}{slash}" if has_host else ""
    return f"{head}{path}{has_fragment}{fragment}"


def _complete_definitions(element: Node) -> None:
    """Start a definition list with a term, and end it with a definition, as EPUB requires; they may be empty."""
    tags = [child.tag for child in element.children if isinstance(child, Node)]
    if tags[:1] == ["dd"]:
        element.children.insert(0, Node("dt"))
    if tags[-1:] == ["dt"]:
        element.children.append(Node("dd"))


def _is_empty(node: Node) -> bool:
    """Whether a node is an image, or a paragraph or figure that only has images."""
    if node.tag == "img":
        return True
    is_box = node.tag in ("p", "figure") and bool(node.children)
    return is_box and all(not isinstance(child, str) and _is_empty(child) for child in node.children)


def _write_contents(store: PageStore, title: str, language: str) -> Iterator[str]:
    """Yield the table of contents: the sections, each with its pages."""
    yield f"{XML}<!DOCTYPE html>\n"
    yield '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
    yield f' lang="{_clean(language)}" xml:lang="{_clean(language)}">\n'
    yield f'<head><meta charset="utf-8"/><title>{_clean(title)}</title></head>\n<body>\n'
    yield f'<nav epub:type="toc" id="toc">\n<h1>{_clean(title)}</h1>\n<ol>\n'
    for page in store.read_other_titles():
        yield _list_page(page)
    for section, heading in store.list_sections():
        yield f"<li><span>{_clean(heading or section)}</span>\n<ol>\n"
        for page in store.read_section(section):
            yield _list_page(page)
        yield "</ol>\n</li>\n"
    yield "</ol>\n</nav>\n</body>\n</html>\n"


def _list_page(page: PageTitle) -> str:
    return f'<li><a href="{_name_file(page)}">{_clean(page.name)}</a></li>\n'


def _write_package(store: PageStore, title: str, language: str, url: str) -> Iterator[str]:
    """Yield the package document: metadata, all files, and their order, which is that of the contents."""
    yield f'{XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">\n'
    yield '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
    yield f'<dc:identifier id="id">urn:uuid:{uuid5(NAMESPACE_URL, url)}</dc:identifier>\n'
    yield f"<dc:title>{_clean(title)}</dc:title>\n<dc:language>{_clean(language)}</dc:language>\n"
    if not url.startswith(f"https://{LOCAL_HOST}/"):
        yield f"<dc:source>{_clean(url)}</dc:source>\n"
    yield f'<meta property="dcterms:modified">{datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}</meta>\n</metadata>\n'
    yield '<manifest>\n<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\n'
    yield '<item id="style" href="style.css" media-type="text/css"/>\n'
    for page in store.read_titles("has_text"):
        yield f'<item id="p{page.number}" href="{_name_file(page)}" media-type="application/xhtml+xml"/>\n'
    yield '</manifest>\n<spine>\n<itemref idref="nav"/>\n'
    for page in store.read_other_titles():
        yield f'<itemref idref="p{page.number}"/>\n'
    for section, _ in store.list_sections():
        for page in store.read_section(section):
            yield f'<itemref idref="p{page.number}"/>\n'
    yield "</spine>\n</package>\n"


def _clean(text: str) -> str:
    """Return text for XML, on one line."""
    return escape(make_readable(text))
