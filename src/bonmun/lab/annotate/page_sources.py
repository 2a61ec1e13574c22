"""A page as it was read from disk or the network, and its parsed form, which is cached."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from bonmun.errors import TooBig
from bonmun.options import DEFAULTS
from bonmun.page import Page

__all__ = ["REMEMBERED_PAGES", "PageSource", "parse_source"]

MAX_BLOCKS = 100_000  # that a browser can show and colour
REMEMBERED_PAGES = 2  # that a process has parsed


class PageSource(NamedTuple):
    """A page as it was read: its name for people, where it came from, its bytes."""

    name: str
    url: str | None
    body: bytes
    encoding: str | None = None
    max_bytes: int = DEFAULTS.max_bytes


@lru_cache(maxsize=REMEMBERED_PAGES)
def parse_source(source: PageSource) -> Page:
    """The page, parsed; raises what is wrong with it."""
    page = Page.parse(source.body, source.url, source.encoding, max_bytes=source.max_bytes)
    if len(page.starts) > MAX_BLOCKS:
        raise TooBig(f"The page has {len(page.starts):,} blocks, more than the {MAX_BLOCKS:,} that can be shown.")
    return page
