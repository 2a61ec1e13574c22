"""Read sitemaps: XML, lines of text, or feeds.

Broken sitemaps are read as far as possible. URLs of other hosts are returned, too; the caller filters them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.scale.crawl.discover.feeds import clean_title, dedupe_links, read_feed_text
from bonmun.scale.crawl.discover.links import PageLink
from bonmun.scale.crawl.discover.timestamps import parse_time
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.discover.xml_pieces import FieldTexts, decode_xml, read_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.scale.crawl.discover.links import LinkKind

__all__ = ["MAX_SITEMAP_URLS", "read_sitemap"]

MAX_SITEMAP_URLS = 50_000  # of one sitemap, the limit of the protocol; the rest is not read
MAX_LINE_CHARS = 20_000  # the rest of a longer line is ignored
ROOTS = ("<urlset", "<sitemapindex", ":urlset", ":sitemapindex", "<url>", "<sitemap>", "<loc>")
HEAD_CHARS = 100_000  # in which a root must be found
OTHER_PREFIXES = frozenset({"image", "video", "xhtml", "pagemap"})  # their <loc> is not a page
FIELDS = frozenset({"loc", "lastmod", "title", "publication_date"})


def read_sitemap(body: bytes, url: str) -> list[PageLink]:
    """Return the links of the sitemap at `url`, each URL once: kind "sitemap" for an index, else "page".

    Their anchors are the titles of a news sitemap, else empty.
    """
    text = decode_xml(body)
    head = text[:HEAD_CHARS].lower()
    if any(root in head for root in ROOTS):
        links = _read_xml(text, url)
    elif "<" in head[:1000]:
        return read_feed_text(text, url)  # none if it is an HTML error page
    else:
        links = _read_lines(text, url)
    return dedupe_links(links, MAX_SITEMAP_URLS)


def _read_lines(text: str, url: str) -> Iterator[PageLink]:
    for line in text.splitlines():
        line = line[:MAX_LINE_CHARS].strip()
        if line.lower().startswith(("http://", "https://")) and (target := normalise_url(line)):
            yield PageLink(target, "", "page", True)


def _read_xml(text: str, url: str) -> Iterator[PageLink]:
    """Yield the links of an XML sitemap. The start of an entry also ends the one before; its end tag may be missing."""
    kind: LinkKind = "page"
    field, entry = "", FieldTexts()
    for token in read_tokens(text):
        if token.kind == "start":
            field = "" if token.prefix in OTHER_PREFIXES else token.name
            if token.name in ("url", "sitemap") or (field == "loc" and "loc" in entry):
                yield from _make_link(entry, kind, url)
                entry = FieldTexts()
            if token.name in ("sitemap", "sitemapindex"):
                kind = "sitemap"
            elif token.name in ("url", "urlset"):
                kind = "page"
        elif token.kind == "text" and field in FIELDS:
            entry.add(field, token.text)
        elif token.kind == "end":
            field = ""
    yield from _make_link(entry, kind, url)


def _make_link(entry: FieldTexts, kind: LinkKind, base: str) -> Iterator[PageLink]:
    location = entry.get("loc")
    # a leading "&" is an unexpanded entity, or a stray character in a broken file
    target = normalise_url(location, base) if location and not location.startswith("&") else None
    if target:
        time = parse_time(entry.get("lastmod")) or parse_time(entry.get("publication_date"))
        yield PageLink(target, clean_title(entry.get("title")), kind, True, time)
