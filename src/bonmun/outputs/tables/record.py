"""Data tables of a document."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

__all__ = ["Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """A data table of the page, as rows of texts.

    The text of a cell that spans several rows or columns is repeated in each of them.

    Attributes:
        rows: All rows, header rows included. They have the same length, unless a few are many times longer than most.
        header: Number of header rows at the top.
        caption: Caption of the table; None if it has none.
        xpath: XPath of the `<table>` element.
    """

    rows: tuple[tuple[str, ...], ...]
    header: int
    caption: str | None
    xpath: str

    def to_csv(self) -> str:
        """Return all rows as CSV, header rows included."""
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(self.rows)
        return file.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """Return the table as a dictionary of plain values."""
        rows = [list(row) for row in self.rows]
        return {"caption": self.caption, "header": self.header, "rows": rows, "xpath": self.xpath}
