"""Which rows of a table are its headers: as the page says, else as the first row looks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.outputs.tables.grid import GridCell

__all__ = ["count_header_rows", "has_header_row"]

HEADER_CHARS = 60  # of one header, at most
NUMBER = re.compile(r"[^\w]{0,3}\d[\d.,:/ %–-]*+\W{0,3}\w{0,3}")  # with a sign or a currency, a unit
MANY_COLUMNS = 3  # a table of two is as often one of names and values


def count_header_rows(rows: Sequence[Sequence[GridCell[str]]]) -> int:
    """How many rows at the top hold nothing but headers, as the page says."""
    for number, row in enumerate(rows):
        if not all(cell.is_header or not cell.value for cell in row) or not any(cell.is_header for cell in row):
            return number
    return len(rows)


def has_header_row(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: short words that all differ, over numbers or several columns."""
    first, *rest = rows
    if len(first) < 2 or not rest or len(set(first)) < len(first):
        return False
    if any(not text or len(text) > HEADER_CHARS or NUMBER.fullmatch(text) for text in first[1:]):
        return False
    if not first[0]:  # an empty corner, over the names of the rows
        return all(row[0] for row in rest if row)
    if len(first[0]) > HEADER_CHARS or NUMBER.fullmatch(first[0]):
        return False
    if len(first) >= MANY_COLUMNS:
        return True
    return any(_is_of_numbers(rest, column) for column in range(1, len(first)))


def _is_of_numbers(rows: Sequence[Sequence[str]], column: int) -> bool:
    """Whether a column holds only numbers."""
    texts = [row[column] for row in rows if column < len(row) and row[column]]
    return bool(texts) and all(NUMBER.fullmatch(text) for text in texts)
