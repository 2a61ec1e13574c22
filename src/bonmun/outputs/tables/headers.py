"""Find the header rows of a table: as marked up, or else by the look of the first row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.outputs.tables.grid import GridCell

__all__ = ["count_header_rows", "has_header_row"]

HEADER_CHARS = 60  # maximum length of a header
NUMBER = re.compile(r"[^\w]{0,3}\d[\d.,:/ %–-]*+\W{0,3}\w{0,3}")  # possibly with a sign, a currency or a unit
MIN_COLUMNS = 3  # tables with two columns often have no header, but names and values


def count_header_rows(rows: Sequence[Sequence[GridCell[str]]]) -> int:
    """Return the number of rows at the top that are marked up as headers."""
    for number, row in enumerate(rows):
        if not all(cell.is_header or not cell.value for cell in row) or not any(cell.is_header for cell in row):
            return number
    return len(rows)


def has_header_row(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row looks like a header: short, distinct texts over at least three columns or over numbers."""
    first, *rest = rows
    if len(first) < 2 or not rest or len(set(first)) < len(first):
        return False
    if any(not text or len(text) > HEADER_CHARS or NUMBER.fullmatch(text) for text in first[1:]):
        return False
    if not first[0]:  # an empty corner above row headers
        return all(row[0] for row in rest if row)
    if len(first[0]) > HEADER_CHARS or NUMBER.fullmatch(first[0]):
        return False
    if len(first) >= MIN_COLUMNS:
        return True
    return any(_is_numeric(rest, column) for column in range(1, len(first)))


def _is_numeric(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Whether a column contains only numbers."""
    texts = [row[column] for row in rows if column < len(row) and row[column]]
    return bool(texts) and all(NUMBER.fullmatch(text) for text in texts)
