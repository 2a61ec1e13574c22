"""Find the units of a page: data tables, lists, code blocks, figures and formulas.

A unit is an element and the blocks in it. Only the outermost counts: a list in a table cell belongs to the table.
Layout tables are not units, nor are lists whose items are cards or posts with headings, sections and tables of their
own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from bonmun.page.parse.columns import PageColumns

__all__ = ["UNIT_KINDS", "UNIT_TAGS", "Unit", "UnitKind", "find_units"]

UnitKind = Literal["table", "list", "code", "figure", "formula"]

UNIT_KINDS: tuple[UnitKind, ...] = ("table", "list", "code", "figure", "formula")
KIND_OF_TAG: dict[str, UnitKind] = {
    "table": "table",
    "ul": "list",
    "ol": "list",
    "dl": "list",
    "pre": "code",
    "listing": "code",
    "xmp": "code",
    "figure": "figure",
}
UNIT_TAGS = frozenset(KIND_OF_TAG)
LISTS = frozenset({"ul", "ol", "dl"})
ITEMS = frozenset({"li", "dt", "dd"})
# Elements that a plain list item does not contain. A list that contains one is a layout, not a unit.
CARD_CONTENT = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "article", "section", "form", "table", "pre", "nav", "header", "footer"}
)
NO_UNIT = -1  # instead of the row of an element; lower numbers stand for formulas
MAX_ITEM_BLOCKS = 2  # a list with more blocks per item is a layout, too


class Unit(NamedTuple):
    """A unit of a page: its kind, its element and the rows of its blocks."""

    kind: UnitKind
    element: int
    blocks: range


def find_units(page: PageColumns) -> list[Unit]:
    """Find the units that contain a block, in document order."""
    roots = _find_roots(page)
    formulas = {row for row, start in enumerate(page.starts) if start in page.formulas} if page.formulas else ()
    if not roots and not formulas:
        return []
    units: list[Unit] = []
    around = _mark_inside(page, roots)
    last, first = NO_UNIT, 0
    for row, owner in enumerate([*page.owners, -1]):
        root = around[owner]
        if root == NO_UNIT and row in formulas and page.formulas[page.starts[row]].is_display:
            root = NO_UNIT - 1 - row
        if root != last:
            if last >= 0:
                units.append(Unit(KIND_OF_TAG.get(page.tags[last], "code"), last, range(first, row)))
            elif last < NO_UNIT:
                units.append(Unit("formula", page.owners[first], range(first, row)))
            last, first = root, row
    return units


def _find_roots(page: PageColumns) -> set[int]:
    """Return the elements that are units, including nested ones."""
    tags = page.tags
    roots = {row for row in page.holders if tags[row] in KIND_OF_TAG or row in page.codes}
    if not roots:
        return roots
    roots -= _find_layout_lists(page)
    return roots - page.layout_tables if any(tags[row] == "table" for row in roots) else roots


def _mark_inside(page: PageColumns, roots: set[int]) -> dict[int, int]:
    """Return the outermost unit that contains each holder of blocks, or the holder itself; -1 if there is none."""
    parents = page.parents
    around = {-1: -1}
    for row in page.holders:
        above = around[parents[row]]
        around[row] = above if above >= 0 else row if row in roots else -1
    return around


def _find_layout_lists(page: PageColumns) -> set[int]:
    """Return the lists that are layouts, and the lists that contain them."""
    tags, parents = page.tags, page.parents
    inner = {-1: -1}  # the innermost list that contains each element, or the element itself
    items: dict[int, int] = {}
    layouts: set[int] = set()
    for row in page.holders:
        tag = tags[row]
        above = inner[parents[row]]
        if tag in LISTS:
            items[row] = 0
            inner[row] = row
            continue
        inner[row] = above
        if above >= 0:
            if tag in ITEMS:
                items[above] += 1
            elif tag in CARD_CONTENT:
                layouts.add(above)
    if not items:
        return layouts
    blocks = dict.fromkeys(items, 0)
    for owner in page.owners:
        if inner[owner] >= 0:
            blocks[inner[owner]] += 1
    for row in sorted(items, reverse=True):  # inner lists before outer ones
        outer = inner[parents[row]]
        if blocks[row] > MAX_ITEM_BLOCKS * items[row]:
            layouts.add(row)
        if outer >= 0:
            items[outer] += items[row]
            blocks[outer] += blocks[row]
            if row in layouts:
                layouts.add(outer)
    return layouts
