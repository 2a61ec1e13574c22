"""What the server asks of a child process: a page's bytes in, what the screen shows of it out.

A page is asked for several things one after the other, so the last ones stay parsed in the process that works on them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from bonmun.options import Options
from bonmun.page import Page

__all__ = ["PageSource", "answer_page", "frame_page", "open_page", "parse_source"]

PARSED_PAGES = 2  # that a process remembers


class PageSource(NamedTuple):
    """A page as it was read: its name for people, where it came from, its bytes."""

    name: str
    url: str | None
    body: bytes
    encoding: str | None = None
    max_bytes: int = Options().max_bytes


@lru_cache(maxsize=PARSED_PAGES)
def parse_source(source: PageSource) -> Page:
    """The page, parsed; raises what is wrong with it."""
    return Page.parse(source.body, source.url, source.encoding, max_bytes=source.max_bytes)


def open_page(source: PageSource, *, network: bool = False) -> dict[str, Any]:
    """The page before any method is asked, with its frame."""
    from bonmun.inspector.inspection import inspect_page
    from bonmun.page.frame import write_frame

    page = parse_source(source)
    return inspect_page(page, source.name) | {"frame": write_frame(page, network=network)}


def frame_page(source: PageSource, *, network: bool = False) -> str:
    """The page as harmless HTML."""
    from bonmun.page.frame import write_frame

    return write_frame(parse_source(source), network=network)


def answer_page(source: PageSource, method: str, model: str | None = None) -> dict[str, Any]:
    """What a method makes of the page."""
    from bonmun.inspector.inspection import answer

    return answer(parse_source(source), method, model=model)
