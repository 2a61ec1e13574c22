"""What a shape is, and the words that all of them use."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["SENTENCE", "P", "Shape", "linked_data"]

SENTENCE = "Some words that are long enough to be read as a paragraph of text."
P = f"<p>{SENTENCE}</p>"


class Shape(NamedTuple):
    """A page of any size: its length grows linearly with n, and so must all that bonmun does with it."""

    make: Callable[[int], str | bytes]
    size: int  # an n that takes long enough to tell linear from quadratic
    tested: bool = False  # whether every run of the tests measures it; scripts/figures/shapes.py measures all


def linked_data(data: str) -> str:
    """A page with JSON-LD in it."""
    return f'<script type="application/ld+json">{data}</script>{P}'
