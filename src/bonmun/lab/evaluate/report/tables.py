"""The tables that the terminal, the Markdown summary and the HTML report show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.lab.evaluate.report.averages import (
    average_ms,
    average_pages,
    average_pooled,
    compare_systems,
    estimate_average,
    sum_counts,
)
from bonmun.lab.evaluate.report.cells import ReportCell, ReportTable, make_interval_cell, make_score_cell
from bonmun.lab.evaluate.report.check_tables import make_accepted_table, make_check_table
from bonmun.lab.evaluate.report.kept_tables import make_required_lines_table, make_unit_table
from bonmun.lab.evaluate.report.structure_tables import make_exact_table, make_structure_table
from bonmun.lab.evaluate.systems.answers import METADATA_FIELDS, OURS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.evaluate.results import BenchResults

__all__ = [
    "choose_ours",
    "choose_reference",
    "find_best_peer",
    "make_overview",
    "make_set_tables",
    "make_system_table",
]

MIN_GROUP_PAGES = 5  # of a kind or language that gets a column
MAX_SHOWN_GROUPS = 12  # kinds or languages in one table; the largest are shown
MIN_METADATA_PAGES = 15  # of a language that have a metadata field, for a column

# Columns of two tables, and the score that each shows.
MEASURE_COLUMNS = {
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
METADATA_COLUMNS = {
    "title": "title.exact",
    "title F1": "title.f1",
    "author": "author.exact",
    "author F1": "author.f1",
    "date": "date.exact",
    "invented author": "author.invented",
    "invented date": "date.invented",
}


def choose_ours(results: BenchResults) -> str:
    """Choose the system that the others are compared with: `auto`, or else the first."""
    names = [system.name for system in results.systems]
    return OURS if OURS in names else names[0]


def find_best_peer(results: BenchResults, pages: Sequence[int]) -> str | None:
    """Find the peer with the best word F1 on some pages."""
    peers = [system.name for system in results.systems if system.group == "peer"]
    return max(peers, key=lambda name: average_pages(results, "words.f1", name, pages) or 0.0, default=None)


def choose_reference(results: BenchResults, name: str | None) -> str:
    """Choose the system that times are relative to: the named one, or else resiliparse, or else the first."""
    timed = [system.name for system in results.systems if results.times[system.name]]
    return next((each for each in (name, "resiliparse", *timed) if each in timed), "")


def make_overview(results: BenchResults) -> ReportTable | None:
    """Make the table of word F1 by set, for sets with gold texts; None if there are fewer than two."""
    sets = {name: pages for name, pages in results.group_pages("dataset").items() if _has_words(results, pages)}
    if len(sets) < 2:
        return None
    table = _make_group_table(results, "all sets", sets)
    table.caption = "Word F1: mean over the pages of each set, and mean over sets. The best method or peer is bold."
    table.columns.append("mean of sets")
    for row in table.rows:
        known = [cell.value for cell in row[1:] if cell.value is not None]
        row.append(make_score_cell(sum(known) / len(known) if known else None))
    table.mark_best(len(table.columns) - 1, results)
    return table


def make_set_tables(results: BenchResults, name: str, reference: str) -> list[ReportTable]:
    """Make the tables of one set: those with rows, or else only the first."""
    pages = results.group_pages("dataset")[name]
    tables = [
        _make_word_table(results, pages, reference),
        make_required_lines_table(results, pages, choose_ours(results)),
        make_check_table(results, pages),
    ]
    for key, table_name in (("kind", "by page kind"), ("lang", "by language")):
        groups = _find_large_groups(results, pages, key)
        if len(groups) > 1:
            tables.append(_make_group_table(results, table_name, groups))
            tables.append(make_accepted_table(results, table_name, groups))
    tables += [make(results, pages) for make in (_make_measure_table, _make_metadata_table, _make_language_table)]
    tables += [make(results, pages) for make in (make_structure_table, make_exact_table, make_unit_table)]
    return [table for table in tables if table.rows] or tables[:1]


def _has_words(results: BenchResults, pages: Sequence[int]) -> bool:
    return _count_pages(results, "words.f1", pages) > 0


def make_system_table(results: BenchResults) -> ReportTable:
    """Make the table of systems: version, number of failures, and the most common reasons."""
    table = ReportTable("systems", "", ["system", "version", "failed", "reasons"])
    every = range(len(results.pages))
    for system in results.systems:
        failures = results.count_failures(system.name, every)
        reasons = "; ".join(f"{reason} ({count})" for reason, count in failures.most_common(2))
        count = failures.total()
        table.add_row(system.name, [ReportCell(system.version), ReportCell(str(count), count), ReportCell(reasons)])
    return table


def _make_word_table(results: BenchResults, pages: Sequence[int], reference: str) -> ReportTable:
    """Make the table of word scores, the lead of ours, and the time of each system."""
    ours = choose_ours(results)
    table = ReportTable(
        "words",
        "Words are compared as multisets; a character of Han, Kana, Hangul or Thai is a word. Means over pages with "
        f"95 % confidence intervals. Δ: mean lead of {ours} per page."
        + (f" time: relative to {reference}, measured page by page in turn." if reference else ""),
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
            make_score_cell(average_pages(results, "words.precision", name, pages)),
            make_score_cell(average_pages(results, "words.recall", name, pages)),
            make_score_cell(f1.mean),
            make_interval_cell(f1),
            make_score_cell(delta.mean if delta else None, sign=True),
            make_interval_cell(delta, sign=True),
            _make_micro_f1_cell(results, name, pages),
            _make_time_cell(results, name, reference),
            ReportCell(str(failed) if failed else "", failed),
        ]
        table.add_row(name, cells)
    table.rank(table.columns.index("F1"), results)
    return table


def _make_micro_f1_cell(results: BenchResults, name: str, pages: Sequence[int]) -> ReportCell:
    total = sum_counts(results, "words", name, pages)
    if total is None:
        return ReportCell("")
    return make_score_cell(total.f1)._replace(hint=f"P {total.precision:.3f}, R {total.recall:.3f}")


def _make_time_cell(results: BenchResults, name: str, reference: str) -> ReportCell:
    base = average_ms(results, reference) if reference else None
    ms = average_ms(results, name)
    return ReportCell(f"{ms / base:.2f}", ms / base, f"{ms:.2f} ms per page") if ms and base else ReportCell("")


def _find_large_groups(results: BenchResults, pages: Sequence[int], key: str) -> dict[str, list[int]]:
    """Group pages by kind or language; return the groups that are large enough, largest first."""
    groups = {
        group: [page for page in pages if getattr(results.pages[page], key) == group]
        for group in results.group_pages(key)
    }
    large = {group: mine for group, mine in groups.items() if len(mine) >= MIN_GROUP_PAGES and group != "unknown"}
    return dict(sorted(large.items(), key=lambda item: -len(item[1]))[:MAX_SHOWN_GROUPS])


def _make_group_table(results: BenchResults, name: str, groups: dict[str, list[int]]) -> ReportTable:
    """Make a table of word F1 by set, kind or language."""
    caption = f"Mean word F1 {name}, with the number of pages in brackets."
    table = ReportTable(name, caption, ["system", *(f"{group} ({len(pages)})" for group, pages in groups.items())])
    for system in results.systems:
        cells = []
        for pages in groups.values():
            f1 = estimate_average(results, "words.f1", system.name, pages)
            cells.append(
                make_score_cell(f1.mean)._replace(interval=make_interval_cell(f1).text) if f1 else ReportCell("")
            )
        table.add_row(system.name, cells)
    for column in range(1, len(table.columns)):
        table.mark_best(column, results)
    return table


def _make_measure_table(results: BenchResults, pages: Sequence[int]) -> ReportTable:
    """Make the table of all other text metrics."""
    known = {name: score for name, score in MEASURE_COLUMNS.items() if score in results.score_names}
    caption = "Means over pages; shingles as in the scrapinghub benchmark. See docs/how-to/measure.md."
    table = ReportTable("other measures", caption, ["system", "shingles P", "R", "F1", *known])
    for system in results.systems:
        shingles = average_pooled(results, "shingles", system.name, pages)
        cells = [make_score_cell(value) for value in shingles or (None, None, None)]
        cells += [make_score_cell(average_pages(results, score, system.name, pages)) for score in known.values()]
        table.add_row(system.name, cells)
    table.rank(table.columns.index("F1"), results)
    table.drop_empty_columns()
    return table


def _make_metadata_table(results: BenchResults, pages: Sequence[int]) -> ReportTable:
    """Make the table of titles, authors and dates."""
    counts = {name: _count_pages(results, score, pages) for name, score in METADATA_COLUMNS.items()}
    columns = [name if score.endswith("f1") else f"{name} ({counts[name]})" for name, score in METADATA_COLUMNS.items()]
    caption = (
        "Share of titles, authors and dates that are correct, over the pages whose gold has one (their number is in "
        "brackets). invented: share of the pages whose gold has other metadata, but not this field, that get a value."
    )
    table = ReportTable("metadata", caption, ["system", *columns])
    for system in results.systems:
        cells = [
            make_score_cell(average_pages(results, score, system.name, pages)) for score in METADATA_COLUMNS.values()
        ]
        table.add_row(system.name, cells)
    table.drop_empty_columns()
    return table


def _make_language_table(results: BenchResults, pages: Sequence[int]) -> ReportTable:
    """Make the table of correct metadata by language; without rows if there are fewer than two languages."""
    caption = (
        "Share of titles, authors and dates that are correct, for languages with at least "
        f"{MIN_METADATA_PAGES} pages that have one."
    )
    table = ReportTable("metadata by language", caption, ["system"])
    languages: dict[str, list[int]] = {}
    for page in pages:
        languages.setdefault(results.pages[page].lang, []).append(page)
    columns: list[tuple[str, list[int]]] = []
    for name in METADATA_FIELDS:
        for language, mine in sorted(languages.items(), key=lambda item: -len(item[1])):
            count = _count_pages(results, f"{name}.exact", mine)
            if count >= MIN_METADATA_PAGES and language != "unknown":
                columns.append((f"{name}.exact", mine))
                table.columns.append(f"{name} {language} ({count})")
    if len({tuple(mine) for _, mine in columns}) < 2:
        return table
    for system in results.systems:
        cells = [make_score_cell(average_pages(results, score, system.name, mine)) for score, mine in columns]
        table.add_row(system.name, cells)
    for column in range(1, len(table.columns)):
        table.mark_best(column, results)
    return table


def _count_pages(results: BenchResults, score: str, pages: Sequence[int]) -> int:
    """Count the pages that have a score, for the system that has it on the most pages."""
    return max((int((results.values(score, s.name, pages) >= 0).sum()) for s in results.systems), default=0)
