"""Tables of a page, told from its columns: the table and the cell around each element, and which tables are layout."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bonmun.page.bits import BLOCK

if TYPE_CHECKING:
    from bonmun.page.walked import Columns

__all__ = ["find_around", "find_cells", "find_layout_tables", "number_cells"]

CELLS = frozenset({"td", "th"})
# What a cell of data does not hold. Lists do occur in data; a single one does not make a layout.
LAYOUT_CONTENT = frozenset({"div", "p", "h1", "h2", "h3", "h4", "article", "section", "form", "blockquote"})


def find_around(columns: Columns, name: str) -> list[int]:
    """The innermost element of a tag around each element, or itself if it is one; -1 where there is none."""
    found: list[int] = []
    for row, (tag, parent) in enumerate(zip(columns.tags, columns.parents, strict=True)):
        found.append(row if tag == name else found[parent] if parent >= 0 else -1)
    return found


def find_cells(columns: Columns) -> list[int]:
    """The innermost table cell around each element, or itself if it is one; -1 where there is none."""
    cells: list[int] = []
    for row, (tag, parent) in enumerate(zip(columns.tags, columns.parents, strict=True)):
        cells.append(row if tag in CELLS else -1 if tag == "table" or parent < 0 else cells[parent])
    return cells


def number_cells(columns: Columns) -> dict[int, int]:
    """How many cells stand before each cell in its row."""
    counts: dict[int, int] = {}
    numbers: dict[int, int] = {}
    for row, tag in enumerate(columns.tags):
        if tag in CELLS:
            parent = columns.parents[row]
            numbers[row] = counts.get(parent, 0)
            counts[parent] = numbers[row] + 1
    return numbers


def find_layout_tables(columns: Columns, tables: list[int]) -> frozenset[int]:
    """The tables that only arrange the page; `tables` is what `find_around` found.

    A table is data when it says so (caption, thead, th) and layout when it says so (role, nesting); in doubt it is
    data if it has two rows and two columns and its cells hold text, not blocks.
    """
    data: set[int] = set()
    layout: set[int] = set()
    blocks: Counter[int] = Counter()
    cells: Counter[int] = Counter()
    rows: Counter[int] = Counter()
    for row, (tag, around) in enumerate(zip(columns.tags, tables, strict=True)):
        if around < 0:
            continue
        if tag == "table":
            if columns._nodes[row].attr("role") in ("presentation", "none"):
                layout.add(row)
            around = tables[columns.parents[row]]
            layout.add(around)
        elif tag in ("th", "thead", "caption"):
            data.add(around)
        if tag == "tr":
            rows[around] += 1
        elif tag in CELLS:
            cells[around] += 1
        elif tag in LAYOUT_CONTENT and columns.bits[row] & BLOCK:
            blocks[around] += 1
    for table in set(tables) - {-1} - data - layout:
        if rows[table] < 2 or cells[table] <= rows[table] or blocks[table] * 2 > cells[table]:
            layout.add(table)
    return frozenset(layout - {-1})
