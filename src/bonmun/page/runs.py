"""Find blocks that belong to the kept ones around them.

They are marked up like the kept blocks beside them: short lines of an interview, names of a team. Or they fill a short
gap between kept blocks: an embedded post, a pulled quote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from bonmun.page.page import Page

__all__ = ["find_gap_blocks", "find_run_blocks"]

NEAR_BLOCKS = 4  # before or after a block …
MIN_ALIKE = 2  # … of which so many are kept and have the same markup
MAX_GAP_BLOCKS = 6
MIN_GAP_LETTERS = 20  # shorter gaps are buttons and numbers


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


def find_gap_blocks(page: Page, kept: list[bool], candidates: Collection[int]) -> list[int]:
    """Return the candidates in short gaps between kept blocks, if a gap has nothing else."""
    chosen = set(candidates)
    texts = page.block_texts
    found: list[int] = []
    last = None  # kept block
    for row, is_kept in enumerate(kept):
        if not is_kept:
            continue
        if last is not None and 1 < row - last <= MAX_GAP_BLOCKS + 1:
            gap = range(last + 1, row)
            letters = sum(sum(map(str.isalpha, texts[each])) for each in gap if each in chosen)
            if chosen.issuperset(gap) and letters >= MIN_GAP_LETTERS:
                found.extend(gap)
        last = row
    return found


def _is_alike(page: Page, row: int, kept: list[bool], near: range) -> bool:
    """Whether enough of the blocks near a block are kept and have the same markup."""
    markup = _find_markup(page, row)
    return sum(kept[other] and _find_markup(page, other) == markup for other in near) >= MIN_ALIKE


def _find_markup(page: Page, row: int) -> tuple[str, str | None, str, str | None]:
    """Return tag and class of the element of a block and of its parent."""
    element = page.owners[row]
    parent = max(page.parents[element], 0)
    return page.tags[element], page.attr(element, "class"), page.tags[parent], page.attr(parent, "class")
