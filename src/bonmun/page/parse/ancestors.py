"""Iterate over the ancestors of elements, and list what is inside of one.

All code uses these functions, so that none can go past the root.
"""

from __future__ import annotations

from itertools import islice, takewhile
from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

__all__ = [
    "climb",
    "climb_all",
    "find_above",
    "has_text_in",
    "list_around",
    "list_between",
    "list_boxes",
    "list_inside",
    "list_near",
]


def climb(parents: Sequence[int], element: int) -> Iterator[int]:
    """Yield an element and its ancestors, innermost first."""
    while element >= 0:
        yield element
        element = parents[element]


def list_around(parents: Sequence[int], element: int, levels: int) -> list[int]:
    """Return an element and its ancestors, innermost first, `levels` at most."""
    return list(islice(climb(parents, element), levels))


def list_boxes(
    tags: Sequence[str], parents: Sequence[int], element: int, levels: int, names: Collection[str]
) -> list[tuple[int, int]]:
    """Return those of `list_around` that have some tags, each after its place there."""
    return [(number, row) for number, row in enumerate(islice(climb(parents, element), levels)) if tags[row] in names]


def list_between(parents: Sequence[int], element: int, outer: int) -> list[int]:
    """Return an element and its ancestors, innermost first, up to `outer`, which is not among them."""
    return list(takewhile(lambda row: row > outer, climb(parents, element)))


def find_above(tags: Sequence[str], parents: Sequence[int], element: int, tag: str) -> int:
    """Return the innermost element with a tag that contains an element, or the element itself; -1 if there is none."""
    return next((row for row in climb(parents, element) if tags[row] == tag), -1)


def has_text_in(
    parents: Sequence[int], leaf_elements: Sequence[int], start: int, stop: int, element: int, levels: int
) -> bool:
    """Whether one of some leaves is in an element, less than `levels` above it."""
    for leaf in range(start, stop):
        for each in islice(climb(parents, leaf_elements[leaf]), levels):
            if each <= element:  # ancestors come before their descendants
                if each == element:
                    return True
                break
    return False


def climb_all(parents: Sequence[int], elements: Iterable[int]) -> set[int]:
    """Return some elements and all their ancestors."""
    found: set[int] = set()
    for element in elements:
        while element >= 0 and element not in found:
            found.add(element)
            element = parents[element]
    return found


def list_near(parents: Sequence[int], elements: Iterable[int], levels: int) -> set[int]:
    """Return some elements and their ancestors, at most `levels` of each, without order."""
    return {row for element in set(elements) for row in list_around(parents, element, levels)}


def list_inside(parents: Sequence[int], element: int) -> range:
    """Return an element and its descendants, which follow it."""
    stop = element + 1
    while stop < len(parents) and parents[stop] >= element:
        stop += 1
    return range(element, stop)


KERNEL = load_kernel("columns")
if KERNEL:
    climb_all, find_above, has_text_in = KERNEL.climb_all, KERNEL.find_above, KERNEL.has_text_in
    list_around, list_between, list_near = KERNEL.list_around, KERNEL.list_between, KERNEL.list_near
    list_boxes = load_kernel("images").list_boxes
