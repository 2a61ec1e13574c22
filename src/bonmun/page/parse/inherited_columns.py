"""Columns that elements inherit from their ancestors, computed in one pass: tables, links, kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel
from bonmun.page.parse.kinds import KIND_OF_TAG

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bonmun.page.parse.kinds import BlockKind
    from bonmun.page.parse.walk_tables import Columns

__all__ = ["find_around", "find_kinds", "list_leaves_in", "list_places", "list_tags"]


def list_tags(tags: list[str]) -> frozenset[str]:
    """Return the different tags of a page."""
    names: frozenset[str] = KERNEL.list_tags(tags) if KERNEL else frozenset(tags)
    return names


def list_places(values: Sequence[str | None], value: str) -> list[int]:
    """Return where a value stands in a column, of which few are different.

    >>> list_places(["a", "b", "a"], "a")
    [0, 2]
    """
    if KERNEL:
        places: list[int] = KERNEL.list_places(values, value)
        return places
    return [place for place, each in enumerate(values) if each == value]


def list_leaves_in(tags: list[str], bits: list[int], elements: list[int], tag: str, bit: int) -> list[int]:
    """Return the leaves whose element has a tag and a bit."""
    if KERNEL:
        leaves: list[int] = KERNEL.list_leaves_in(tags, bits, elements, tag, bit)
        return leaves
    return [leaf for leaf, element in enumerate(elements) if bits[element] & bit and tags[element] == tag]


def find_around(columns: Columns, names: Collection[str], fence: str | None = None) -> list[int]:
    """Return the innermost ancestor with one of the tags for each element, or the element itself; -1 if there is none.

    The search does not go past an element with the tag `fence`.
    """
    if KERNEL:
        around: list[int] = KERNEL.find_around(columns.tags, columns.parents, names, fence)
        return around
    found: list[int] = []
    for row, (tag, parent) in enumerate(zip(columns.tags, columns.parents, strict=True)):
        found.append(row if tag in names else -1 if tag == fence or parent < 0 else found[parent])
    return found


def find_kinds(columns: Columns, tables: list[int] | None, layout: frozenset[int]) -> list[BlockKind]:
    """Return the kind of block for text in each element: that of the nearest ancestor, or itself, whose tag has one.

    `tables` is the innermost table of each element, or None if there are no layout tables. Cells of layout tables
    contain paragraphs.
    """
    tags, parents, codes = columns.tags, columns.parents, columns.codes
    if KERNEL:
        found: list[BlockKind] = KERNEL.find_kinds(tags, parents, KIND_OF_TAG, codes, tables, layout)
        return found
    kinds: list[BlockKind] = []
    for row, (tag, parent) in enumerate(zip(tags, parents, strict=True)):
        kind = KIND_OF_TAG.get(tag)
        if parent < 0:
            kinds.append("paragraph")
        elif row in codes:
            kinds.append("code")
        elif kind is None:
            kinds.append(kinds[parent])
        else:
            kinds.append("paragraph" if kind == "cell" and tables and tables[row] in layout else kind)
    return kinds


KERNEL = load_kernel("columns")
