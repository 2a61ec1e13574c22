"""A table of data, as users get it."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import Any

__all__ = ["Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of data: all rows, the first of which may be headers; a cell that spans others is said in each."""

    rows: tuple[tuple[str, ...], ...]  # equally long, unless some are many times longer than most
    header: int  # how many rows at the top are headers
    caption: str | None
    xpath: str

    def to_csv(self) -> str:
        """The rows as CSV, headers first."""
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows(self.rows)
        return file.getvalue()

    def to_dict(self) -> dict[str, Any]:
        """What JSON says of it."""
        rows = [list(row) for row in self.rows]
        return {"caption": self.caption, "header": self.header, "rows": rows, "xpath": self.xpath}
