"""Find side notes: notes within the text that CSS displays beside it, as in Tufte's books."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

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
    tags, parents, elements = page.tags, page.parents, page.leaf_elements
    inner = {elements[leaf] for leaf in leaves}
    # other elements are not in a note, nor is an `<a>` or similar directly in a paragraph
    inner = {row for row in inner if tags[row] in INLINE and (tags[row] in HOLDERS or tags[parents[row]] in INLINE)}
    around = {row for element in inner for row in list_around(parents, element, MAX_LEVELS) if tags[row] in HOLDERS}
    notes = {row for row, name in zip(around, page.attrs(around, "class"), strict=True) if name and _is_note(name)}
    if not notes:
        return {}
    holders = {element: _find_holder(page, element, notes) for element in inner}
    return {leaf: holder for leaf in leaves if (holder := holders.get(elements[leaf], -1)) >= 0}


def _is_note(name: str) -> bool:
    """Whether a class attribute is that of a side note."""
    return not NAMES.isdisjoint(name[:MAX_CLASS_CHARS].split())


def _find_holder(page: Page, element: int, notes: AbstractSet[int]) -> int:
    """Return the side note around an element, or -1."""
    for row in list_around(page.parents, element, MAX_LEVELS):
        if page.tags[row] not in INLINE:
            return -1
        if row in notes:
            return row
    return -1
