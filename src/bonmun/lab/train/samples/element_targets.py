"""Mark the elements that TabNet should learn as main text, in three readings of paper 2.

| reading | an element is main text if |
|---|---|
| `whole` | at least nine tenths of its text are gold |
| `root` | it is the region: of the elements that hold nine tenths of the gold, the one with the best F1 |
| `parents` | it directly contains a piece of gold text |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bonmun.text.words import Overlap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bonmun.page import Page

__all__ = ["TARGETS", "Target", "mark_parents", "mark_root", "mark_whole"]

Target = Literal["whole", "root", "parents"]
WHOLE_SHARE = 0.9  # of an element's text that must be gold
ROOT_SHARE = 0.9  # of the gold that must be in the region


def mark_whole(page: Page, gold: Sequence[bool]) -> list[bool]:
    """Mark every element whose text is at least nine tenths gold; `gold` marks the leaves."""
    sums = _sum_characters(page, gold)
    return [overlap.shared > 0 and overlap.shared >= WHOLE_SHARE * overlap.found for overlap in sums]


def mark_root(page: Page, gold: Sequence[bool]) -> list[bool]:
    """Mark the single element that is the region; none without gold."""
    sums = _sum_characters(page, gold)
    held = [row for row, each in enumerate(sums) if each.shared and each.shared >= ROOT_SHARE * each.gold]
    best = max(held, key=lambda row: (sums[row].f1, row), default=-1)  # the innermost of equally good ones
    return [row == best for row in range(len(sums))]


def mark_parents(page: Page, gold: Sequence[bool]) -> list[bool]:
    """Mark the elements that directly contain gold leaves."""
    parents = {element for element, right in zip(page.leaf_elements, gold, strict=True) if right}
    return [row in parents for row in range(len(page.tags))]


TARGETS: dict[Target, Callable[[Page, Sequence[bool]], list[bool]]] = {
    "whole": mark_whole,
    "root": mark_root,
    "parents": mark_parents,
}


def _sum_characters(page: Page, gold: Sequence[bool]) -> list[Overlap]:
    """Return, for each element, the characters shown, of the gold, and of both."""
    shown, shared = [0] * len(page.tags), [0] * len(page.tags)
    for leaf in page.shown:
        size = len(page.texts[leaf])
        shown[page.leaf_elements[leaf]] += size
        shared[page.leaf_elements[leaf]] += size if gold[leaf] else 0
    for row in range(len(shown) - 1, 0, -1):  # a parent comes before its children
        shown[page.parents[row]] += shown[row]
        shared[page.parents[row]] += shared[row]
    return [Overlap(found, shared[0] if shared else 0, both) for found, both in zip(shown, shared, strict=True)]
