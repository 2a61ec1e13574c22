"""Results in, two tables out, of what answers keep: lines that have to be found, and units, whole or torn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.evaluate.metrics.units import MEASURED_KINDS
from bonmun.lab.evaluate.report.averages import add_figure, average_pages, compare_systems, estimate_average
from bonmun.lab.evaluate.report.cells import ReportCell, ReportTable, show_figure, show_range, show_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.evaluate.results import Results

__all__ = ["LINES", "UNITS", "make_line_table", "make_unit_table"]

LINES, UNITS = "lines", "units"  # the names of the tables


def make_line_table(results: Results, pages: Sequence[int], ours: str) -> ReportTable:
    """Show how many of the lines that have to be found every system finds, and how much of the page it keeps."""
    table = ReportTable(
        LINES,
        "found: of the lines that have to be found, the share that is; kept: of the words that the page shows; "
        f"means over pages, with 95 % intervals; Δ: how far {ours} is ahead in lines, page by page.",
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
            show_figure(found.mean),
            show_range(found),
            show_figure(delta.mean if delta else None, sign=True),
            show_range(delta, sign=True),
            show_figure(average_pages(results, "must.kept", name, pages)),
            ReportCell(str(failed) if failed else "", failed),
        ]
        table.add_row(name, cells)
    table.rank(table.columns.index("found"), results)
    return table


def make_unit_table(results: Results, pages: Sequence[int]) -> ReportTable:
    """Show how many of the units that every system keeps are whole, and how much code it drops, over all pages."""
    names = list(MEASURED_KINDS.values())
    table = ReportTable(
        UNITS,
        "The share of the data tables, lists and blocks of code kept at all that are kept whole, and of how many; "
        "the share of the code between two kept neighbours that is dropped, and of how much. Counted over all pages.",
        ["system", *(column for name in names for column in (f"{name} whole", "of")), "code dropped", "of"],
    )
    for system in results.systems:
        cells: list[ReportCell] = []
        for name in names:
            kept, torn = (add_figure(results, f"whole.{name}_{each}", system.name, pages) for each in ("kept", "torn"))
            cells += show_share(kept - torn, kept)
        between, dropped = (
            add_figure(results, f"whole.code_{each}", system.name, pages) for each in ("between", "skipped")
        )
        table.add_row(system.name, [*cells, *show_share(dropped, between)])
    for column in range(1, 2 * len(names), 2):
        table.mark_best(column, results)
    table.drop_empty_columns()
    return table
