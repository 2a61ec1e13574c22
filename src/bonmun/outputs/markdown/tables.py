"""Write tables in Markdown: as GFM pipe tables, or as HTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.outputs.markdown.escape import escape_line_starts
from bonmun.outputs.markdown.phrases import write_phrases
from bonmun.outputs.nodes import Node, make_element
from bonmun.outputs.tables.grid import GridCell, make_grid, read_span
from bonmun.outputs.tables.headers import count_header_rows, has_header_row

if TYPE_CHECKING:
    from bonmun.outputs.tables.grid import GridRow

__all__ = ["write_table"]

CELLS = frozenset({"td", "th"})
REPEATED_CHARS = 200  # maximum length of a cell that is repeated in the slots it spans
# Maximum number of repeated characters: a base, plus a multiple of the characters of the table.
BASE_REPEATED_CHARS, MAX_REPEATED_RATIO = 1_000, 4
EMPTY_ANCHOR = re.compile(r'<(a id="[^"]*")/>')
MAX_PADDING_RATIO = 8  # of the cells with padding to those without; beyond it, rows are not padded


def write_table(table: Node, *, as_html: bool) -> str:
    """Return a table without its caption."""
    if as_html:
        return _write_html(table)
    rows = [_read_row(row) for row in table.children if isinstance(row, Node) and row.tag == "tr"]
    rows = [row for row in rows if row]
    if not rows:
        return ""
    grid = make_grid(rows)
    headers = count_header_rows(rows)
    left = BASE_REPEATED_CHARS + MAX_REPEATED_RATIO * sum(len(cell.value) for row in rows for cell in row)
    lines: list[list[str]] = []
    for number, line in enumerate(grid):
        texts, left = _write_row(line, left, is_header=number < headers)
        lines.append(texts)
    lines = _drop_empty_columns(lines)
    width = max(map(len, lines))
    if width == 1 and not headers:  # a box, not a table
        boxes = (text.replace("<br>", "  \n").replace("\\|", "|") for line in lines for text in line if text)
        return "\n\n".join(map(escape_line_starts, boxes))
    if not headers:
        first = [cell.value for cell in rows[0] if cell.value]
        is_bold = len(first) > 1 and all(text[:2] == text[-2:] == "**" for text in first)
        headers = 1 if is_bold or has_header_row(lines) else 0
    if not headers:
        lines.insert(0, [""] * width)
    cells = sum(map(len, lines))
    if width * len(lines) <= MAX_PADDING_RATIO * cells:
        for texts in lines:
            texts += [""] * (width - len(texts))
    else:  # in GFM, all rows but the first may be short
        lines[0] += [""] * (width - len(lines[0]))
    head, *body = (f"| {' | '.join(texts)} |" for texts in lines)
    return "\n".join([head, f"|{' --- |' * width}", *body])


def _drop_empty_columns(lines: list[list[str]]) -> list[list[str]]:
    """Return the rows without columns that are empty in all of them: they are layout."""
    filled = {number for line in lines for number, text in enumerate(line) if text}
    if not filled or len(filled) == max(map(len, lines)):
        return lines
    return [[text for number, text in enumerate(line) if number in filled] for line in lines]


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


def _write_row(line: GridRow[str], left: int, *, is_header: bool) -> tuple[list[str], int]:
    """Return the texts of a row, and how many characters may still be repeated, given how many were left before.

    Cells that span rows are repeated in each row, and headers that span columns in each column.
    """
    texts: list[str] = []
    for slot in line:
        if slot is None:
            texts.append("")
            continue
        text = slot.cell.value
        if slot.is_below or not slot.is_first:
            is_repeated = (is_header or slot.is_first) and len(text) <= min(left, REPEATED_CHARS)
            text = text if is_repeated else ""
            left -= len(text)
        texts.append(text)
    return texts, left


def _write_html(table: Node) -> str:
    """Return the table as HTML, one line per row, without its caption. An empty line would end it in Markdown."""
    from turbohtml import Html

    found = (row for row in table.children if isinstance(row, Node) and row.tag == "tr")
    rows = [make_element(_make_html(row)).serialize(Html(xml=True)) for row in found]
    rows = [EMPTY_ANCHOR.sub(r"<\1></a>", row) for row in rows]
    return "\n".join(["<table>", *(row.replace("\n", " ") for row in rows), "</table>"])


def _make_html(node: Node) -> Node:
    """Return a node of HTML: formulas become code, and references to notes plain text, since HTML has neither."""
    if node.tag == "math":
        return Node("code", {"class": "math"}, node.children)
    if node.tag == "noteref":
        return Node("sup", None, node.children)
    if node.tag == "anchor":
        return Node("a", node.attributes)
    children = [child if isinstance(child, str) else _make_html(child) for child in node.children]
    return Node(node.tag, node.attributes, children)
