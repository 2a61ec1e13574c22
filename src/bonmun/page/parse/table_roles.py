"""Number the cells of tables, and tell layout tables from data tables."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from bonmun.kernel import load_kernel
from bonmun.page.parse.element_bits import BLOCK

if TYPE_CHECKING:
    from bonmun.page.parse.walk_tables import Columns

__all__ = ["CELLS", "CalloutTable", "find_callout_tables", "find_layout_tables", "number_cells"]

CELLS = frozenset({"td", "th"})
DATA_TAGS = frozenset({"th", "thead", "caption"})  # only data tables contain these
# Elements that data cells do not contain. Lists are left out, since they do occur in data.
LAYOUT_CONTENT = frozenset({"div", "p", "h1", "h2", "h3", "h4", "article", "section", "form", "blockquote"})
WRAPPERS = frozenset({"div", "p"})  # editors put the text of each cell into one

MIN_TITLED_ROWS = 3  # of a table with a title row
# Class names of the boxes of DocBook, in small letters.
CALLOUT_NAMES = frozenset("note tip warning important caution".split())
CLASS_CHARS = 100  # of a class attribute that are read
MAX_ROWS_TO_CELL = 50  # elements between a table and its first cell: columns and groups


class CalloutTable(NamedTuple):
    """A note or warning that is laid out as a table: its box, and the image and the title in the table, as elements."""

    box: int
    icon: int
    title: int


def find_callout_tables(columns: Columns, rows: list[int], tables: list[int]) -> dict[int, CalloutTable]:
    """Return those of some tables that DocBook writes for callouts; `tables` is the innermost one of each element.

    Beside an icon that spans two rows, there is the title in the first and the text in the second.
    """
    tags, parents, nodes = columns.tags, columns.parents, columns._nodes
    cells: dict[int, list[int]] = {}
    for row in rows:
        if tags[parents[row]] == "div":
            name = (nodes[parents[row]].attr("class") or "")[:CLASS_CHARS].lower()
            if not CALLOUT_NAMES.isdisjoint(name.split()):
                cells[row] = []
    if not cells:
        return {}
    for row, tag in enumerate(tags):
        if tag in CELLS and tables[row] in cells:
            cells[tables[row]].append(row)
    found = {}
    for table, (icon, *others) in ((table, held) for table, held in cells.items() if len(held) == 3):
        title, text = others
        is_beside = parents[icon] == parents[title] != parents[text] and nodes[icon].attr("rowspan") == "2"
        if is_beside and title == icon + 2 and tags[icon + 1] == "img" and not nodes[icon].text.strip():
            found[table] = CalloutTable(parents[table], icon + 1, title)
    return found


def number_cells(columns: Columns) -> dict[int, int]:
    """Return the number of cells before each cell in its row."""
    counts: dict[int, int] = {}
    numbers: dict[int, int] = {}
    for row, tag in enumerate(columns.tags):
        if tag in CELLS:
            parent = columns.parents[row]
            numbers[row] = counts.get(parent, 0)
            counts[parent] = numbers[row] + 1
    return numbers


def find_layout_tables(columns: Columns, tables: list[int]) -> frozenset[int]:
    """Return the tables that only serve the layout; `tables` is the innermost table of each element.

    A caption, thead or th makes it a data table; a role or a nested table makes it a layout table. Other tables are
    data if they have two rows and two columns and their cells contain text rather than blocks. A cell whose text is
    wrapped in one block is a cell with text if all rows have the same number of cells, except for a title row.
    """
    if KERNEL:
        found: frozenset[int] = KERNEL.find_layout_tables(
            *(columns.tags, columns.parents, columns.bits, tables, BLOCK),
            *(DATA_TAGS, CELLS, LAYOUT_CONTENT, WRAPPERS),
            lambda row: _has_layout_role(columns, row),
            lambda table, rows, cells: _has_title_row(columns, table, rows, cells),
        )
        return found
    data: set[int] = set()
    layout: set[int] = set()
    wrappers: set[int] = set()
    blocks: Counter[int] = Counter()  # including wrappers
    wrapped: Counter[int] = Counter()
    cells: Counter[int] = Counter()
    rows: Counter[int] = Counter()
    for row, (tag, around) in enumerate(zip(columns.tags, tables, strict=True)):
        if around < 0:
            continue
        if tag == "table":
            if _has_layout_role(columns, row):
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
            above = columns.parents[row]
            is_first = above == row - 1  # child: elements are in document order
            if tag in WRAPPERS and is_first and (above in wrappers or columns.tags[above] in CELLS):
                wrappers.add(row)
                wrapped[around] += 1
    for table in set(tables) - {-1} - data - layout:
        if rows[table] < 2 or cells[table] <= rows[table]:
            layout.add(table)
            continue
        are_blocks = blocks[table] * 2 > cells[table]
        if are_blocks and (
            (blocks[table] - wrapped[table]) * 2 > cells[table]
            or (cells[table] % rows[table] and not _has_title_row(columns, table, rows[table], cells[table]))
        ):
            layout.add(table)
    return frozenset(layout - {-1})


def _has_title_row(columns: Columns, table: int, rows: int, cells: int) -> bool:
    """Return whether the first row of a table is one cell across all columns, and all other rows are complete."""
    width, rest = divmod(cells - 1, rows - 1)
    if rest or width < 2 or rows < MIN_TITLED_ROWS:
        return False
    first = range(table + 1, min(table + 1 + MAX_ROWS_TO_CELL, len(columns.tags)))
    cell = next((row for row in first if columns.tags[row] in CELLS), None)
    return cell is not None and columns._nodes[cell].attr("colspan") == str(width)


def _has_layout_role(columns: Columns, table: int) -> bool:
    """Return whether the `role` of a table says that it serves the layout."""
    return columns._nodes[table].attr("role") in ("presentation", "none")


KERNEL = load_kernel("columns")
