"""Sitemaps: the addresses that a site names itself, in XML, as lines of text, or as a feed.

What is broken gives what can be read of it. Addresses of other hosts are given, too: who crawls decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.scale.crawl.discover.feeds import list_once, read_feed_text, tidy_title
from bonmun.scale.crawl.discover.links import Link
from bonmun.scale.crawl.discover.timestamps import read_time
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.discover.xml_pieces import read_pieces, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.scale.crawl.discover.links import LinkKind

__all__ = ["SITEMAP_URLS", "read_sitemap"]

SITEMAP_URLS = 50_000  # of one sitemap, as the protocol has it; further ones are not read
LINE_CHARS = 20_000  # a longer line of a text is no address
ROOTS = ("<urlset", "<sitemapindex", ":urlset", ":sitemapindex", "<url>", "<sitemap>", "<loc>")
HEAD_CHARS = 100_000  # within which the first of these stands
OTHER_PREFIXES = frozenset({"image", "video", "xhtml", "pagemap"})  # whose <loc> is no page


def read_sitemap(body: bytes, url: str) -> list[Link]:
    """The links of a sitemap at `url`: of kind "sitemap" if it is an index, else of kind "page", each address once.

    Their anchors are the titles that news sitemaps give, else empty.
    """
    text = read_text(body)
    head = text[:HEAD_CHARS].lower()
    if any(root in head for root in ROOTS):
        links = _read_xml(text, url)
    elif "<" in head[:1000]:
        return read_feed_text(text, url)  # empty if it is a page that says that there is none
    else:
        links = _read_lines(text, url)
    return list_once(links, SITEMAP_URLS)


def _read_lines(text: str, url: str) -> Iterator[Link]:
    for line in text.splitlines():
        address = line[:LINE_CHARS].strip()
        if address.lower().startswith(("http://", "https://")) and (target := normalise_url(address)):
            yield Link(target, "", "page", True)


def _read_xml(text: str, url: str) -> Iterator[Link]:
    """An entry ends where the next begins, so that none is lost where ends are missing."""
    kind: LinkKind = "page"
    field, said = "", dict[str, str]()
    for piece in read_pieces(text):
        if piece.kind == "start":
            field = "" if piece.prefix in OTHER_PREFIXES else piece.name
            if piece.name in ("url", "sitemap") or (field == "loc" and "loc" in said):
                yield from _make_link(said, kind, url)
                said = {}
            if piece.name in ("sitemap", "sitemapindex"):
                kind = "sitemap"
            elif piece.name in ("url", "urlset"):
                kind = "page"
        elif piece.kind == "text" and field in FIELDS:
            said[field] = said.get(field, "") + piece.text
        elif piece.kind == "end":
            field = ""
    yield from _make_link(said, kind, url)


FIELDS = frozenset({"loc", "lastmod", "title", "publication_date"})


def _make_link(said: dict[str, str], kind: LinkKind, base: str) -> Iterator[Link]:
    written = said.get("loc", "")
    # what begins so is no address, but an entity that nobody expands, or a lone sign in a broken file
    target = normalise_url(written, base) if written and not written.startswith("&") else None
    if target:
        time = read_time(said.get("lastmod", "")) or read_time(said.get("publication_date", ""))
        yield Link(target, tidy_title(said.get("title", "")), kind, True, time)
