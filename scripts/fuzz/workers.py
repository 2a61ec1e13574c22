"""Judge pages in child processes: a page that hangs or exhausts memory is a finding, and does not end the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.work.processes import IDLE, Child, ChildLink, Pool, limit_memory
from scripts.fuzz.checks import Fault
from scripts.fuzz.files import READERS, judge_file
from scripts.fuzz.judge import CHECK, Verdict, judge_page
from scripts.fuzz.stages import STAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["STAGE_SECONDS", "Judged", "Task", "judge_all", "judge_one", "open_judges"]

MEMORY_BYTES = 4_000_000_000  # limit of a child process
START_SECONDS = 60.0
STAGE_SECONDS = 10.0  # limit of any stage
CHECK_SECONDS = 60.0  # limit of our checks, which read all outputs back
SLOW_CHECK = "the checks took too long"


class Task(NamedTuple):
    """A page or file to judge."""

    page: str | bytes
    method: str  # of extraction, or the reader of a file
    name: str  # its origin


class Judged(NamedTuple):
    """A page and its verdict."""

    task: Task
    verdict: Verdict


def serve(link: ChildLink) -> None:
    """Judge incoming pages, in a child process."""
    limit_memory(MEMORY_BYTES)
    judge_page("<p>Some words to load everything that is loaded on first use.</p>")
    while True:
        task = link.take()
        link.enter(0)
        if task.method in READERS and isinstance(task.page, bytes):
            link.give(judge_file(task.method, task.page))
        else:
            link.give(judge_page(task.page, task.method, link.enter))


class Worker(Child[Task, Judged]):
    """A child process that judges pages."""

    def __init__(self, stage_seconds: float = STAGE_SECONDS) -> None:
        super().__init__(serve)
        self.stage_seconds = stage_seconds
        self.task: Task | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it is judging a page."""
        return self.task is not None

    def start(self, task: Task) -> None:
        """Send a page."""
        self.task = task
        self.send(task)

    def limit(self, stage: int) -> float:
        """Return the time limit of a stage in seconds."""
        return {IDLE: START_SECONDS, CHECK: CHECK_SECONDS}.get(stage, self.stage_seconds)

    def take(self, answer: Any) -> list[Judged]:
        """Return the verdict."""
        return self._finish(answer)

    def fail(self, stage: int, limit: float | None) -> list[Judged]:
        """Return the verdict on a page on which the process hung or died."""
        if stage == CHECK and limit is not None:
            return self._finish(Verdict(refused=SLOW_CHECK))
        name = STAGES[stage] if 0 <= stage < CHECK else "check" if stage == CHECK else "start"
        if limit is None:
            return self._finish(Verdict([Fault(f"death in {name}", "the process died")]))
        return self._finish(Verdict([Fault(f"hang in {name}", f"over {limit:.0f} s")]))

    def _finish(self, verdict: Verdict) -> list[Judged]:
        assert self.task is not None
        task, self.task = self.task, None
        return [Judged(task, verdict)]


def open_judges(workers: int, stage_seconds: float = STAGE_SECONDS) -> Pool[Task, Judged]:
    """Return a pool of child processes, for use in a `with` statement."""
    return Pool(lambda: Worker(stage_seconds), workers)


def judge_all(tasks: Iterable[Task], workers: int, stage_seconds: float = STAGE_SECONDS) -> Iterator[Judged]:
    """Judge pages as they come, and yield verdicts in any order."""
    rest = iter(tasks)
    with open_judges(workers, stage_seconds) as pool:
        while True:
            while pool.has_room and (task := next(rest, None)) is not None:
                pool.start(task)
            if not pool.busy:
                return
            yield from pool.step()


def judge_one(pool: Pool[Task, Judged], task: Task) -> Verdict:
    """Judge a page in an idle pool."""
    pool.start(task)
    while pool.busy:
        for judged in pool.step():
            return judged.verdict
    raise AssertionError("A pool is busy until it has a result.")
