"""Results in, tables out: what the terminal, the Markdown summary and the HTML report all show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from bonmun.evaluate.averages import better, macro, micro, pooled, speed, surely

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.evaluate.intervals import Interval
    from bonmun.evaluate.results import Results

__all__ = ["Cell", "Table", "ours_of", "overview", "peer_of", "reference_of", "set_tables", "system_table"]

FEW = 5  # pages of a kind or language that are worth a column
GROUPS = 12  # kinds or languages in one table, most pages first


class Cell(NamedTuple):
    """What is shown, what it is sorted by, and more on it."""

    text: str
    value: float | None = None
    hint: str = ""
    best: bool = False
    interval: str = ""  # shown where there is room


@dataclass
class Table:
    """A named table; the first column says whom the row is about."""

    name: str
    says: str
    columns: list[str]
    rows: list[list[Cell]] = field(default_factory=list)


def ours_of(results: Results) -> str:
    """The system that the others are compared with: `auto`, else the first."""
    names = [system.name for system in results.systems]
    return "auto" if "auto" in names else names[0]


def peer_of(results: Results, pages: Sequence[int]) -> str | None:
    """The peer with the best word F1 on some pages."""
    peers = [system.name for system in results.systems if system.group == "peer"]
    return max(peers, key=lambda name: macro(results, "words.f1", name, pages) or 0.0, default=None)


def reference_of(results: Results, name: str | None) -> str:
    """The system whose time is 1: the named one, else resiliparse, else the first."""
    timed = [system.name for system in results.systems if results.times[system.name]]
    return next((each for each in (name, "resiliparse", *timed) if each in timed), "")


def overview(results: Results) -> Table | None:
    """Word F1 of every system on every set; None where there is only one."""
    sets = results.groups("dataset")
    if len(sets) < 2:
        return None
    table = _matrix(results, "all sets", sets)
    table.says = (
        "Word F1, the mean over the pages of each set, and the mean over sets; the best peer or method is bold."
    )
    table.columns.append("mean of sets")
    for row in table.rows:
        known = [cell.value for cell in row[1:] if cell.value is not None]
        row.append(_figure(sum(known) / len(known) if known else None))
    _mark(table, len(table.columns) - 1, results)
    return table


def set_tables(results: Results, name: str, reference: str) -> list[Table]:
    """Every table on one set."""
    pages = results.groups("dataset")[name]
    tables = [_words(results, pages, reference)]
    for key, says in (("kind", "kinds of page"), ("lang", "languages")):
        groups = {
            group: [page for page in pages if getattr(results.pages[page], key) == group]
            for group in results.groups(key)
        }
        large = {group: mine for group, mine in groups.items() if len(mine) >= FEW and group != "unknown"}
        large = dict(sorted(large.items(), key=lambda item: -len(item[1]))[:GROUPS])
        if len(large) > 1:
            tables.append(_matrix(results, says, large))
    more = (_measures(results, pages), _facts(results, pages), _facts_by_language(results, pages))
    return [*tables, *(table for table in more if table.rows)]


def system_table(results: Results) -> Table:
    """The systems, their versions, and on how many pages each failed and why."""
    table = Table("systems", "", ["system", "version", "failed", "why"])
    every = range(len(results.pages))
    for system in results.systems:
        reasons = results.failed(system.name, every)
        why = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(2))
        count = reasons.total()
        table.rows.append([Cell(system.name), Cell(system.version), Cell(str(count), count), Cell(why)])
    return table


def _words(results: Results, pages: Sequence[int], reference: str) -> Table:
    ours = ours_of(results)
    table = Table(
        "words",
        "Words as multisets, a character of Han, Kana, Hangul or Thai is one: mean over pages, with 95 % intervals; "
        f"Δ: how far {ours} is ahead, page by page"
        + (f"; time: a multiple of {reference}'s, taken in turns." if reference else "."),
        ["system", "P", "R", "F1", "95 %", f"{ours} Δ", "95 %", "micro F1", "time", "failed"],
    )
    base = speed(results, reference) if reference else None
    for system in results.systems:
        name = system.name
        f1 = surely(results, "words.f1", name, pages)
        if f1 is None:
            continue
        delta = better(results, "words.f1", ours, name, pages) if name != ours else None
        total = micro(results, "words", name, pages)
        ms = speed(results, name)
        failed = results.failed(name, pages).total()
        table.rows.append(
            [
                Cell(name),
                _figure(macro(results, "words.precision", name, pages)),
                _figure(macro(results, "words.recall", name, pages)),
                _figure(f1.mean),
                _range(f1),
                _figure(delta.mean if delta else None, sign=True),
                _range(delta, sign=True),
                _figure(total.f1)._replace(hint=f"P {total.precision:.3f}, R {total.recall:.3f}")
                if total
                else Cell(""),
                Cell(f"{ms / base:.2f}", ms / base, f"{ms:.2f} ms a page") if ms and base else Cell(""),
                Cell(str(failed) if failed else "", failed),
            ]
        )
    return _ranked(table, 3, results)


def _matrix(results: Results, name: str, groups: dict[str, list[int]]) -> Table:
    says = f"Word F1 by {name}, the mean over pages."
    table = Table(name, says, ["system", *(f"{group} ({len(pages)})" for group, pages in groups.items())])
    for system in results.systems:
        cells = []
        for pages in groups.values():
            f1 = surely(results, "words.f1", system.name, pages)
            cells.append(_figure(f1.mean)._replace(interval=_range(f1).text) if f1 else Cell(""))
        if any(cell.value is not None for cell in cells):
            table.rows.append([Cell(system.name), *cells])
    for column in range(1, len(table.columns)):
        _mark(table, column, results)
    return table


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
FACTS = {
    "title": "title.exact",
    "title F1": "title.f1",
    "author": "author.exact",
    "author F1": "author.f1",
    "date": "date.exact",
    "author where none": "author.invented",
    "date where none": "date.invented",
}
MANY = 15  # pages of a language that have a fact


def _measures(results: Results, pages: Sequence[int]) -> Table:
    known = {name: figure for name, figure in MEASURES.items() if figure in results.figures}
    says = "Means over pages; shingles as the scrapinghub benchmark averages them. docs/measuring.md says what each is."
    table = Table("other measures", says, ["system", "shingles P", "R", "F1", *known])
    for system in results.systems:
        three = pooled(results, "shingles", system.name, pages)
        cells = [_figure(value) for value in three or (None, None, None)]
        cells += [_figure(macro(results, figure, system.name, pages)) for figure in known.values()]
        if any(cell.value is not None for cell in cells):
            table.rows.append([Cell(system.name), *cells])
    return _without_empty(_ranked(table, 3, results))


def _facts(results: Results, pages: Sequence[int]) -> Table:
    counts = {name: _count(results, figure, pages) for name, figure in FACTS.items()}
    columns = [name if figure.endswith("f1") else f"{name} ({counts[name]})" for name, figure in FACTS.items()]
    says = (
        "How often a title, author or date is right, of the pages whose gold has one; and how often one is given where "
        "the gold has none, but another fact."
    )
    table = Table("facts", says, ["system", *columns])
    for system in results.systems:
        cells = [_figure(macro(results, figure, system.name, pages)) for figure in FACTS.values()]
        if any(cell.value is not None for cell in cells):
            table.rows.append([Cell(system.name), *cells])
    return _without_empty(table)


def _facts_by_language(results: Results, pages: Sequence[int]) -> Table:
    """How often each fact is right in languages with enough of it; empty where that is but one language."""
    table = Table("facts by language", f"The same by language, where at least {MANY} pages have the fact.", ["system"])
    columns: list[tuple[str, list[int]]] = []
    languages: dict[str, list[int]] = {}
    for page in pages:
        languages.setdefault(results.pages[page].lang, []).append(page)
    for name in ("title", "author", "date"):
        for language, mine in sorted(languages.items(), key=lambda item: -len(item[1])):
            count = _count(results, f"{name}.exact", mine)
            if count >= MANY and language != "unknown":
                columns.append((f"{name}.exact", mine))
                table.columns.append(f"{name} {language} ({count})")
    if len({tuple(mine) for _, mine in columns}) < 2:
        return table
    for system in results.systems:
        cells = [_figure(macro(results, figure, system.name, mine)) for figure, mine in columns]
        if any(cell.value is not None for cell in cells):
            table.rows.append([Cell(system.name), *cells])
    for column in range(1, len(table.columns)):
        _mark(table, column, results)
    return table


def _count(results: Results, figure: str, pages: Sequence[int]) -> int:
    return max((int((results.values(figure, s.name, pages) >= 0).sum()) for s in results.systems), default=0)


def _figure(value: float | None, *, sign: bool = False) -> Cell:
    return Cell("") if value is None else Cell(f"{value:{'+' if sign else ''}.3f}", value)


def _range(interval: Interval | None, *, sign: bool = False) -> Cell:
    if interval is None:
        return Cell("")
    form = f"{'+' if sign else ''}.3f"
    return Cell(f"{interval.low:{form}} to {interval.high:{form}}", interval.low)


def _ranked(table: Table, column: int, results: Results) -> Table:
    """The oracle, then the others, best first; the best of them is marked."""
    knowing = _knowing(results)
    table.rows.sort(key=lambda row: (row[0].text not in knowing, -(row[column].value or 0.0)))
    _mark(table, column, results)
    return table


def _knowing(results: Results) -> set[str]:
    return {system.name for system in results.systems if system.group == "oracle"}


def _mark(table: Table, column: int, results: Results) -> None:
    knowing = _knowing(results)
    rows = [row for row in table.rows if row[0].text not in knowing and row[column].value is not None]
    top = max((row[column].value or 0.0 for row in rows), default=None)
    for row in rows:
        if row[column].value == top:
            row[column] = row[column]._replace(best=True)


def _without_empty(table: Table) -> Table:
    """Without the columns that nobody has a value in."""
    kept = [0] + [c for c in range(1, len(table.columns)) if any(row[c].text for row in table.rows)]
    table.columns = [table.columns[c] for c in kept]
    table.rows = [[row[c] for c in kept] for row in table.rows]
    return table
