"""Notes that stand in the text itself and that style puts beside it, as Tufte's books have them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import climb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_side_notes"]

NAMES = frozenset({"sidenote", "marginnote", "side-note", "margin-note"})
HOLDERS = frozenset({"span", "small"})
INLINE = frozenset("a abbr b cite code em i mark q small span strong sub sup".split())
LEVELS = 6  # elements around a leaf, at most, that are looked at
NAME_CHARS = 200  # of a class that are read


def find_side_notes(page: Page, leaves: Sequence[int]) -> dict[int, int]:
    """The leaves that stand in one, each with its element; on a page whose notes have boxes to show them by."""
    if "label" not in page.tag_names:
        return {}
    found: dict[int, int] = {}
    known: dict[int, int] = {}  # by the element of a leaf
    tags, parents, elements = page.tags, page.parents, page.leaf_elements
    for leaf in leaves:
        element = elements[leaf]
        tag = tags[element]
        # a leaf in any other element is in no note, nor is one in an `<a>` or the like that stands in a paragraph
        if tag not in INLINE or not (tag in HOLDERS or tags[parents[element]] in INLINE):
            continue
        if element not in known:
            known[element] = _find_holder(page, element)
        if known[element] >= 0:
            found[leaf] = known[element]
    return found


def _find_holder(page: Page, element: int) -> int:
    for row in islice(climb(page.parents, element), LEVELS):
        tag = page.tags[row]
        if tag not in INLINE:
            return -1
        if tag in HOLDERS and not NAMES.isdisjoint((page.attr(row, "class") or "")[:NAME_CHARS].split()):
            return row
    return -1
