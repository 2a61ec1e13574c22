"""Hand-made results for the tests in this folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bonmun.lab.evaluate.results import BenchResults, PageInfo, SystemInfo
from bonmun.lab.evaluate.systems.answers import Answer
from bonmun.lab.evaluate.workers import Outcome
from bonmun.lab.gold.datasets import SetSummary

if TYPE_CHECKING:
    from bonmun.lab.evaluate.report.cells import ReportTable

Values = dict[str, dict[str, Sequence[float | None]]]
GROUPS = {"oracle": "oracle", "auto": "method", "xpath": "method"}
SHINGLES: Values = {
    "peer": {
        "shingles.found": [10, 4, 0, None],
        "shingles.gold": [5, 0, 6, None],
        "shingles.precision": [0.5, 0.0, 0.0, None],
        "shingles.recall": [1.0, 0.0, 0.0, None],
    }
}


def made(
    values: Values, pages: Sequence[PageInfo] = (), failed: dict[tuple[int, str], str] | None = None
) -> BenchResults:
    """Make results from a list of values per score, one value per page; None means no value."""
    count = max((len(column) for scores in values.values() for column in scores.values()), default=0)
    pages = pages or [PageInfo("set", f"page {number}", "en", "news", None) for number in range(count)]
    counts = Counter(page.dataset for page in pages)
    empty: Counter[str] = Counter()
    sets = [(name, SetSummary(number, empty, empty, empty, (), "hash")) for name, number in counts.items()]
    results = BenchResults(sets, [SystemInfo(name, "1.0", GROUPS.get(name, "peer")) for name in values])
    for number, page in enumerate(pages):
        results.add_page(page)
        for name, columns in values.items():
            row = {score: column[number] for score, column in columns.items() if number < len(column)}
            scores = {score: value for score, value in row.items() if value is not None}
            results.add(number, name, Outcome(Answer(), 1.0, (failed or {}).get((number, name)), scores))
    return results


def f1(**columns: Sequence[float | None]) -> Values:
    """Values of word F1 only."""
    return {name: {"words.f1": column} for name, column in columns.items()}


def texts(table: ReportTable) -> list[list[str]]:
    return [table.columns, *([cell.text for cell in row] for row in table.rows)]


def best(table: ReportTable) -> set[tuple[str, str]]:
    return {(row[0].text, table.columns[at]) for row in table.rows for at, cell in enumerate(row) if cell.is_best}
