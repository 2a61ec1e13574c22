"""Format tables as plain text for a terminal, in which a Korean syllable takes two cells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Value", "format_table", "shorten"]

NUMBER = re.compile(r"[\d.,%= -]*")
DIRECTION_MARKS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # these would reverse the rest of the line
MAX_CHARS = 10_000  # characters read of a text; no line is wider

Value = str | int | float | bool | None


def format_table(columns: Sequence[str], rows: Sequence[Sequence[Value]], gap: int = 2) -> str:
    """Format a table with a line of column names and a line per row; columns of numbers are aligned right."""
    cells = [list(columns), *([_format_value(value) for value in row] for row in rows)]
    widths = [max(cell_len(row[column]) for row in cells) for column in range(len(columns))]
    right = [all(NUMBER.fullmatch(row[column]) for row in cells[1:]) for column in range(len(columns))]
    lines = []
    for row in cells:
        line = []
        for text, width, to_right in zip(row, widths, right, strict=True):
            blanks = " " * (width - cell_len(text))
            line.append(blanks + text if to_right else text + blanks)
        lines.append((" " * gap).join(line).rstrip())
    return "\n".join(lines)


def shorten(text: str, width: int) -> str:
    """Shorten a text to one line of at most `width` cells, with an ellipsis if something is cut off."""
    start = DIRECTION_MARKS.sub("", text[:MAX_CHARS])
    start = " ".join(start.split())
    if cell_len(start) <= width and len(text) <= MAX_CHARS:
        return start
    return set_cell_size(start, min(width - 1, cell_len(start))).rstrip() + "…"


def _format_value(value: Value) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value
