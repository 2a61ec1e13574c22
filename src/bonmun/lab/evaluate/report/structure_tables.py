"""Two tables of a report about structure: similarity to the gold, and exact matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.evaluate.metrics.structure import EXACT_METRICS, F1_SCORES, SIMILARITY_SCORES
from bonmun.lab.evaluate.report.averages import average_pages, sum_score
from bonmun.lab.evaluate.report.cells import ReportCell, ReportTable, make_score_cell, make_share_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.evaluate.results import BenchResults

__all__ = ["EXACT_MATCHES", "STRUCTURE", "make_exact_table", "make_structure_table"]

STRUCTURE, EXACT_MATCHES = "structure", "exact matches"  # table names
SIMILARITY_COLUMNS = ("text", "code", "formulas", "tables", "TEDS")
EXACT_COLUMNS = ("formulas", "code", "rows", "footnotes")
F1_COLUMNS = ("headings", "list items", "links")


def make_structure_table(results: BenchResults, pages: Sequence[int]) -> ReportTable:
    """Make the table of the similarity of each system's Markdown to the gold's, as WebMainBench measures it."""
    table = ReportTable(
        STRUCTURE,
        "Edit similarity of the Markdown, of its code, formulas and tables, and TEDS of tables. Means over the pages "
        "where the gold or the answer has such an element; overall: the mean of the other columns.",
        ["system", "overall", *SIMILARITY_COLUMNS],
    )
    for system in results.systems:
        values = [average_pages(results, score, system.name, pages) for score in SIMILARITY_SCORES]
        known = [value for value in values if value is not None]
        overall = sum(known) / len(known) if known else None
        table.add_row(system.name, [make_score_cell(value) for value in (overall, *values)])
    table.rank(table.columns.index("overall"), results)
    for column in range(2, len(table.columns)):
        table.mark_best(column, results)
    table.drop_empty_columns()
    return table


def make_exact_table(results: BenchResults, pages: Sequence[int]) -> ReportTable:
    """Make the table of the gold's structural elements that are in each system's answer unchanged."""
    table = ReportTable(
        EXACT_MATCHES,
        "Share of the gold's formulas, code blocks, table rows and footnotes that are in the answer unchanged, and "
        "their number (of), counted over all pages. F1 of headings, list items and links: means over pages.",
        ["system", *(column for name in EXACT_COLUMNS for column in (name, "of")), *F1_COLUMNS],
    )
    for system in results.systems:
        cells: list[ReportCell] = []
        for name in EXACT_METRICS:
            right, wanted = (sum_score(results, f"{name}.{each}", system.name, pages) for each in ("right", "wanted"))
            cells += make_share_cells(right, wanted)
        cells += [make_score_cell(average_pages(results, score, system.name, pages)) for score in F1_SCORES]
        table.add_row(system.name, cells)
    shares = [2 * number + 1 for number in range(len(EXACT_METRICS))]
    for column in (*shares, *range(2 * len(EXACT_METRICS) + 1, len(table.columns))):
        table.mark_best(column, results)
    table.drop_empty_columns()
    return table
