"""Find the data tables of a document, as rows of texts with spans filled in."""

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

# Maximum number of characters that spans repeat: a base, plus a multiple of the characters of the table.
BASE_REPEATED_CHARS, MAX_REPEATED_RATIO = 1_000, 4
MAX_PADDING_RATIO = 8  # of the cells with padding to those without; beyond it, rows are not padded


def find_tables(doc: Writable) -> tuple[Table, ...]:
    """Return the data tables with blocks in the output, in document order."""
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
    """Return the cells of each row of each table."""
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
    left = BASE_REPEATED_CHARS + MAX_REPEATED_RATIO * sum(len(cell.value) for row in grid_rows for cell in row)
    lines: list[tuple[str, ...]] = []
    for line in make_grid(grid_rows):
        row_texts, left = _write_row(line, left)
        lines.append(row_texts)
    lines = _pad(lines)
    header = count_header_rows(grid_rows)
    if not header and lines and has_header_row(lines):
        header = 1
    return Table(tuple(lines), header, caption, page.xpath(table))


def _pad(lines: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return rows of the same length, unless padding would make the table many times larger."""
    width = max(map(len, lines), default=0)
    if width * len(lines) > MAX_PADDING_RATIO * sum(map(len, lines)):
        return lines
    return [line + ("",) * (width - len(line)) for line in lines]


def _write_row(line: GridRow[str], left: int) -> tuple[tuple[str, ...], int]:
    """Return the texts of a row, and how many characters may still be repeated, given how many were left before."""
    texts: list[str] = []
    for slot in line:
        text = slot.cell.value if slot is not None else ""
        if slot is not None and (slot.is_below or not slot.is_first):
            text = text if len(text) <= left else ""
            left -= len(text)
        texts.append(text)
    return tuple(texts), left
