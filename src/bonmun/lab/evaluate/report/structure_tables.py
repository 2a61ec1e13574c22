"""Results in, two tables out, of the structure of answers: how alike it is, and what is there to the letter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.evaluate.metrics.structure import ALIKE, COUNTED, LISTED
from bonmun.lab.evaluate.report.averages import add_figure, average_pages
from bonmun.lab.evaluate.report.cells import ReportCell, ReportTable, show_figure, show_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.evaluate.results import Results

__all__ = ["LETTERS", "STRUCTURE", "make_letter_table", "make_structure_table"]

STRUCTURE, LETTERS = "structure", "to the letter"  # the names of the tables
ALIKE_NAMES = ("text", "code", "formulas", "tables", "TEDS")
COUNTED_NAMES = ("formulas", "code", "rows", "notes")
LISTED_NAMES = ("headings", "list items", "links")


def make_structure_table(results: Results, pages: Sequence[int]) -> ReportTable:
    """Show how alike the Markdown of every system is to the gold's, as WebMainBench measures it."""
    table = ReportTable(
        STRUCTURE,
        "Edit similarity of all Markdown, of code, formulas and tables, and TEDS of tables: means over the pages where "
        "the gold or the answer has any; overall: the mean of these.",
        ["system", "overall", *ALIKE_NAMES],
    )
    for system in results.systems:
        values = [average_pages(results, figure, system.name, pages) for figure in ALIKE]
        known = [value for value in values if value is not None]
        overall = sum(known) / len(known) if known else None
        table.add_row(system.name, [show_figure(value) for value in (overall, *values)])
    table.rank(table.columns.index("overall"), results)
    for column in range(2, len(table.columns)):
        table.mark_best(column, results)
    table.drop_empty_columns()
    return table


def make_letter_table(results: Results, pages: Sequence[int]) -> ReportTable:
    """Show how much of the gold's structure is in the answer as it is."""
    table = ReportTable(
        LETTERS,
        "The share of the gold's formulas, blocks of code, table rows and notes that are in the answer to the letter, "
        "and of how many, counted over all pages; F1 of headings, list items and links, means over pages.",
        ["system", *(column for name in COUNTED_NAMES for column in (name, "of")), *LISTED_NAMES],
    )
    for system in results.systems:
        cells: list[ReportCell] = []
        for name in COUNTED:
            right, wanted = (add_figure(results, f"{name}.{each}", system.name, pages) for each in ("right", "wanted"))
            cells += show_share(right, wanted)
        cells += [show_figure(average_pages(results, figure, system.name, pages)) for figure in LISTED]
        table.add_row(system.name, cells)
    shares = [2 * number + 1 for number in range(len(COUNTED))]
    for column in (*shares, *range(2 * len(COUNTED) + 1, len(table.columns))):
        table.mark_best(column, results)
    table.drop_empty_columns()
    return table
