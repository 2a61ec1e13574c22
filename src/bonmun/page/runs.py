"""Find blocks beside kept ones that are marked up in the same way: short lines of an interview, names of a team."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from bonmun.page.page import Page

__all__ = ["find_run_blocks"]

NEAR_BLOCKS = 4  # before or after a block …
MIN_ALIKE = 2  # … of which so many are kept and have the same markup


def find_run_blocks(page: Page, kept: list[bool], candidates: Collection[int]) -> list[int]:
    """Return the candidates that continue a run of kept blocks with the same markup, forwards or backwards."""
    known = list(kept)
    found = []
    for row in sorted(candidates):
        if row > 0 and known[row - 1] and _is_alike(page, row, known, range(max(0, row - NEAR_BLOCKS), row)):
            known[row] = True
            found.append(row)
    count = len(known)
    for row in sorted(set(candidates) - set(found), reverse=True):
        after = range(row + 1, min(count, row + 1 + NEAR_BLOCKS))
        if row + 1 < count and known[row + 1] and _is_alike(page, row, known, after):
            known[row] = True
            found.append(row)
    return sorted(found)


def _is_alike(page: Page, row: int, kept: list[bool], near: range) -> bool:
    """Whether enough of the blocks near a block are kept and have the same markup."""
    markup = _find_markup(page, row)
    return sum(kept[other] and _find_markup(page, other) == markup for other in near) >= MIN_ALIKE


def _find_markup(page: Page, row: int) -> tuple[str, str | None, str, str | None]:
    """Return tag and class of the element of a block and of its parent."""
    element = page.owners[row]
    parent = max(page.parents[element], 0)
    return page.tags[element], page.attr(element, "class"), page.tags[parent], page.attr(parent, "class")
