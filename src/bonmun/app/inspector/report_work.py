"""Make the pages of a report in child processes with a time limit; a bad page costs one row."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun._version import __version__
from bonmun.app.inspector.confidence import DOUBT
from bonmun.app.inspector.jobs import compare_answers
from bonmun.app.inspector.report_data import write_page_script
from bonmun.errors import BonmunError
from bonmun.lab.annotate.page_sources import PageSource, parse_source
from bonmun.options import Options
from bonmun.sites.domains import find_host
from bonmun.work.processes import ChildLimits, run_in_children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bonmun.rules.rule_set import RuleSet

__all__ = ["ReportResult", "ReportTask", "make_report_page", "name_page", "run_report_tasks"]

LAYOUT = 2  # of the files of a page; part of their names, so that a report never mixes two layouts
LOADING_SECONDS = 60.0
MEMORY_BYTES = 3_000_000_000  # memory limit of a child process
FIRST_PAGE = b"<p>Some words to read.</p>" * 20  # a child process reads it before the time limits of pages apply
STRIP_CELLS = 60  # cells of the chart of scores
EXPLAINED_BLOCKS = 24  # uncertain blocks whose features are stored in the report


class ReportTask(NamedTuple):
    """A page and the methods whose answers the report holds; the first is shown first."""

    number: int
    source: PageSource
    methods: tuple[str, ...]
    rules: RuleSet | None = None  # None: the shipped rules


class ReportResult(NamedTuple):
    """Result of a page: its row in the table, and the script with its data, or None if it cannot be shown."""

    number: int
    row: dict[str, Any]
    script: str | None


def name_page(source: PageSource, methods: tuple[str, ...], rules: RuleSet | None = None) -> str:
    """Return the name of a page's files, which depends on the page, the methods, the rules and the version."""
    said = f"{__version__} {LAYOUT}\n{source.url}\n{source.encoding}\n{source.name}\n{' '.join(methods)}\n"
    said += f"{rules.digest}\n" if rules is not None else ""
    return hashlib.sha256(said.encode("utf-8", "surrogatepass") + source.body).hexdigest()[:16]


def make_report_page(
    source: PageSource, methods: tuple[str, ...], rules: RuleSet | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the row of a page, and its data for the inspector."""
    from bonmun.app.inspector.block_features import explain_features
    from bonmun.app.inspector.inspection import inspect_page, run_method
    from bonmun.page.frame.make_frame import write_frame

    page = parse_source(source)
    opened = inspect_page(page, source.name) | {"frame": write_frame(page)}
    answers = {method: run_method(page, method, Options(rules=rules)) for method in methods}
    for answer in answers.values():
        for name in ("html", "json"):
            del answer["outputs"][name]  # files of reports are small
    opened["methods"] = [each for each in opened["methods"] if each["name"] in answers]
    first = answers[methods[0]]
    pairs = [(one, other) for one in methods for other in methods if one != other]
    agreement = {f"{one} {other}": json.loads(compare_answers(source, one, other)) for one, other in pairs}
    doubtful = [row for row, score in enumerate(first["scores"]) if DOUBT[0] < score < DOUBT[1]][:EXPLAINED_BLOCKS]
    features = {str(row): explain_features(page, row) for row in doubtful} if methods[0] == "auto" else {}
    row = {
        "name": source.name,
        "url": source.url,
        "site": name_site(
            source, next((each["value"] for each in first["facts"] if each["name"] == "canonical"), None)
        ),
        "title": first["title"],
        "language": first["language"] or opened["language"],
        "kind": first["kind"],
        "confidence": first["confidence"],
        "words": first["words"],
        "share": round(first["words"] / max(first["words_of_page"], 1), 4),
        "blocks": len(first["kept"]),
        "strip": _draw_strip(first),
    }
    return row, {"page": opened, "answers": answers, "agreement": agreement, "speaking": features}


def name_site(source: PageSource, canonical: str | None = None) -> str:
    """Return the host of a page's URL without `www.`; without a URL, the folder of its file, which may be empty."""
    host = find_host(source.url) or find_host(canonical)
    return host.removeprefix("www.") if host else source.name.rpartition("/")[0]


def _draw_strip(answer: dict[str, Any]) -> list[int]:
    """Return the scores along the page in a few cells: 1 to 100 if most blocks of a cell are kept, else -1 to -100."""
    scores, kept = answer["scores"], answer["kept"]
    cells: list[int] = []
    count = min(STRIP_CELLS, len(scores))
    for cell in range(count):
        rows = range(cell * len(scores) // count, (cell + 1) * len(scores) // count)
        mean = sum(scores[row] for row in rows) / len(rows)
        is_kept = 2 * sum(kept[row] for row in rows) >= len(rows)
        cells.append(max(1, round(100 * mean)) if is_kept else -max(1, round(100 * (1 - mean))))
    return cells


def run_report_tasks(tasks: Iterable[ReportTask], count: int, seconds: float) -> Iterator[ReportResult]:
    """Process pages in `count` child processes and yield the results as they finish. Close the iterator to stop."""
    return run_in_children(_ReportJob(), tasks, ChildLimits(count, seconds, MEMORY_BYTES, LOADING_SECONDS))


class _ReportJob:
    """Make the report of pages one by one."""

    def load(self) -> Callable[[ReportTask], ReportResult]:
        make_report_page(PageSource("first", None, FIRST_PAGE), ("auto",))  # loads modules and weights
        return _make_result

    def fail(self, item: ReportTask, reason: str) -> ReportResult:
        return make_problem_row(item, reason)


def make_problem_row(task: ReportTask, says: str) -> ReportResult:
    """Return the row of a page that cannot be shown: its name, and why."""
    row = {"name": task.source.name, "url": task.source.url, "site": name_site(task.source), "problem": says}
    return ReportResult(task.number, row, None)


def _make_result(task: ReportTask) -> ReportResult:
    try:
        row, page = make_report_page(task.source, task.methods, task.rules)
        return ReportResult(task.number, row, write_page_script(page))
    except BonmunError as problem:
        return make_problem_row(task, str(problem))
    except MemoryError:
        return make_problem_row(task, "The page needs too much memory.")
