"""Spans, depths, paths and siblings of elements in the tree. Shapes: n blocks, m elements.

The code has no loop over elements. Values of ancestors are gathered by pointer doubling: from the parent, then from the
two elements above it, then from the four above those, and so on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.models.features.page_arrays import PageArrays

    Floats = NDArray[np.float32]
    Rows = NDArray[np.int32]
    Places = NDArray[np.intp]  # indexes, in numpy's native size

__all__ = ["LEVELS", "Tree", "count_twins", "list_levels", "read_tree"]

LEVELS = 6  # ancestors of a block that the network reads one by one, from its own element outwards
PATH_FACTOR = 0x9E3779B97F4A7C15  # the hash of a path is a polynomial in this, modulo 2 ** 64
TAG_SPAN = 256  # more than the largest tag number
NAME_SPAN = 1 << 31  # more than the largest pair of a name and a tag


class Tree(NamedTuple):
    """Values of all elements."""

    spans: Rows  # (m, 2) the first block in the element, and one past the last
    depths: Floats  # (m,) number of ancestors
    children: Floats  # (m,)
    paths: NDArray[np.uint64]  # (m,) equal for elements with the same tags and names from the root down


def read_tree(a: PageArrays) -> Tree:
    """Compute the values of all elements."""
    m = len(a.parents)
    up = np.full(m + 1, -1, np.intp)  # -1 leads to -1
    up[:m] = a.parents
    depths, paths = _gather_above(a, up)
    children = np.bincount(up + 1, minlength=m + 1)[1:].astype(np.float32)  # the first count is that of -1
    return Tree(_find_spans(a, up[:m], depths), depths.astype(np.float32), children, paths)


def _gather_above(a: PageArrays, up: Places) -> tuple[Rows, NDArray[np.uint64]]:
    """Return the number of ancestors of each element, and the hash of its path."""
    m = len(a.parents)
    depths = (up >= 0).astype(np.int32)
    paths = np.zeros(m + 1, np.uint64)
    paths[:m] = a.tags
    paths[:m] += a.names.astype(np.uint64) * np.uint64(TAG_SPAN) + np.uint64(1)
    power = PATH_FACTOR
    while up.max() >= 0:
        depths += depths.take(up)
        paths += np.uint64(power) * paths.take(up)
        power = power * power & 0xFFFFFFFFFFFFFFFF
        up = up.take(up)
    return depths[:m], paths[:m]


def _find_spans(a: PageArrays, parents: Places, depths: Rows) -> Rows:
    """Return the first block in each element, and one past the last."""
    m, n = len(parents), len(a.owners)
    rows = np.arange(n, dtype=np.int32)
    first = np.full(m + 1, n, np.int32)
    first[a.owners[::-1]] = rows[::-1]
    last = np.zeros(m + 1, np.int32)
    last[a.owners] = rows + 1
    stops = _find_stops(parents, depths)
    row = np.arange(m)
    if (row[1:] < stops.take(parents[1:])).all() and (stops - row).sum() == depths.sum() + m:
        ends = np.empty((m, 2), np.intp)
        ends[:, 0], ends[:, 1] = row, stops
        spans = np.empty((m, 2), np.int32)
        spans[:, 0] = np.minimum.reduceat(first, ends.ravel())[::2]
        spans[:, 1] = np.maximum.reduceat(last, ends.ravel())[::2]
        return spans
    for child in range(m - 1, 0, -1):  # slotted elements are not in document order
        parent = a.parents[child]
        first[parent] = min(first[parent], first[child])
        last[parent] = max(last[parent], last[child])
    return np.stack([first[:m], last[:m]], 1)


def _find_stops(parents: Places, depths: Rows) -> Places:
    """Return one past the last descendant of each element, provided that elements are in document order.

    Then the descendants of an element end at its next sibling, or at that of the nearest ancestor that has one.
    """
    m = len(parents)
    order = parents.argsort(kind="stable")
    ordered = parents.take(order)
    following = np.full(m + 1, m, np.intp)
    same = ordered[1:] == ordered[:-1]
    following[order[:-1][same]] = order[1:][same]
    holder = np.full(m + 1, -1, np.intp)
    holder[:m] = np.where(following[:m] < m, np.arange(m), parents)
    for _ in range(int(depths.max(initial=1)).bit_length()):
        holder = holder.take(holder)
    return following.take(holder[:m])


def count_twins(a: PageArrays) -> tuple[Floats, Floats]:
    """Return for each element the number of siblings with the same tag and class, itself included, and its rank."""
    m = len(a.parents)
    key = (a.parents.astype(np.int64) + 1) * NAME_SPAN + a.names.astype(np.int64) * TAG_SPAN + a.tags
    order = key.argsort(kind="stable")
    ordered = key.take(order)
    new = np.ones(m + 1, bool)
    new[1:m] = ordered[1:] != ordered[:-1]
    ends = new.nonzero()[0]
    starts, lengths = ends[:-1], ends[1:] - ends[:-1]
    twins = np.empty(m, np.float32)
    ranks = np.empty(m, np.float32)
    twins[order] = lengths.repeat(lengths)
    ranks[order] = np.arange(m) - starts.repeat(lengths)
    return twins, ranks


def list_levels(a: PageArrays) -> Rows:
    """Return the ancestors of each block, innermost first: (n, LEVELS), filled up with -1."""
    levels = np.empty((len(a.owners), LEVELS), np.int32)
    above = np.full(len(a.parents) + 1, -1, np.intp)  # -1 leads to -1
    above[:-1] = a.parents
    element: NDArray[Any] = a.owners
    for level in range(LEVELS):
        levels[:, level] = element
        element = above.take(element)
    return levels
