"""Results in, tables out: what the terminal, the Markdown summary and the HTML report all show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.evaluate.report.averages import (
    add_counts,
    average_ms,
    average_pages,
    average_pooled,
    compare_systems,
    estimate_average,
)
from bonmun.lab.evaluate.report.cells import ReportCell, ReportTable, show_figure, show_range
from bonmun.lab.evaluate.report.kept_tables import make_line_table, make_unit_table
from bonmun.lab.evaluate.report.structure_tables import make_letter_table, make_structure_table
from bonmun.lab.evaluate.systems.answers import FACTS, OURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.evaluate.results import Results

__all__ = [
    "choose_ours",
    "choose_reference",
    "find_best_peer",
    "make_overview",
    "make_set_tables",
    "make_system_table",
]

GROUP_PAGES = 5  # of a kind or language, at least, for a column
GROUPS_SHOWN = 12  # kinds or languages in one table, at most: those with most pages
FACT_PAGES = 15  # of a language that have a fact, at least, for a column

# The columns of two tables, and the figure that each shows.
MEASURES = {
    "rouge-1": "rouge-1.f1",
    "rouge-2": "rouge-2.f1",
    "rouge-l": "rouge-l.f1",
    "lcs F1": "lcs.f1",
    "lcs F0.5": "lcs.f0.5",
    "block-leaf F1": "block-leaf.f1",
    "block-leaf F0.5": "block-leaf.f0.5",
    "recognised": "recognition.recognised",
    "recognition P": "recognition.precision",
    "edit": "edit.similarity",
    "blocks F1": "blocks.f1",
    "snippets F1": "snippets.f1",
    "snippets accuracy": "snippets.accuracy",
}
FACT_FIGURES = {
    "title": "title.exact",
    "title F1": "title.f1",
    "author": "author.exact",
    "author F1": "author.f1",
    "date": "date.exact",
    "author where none": "author.invented",
    "date where none": "date.invented",
}


def choose_ours(results: Results) -> str:
    """Choose the system that the others are compared with: `auto`, else the first."""
    names = [system.name for system in results.systems]
    return OURS if OURS in names else names[0]


def find_best_peer(results: Results, pages: Sequence[int]) -> str | None:
    """Find the peer with the best word F1 on some pages."""
    peers = [system.name for system in results.systems if system.group == "peer"]
    return max(peers, key=lambda name: average_pages(results, "words.f1", name, pages) or 0.0, default=None)


def choose_reference(results: Results, name: str | None) -> str:
    """Choose the system whose time is 1: the named one, else resiliparse, else the first."""
    timed = [system.name for system in results.systems if results.times[system.name]]
    return next((each for each in (name, "resiliparse", *timed) if each in timed), "")


def make_overview(results: Results) -> ReportTable | None:
    """Show the word F1 of every system on every set that has gold texts; None where there is only one such set."""
    sets = {name: pages for name, pages in results.group_pages("dataset").items() if _has_words(results, pages)}
    if len(sets) < 2:
        return None
    table = _make_group_table(results, "all sets", sets)
    table.says = (
        "Word F1, the mean over the pages of each set, and the mean over sets; the best peer or method is bold."
    )
    table.columns.append("mean of sets")
    for row in table.rows:
        known = [cell.value for cell in row[1:] if cell.value is not None]
        row.append(show_figure(sum(known) / len(known) if known else None))
    table.mark_best(len(table.columns) - 1, results)
    return table


def make_set_tables(results: Results, name: str, reference: str) -> list[ReportTable]:
    """Make every table about one set: at least one, with or without rows."""
    pages = results.group_pages("dataset")[name]
    tables = [_make_word_table(results, pages, reference), make_line_table(results, pages, choose_ours(results))]
    for key, says in (("kind", "kinds of page"), ("lang", "languages")):
        groups = _find_large_groups(results, pages, key)
        if len(groups) > 1:
            tables.append(_make_group_table(results, says, groups))
    tables += [make(results, pages) for make in (_make_measure_table, _make_fact_table, _make_language_table)]
    tables += [make(results, pages) for make in (make_structure_table, make_letter_table, make_unit_table)]
    return [table for table in tables if table.rows] or tables[:1]


def _has_words(results: Results, pages: Sequence[int]) -> bool:
    return _count_pages(results, "words.f1", pages) > 0


def make_system_table(results: Results) -> ReportTable:
    """List the systems, their versions, and on how many pages each failed and why."""
    table = ReportTable("systems", "", ["system", "version", "failed", "why"])
    every = range(len(results.pages))
    for system in results.systems:
        reasons = results.count_failures(system.name, every)
        why = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(2))
        count = reasons.total()
        table.add_row(system.name, [ReportCell(system.version), ReportCell(str(count), count), ReportCell(why)])
    return table


def _make_word_table(results: Results, pages: Sequence[int], reference: str) -> ReportTable:
    """Show how good every system is, how far ours is ahead of it, and how long it takes."""
    ours = choose_ours(results)
    table = ReportTable(
        "words",
        "Words as multisets, a character of Han, Kana, Hangul or Thai is one: mean over pages, with 95 % intervals; "
        f"Δ: how far {ours} is ahead, page by page"
        + (f"; time: a multiple of {reference}'s, taken in turns." if reference else "."),
        ["system", "P", "R", "F1", "95 %", f"{ours} Δ", "95 %", "micro F1", "time", "failed"],
    )
    for system in results.systems:
        name = system.name
        f1 = estimate_average(results, "words.f1", name, pages)
        if f1 is None:
            continue
        delta = compare_systems(results, "words.f1", ours, name, pages) if name != ours else None
        failed = results.count_failures(name, pages).total()
        cells = [
            show_figure(average_pages(results, "words.precision", name, pages)),
            show_figure(average_pages(results, "words.recall", name, pages)),
            show_figure(f1.mean),
            show_range(f1),
            show_figure(delta.mean if delta else None, sign=True),
            show_range(delta, sign=True),
            _show_micro_f1(results, name, pages),
            _show_time(results, name, reference),
            ReportCell(str(failed) if failed else "", failed),
        ]
        table.add_row(name, cells)
    table.rank(table.columns.index("F1"), results)
    return table


def _show_micro_f1(results: Results, name: str, pages: Sequence[int]) -> ReportCell:
    total = add_counts(results, "words", name, pages)
    if total is None:
        return ReportCell("")
    return show_figure(total.f1)._replace(hint=f"P {total.precision:.3f}, R {total.recall:.3f}")


def _show_time(results: Results, name: str, reference: str) -> ReportCell:
    base = average_ms(results, reference) if reference else None
    ms = average_ms(results, name)
    return ReportCell(f"{ms / base:.2f}", ms / base, f"{ms:.2f} ms a page") if ms and base else ReportCell("")


def _find_large_groups(results: Results, pages: Sequence[int], key: str) -> dict[str, list[int]]:
    """Find the kinds or languages with enough of some pages, largest first."""
    groups = {
        group: [page for page in pages if getattr(results.pages[page], key) == group]
        for group in results.group_pages(key)
    }
    large = {group: mine for group, mine in groups.items() if len(mine) >= GROUP_PAGES and group != "unknown"}
    return dict(sorted(large.items(), key=lambda item: -len(item[1]))[:GROUPS_SHOWN])


def _make_group_table(results: Results, name: str, groups: dict[str, list[int]]) -> ReportTable:
    """Show word F1 by set, kind or language."""
    says = f"Word F1 by {name}, the mean over pages."
    table = ReportTable(name, says, ["system", *(f"{group} ({len(pages)})" for group, pages in groups.items())])
    for system in results.systems:
        cells = []
        for pages in groups.values():
            f1 = estimate_average(results, "words.f1", system.name, pages)
            cells.append(show_figure(f1.mean)._replace(interval=show_range(f1).text) if f1 else ReportCell(""))
        table.add_row(system.name, cells)
    for column in range(1, len(table.columns)):
        table.mark_best(column, results)
    return table


def _make_measure_table(results: Results, pages: Sequence[int]) -> ReportTable:
    """Show all metrics but that of words."""
    known = {name: figure for name, figure in MEASURES.items() if figure in results.figures}
    says = "Means over pages; shingles as in the scrapinghub benchmark. docs/how-to/measure.md explains each."
    table = ReportTable("other measures", says, ["system", "shingles P", "R", "F1", *known])
    for system in results.systems:
        shingles = average_pooled(results, "shingles", system.name, pages)
        cells = [show_figure(value) for value in shingles or (None, None, None)]
        cells += [show_figure(average_pages(results, figure, system.name, pages)) for figure in known.values()]
        table.add_row(system.name, cells)
    table.rank(table.columns.index("F1"), results)
    table.drop_empty_columns()
    return table


def _make_fact_table(results: Results, pages: Sequence[int]) -> ReportTable:
    """Show how good titles, authors and dates are."""
    counts = {name: _count_pages(results, figure, pages) for name, figure in FACT_FIGURES.items()}
    columns = [name if figure.endswith("f1") else f"{name} ({counts[name]})" for name, figure in FACT_FIGURES.items()]
    says = (
        "How often a title, author or date is right, of the pages whose gold has one; and how often one is given where "
        "the gold has none, but another fact."
    )
    table = ReportTable("facts", says, ["system", *columns])
    for system in results.systems:
        cells = [show_figure(average_pages(results, figure, system.name, pages)) for figure in FACT_FIGURES.values()]
        table.add_row(system.name, cells)
    table.drop_empty_columns()
    return table


def _make_language_table(results: Results, pages: Sequence[int]) -> ReportTable:
    """Show how often each fact is right in languages with enough of it; no rows where that is but one language."""
    says = f"The same by language, where at least {FACT_PAGES} pages have the fact."
    table = ReportTable("facts by language", says, ["system"])
    languages: dict[str, list[int]] = {}
    for page in pages:
        languages.setdefault(results.pages[page].lang, []).append(page)
    columns: list[tuple[str, list[int]]] = []
    for name in FACTS:
        for language, mine in sorted(languages.items(), key=lambda item: -len(item[1])):
            count = _count_pages(results, f"{name}.exact", mine)
            if count >= FACT_PAGES and language != "unknown":
                columns.append((f"{name}.exact", mine))
                table.columns.append(f"{name} {language} ({count})")
    if len({tuple(mine) for _, mine in columns}) < 2:
        return table
    for system in results.systems:
        cells = [show_figure(average_pages(results, figure, system.name, mine)) for figure, mine in columns]
        table.add_row(system.name, cells)
    for column in range(1, len(table.columns)):
        table.mark_best(column, results)
    return table


def _count_pages(results: Results, figure: str, pages: Sequence[int]) -> int:
    """Count the pages that have a figure, of the system that has it on most."""
    return max((int((results.values(figure, s.name, pages) >= 0).sum()) for s in results.systems), default=0)
