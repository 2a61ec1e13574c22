"""The kept data tables of a page as rows of texts, with what spans several cells filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.outputs.tables.grid import GridCell, make_grid, read_span
from bonmun.outputs.tables.headers import count_header_rows, has_header_row
from bonmun.outputs.tables.record import Table

if TYPE_CHECKING:
    from bonmun.outputs.tables.grid import GridRow
    from bonmun.outputs.writable import Writable
    from bonmun.page import Page

__all__ = ["find_tables"]

REPEATED_PER_CHAR = 4  # characters of cells that are said again, for one of the table
FLOOR_CHARS = 1_000
PADDED_CELLS_PER_CELL = 8


def find_tables(doc: Writable) -> tuple[Table, ...]:
    """The data tables of which something is shown, in document order."""
    page = doc.page
    if "table" not in page.tag_names:
        return ()
    texts: dict[int, list[str]] = {}
    captions: dict[int, list[str]] = {}
    tables: dict[int, None] = {}  # in order
    for block in doc.shown:
        element = block.element
        table = page.tables[element]
        if table < 0 or table in page.layout_tables:
            continue
        cell = page.cells[element]
        if cell >= 0:
            texts.setdefault(cell, []).append(block.text.replace("\n", " "))
            tables[table] = None
        elif block.kind == "caption":
            captions.setdefault(table, []).append(block.text.replace("\n", " "))
    rows = _find_rows(page, set(tables))
    return tuple(
        _make_table(page, table, rows[table], texts, " ".join(captions.get(table, ())) or None) for table in tables
    )


def _find_rows(page: Page, tables: set[int]) -> dict[int, dict[int, list[int]]]:
    """The cells of each row of some tables."""
    found: dict[int, dict[int, list[int]]] = {table: {} for table in tables}
    for cell in page.cell_numbers:
        if (table := page.tables[cell]) in tables:
            found[table].setdefault(page.parents[cell], []).append(cell)
    return found


def _make_table(
    page: Page, table: int, rows: dict[int, list[int]], texts: dict[int, list[str]], caption: str | None
) -> Table:
    kept = {row: cells for row, cells in rows.items() if any(cell in texts for cell in cells)}
    grid_rows = [
        [
            GridCell(
                " ".join(texts.get(cell, ())),
                read_span(page.attr(cell, "colspan")),
                read_span(page.attr(cell, "rowspan")),
                is_header=page.tags[cell] == "th" or page.tags[page.parents[row]] == "thead",
            )
            for cell in cells
        ]
        for row, cells in kept.items()
    ]
    room = FLOOR_CHARS + REPEATED_PER_CHAR * sum(len(cell.value) for row in grid_rows for cell in row)
    lines: list[tuple[str, ...]] = []
    for line in make_grid(grid_rows):
        said, room = _say_row(line, room)
        lines.append(said)
    lines = _pad(lines)
    header = count_header_rows(grid_rows)
    if not header and lines and has_header_row(lines):
        header = 1
    return Table(tuple(lines), header, caption, page.xpath(table))


def _pad(lines: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Rows that are equally long, unless the table would be many times larger for it."""
    width = max(map(len, lines), default=0)
    if width * len(lines) > PADDED_CELLS_PER_CELL * sum(map(len, lines)):
        return lines
    return [line + ("",) * (width - len(line)) for line in lines]


def _say_row(line: GridRow[str], room: int) -> tuple[tuple[str, ...], int]:
    """The texts of a row, and how many characters may still be said again."""
    said: list[str] = []
    for place in line:
        text = place.cell.value if place is not None else ""
        if place is not None and (place.is_below or not place.is_first):
            text = text if len(text) <= room else ""
            room -= len(text)
        said.append(text)
    return tuple(said), room
