"""Make the pages of a report in child processes with a time limit; a bad page costs one row."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun._version import __version__
from bonmun.app.inspector.confidence import DOUBT
from bonmun.app.inspector.jobs import compare_answers
from bonmun.errors import BonmunError
from bonmun.lab.annotate.page_sources import PageSource, parse_source
from bonmun.options import Options
from bonmun.work.processes import ChildLimits, run_in_children

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bonmun.rules.rule_set import RuleSet

__all__ = ["ReportResult", "ReportTask", "make_report_page", "name_page", "run_report_tasks"]

LOADING_SECONDS = 60.0
MEMORY_BYTES = 3_000_000_000  # memory limit of a child process
STRIP_CELLS = 60  # cells of the chart of scores
EXPLAINED_BLOCKS = 24  # uncertain blocks whose features are stored in the report


class ReportTask(NamedTuple):
    """A page and the methods whose answers the report holds; the first is shown first."""

    number: int
    source: PageSource
    methods: tuple[str, ...]
    rules: RuleSet | None = None  # None: the shipped rules


class ReportResult(NamedTuple):
    """Result of a page: its row in the table, and its data for the inspector, or None if it could not be read."""

    number: int
    row: dict[str, Any]
    page: bytes | None


def name_page(source: PageSource, methods: tuple[str, ...], rules: RuleSet | None = None) -> str:
    """Return the name of a page's files, which depends on the page, the methods, the rules and the version."""
    said = f"{__version__}\n{source.url}\n{source.encoding}\n{source.name}\n{' '.join(methods)}\n"
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
        del answer["outputs"]["html"]  # files of reports are small
    opened["methods"] = [each for each in opened["methods"] if each["name"] in answers]
    first = answers[methods[0]]
    pairs = [(one, other) for one in methods for other in methods if one != other]
    agreement = {f"{one} {other}": json.loads(compare_answers(source, one, other)) for one, other in pairs}
    doubtful = [row for row, score in enumerate(first["scores"]) if DOUBT[0] < score < DOUBT[1]][:EXPLAINED_BLOCKS]
    features = {str(row): explain_features(page, row) for row in doubtful} if methods[0] == "auto" else {}
    row = {
        "name": source.name,
        "url": source.url,
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
        return _make_result

    def fail(self, item: ReportTask, reason: str) -> ReportResult:
        return make_problem_row(item, reason)


def make_problem_row(task: ReportTask, says: str) -> ReportResult:
    """Return the row of a page that cannot be shown: its name, and why."""
    return ReportResult(task.number, {"name": task.source.name, "url": task.source.url, "problem": says}, None)


def _make_result(task: ReportTask) -> ReportResult:
    from bonmun.app.inspector.jobs import write_json

    try:
        row, page = make_report_page(task.source, task.methods, task.rules)
        return ReportResult(task.number, row, write_json(page))
    except BonmunError as problem:
        return make_problem_row(task, str(problem))
    except MemoryError:
        return make_problem_row(task, "The page needs too much memory.")
