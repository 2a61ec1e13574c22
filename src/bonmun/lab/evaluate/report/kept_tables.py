"""Two tables of a report: required lines, and whole or incomplete units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.evaluate.metrics.units import MEASURED_KINDS
from bonmun.lab.evaluate.report.averages import average_pages, compare_systems, estimate_average, sum_score
from bonmun.lab.evaluate.report.cells import (
    ReportCell,
    ReportTable,
    make_interval_cell,
    make_score_cell,
    make_share_cells,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.evaluate.results import BenchResults

__all__ = ["LINES", "UNITS", "make_required_lines_table", "make_unit_table"]

LINES, UNITS = "required lines", "units"  # table names


def make_required_lines_table(results: BenchResults, pages: Sequence[int], ours: str) -> ReportTable:
    """Make the table of required lines that each system finds, and of the share of the page that it keeps."""
    table = ReportTable(
        LINES,
        "found: share of the required lines that are in the answer; kept: share of the page's visible words. "
        f"Means over pages with 95 % confidence intervals. Δ: mean lead of {ours} per page in lines found.",
        ["system", "found", "95 %", f"{ours} Δ", "95 %", "kept", "failed"],
    )
    for system in results.systems:
        name = system.name
        found = estimate_average(results, "must.found", name, pages)
        if found is None:
            continue
        delta = compare_systems(results, "must.found", ours, name, pages) if name != ours else None
        failed = results.count_failures(name, pages).total()
        cells = [
            make_score_cell(found.mean),
            make_interval_cell(found),
            make_score_cell(delta.mean if delta else None, sign=True),
            make_interval_cell(delta, sign=True),
            make_score_cell(average_pages(results, "must.kept", name, pages)),
            ReportCell(str(failed) if failed else "", failed),
        ]
        table.add_row(name, cells)
    table.rank(table.columns.index("found"), results)
    return table


def make_unit_table(results: BenchResults, pages: Sequence[int]) -> ReportTable:
    """Make the table of units that each system keeps whole, and of code that it drops."""
    names = list(MEASURED_KINDS.values())
    table = ReportTable(
        UNITS,
        "whole: share of the kept data tables, lists and code blocks that are kept completely; code dropped: share of "
        "the code blocks between two kept neighbours that are dropped; of: the number of units. Counted over all "
        "pages.",
        ["system", *(column for name in names for column in (f"{name} whole", "of")), "code dropped", "of"],
    )
    for system in results.systems:
        cells: list[ReportCell] = []
        for name in names:
            kept, incomplete = (
                sum_score(results, f"whole.{name}_{each}", system.name, pages) for each in ("kept", "torn")
            )
            cells += make_share_cells(kept - incomplete, kept)
        between, dropped = (
            sum_score(results, f"whole.code_{each}", system.name, pages) for each in ("between", "skipped")
        )
        table.add_row(system.name, [*cells, *make_share_cells(dropped, between)])
    for column in range(1, 2 * len(names), 2):
        table.mark_best(column, results)
    table.drop_empty_columns()
    return table
