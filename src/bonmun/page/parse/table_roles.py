"""Tables of a page, told from its columns: the table and the cell around each element, and which tables are layout."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel
from bonmun.page.parse.element_bits import BLOCK

if TYPE_CHECKING:
    from bonmun.page.parse.walk_tables import Columns

__all__ = ["CELLS", "find_layout_tables", "number_cells"]

CELLS = frozenset({"td", "th"})
DATA_TAGS = frozenset({"th", "thead", "caption"})  # what only a table of data has
# What a cell of data does not hold. Lists do occur in data; a single one does not make a layout.
LAYOUT_CONTENT = frozenset({"div", "p", "h1", "h2", "h3", "h4", "article", "section", "form", "blockquote"})


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
    """The tables that only arrange the page; `tables` are those around each element.

    A table is data when it says so (caption, thead, th) and layout when it says so (role, nesting); in doubt it is
    data if it has two rows and two columns and its cells hold text, not blocks.
    """
    if KERNEL:
        found: frozenset[int] = KERNEL.find_layout_tables(
            *(columns.tags, columns.parents, columns.bits, tables, BLOCK),
            *(DATA_TAGS, CELLS, LAYOUT_CONTENT),
            lambda row: _is_arranged(columns, row),
        )
        return found
    data: set[int] = set()
    layout: set[int] = set()
    blocks: Counter[int] = Counter()
    cells: Counter[int] = Counter()
    rows: Counter[int] = Counter()
    for row, (tag, around) in enumerate(zip(columns.tags, tables, strict=True)):
        if around < 0:
            continue
        if tag == "table":
            if _is_arranged(columns, row):
                layout.add(row)
            around = tables[columns.parents[row]]
            layout.add(around)
        elif tag in DATA_TAGS:
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


def _is_arranged(columns: Columns, table: int) -> bool:
    """Whether a table says that it only arranges."""
    return columns._nodes[table].attr("role") in ("presentation", "none")


KERNEL = load_kernel("columns")
