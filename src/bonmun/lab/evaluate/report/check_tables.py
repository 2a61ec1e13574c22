"""Two tables of a report: checks that hold, by kind of check, and accepted pages by kind of page or language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.evaluate.metrics.reader_checks import CHECK_KINDS
from bonmun.lab.evaluate.report.averages import average_pages, estimate_average, sum_score
from bonmun.lab.evaluate.report.cells import ReportTable, make_interval_cell, make_score_cell, make_share_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.lab.evaluate.results import BenchResults

__all__ = ["ACCEPTED", "CHECKS", "make_accepted_table", "make_check_table"]

CHECKS, ACCEPTED = "checks", "accepted pages"  # table names


def make_check_table(results: BenchResults, pages: Sequence[int]) -> ReportTable:
    """Make the table of pages that a reader would accept, and of the checks of each kind that hold."""
    totals = {
        kind: max(sum_score(results, f"checks.{kind}.wanted", system.name, pages) for system in results.systems)
        for kind in CHECK_KINDS
    }
    table = ReportTable(
        CHECKS,
        "accepted: share of the pages whose checks all hold, with 95 % confidence intervals; text: the same without "
        "title, authors, date and kind. Then the share of the checks of each kind that hold, over all pages; their "
        "number is in brackets.",
        ["system", "accepted", "95 %", "text", *(f"{kind} ({total})" for kind, total in totals.items())],
    )
    for system in results.systems:
        accepted = estimate_average(results, "checks.accepted", system.name, pages)
        if accepted is None:
            continue
        cells = [
            make_score_cell(accepted.mean),
            make_interval_cell(accepted),
            make_score_cell(average_pages(results, "checks.text", system.name, pages)),
        ]
        for kind in CHECK_KINDS:
            held, wanted = (
                sum_score(results, f"checks.{kind}.{each}", system.name, pages) for each in ("held", "wanted")
            )
            cells.append(make_share_cells(held, wanted)[0])
        table.add_row(system.name, cells)
    table.rank(table.columns.index("accepted"), results)
    for column in range(3, len(table.columns)):
        table.mark_best(column, results)
    table.drop_empty_columns()
    return table


def make_accepted_table(results: BenchResults, name: str, groups: Mapping[str, Sequence[int]]) -> ReportTable:
    """Make a table of accepted pages by kind of page or language, with and without their metadata."""
    columns = [f"{group} ({len(pages)})" for group, pages in groups.items()]
    table = ReportTable(
        f"{ACCEPTED} {name}",
        f"Share of accepted pages {name}, with the number of pages in brackets; text: without title, authors, date and "
        "kind.",
        ["system", *(column for group in columns for column in (group, "text"))],
    )
    for system in results.systems:
        cells = [
            make_score_cell(average_pages(results, score, system.name, pages))
            for pages in groups.values()
            for score in ("checks.accepted", "checks.text")
        ]
        table.add_row(system.name, cells)
    for column in range(1, len(table.columns)):
        table.mark_best(column, results)
    return table
