"""Iterate over the ancestors of elements. All code uses these functions, so that none can go past the root."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["climb", "climb_all"]


def climb(parents: Sequence[int], element: int) -> Iterator[int]:
    """Yield an element and its ancestors, innermost first."""
    while element >= 0:
        yield element
        element = parents[element]


def climb_all(parents: Sequence[int], elements: Iterable[int]) -> set[int]:
    """Return some elements and all their ancestors."""
    found: set[int] = set()
    for element in elements:
        while element >= 0 and element not in found:
            found.add(element)
            element = parents[element]
    return found
