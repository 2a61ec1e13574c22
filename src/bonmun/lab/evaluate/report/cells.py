"""The tables of a report and their cells: what is shown, what it is sorted by, and which is the best."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.evaluate.report.intervals import Interval
    from bonmun.lab.evaluate.results import Results

__all__ = ["ReportCell", "ReportTable", "show_figure", "show_range", "show_share"]


class ReportCell(NamedTuple):
    """What is shown, what it is sorted by, and more about it."""

    text: str
    value: float | None = None
    hint: str = ""
    best: bool = False
    interval: str = ""  # shown where there is room


@dataclass
class ReportTable:
    """A named table; the first column names the system that a row is about."""

    name: str
    says: str
    columns: list[str]
    rows: list[list[ReportCell]] = field(default_factory=list)

    def add_row(self, system: str, cells: Sequence[ReportCell]) -> None:
        """Add what is known of a system, if anything is."""
        if any(cell.value is not None for cell in cells):
            self.rows.append([ReportCell(system), *cells])

    def rank(self, column: int, results: Results) -> None:
        """Put the oracle first, then the others, best first by a column, in which the best is marked."""
        oracles = _name_oracles(results)
        self.rows.sort(key=lambda row: (row[0].text not in oracles, -(row[column].value or 0.0)))
        self.mark_best(column, results)

    def mark_best(self, column: int, results: Results) -> None:
        """Mark the best cell of a column; the oracle, which knows the gold, does not compete."""
        oracles = _name_oracles(results)
        rows = [row for row in self.rows if row[0].text not in oracles and row[column].value is not None]
        top = max((row[column].value or 0.0 for row in rows), default=None)
        for row in rows:
            if row[column].value == top:
                row[column] = row[column]._replace(best=True)

    def drop_empty_columns(self) -> None:
        """Drop the columns in which no system has a value."""
        kept = [0] + [at for at in range(1, len(self.columns)) if any(row[at].text for row in self.rows)]
        self.columns = [self.columns[at] for at in kept]
        self.rows = [[row[at] for at in kept] for row in self.rows]


def _name_oracles(results: Results) -> set[str]:
    return {system.name for system in results.systems if system.group == "oracle"}


def show_figure(value: float | None, *, sign: bool = False) -> ReportCell:
    """Show a figure with three digits; None is an empty cell."""
    return ReportCell("") if value is None else ReportCell(f"{value:{'+' if sign else ''}.3f}", value)


def show_range(interval: Interval | None, *, sign: bool = False) -> ReportCell:
    """Show the ends of an interval; None is an empty cell."""
    if interval is None:
        return ReportCell("")
    form = f"{'+' if sign else ''}.3f"
    return ReportCell(f"{interval.low:{form}} to {interval.high:{form}}", interval.low)


def show_share(part: int, total: int) -> tuple[ReportCell, ReportCell]:
    """Show a share, and what it is a share of; two empty cells for a share of nothing."""
    if not total:
        return ReportCell(""), ReportCell("")
    return show_figure(part / total)._replace(hint=f"{part:,} of {total:,}"), ReportCell(f"{total:,}", total)
