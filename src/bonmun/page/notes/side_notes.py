"""Find side notes: notes within the text that CSS displays beside it, as in Tufte's books."""

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
MAX_LEVELS = 6  # ancestors of a leaf that are inspected
MAX_CLASS_CHARS = 200  # characters read of a class attribute


def find_side_notes(page: Page, leaves: Sequence[int]) -> dict[int, int]:
    """Return the leaves in side notes, each with its element; only on pages where a `<label>` toggles the notes."""
    if "label" not in page.tag_names:
        return {}
    found: dict[int, int] = {}
    known: dict[int, int] = {}  # by the element of a leaf
    tags, parents, elements = page.tags, page.parents, page.leaf_elements
    for leaf in leaves:
        element = elements[leaf]
        tag = tags[element]
        # other elements are not in a note, nor is an `<a>` or similar directly in a paragraph
        if tag not in INLINE or not (tag in HOLDERS or tags[parents[element]] in INLINE):
            continue
        if element not in known:
            known[element] = _find_holder(page, element)
        if known[element] >= 0:
            found[leaf] = known[element]
    return found


def _find_holder(page: Page, element: int) -> int:
    for row in islice(climb(page.parents, element), MAX_LEVELS):
        tag = page.tags[row]
        if tag not in INLINE:
            return -1
        if tag in HOLDERS and not NAMES.isdisjoint((page.attr(row, "class") or "")[:MAX_CLASS_CHARS].split()):
            return row
    return -1
