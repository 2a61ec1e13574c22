"""What elements get from those around them, told in one pass from the first to the last: tables, links, kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel
from bonmun.page.parse.kinds import KIND_OF_TAG

if TYPE_CHECKING:
    from collections.abc import Collection

    from bonmun.page.parse.kinds import BlockKind
    from bonmun.page.parse.walk_tables import Columns

__all__ = ["find_around", "find_kinds", "list_names"]


def list_names(tags: list[str]) -> frozenset[str]:
    """The tags of a page, each once."""
    names: frozenset[str] = KERNEL.list_names(tags) if KERNEL else frozenset(tags)
    return names


def find_around(columns: Columns, names: Collection[str], fence: str | None = None) -> list[int]:
    """The innermost element of some tags around each element, or itself if it is one; -1 where there is none.

    What stands in an element of the tag `fence` does not see those outside.
    """
    if KERNEL:
        around: list[int] = KERNEL.find_around(columns.tags, columns.parents, names, fence)
        return around
    found: list[int] = []
    for row, (tag, parent) in enumerate(zip(columns.tags, columns.parents, strict=True)):
        found.append(row if tag in names else -1 if tag == fence or parent < 0 else found[parent])
    return found


def find_kinds(columns: Columns, tables: list[int] | None, layout: frozenset[int]) -> list[BlockKind]:
    """The kind of block that text in each element makes: that of the nearest tag, itself or above, that says one.

    `tables` are those around each element, None if no table is layout: a cell of one that is makes paragraphs.
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
