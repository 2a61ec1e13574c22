"""A table's cells laid out on a grid: those that span several columns or rows are filled in, within bounds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Grid", "GridCell", "GridRow", "GridSlot", "make_grid", "read_span"]

Value = TypeVar("Value")

MAX_SPAN = 1_000  # columns or rows that one cell may span
CELLS_PER_CELL = 8  # of the grid for one of the page, beside the floor: a page of huge spans makes no huge table
FLOOR_CELLS = 1_000


@dataclass(slots=True)
class GridCell(Generic[Value]):
    """A cell: its value, how many columns and rows it spans, whether it is a header."""

    value: Value
    columns: int = 1
    rows: int = 1
    is_header: bool = False


@dataclass(slots=True)
class GridSlot(Generic[Value]):
    """A place of the grid: the cell that covers it, whether in its first column, and whether below its first row."""

    cell: GridCell[Value]
    is_first: bool
    is_below: bool


GridRow = list[GridSlot[Value] | None]  # None where there is no cell
Grid = list[GridRow[Value]]
Hanging = dict[int, tuple[GridCell[Value], int, bool]]  # by column: a cell of a row above, how many rows it has left


def read_span(value: str | None) -> int:
    """What `colspan` or `rowspan` says; 1 where it says nothing that can be.

    >>> read_span("3"), read_span("x"), read_span(None), read_span("0"), read_span("99999")
    (3, 1, 1, 1, 1000)
    """
    if not value or not value.isdecimal() or len(value) > 9:
        return 1
    return min(MAX_SPAN, max(1, int(value)))


def make_grid(rows: Sequence[Sequence[GridCell[Value]]]) -> Grid[Value]:
    """Lay cells out, row by row; once the grid is many times larger than the table, spans count as one."""
    if all(cell.columns == cell.rows == 1 for row in rows for cell in row):  # as in most tables
        return [[GridSlot(cell, is_first=True, is_below=False) for cell in row] for row in rows]
    left = FLOOR_CELLS + CELLS_PER_CELL * sum(map(len, rows))
    width = _find_width(rows)
    grid: Grid[Value] = []
    hanging: Hanging[Value] = {}
    for row in rows:
        line: GridRow[Value] = []
        below: Hanging[Value] = {}
        for cell in row:
            _hang(line, hanging, below)
            columns = min(cell.columns, max(1, width - len(line))) if left > 0 else 1
            for place in range(columns):
                if cell.rows > 1 and left > 0:
                    below[len(line)] = (cell, cell.rows - 1, place == 0)
                hanging.pop(len(line), None)
                line.append(GridSlot(cell, is_first=place == 0, is_below=False))
            left -= columns
        for column in sorted(hanging):
            if column >= len(line):
                line += [None] * (column - len(line))
                _hang(line, hanging, below)
        left -= len(below)
        hanging = below if left > 0 else {}
        grid.append(line)
    return grid


def _find_width(rows: Sequence[Sequence[GridCell[Value]]]) -> int:
    """How many columns a table has: as most rows say, with their spans, and at least as many as a row has cells.

    A cell that says it spans more than there are is cut.
    """
    cells = max(map(len, rows), default=0)
    widths = Counter(sum(cell.columns for cell in row) for row in rows)
    said = min((-count, width) for width, count in widths.items())[1] if widths else 0
    return max(cells, min(said, CELLS_PER_CELL * cells, MAX_SPAN))


def _hang(line: GridRow[Value], hanging: Hanging[Value], below: Hanging[Value]) -> None:
    """Add the cells of rows above that cover the next places."""
    while len(line) in hanging:
        cell, rows, is_first = hanging.pop(len(line))
        if rows > 1:
            below[len(line)] = (cell, rows - 1, is_first)
        line.append(GridSlot(cell, is_first=is_first, is_below=True))
