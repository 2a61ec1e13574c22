"""Cache of the current page for systems and metrics: its parse, its units, and its alignment with the gold."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bonmun.lab.evaluate.metrics.units import CountedUnit, list_units
from bonmun.lab.gold.alignment import Alignment, align
from bonmun.page import Page

if TYPE_CHECKING:
    from bonmun.lab.gold.examples import Example

__all__ = ["align_example", "list_example_units", "parse_example"]


def parse_example(example: Example) -> Page:
    """Parse the page of an example."""
    return _parse(example.html, example.url)


def align_example(example: Example) -> Alignment:
    """Align the page of an example with its gold."""
    return _align(example.html, example.url, example.text or "")


def list_example_units(example: Example) -> list[CountedUnit]:
    """List the judged units of the page of an example."""
    return _list_units(example.html, example.url, example.title)


@lru_cache(maxsize=1)
def _parse(html: str, url: str | None) -> Page:
    return Page.parse(html, url)


@lru_cache(maxsize=1)
def _align(html: str, url: str | None, gold: str) -> Alignment:
    return align(_parse(html, url), gold)


@lru_cache(maxsize=1)
def _list_units(html: str, url: str | None, title: str | None) -> list[CountedUnit]:
    return list_units(_parse(html, url), title)
