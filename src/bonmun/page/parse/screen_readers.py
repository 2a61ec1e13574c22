"""Hide text in links that only screen readers say: "(opens in a new window)", or the title of an image that follows.

It counts as hidden if the link has another text before it, or if the same text follows. All other text for screen
readers is kept, since it may be the only text of a link or the only heading of a section.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around, list_inside
from bonmun.page.parse.element_bits import HIDDEN, LINK
from bonmun.page.parse.inherited_columns import list_leaves_in

if TYPE_CHECKING:
    from collections.abc import Collection

    from bonmun.page.parse.columns import PageColumns

__all__ = ["hide_readings"]

# Classes of WordPress, Bootstrap, Foundation, Drupal and others.
NAMES = frozenset(
    "sr-only visually-hidden visuallyhidden screen-reader-text screen-reader-only screenreader-only show-for-sr "
    "element-invisible u-sr-only u-visually-hidden".split()
)
CLASS_CHARS = 300  # of a class attribute that are read
LEVELS = 3  # elements around a text that may have the class
NEAR_LEAVES = 6  # after a text that are searched for the same text


def hide_readings(page: PageColumns) -> None:
    """Mark the text for screen readers in the links of a page that was just read as hidden."""
    tags, bits, elements = page.tags, page.bits, page.leaf_elements
    leaves = list_leaves_in(tags, bits, elements, "span", LINK)
    readings = _list_readings(page, {elements[leaf] for leaf in leaves}) if leaves else None
    if not readings:  # most pages
        return
    for leaf in leaves:
        element = elements[leaf]
        reading = _find_reading(page, element, readings)
        if reading < 0 or bits[element] & HIDDEN:
            continue
        near = page.texts[leaf + 1 : leaf + 1 + NEAR_LEAVES]
        if page.texts[leaf] in near or _follows_text(page, leaf):
            for row in list_inside(page.parents, reading):
                bits[row] |= HIDDEN


def _list_readings(page: PageColumns, elements: Collection[int]) -> set[int]:
    """Return the <span> elements for screen readers that some <span> elements are, or are in."""
    tags, parents = page.tags, page.parents
    around, spans = set(elements), set(elements)
    for _ in range(LEVELS - 1):
        spans = {parents[row] for row in spans if tags[parents[row]] == "span"}
        around |= spans
    names = page.attrs(around, "class")
    known = {name for name in set(names) if name and not NAMES.isdisjoint(name[:CLASS_CHARS].split())}
    return {row for row, name in zip(around, names, strict=True) if name in known}


def _find_reading(page: PageColumns, element: int, readings: set[int]) -> int:
    """Return the <span> for screen readers that contains a text, or -1."""
    for row in list_around(page.parents, element, LEVELS):
        if page.tags[row] != "span":
            break
        if row in readings:
            return row
    return -1


def _follows_text(page: PageColumns, leaf: int) -> bool:
    """Whether a shown text comes before a leaf in the same link and the same block."""
    if leaf == 0 or page.joints[leaf] is None:
        return False
    before = page.leaf_elements[leaf - 1]
    is_shown = not page.bits[before] & HIDDEN and any(map(str.isalnum, page.texts[leaf - 1]))
    return is_shown and page.find_link(before) == page.find_link(page.leaf_elements[leaf])
