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
from bonmun.work.processes import IDLE, Child, Link, Pool, limit_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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


class ReportResult(NamedTuple):
    """Result of a page: its row in the table, and its data for the inspector, or None if it could not be read."""

    number: int
    row: dict[str, Any]
    page: bytes | None


def name_page(source: PageSource, methods: tuple[str, ...]) -> str:
    """Return the name of a page's files, which depends on the page, the methods and the version."""
    said = f"{__version__}\n{source.url}\n{source.encoding}\n{source.name}\n{' '.join(methods)}\n"
    return hashlib.sha256(said.encode("utf-8", "surrogatepass") + source.body).hexdigest()[:16]


def make_report_page(source: PageSource, methods: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the row of a page, and its data for the inspector."""
    from bonmun.app.inspector.block_features import explain_features
    from bonmun.app.inspector.inspection import inspect_page, run_method
    from bonmun.page.frame.make_frame import write_frame

    page = parse_source(source)
    opened = inspect_page(page, source.name) | {"frame": write_frame(page)}
    answers = {method: run_method(page, method) for method in methods}
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
    """Yield the results of pages as they are ready, from `count` child processes, which end with the iterator."""
    waiting = iter(tasks)
    with Pool(lambda: _ReportChild(seconds), count) as pool:
        while True:
            while pool.has_room and (task := next(waiting, None)):
                pool.start(task)
            if not pool.busy:
                return
            yield from pool.step()


class _ReportChild(Child[ReportTask, ReportResult]):
    """A child process and its current page."""

    def __init__(self, seconds: float) -> None:
        super().__init__(_serve)
        self.seconds = seconds

    def limit(self, stage: int) -> float:
        return LOADING_SECONDS if stage == IDLE else self.seconds

    def take(self, answer: ReportResult) -> list[ReportResult]:
        self.finish()
        return [answer]

    def fail(self, stage: int, limit: float | None) -> list[ReportResult]:
        died = "The process died; the page may need too much memory."
        return [make_problem_row(self.finish(), died if limit is None else f"The page took over {limit:g} seconds.")]


def make_problem_row(task: ReportTask, says: str) -> ReportResult:
    """Return the row of a page that cannot be shown: its name, and why."""
    return ReportResult(task.number, {"name": task.source.name, "url": task.source.url, "problem": says}, None)


def _serve(link: Link) -> None:
    """In the child process: work on incoming tasks."""
    from bonmun.app.inspector.jobs import write_json

    limit_memory(MEMORY_BYTES)
    while True:
        task: ReportTask = link.take()
        link.enter(0)
        try:
            row, page = make_report_page(task.source, task.methods)
            done = ReportResult(task.number, row, write_json(page))
        except BonmunError as problem:
            done = make_problem_row(task, str(problem))
        except MemoryError:
            done = make_problem_row(task, "The page needs too much memory.")
        link.give(done)
