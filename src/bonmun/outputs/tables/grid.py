"""Place the cells of a table on a grid. Cells with a span take several slots, within limits."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Grid", "GridCell", "GridRow", "GridSlot", "make_grid", "read_span"]

Value = TypeVar("Value")

MAX_SPAN = 1_000  # columns or rows that one cell may span
# Maximum number of slots, so that huge spans do not make a huge grid: a base, plus a multiple of the cells of the page.
BASE_SLOTS, MAX_SLOTS_PER_CELL = 1_000, 8


@dataclass(slots=True)
class GridCell(Generic[Value]):
    """A cell of a table."""

    value: Value
    columns: int = 1  # that it spans
    rows: int = 1
    is_header: bool = False


@dataclass(slots=True)
class GridSlot(Generic[Value]):
    """A slot of the grid, with the cell that covers it."""

    cell: GridCell[Value]
    is_first: bool  # in the first column of the cell
    is_below: bool  # below the first row of the cell


GridRow = list[GridSlot[Value] | None]  # None without a cell
Grid = list[GridRow[Value]]
# Cells of rows above that reach into a row, by column: the cell, its remaining rows, whether this is its first column.
RowSpans = dict[int, tuple[GridCell[Value], int, bool]]


def read_span(value: str | None) -> int:
    """Return the value of `colspan` or `rowspan`, up to `MAX_SPAN`; 1 if it is invalid.

    >>> read_span("3"), read_span("x"), read_span(None), read_span("0"), read_span("99999")
    (3, 1, 1, 1, 1000)
    """
    if not value or not value.isdecimal() or len(value) > 9:
        return 1
    return min(MAX_SPAN, max(1, int(value)))


def make_grid(rows: Sequence[Sequence[GridCell[Value]]]) -> Grid[Value]:
    """Place cells on a grid, row by row. When the grid gets too large, all further spans count as 1."""
    if all(cell.columns == cell.rows == 1 for row in rows for cell in row):  # most tables
        return [[GridSlot(cell, is_first=True, is_below=False) for cell in row] for row in rows]
    left = BASE_SLOTS + MAX_SLOTS_PER_CELL * sum(map(len, rows))
    width = _find_width(rows)
    grid: Grid[Value] = []
    spans: RowSpans[Value] = {}
    for row in rows:
        line: GridRow[Value] = []
        below: RowSpans[Value] = {}
        for cell in row:
            _add_spanning_cells(line, spans, below)
            columns = min(cell.columns, max(1, width - len(line))) if left > 0 else 1
            for column in range(columns):
                if cell.rows > 1 and left > 0:
                    below[len(line)] = (cell, cell.rows - 1, column == 0)
                spans.pop(len(line), None)
                line.append(GridSlot(cell, is_first=column == 0, is_below=False))
            left -= columns
        for column in sorted(spans):
            if column >= len(line):
                line += [None] * (column - len(line))
                _add_spanning_cells(line, spans, below)
        left -= len(below)
        spans = below if left > 0 else {}
        grid.append(line)
    return grid


def _find_width(rows: Sequence[Sequence[GridCell[Value]]]) -> int:
    """Return the number of columns: the most frequent width of a row with its spans, but no less than cells in a row.

    Wider spans are cut to it.
    """
    cells = max(map(len, rows), default=0)
    widths = Counter(sum(cell.columns for cell in row) for row in rows)
    most_frequent = min((-count, width) for width, count in widths.items())[1] if widths else 0
    return max(cells, min(most_frequent, MAX_SLOTS_PER_CELL * cells, MAX_SPAN))


def _add_spanning_cells(line: GridRow[Value], spans: RowSpans[Value], below: RowSpans[Value]) -> None:
    """Add the cells of rows above that cover the next slots."""
    while len(line) in spans:
        cell, rows, is_first = spans.pop(len(line))
        if rows > 1:
            below[len(line)] = (cell, rows - 1, is_first)
        line.append(GridSlot(cell, is_first=is_first, is_below=True))
