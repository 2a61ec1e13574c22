"""Feeds: the newest pages of a site with their titles, as RSS (0.9 to 2.0), RDF, Atom or JSON Feed.

What is broken gives what can be read of it.
"""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any

from bonmun.scale.crawl.discover.links import ANCHOR_CHARS, Link
from bonmun.scale.crawl.discover.timestamps import read_time
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.discover.xml_pieces import Piece, read_attribute, read_pieces, read_text
from bonmun.text.readable import cut_text, make_readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["FEED_ITEMS", "list_once", "read_feed", "read_feed_text", "tidy_title"]

FEED_ITEMS = 10_000  # of one feed; further ones are not read
ITEMS = frozenset({"item", "entry"})
# What an item says of itself; its parts of other names and prefixes are read over.
FIELDS = frozenset(
    {"title", "link", "guid", "id", "pubdate", "date", "published", "updated", "issued", "modified", "origlink"}
)
OTHER_PREFIXES = frozenset({"media", "itunes", "image", "slash", "wfw", "thr", "georss", "content", "g", "xhtml", "h"})
TEXTS = frozenset({"content", "summary", "description", "encoded", "source"})  # which may hold tags of these names
TIMES = ("pubdate", "published", "date", "issued", "updated", "modified")
TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def read_feed(body: bytes, url: str) -> list[Link]:
    """The pages that a feed at `url` names, with their titles as anchors; and further pages of the feed itself."""
    return read_feed_text(read_text(body), url)


def read_feed_text(text: str, url: str) -> list[Link]:
    """The same for a feed that is text already."""
    links = _read_json(text, url) if text.lstrip("\ufeff \t\r\n").startswith("{") else _read_xml(text, url)
    return list_once(links, FEED_ITEMS)


def list_once(links: Iterable[Link], most: int) -> list[Link]:
    """Each address once, with the first title that it has; so many at most."""
    found: dict[str, Link] = {}
    for link in links:
        before = found.setdefault(link.url, link)
        if link.anchor and not before.anchor:
            found[link.url] = link
        if len(found) >= most:
            break
    return list(found.values())


def tidy_title(text: str) -> str:
    """A title as a reader sees it: titles of feeds are often HTML, written as text."""
    text = text[: 20 * ANCHOR_CHARS]
    return cut_text(make_readable(unescape(TAG.sub("", text)) if "<" in text or "&" in text else text), ANCHOR_CHARS)


class _Item:
    """What was read of an item so far."""

    def __init__(self, tag: str, base: str) -> None:
        self.base = _find_base(tag, base)
        self.about = read_attribute(tag, "rdf:about") or ""
        self.said: dict[str, str] = {}
        self.address = ""  # that of Atom, which stands in an attribute
        self.is_permanent = True  # whether its id is an address
        self.field = ""

    def start(self, piece: Piece) -> None:
        """An element of the item begins."""
        known = piece.name in FIELDS and piece.prefix not in OTHER_PREFIXES
        self.field = piece.name if known and piece.name not in self.said else ""
        if self.field == "guid":
            self.is_permanent = (read_attribute(piece.text, "isPermaLink") or "").lower() != "false"
        elif piece.name == "link" and known:
            rel = (read_attribute(piece.text, "rel") or "alternate").lower()
            href = read_attribute(piece.text, "href")
            if href and rel == "alternate" and not self.address:
                self.address = normalise_url(href, _find_base(piece.text, self.base)) or ""
            if href or rel != "alternate":
                self.field = ""

    def add_text(self, text: str) -> None:
        """A text, which belongs to the element that began last."""
        if self.field:
            self.said[self.field] = self.said.get(self.field, "") + text

    def make_links(self) -> Iterator[Link]:
        """The page that the item is about, if it says which."""
        ids = (self.said.get("guid", "") if self.is_permanent else "", self.about, self.said.get("id", ""))
        written = [self.address, self.said.get("origlink", ""), self.said.get("link", "")]
        # an id is an address only if it is a whole one
        written += [each for each in ids if each.lower().startswith(("http://", "https://"))]
        target = next((found for each in written if each and (found := normalise_url(each, self.base))), None)
        if target:
            time = next((found for name in TIMES if (found := read_time(self.said.get(name, "")))), None)
            yield Link(target, tidy_title(self.said.get("title", "")), "page", True, time)


def _read_xml(text: str, url: str) -> Iterator[Link]:
    """An item ends where the next begins, so that none is lost where ends are missing."""
    base, item, inside = url, None, ""
    for piece in read_pieces(text):
        if piece.kind == "start" and piece.name in ITEMS:
            yield from item.make_links() if item else ()
            item, inside = _Item(piece.text, base), ""
        elif piece.kind == "end" and piece.name in ITEMS:
            yield from item.make_links() if item else ()
            item, inside = None, ""
        elif inside:  # a text with tags of its own
            inside = "" if piece.kind == "end" and f"{piece.prefix}:{piece.name}" == inside else inside
        elif item and piece.kind == "start" and piece.name in TEXTS:
            inside = f"{piece.prefix}:{piece.name}"
        elif item and piece.kind == "start":
            item.start(piece)
        elif item and piece.kind == "text":
            item.add_text(piece.text)
        elif item:
            item.field = "" if piece.name == item.field else item.field
        elif piece.kind == "start" and piece.name in ("feed", "rss", "channel", "rdf"):
            base = _find_base(piece.text, base)
        elif piece.kind == "start" and piece.name == "link":
            yield from _read_next(piece.text, base)
    yield from item.make_links() if item else ()


def _read_next(tag: str, base: str) -> Iterator[Link]:
    """Feeds of many pages say where the next is (RFC 5005)."""
    if (read_attribute(tag, "rel") or "").lower() in ("next", "prev-archive"):
        target = normalise_url(read_attribute(tag, "href") or "", base)
        yield from [Link(target, "", "feed", True)] if target else []


def _find_base(tag: str, base: str) -> str:
    return normalise_url(read_attribute(tag, "xml:base") or "", base) or base


def _read_json(text: str, url: str) -> Iterator[Link]:
    try:
        feed: Any = json.loads(text.lstrip("\ufeff \t\r\n"))
    except (ValueError, RecursionError):
        return
    items = feed.get("items") if isinstance(feed, dict) else None
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict):
            written = filter(None, (_read_string(item, name) for name in ("url", "external_url")))
            targets = (normalise_url(each, url) for each in written)
            times = (read_time(_read_string(item, name)) for name in ("date_published", "date_modified"))
            if target := next(filter(None, targets), None):
                title = tidy_title(_read_string(item, "title"))
                yield Link(target, title, "page", True, next(filter(None, times), None))
    further = normalise_url(_read_string(feed, "next_url"), url) if isinstance(feed, dict) else None
    if further and _read_string(feed, "next_url"):
        yield Link(further, "", "feed", True)


def _read_string(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""
