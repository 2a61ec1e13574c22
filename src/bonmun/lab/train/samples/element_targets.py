"""A gold in, rows out: which elements of a page paper 2 would have TabNet learn, in three readings of it.

| reading | an element is main text if |
|---|---|
| `whole` | nine tenths of the text in it, or more, are gold |
| `root` | it is the region: of the elements that hold nine tenths of the gold, the one with the best F1 |
| `parents` | a piece of gold text is its own |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bonmun.text.words import Overlap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bonmun.page import Page

__all__ = ["TARGETS", "Target", "mark_parents", "mark_root", "mark_whole"]

Target = Literal["whole", "root", "parents"]
WHOLE_SHARE = 0.9  # of the text of an element must be gold
ROOT_SHARE = 0.9  # of the gold must be in the region


def mark_whole(page: Page, gold: Sequence[bool]) -> list[bool]:
    """Mark every element of whose text nine tenths are gold; `gold` says which leaves are."""
    sums = _add_up(page, gold)
    return [overlap.shared > 0 and overlap.shared >= WHOLE_SHARE * overlap.found for overlap in sums]


def mark_root(page: Page, gold: Sequence[bool]) -> list[bool]:
    """Mark the one element that is the region; none where there is no gold."""
    sums = _add_up(page, gold)
    held = [row for row, each in enumerate(sums) if each.shared and each.shared >= ROOT_SHARE * each.gold]
    best = max(held, key=lambda row: (sums[row].f1, row), default=-1)  # the innermost of those that are as good
    return [row == best for row in range(len(sums))]


def mark_parents(page: Page, gold: Sequence[bool]) -> list[bool]:
    """Mark the elements that gold leaves stand in."""
    parents = {element for element, right in zip(page.leaf_elements, gold, strict=True) if right}
    return [row in parents for row in range(len(page.tags))]


TARGETS: dict[Target, Callable[[Page, Sequence[bool]], list[bool]]] = {
    "whole": mark_whole,
    "root": mark_root,
    "parents": mark_parents,
}


def _add_up(page: Page, gold: Sequence[bool]) -> list[Overlap]:
    """For each element the characters that it shows, those of the gold, and those that are both."""
    shown, shared = [0] * len(page.tags), [0] * len(page.tags)
    for leaf in page.shown:
        size = len(page.texts[leaf])
        shown[page.leaf_elements[leaf]] += size
        shared[page.leaf_elements[leaf]] += size if gold[leaf] else 0
    for row in range(len(shown) - 1, 0, -1):  # a parent stands before what it holds
        shown[page.parents[row]] += shown[row]
        shared[page.parents[row]] += shared[row]
    return [Overlap(found, shared[0] if shared else 0, both) for found, both in zip(shown, shared, strict=True)]
