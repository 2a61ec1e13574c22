"""The way up a tree of elements: there is no other, so that none can climb past the root."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["climb", "climb_all"]


def climb(parents: Sequence[int], element: int) -> Iterator[int]:
    """An element and those around it, from the inside out. There is no other way up: the root's parent is no row."""
    while element >= 0:
        yield element
        element = parents[element]


def climb_all(parents: Sequence[int], elements: Iterable[int]) -> set[int]:
    """Some elements and all around them."""
    found: set[int] = set()
    for element in elements:
        while element >= 0 and element not in found:
            found.add(element)
            element = parents[element]
    return found
