"""Read feeds (RSS 0.9 to 2.0, RDF, Atom, JSON Feed): the newest pages of a site and their titles.

Broken feeds are read as far as possible.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from bonmun.scale.crawl.discover.links import MAX_ANCHOR_CHARS, PageLink
from bonmun.scale.crawl.discover.timestamps import parse_time
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.discover.xml_pieces import (
    FieldTexts,
    XmlToken,
    decode_xml,
    expand_references,
    read_attribute,
    read_tokens,
)
from bonmun.text.readable import cut_text, make_readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["MAX_FEED_ITEMS", "clean_title", "dedupe_links", "read_feed", "read_feed_text"]

MAX_FEED_ITEMS = 10_000  # of one feed; the rest is not read
MAX_JSON_CHARS = 20_000_000  # of a feed in JSON, which takes up to 20 times its size in memory
MAX_JSON_LISTS = 500_000  # lists and objects in it; 10,000 items have fewer
ITEMS = frozenset({"item", "entry"})
# The child elements of an item that are read; others, and those with other prefixes, are skipped.
FIELDS = frozenset(
    {"title", "link", "guid", "id", "pubdate", "date", "published", "updated", "issued", "modified", "origlink"}
)
OTHER_PREFIXES = frozenset({"media", "itunes", "image", "slash", "wfw", "thr", "georss", "content", "g", "xhtml", "h"})
BODIES = frozenset({"content", "summary", "description", "encoded", "source"})  # may contain elements named as fields
TIMES = ("pubdate", "published", "date", "issued", "updated", "modified")
TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def read_feed(body: bytes, url: str) -> list[PageLink]:
    """Return the pages listed in the feed at `url`, with their titles as anchors, and further pages of the feed."""
    return read_feed_text(decode_xml(body), url)


def read_feed_text(text: str, url: str) -> list[PageLink]:
    """Do the same as `read_feed` for a decoded feed."""
    links = _read_json(text, url) if text.lstrip("\ufeff \t\r\n").startswith("{") else _read_xml(text, url)
    return dedupe_links(links, MAX_FEED_ITEMS)


def dedupe_links(links: Iterable[PageLink], max_links: int) -> list[PageLink]:
    """Return at most `max_links` links, each URL once with its first non-empty title."""
    found: dict[str, PageLink] = {}
    for link in links:
        first = found.setdefault(link.url, link)
        if link.anchor and not first.anchor:
            found[link.url] = link
        if len(found) >= max_links:
            break
    return list(found.values())


def clean_title(text: str) -> str:
    """Return a title as plain text: titles in feeds are often escaped HTML."""
    text = text[: 20 * MAX_ANCHOR_CHARS]
    return cut_text(make_readable(expand_references(TAG.sub("", text) if "<" in text else text)), MAX_ANCHOR_CHARS)


class _Item:
    """An item of a feed while it is read."""

    def __init__(self, tag: str, base: str) -> None:
        self.base = _find_base(tag, base)
        self.about = read_attribute(tag, "rdf:about") or ""
        self.fields = FieldTexts()
        self.href = ""  # the URL of an Atom link, normalised
        self.is_permalink = True  # whether the id is a URL
        self.field = ""  # that the current text belongs to

    def start_element(self, token: XmlToken) -> None:
        """Handle the start tag of a child element."""
        known = token.name in FIELDS and token.prefix not in OTHER_PREFIXES
        self.field = token.name if known and token.name not in self.fields else ""
        if self.field == "guid":
            self.is_permalink = (read_attribute(token.text, "isPermaLink") or "").lower() != "false"
        elif token.name == "link" and known:
            rel = (read_attribute(token.text, "rel") or "alternate").lower()
            href = read_attribute(token.text, "href")
            if href and rel == "alternate" and not self.href:
                self.href = normalise_url(href, _find_base(token.text, self.base)) or ""
            if href or rel != "alternate":
                self.field = ""

    def add_text(self, text: str) -> None:
        """Add text to the current field."""
        if self.field:
            self.fields.add(self.field, text)

    def make_links(self) -> Iterator[PageLink]:
        """Yield the page that the item links to, if any."""
        get = self.fields.get
        ids = (get("guid") if self.is_permalink else "", self.about, get("id"))
        candidates = [self.href, get("origlink"), get("link")]
        candidates += [each for each in ids if each.lower().startswith(("http://", "https://"))]  # absolute URLs only
        target = next((url for each in candidates if each and (url := normalise_url(each, self.base))), None)
        if target:
            time = next((time for name in TIMES if (time := parse_time(get(name)))), None)
            yield PageLink(target, clean_title(get("title")), "page", True, time)


def _read_xml(text: str, url: str) -> Iterator[PageLink]:
    """Yield the links of an XML feed. The start of an item also ends the one before, whose end tag may be missing."""
    base, item, body = url, None, ""
    for token in read_tokens(text):
        if token.kind == "start" and token.name in ITEMS:
            yield from item.make_links() if item else ()
            item, body = _Item(token.text, base), ""
        elif token.kind == "end" and token.name in ITEMS:
            yield from item.make_links() if item else ()
            item, body = None, ""
        elif body:  # skipped up to its end tag
            body = "" if token.kind == "end" and f"{token.prefix}:{token.name}" == body else body
        elif item and token.kind == "start" and token.name in BODIES:
            body = f"{token.prefix}:{token.name}"
        elif item and token.kind == "start":
            item.start_element(token)
        elif item and token.kind == "text":
            item.add_text(token.text)
        elif item:
            item.field = "" if token.name == item.field else item.field
        elif token.kind == "start" and token.name in ("feed", "rss", "channel", "rdf"):
            base = _find_base(token.text, base)
        elif token.kind == "start" and token.name == "link":
            yield from _read_next(token.text, base)
    yield from item.make_links() if item else ()


def _read_next(tag: str, base: str) -> Iterator[PageLink]:
    """Yield the next page of a paged or archived feed (RFC 5005)."""
    if (read_attribute(tag, "rel") or "").lower() in ("next", "prev-archive"):
        target = normalise_url(read_attribute(tag, "href") or "", base)
        yield from [PageLink(target, "", "feed", True)] if target else []


def _find_base(tag: str, base: str) -> str:
    return normalise_url(read_attribute(tag, "xml:base") or "", base) or base


def _read_json(text: str, url: str) -> Iterator[PageLink]:
    if len(text) > MAX_JSON_CHARS or text.count("[") + text.count("{") > MAX_JSON_LISTS:
        return
    try:
        # no number is needed, and Python refuses to convert one with more than 4,300 digits
        feed: Any = json.loads(text.lstrip("\ufeff \t\r\n"), parse_int=float)
    except (ValueError, RecursionError):
        return
    items = feed.get("items") if isinstance(feed, dict) else None
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict):
            candidates = filter(None, (_read_string(item, name) for name in ("url", "external_url")))
            targets = (normalise_url(each, url) for each in candidates)
            times = (parse_time(_read_string(item, name)) for name in ("date_published", "date_modified"))
            if target := next(filter(None, targets), None):
                title = clean_title(_read_string(item, "title"))
                yield PageLink(target, title, "page", True, next(filter(None, times), None))
    next_page = normalise_url(_read_string(feed, "next_url"), url) if isinstance(feed, dict) else None
    if next_page and _read_string(feed, "next_url"):
        yield PageLink(next_page, "", "feed", True)


def _read_string(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""
