"""The record of a shape, and texts that all shapes use."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SENTENCE", "P", "Shape", "linked_data"]

SENTENCE = "Some words that are long enough to be read as a paragraph of text."
P = f"<p>{SENTENCE}</p>"


class Shape(NamedTuple):
    """A page of any size n. Its length grows linearly with n, and so must time and memory."""

    make: Callable[[int], str | bytes]
    size: int  # an n large enough to distinguish linear from quadratic time
    tested: bool = False  # whether every run of the tests measures it; scripts/figures/shapes.py measures all


def linked_data(data: str) -> str:
    """Return a page with JSON-LD."""
    return f'<script type="application/ld+json">{data}</script>{P}'
