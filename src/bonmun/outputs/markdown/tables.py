"""Tables in Markdown: GFM's pipes, or HTML where that is asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.outputs.markdown.phrases import write_phrases
from bonmun.outputs.nodes import Node, make_element
from bonmun.outputs.tables.grid import GridCell, make_grid, read_span
from bonmun.outputs.tables.headers import count_header_rows, has_header_row

if TYPE_CHECKING:
    from bonmun.outputs.tables.grid import GridRow

__all__ = ["write_table"]

CELLS = frozenset({"td", "th"})
REPEATED_CHARS = 200  # of a cell that is written again in the places it spans; a longer one stands there once
REPEATED_PER_CHAR = 4  # of all that is written again, for one of the table
PADDED_CELLS_PER_CELL = 8
ROW_END = re.compile("</(?:tr|caption)>|<table>")


def write_table(table: Node, *, as_html: bool) -> str:
    """Write a table; its caption is not part of it."""
    if as_html:
        return _write_html(table)
    rows = [_read_row(row) for row in table.children if isinstance(row, Node) and row.tag == "tr"]
    rows = [row for row in rows if row]
    if not rows:
        return ""
    grid = make_grid(rows)
    headers = count_header_rows(rows)
    room = 1_000 + REPEATED_PER_CHAR * sum(len(cell.value) for row in rows for cell in row)
    lines: list[list[str]] = []
    for number, line in enumerate(grid):
        texts, room = _write_row(line, room, is_header=number < headers)
        lines.append(texts)
    width = max(map(len, lines))
    if not headers:
        named = [cell.value for cell in rows[0] if cell.value]
        is_bold = len(named) > 1 and all(text[:2] == text[-2:] == "**" for text in named)
        headers = 1 if is_bold or has_header_row(lines) else 0
    if not headers:
        lines.insert(0, [""] * width)
    cells = sum(map(len, lines))
    if width * len(lines) <= PADDED_CELLS_PER_CELL * cells:
        for texts in lines:
            texts += [""] * (width - len(texts))
    else:  # GFM lets rows be short, but not the first
        lines[0] += [""] * (width - len(lines[0]))
    head, *body = (f"| {' | '.join(texts)} |" for texts in lines)
    return "\n".join([head, f"|{' --- |' * width}", *body])


def _read_row(row: Node) -> list[GridCell[str]]:
    return [
        GridCell(
            write_phrases(cell.children, "<br>").replace("|", "\\|"),
            read_span(cell.attr("colspan")),
            read_span(cell.attr("rowspan")),
            is_header=cell.tag == "th",
        )
        for cell in row.children
        if isinstance(cell, Node) and cell.tag in CELLS
    ]


def _write_row(line: GridRow[str], room: int, *, is_header: bool) -> tuple[list[str], int]:
    """The texts of a row, and how many characters may still be repeated.

    What spans rows is said in each, and a header over several columns over each; other cells are said once.
    """
    texts: list[str] = []
    for place in line:
        if place is None:
            texts.append("")
            continue
        text = place.cell.value
        if place.is_below or not place.is_first:
            is_said = (is_header or place.is_first) and len(text) <= min(room, REPEATED_CHARS)
            text = text if is_said else ""
            room -= len(text)
        texts.append(text)
    return texts, room


def _write_html(table: Node) -> str:
    """The table as HTML, a line a row, without its caption; an empty line would end it."""
    from turbohtml import Html

    found = (row for row in table.children if isinstance(row, Node) and row.tag == "tr")
    rows = [make_element(row).serialize(Html(xml=True)) for row in found]
    return "\n".join(["<table>", *(row.replace("\n", " ") for row in rows), "</table>"])
