"""Write the report of `bonmun bench`: a self-contained HTML page, a Markdown summary, and all values.

index.html      tables, plots, diffs of pages where `auto` and the best peer differ most, failed checks, torn units
summary.md      the tables
rows.csv.gz     every value (also rows.parquet if pyarrow is installed)
"""

from __future__ import annotations

from contextlib import ExitStack
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.lab.evaluate.report.diffs import diff
from bonmun.lab.evaluate.report.failed_checks import find_failed_checks, render_failed_checks
from bonmun.lab.evaluate.report.plots import draw_distribution, draw_precision_recall, draw_speed_quality
from bonmun.lab.evaluate.report.summary import describe_set, format_markdown, write_rows
from bonmun.lab.evaluate.report.tables import (
    choose_ours,
    choose_reference,
    find_best_peer,
    make_overview,
    make_set_tables,
    make_system_table,
)
from bonmun.lab.evaluate.report.unit_examples import find_unit_examples, render_unit_examples
from bonmun.work.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.evaluate.cache import Cache
    from bonmun.lab.evaluate.report.cells import ReportCell, ReportTable
    from bonmun.lab.evaluate.report.failed_checks import FailedChecks
    from bonmun.lab.evaluate.report.unit_examples import UnitExample
    from bonmun.lab.evaluate.results import BenchResults
    from bonmun.lab.evaluate.systems.answers import System
    from bonmun.lab.gold.datasets import Dataset

__all__ = ["write_report"]

MAX_SHOWN_PAGES = 15  # of a set, both where ours is furthest behind and furthest ahead
MAX_NUMBER_CHARS = 24  # a longer cell is laid out as running text
LEGEND = (
    '<p><span class="method">Methods</span>, <span class="peer">peers</span>, <span class="oracle">oracle</span> '
    "(the best possible choice of leaves, derived from the gold). Click a column header to sort.</p>"
)
CHUNK_STYLES = {"both": "", "gold": "gold", "found": "found", "left out": "out"}


class Difference(NamedTuple):
    """A page on which two systems differ, and the text of each."""

    page: int
    ours: str
    theirs: str | None
    gold: str
    texts: tuple[str, ...]


def write_report(
    folder: Path,
    results: BenchResults,
    datasets: Sequence[Dataset],
    systems: Sequence[System],
    cache: Cache,
    *,
    reference: str | None,
    introduction: str,
) -> list[Path]:
    """Write all files of the report and return their paths. `introduction` is Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    differences = find_differences(results, datasets, systems, cache)
    units = find_unit_examples(results, datasets, systems, cache)
    checks = find_failed_checks(results, datasets, systems, cache)
    shown = choose_reference(results, reference)
    texts = {
        "index.html": _render_page(results, shown, differences, units, checks, introduction),
        "summary.md": format_markdown(results, reference, f"# Benchmark results\n\n{introduction}"),
    }
    names = [*texts, "rows.csv.gz", "rows.parquet"]
    with ExitStack() as stack:  # all files are complete before the first one is moved into place
        parts = {name: stack.enter_context(write_atomically(folder / name)) for name in reversed(names)}
        for name, text in texts.items():
            parts[name].write_text(text, encoding="utf-8", errors="replace")
        has_parquet = write_rows(results, parts["rows.csv.gz"], parts["rows.parquet"])
    return [folder / name for name in (names if has_parquet else names[:-1])]


def find_differences(
    results: BenchResults, datasets: Sequence[Dataset], systems: Sequence[System], cache: Cache
) -> dict[str, list[Difference]]:
    """Find the pages of each set on which ours and the best peer on that set differ most, with both texts."""
    wanted: dict[int, tuple[str, str | None]] = {}
    ours = choose_ours(results)
    for pages in results.group_pages("dataset").values():
        peer = find_best_peer(results, pages)
        wanted |= dict.fromkeys(_find_most_different(results, pages, ours, peer), (ours, peer))
    by_name = {system.name: system for system in systems}
    found: dict[str, list[Difference]] = {dataset.name: [] for dataset in datasets}
    number = -1
    for dataset in datasets:
        for example in dataset:
            number += 1
            if number not in wanted or example.text is None:
                continue
            one, other = wanted[number]
            known = [cache.get(example, by_name[name]) for name in (one, other) if name]
            texts = tuple(outcome.answer.text if outcome else "" for outcome in known)
            found[dataset.name].append(Difference(number, one, other, example.text, texts))
    return found


def _find_most_different(results: BenchResults, pages: Sequence[int], ours: str, peer: str | None) -> list[int]:
    """Find the pages on which ours is furthest behind and furthest ahead; without a peer, those with its worst F1."""
    values = results.values("words.f1", ours, pages)
    theirs = results.values("words.f1", peer, pages) if peer else np.ones(len(pages))
    ahead = [(float(gap), page) for gap, page in zip(values - theirs, pages, strict=True) if gap == gap and gap]
    ahead.sort()
    chosen = ahead[:MAX_SHOWN_PAGES] + (ahead[-MAX_SHOWN_PAGES:] if peer else [])
    return list(dict.fromkeys(page for _, page in chosen))


def _render_page(
    results: BenchResults,
    reference: str,
    differences: dict[str, list[Difference]],
    units: dict[str, list[UnitExample]],
    checks: dict[str, list[FailedChecks]],
    introduction: str,
) -> str:
    links, parts = [], []
    if overview := make_overview(results):
        links.append('<a href="#all">all sets</a>')
        parts.append(f'<h2 id="all">All sets</h2><p>{escape(overview.caption)}</p>{_render_table(overview, results)}')
    for number, (name, _) in enumerate(results.sets):
        links.append(f'<a href="#set{number}">{escape(name)}</a>')
        parts.append(_render_set(results, number, reference, differences[name]))
        parts.append(render_failed_checks(results, checks[name]))
        parts.append(render_unit_examples(results, units[name]))
    links.append('<a href="#systems">systems</a>')
    parts.append(f'<h2 id="systems">Systems</h2>{_render_table(make_system_table(results), results)}')
    here = Path(__file__)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>bonmun bench</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{here.with_suffix('.css').read_text(encoding='utf-8')}</style></head><body>"
        f"<header><h1>bonmun bench</h1>{_render_paragraphs(introduction)}{LEGEND}</header><nav>{''.join(links)}</nav>"
        f"<main>{''.join(parts)}</main>"
        f"<script>{here.with_suffix('.js').read_text(encoding='utf-8')}</script></body></html>\n"
    )


def _render_set(results: BenchResults, number: int, reference: str, differences: list[Difference]) -> str:
    """Render one set: its tables, plots, and the pages that differ most."""
    name, summary = results.sets[number]
    pages = results.group_pages("dataset")[name]
    first, *more = make_set_tables(results, name, reference)
    beside = draw_precision_recall(results, pages) + draw_speed_quality(results, pages, reference)
    parts = [
        f'<h2 id="set{number}">{escape(name)}</h2><p>{escape(describe_set(summary)).replace("`", "")}</p>',
        f"<p>{escape(first.caption)}</p>{_render_table(first, results)}",
        f'<div class="plots"><div>{draw_distribution(results, pages)}</div><div>{beside}</div></div>',
    ]
    parts += [
        f"<h3>{escape(table.name)}</h3><p>{escape(table.caption)}</p>{_render_table(table, results)}" for table in more
    ]
    parts.append(_render_differences(results, differences, f"list{number}"))
    return "".join(parts)


def _render_paragraphs(text: str) -> str:
    """Render Markdown paragraphs with inline code as HTML."""
    pieces = [escape(part).split("`") for part in text.split("\n\n")]
    marked = ["".join(f"<code>{p}</code>" if at % 2 else p for at, p in enumerate(piece)) for piece in pieces]
    return "".join(f"<p>{part}</p>" for part in marked)


def _render_table(table: ReportTable, results: BenchResults) -> str:
    groups = {system.name: system.group for system in results.systems}
    head = "".join(f'<th tabindex="0">{escape(column)}</th>' for column in table.columns)
    rows = []
    for row in table.rows:
        cells = "".join(_render_cell(cell, first=number == 0) for number, cell in enumerate(row))
        rows.append(f'<tr class="{groups.get(row[0].text, "")}">{cells}</tr>')
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _render_cell(cell: ReportCell, *, first: bool) -> str:
    attributes = f' data-value="{cell.value:.6g}"' if cell.value is not None else ""
    attributes += f' title="{escape(cell.hint)}"' if cell.hint else ""
    is_long = cell.value is None and not first and len(cell.text) > MAX_NUMBER_CHARS
    style = "best" if cell.is_best else "text" if is_long else ""
    attributes += f' class="{style}"' if style else ""
    interval = f"<small>{escape(cell.interval)}</small>" if cell.interval else ""
    return f"<td{attributes}>{escape(cell.text)}{interval}</td>"


def _render_differences(results: BenchResults, found: list[Difference], name: str) -> str:
    if not found:
        return ""
    ours, theirs = found[0].ours, found[0].theirs
    title = (
        f"Largest differences between {ours} and {theirs}, the best peer on this set"
        if theirs
        else f"Pages with the lowest word F1 of {ours}"
    )
    key = '<span class="key gold">in the gold only</span> <span class="key found">in the answer only</span>'
    orders = {"gap up": "worst first", "gap down": "best first", "kind up": "by kind", "lang up": "by language"}
    menu = "".join(f'<option value="{value}">{label}</option>' for value, label in orders.items())
    items = [_render_difference(results, each) for each in sorted(found, key=lambda each: _measure_gap(results, each))]
    return (
        f"<h3>{escape(title)}</h3><p>Word F1 of each system; {key} "
        f'<select data-list="{name}" aria-label="order">{menu}</select></p><div id="{name}">{"".join(items)}</div>'
    )


def _measure_gap(results: BenchResults, found: Difference) -> float:
    ours, theirs = _find_scores(results, found)
    return ours - (theirs if theirs is not None else 0.0)


def _find_scores(results: BenchResults, found: Difference) -> tuple[float, float | None]:
    values = [results.values("words.f1", name, [found.page])[0] for name in (found.ours, found.theirs) if name]
    return float(values[0]), float(values[1]) if len(values) > 1 else None


def _render_difference(results: BenchResults, found: Difference) -> str:
    page = results.pages[found.page]
    ours, theirs = _find_scores(results, found)
    figures = f"{escape(found.ours)} <b>{ours:.3f}</b>"
    if theirs is not None:
        figures += f" · {escape(found.theirs or '')} <b>{theirs:.3f}</b> · {ours - theirs:+.3f}"
    columns = []
    for name, text in zip((found.ours, found.theirs), found.texts, strict=False):
        marked = "".join(_render_chunk(*chunk) for chunk in diff(found.gold, text))
        columns.append(f'<div><h4>{escape(name or "")}</h4><div class="diff" dir="auto">{marked}</div></div>')
    gap = _measure_gap(results, found)
    data = f'data-gap="{gap:.6f}" data-kind="{escape(page.kind)}" data-lang="{escape(page.lang)}"'
    head = f"{figures} · {escape(page.kind)} · {escape(page.lang)} · {escape(page.id)}"
    return f'<details {data}><summary>{head}</summary><div class="diffs">{"".join(columns)}</div></details>'


def _render_chunk(kind: str, text: str) -> str:
    style = CHUNK_STYLES[kind]
    return f'<span class="{style}">{escape(text)}</span>' if style else escape(text)
