"""Tables in plain text: columns as wide as they are on a terminal, where a Korean syllable takes two cells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Value", "shortened", "text_table"]

NUMBER = re.compile(r"[\d.,% -]*")
Value = str | int | float | bool | None


def text_table(columns: Sequence[str], rows: Sequence[Sequence[Value]]) -> str:
    """A line for the names of the columns and a line a row; numbers stand to the right."""
    cells = [list(columns), *([_shown(value) for value in row] for row in rows)]
    widths = [max(cell_len(row[column]) for row in cells) for column in range(len(columns))]
    right = [all(NUMBER.fullmatch(row[column]) for row in cells[1:]) for column in range(len(columns))]
    lines = []
    for row in cells:
        line = []
        for text, width, to_right in zip(row, widths, right, strict=True):
            gap = " " * (width - cell_len(text))
            line.append(gap + text if to_right else text + gap)
        lines.append("  ".join(line).rstrip())
    return "\n".join(lines)


def shortened(text: str, width: int) -> str:
    """The start of a text, in one line, at most so wide."""
    text = " ".join(text[: 4 * width].split())
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + "…"


def _shown(value: Value) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value
