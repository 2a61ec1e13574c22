"""The tables of a report and their cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.evaluate.report.intervals import Interval
    from bonmun.lab.evaluate.results import BenchResults

__all__ = ["ReportCell", "ReportTable", "make_interval_cell", "make_score_cell", "make_share_cells"]


class ReportCell(NamedTuple):
    """A cell of a table."""

    text: str
    value: float | None = None  # sort key
    hint: str = ""  # tooltip
    is_best: bool = False
    interval: str = ""  # shown in HTML only


@dataclass
class ReportTable:
    """A table with a name and a caption; the first column names the system of each row."""

    name: str
    caption: str
    columns: list[str]
    rows: list[list[ReportCell]] = field(default_factory=list)

    def add_row(self, system: str, cells: Sequence[ReportCell]) -> None:
        """Add the row of a system unless all its cells are empty."""
        if any(cell.value is not None for cell in cells):
            self.rows.append([ReportCell(system), *cells])

    def rank(self, column: int, results: BenchResults) -> None:
        """Sort by a column, best first after the oracle, and mark the best cell."""
        oracles = _find_oracles(results)
        self.rows.sort(key=lambda row: (row[0].text not in oracles, -(row[column].value or 0.0)))
        self.mark_best(column, results)

    def mark_best(self, column: int, results: BenchResults) -> None:
        """Mark the best cell of a column, not counting the oracle, which knows the gold."""
        oracles = _find_oracles(results)
        rows = [row for row in self.rows if row[0].text not in oracles and row[column].value is not None]
        top = max((row[column].value or 0.0 for row in rows), default=None)
        for row in rows:
            if row[column].value == top:
                row[column] = row[column]._replace(is_best=True)

    def drop_empty_columns(self) -> None:
        """Drop columns in which no system has a value."""
        kept = [0] + [at for at in range(1, len(self.columns)) if any(row[at].text for row in self.rows)]
        self.columns = [self.columns[at] for at in kept]
        self.rows = [[row[at] for at in kept] for row in self.rows]


def _find_oracles(results: BenchResults) -> set[str]:
    return {system.name for system in results.systems if system.group == "oracle"}


def make_score_cell(value: float | None, *, sign: bool = False) -> ReportCell:
    """Make the cell of a score with three decimals; None gives an empty cell."""
    return ReportCell("") if value is None else ReportCell(f"{value:{'+' if sign else ''}.3f}", value)


def make_interval_cell(interval: Interval | None, *, sign: bool = False) -> ReportCell:
    """Make the cell of an interval; None gives an empty cell."""
    if interval is None:
        return ReportCell("")
    spec = f"{'+' if sign else ''}.3f"
    return ReportCell(f"{interval.low:{spec}} to {interval.high:{spec}}", interval.low)


def make_share_cells(part: int, total: int) -> tuple[ReportCell, ReportCell]:
    """Make the cells of a share and of its total; two empty cells if the total is zero."""
    if not total:
        return ReportCell(""), ReportCell("")
    return make_score_cell(part / total)._replace(hint=f"{part:,} of {total:,}"), ReportCell(f"{total:,}", total)
