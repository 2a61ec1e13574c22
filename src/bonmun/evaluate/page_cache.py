"""What several systems and metrics need of one page, made once: its parse, and its alignment with the gold."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bonmun.gold.alignment import Alignment, align
from bonmun.page import Page

if TYPE_CHECKING:
    from bonmun.gold.examples import Example

__all__ = ["align_example", "parse_example"]


def parse_example(example: Example) -> Page:
    """Parse the page of an example."""
    return _parse(example.html, example.url)


def align_example(example: Example) -> Alignment:
    """Align the page of an example with its gold."""
    return _align(example.html, example.url, example.text or "")


@lru_cache(maxsize=1)
def _parse(html: str, url: str | None) -> Page:
    return Page.parse(html, url)


@lru_cache(maxsize=1)
def _align(html: str, url: str | None, gold: str) -> Alignment:
    return align(_parse(html, url), gold)
