"""What several systems and measures need of one page, made once: its parse, and its alignment with the gold."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bonmun.gold.alignment import Alignment, align
from bonmun.page import Page

if TYPE_CHECKING:
    from bonmun.gold.examples import Example

__all__ = ["aligned", "parsed"]


def parsed(example: Example) -> Page:
    """The page of an example."""
    return _parsed(example.html, example.url)


def aligned(example: Example) -> Alignment:
    """The page and the gold of an example, aligned."""
    return _aligned(example.html, example.url, example.text or "")


@lru_cache(maxsize=1)
def _parsed(html: str, url: str | None) -> Page:
    return Page.parse(html, url)


@lru_cache(maxsize=1)
def _aligned(html: str, url: str | None, gold: str) -> Alignment:
    return align(_parsed(html, url), gold)
