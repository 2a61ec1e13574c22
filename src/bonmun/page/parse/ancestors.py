"""Iterate over the ancestors of elements, and list what is inside of one.

All code uses these functions, so that none can go past the root.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["climb", "climb_all", "list_inside"]


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


def list_inside(parents: Sequence[int], element: int) -> range:
    """Return an element and its descendants, which follow it."""
    stop = element + 1
    while stop < len(parents) and parents[stop] >= element:
        stop += 1
    return range(element, stop)
