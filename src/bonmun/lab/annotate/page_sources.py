"""Pages as read from disk or the network, and their parsed form, which is cached."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bonmun.errors import TooBig
from bonmun.options import DEFAULTS
from bonmun.page import Page

__all__ = ["REMEMBERED_PAGES", "PageSource", "parse_source"]

MAX_BLOCKS = 100_000  # limit for display in a browser
REMEMBERED_PAGES = 2  # parsed pages cached per process


class PageSource(NamedTuple):
    """A page as read: its display name, URL and bytes."""

    name: str
    url: str | None
    body: bytes
    encoding: str | None = None
    max_bytes: int = DEFAULTS.max_bytes


@lru_cache(maxsize=REMEMBERED_PAGES)
def parse_source(source: PageSource) -> Page:
    """Return the parsed page; raise an error if it cannot be parsed or has too many blocks."""
    page = Page.parse(source.body, source.url, source.encoding, max_bytes=source.max_bytes)
    if len(page.starts) > MAX_BLOCKS:
        raise TooBig(f"The page has {len(page.starts):,} blocks, more than the {MAX_BLOCKS:,} that can be shown.")
    return page
