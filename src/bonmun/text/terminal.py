"""Tables in plain text: columns as wide as they are on a terminal, where a Korean syllable takes two cells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Value", "shortened", "text_table"]

NUMBER = re.compile(r"[\d.,%= -]*")
TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # would turn the rest of the line around
FAR = 10_000  # characters of a text that are looked at

Value = str | int | float | bool | None


def text_table(columns: Sequence[str], rows: Sequence[Sequence[Value]], gap: int = 2) -> str:
    """A line for the names of the columns and a line a row; numbers stand to the right."""
    cells = [list(columns), *([_shown(value) for value in row] for row in rows)]
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


def shortened(text: str, width: int) -> str:
    """The start of a text, in one line, at most so wide."""
    start = TURNS.sub("", text[:FAR])
    start = " ".join(start.split())
    if cell_len(start) <= width and len(text) <= FAR:
        return start
    return set_cell_size(start, min(width - 1, cell_len(start))).rstrip() + "…"


def _shown(value: Value) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value
