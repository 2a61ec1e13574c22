"""The local engine: batches go to child processes and come back in order; it knows nothing of what is done to them.

Each page has a time limit. A child that is over it, or that died, is replaced; the page it was at fails, and those
before it in its batch are done again, since their results are lost.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from bonmun.errors import BonmunError
from bonmun.work.processes import IDLE, Child, Link, Pool

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    import pyarrow as pa

__all__ = ["Job", "run"]

LOADING = 60.0  # seconds that a child may take to start
AHEAD = 64  # batches that may be done before one that is not: what waits for its turn takes memory
MISSES = 2  # times that a child may die before it is at a page, as an idle one may


class Job(Protocol):
    """What is done to batches; it travels to the children once."""

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> pa.RecordBatch:
        """Work on pages; `at` is told the number of each before it is worked on."""

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        """What comes out for pages that could not be worked on."""


@dataclass(slots=True)
class _Task:
    """A batch, and what has come of its rows so far; after a failure it is done in pieces."""

    number: int
    batch: pa.RecordBatch
    start: int = 0  # the first row that is not done
    bad: int = -1  # the row that failed, and is not tried again
    reason: str = ""
    done: list[pa.RecordBatch] = field(default_factory=list)

    @property
    def piece(self) -> pa.RecordBatch:
        """The rows that come next."""
        stop = self.bad if self.bad >= self.start else self.batch.num_rows
        return self.batch.slice(self.start, stop - self.start)

    def add(self, result: pa.RecordBatch) -> None:
        """Keep what has come of the next rows."""
        self.done.append(result)
        self.start += result.num_rows


def run(
    job: Job, batches: Iterable[pa.RecordBatch], workers: int, seconds: float
) -> Generator[list[pa.RecordBatch], None, None]:
    """Work on batches in child processes; what comes out of each comes in the order of the batches.

    `seconds` is the time limit for a page. Close the generator to stop: the children end.
    """
    waiting = enumerate(batches)
    ready: deque[_Task] = deque()
    finished: dict[int, list[pa.RecordBatch]] = {}
    turn = 0
    with Pool(lambda: _PageChild(job, seconds), workers) as pool:
        while True:
            while len(ready) < workers and (task := next(waiting, None)):
                ready.append(_Task(*task))
            while ready and pool.has_room and ready[0].number < turn + AHEAD:
                pool.start(ready.popleft())
            if not pool.busy:
                return
            for done in pool.step():
                finished[done.number] = done.done
            while turn in finished:
                yield finished.pop(turn)
                turn += 1


class _PageChild(Child[_Task, _Task]):
    """A child process that does a job on the rows of a batch; its stage is the row it is at."""

    def __init__(self, job: Job, seconds: float) -> None:
        super().__init__(_serve, first=[job])
        self.job = job
        self.seconds = seconds
        self.task: _Task | None = None
        self.misses = 0  # times in a row that it died before it was at a page

    @property
    def is_busy(self) -> bool:
        return self.task is not None

    def start(self, task: _Task) -> None:
        self.task = task
        self.send(task.piece)

    def limit(self, stage: int) -> float:
        return LOADING if stage == IDLE else self.seconds

    def take(self, answer: pa.RecordBatch) -> list[_Task]:
        assert self.task
        self.misses = 0
        self.task.add(answer)
        return self._go_on(self.task)

    def fail(self, stage: int, limit: float | None) -> list[_Task]:
        """The page that it was at fails."""
        assert self.task
        if stage != IDLE:
            died = "The process died; the page may need too much memory."
            self.task.reason = died if limit is None else f"The page took over {limit:g} seconds."
            self.task.bad = self.task.start + stage
        elif limit is not None:
            raise BonmunError(f"A child process did not start within {limit:g} seconds.")
        elif self.misses < MISSES:
            self.misses += 1
        else:
            raise BonmunError("Child processes die before they begin; is there enough memory?")
        return self._go_on(self.task)

    def _go_on(self, task: _Task) -> list[_Task]:
        """Do what is left of the task; give it if nothing is."""
        if task.start == task.bad:
            task.add(self.job.make_failures(task.batch.slice(task.bad, 1), task.reason))
        if task.start < task.batch.num_rows:
            self.start(task)
            return []
        self.task = None
        return [task]


def _serve(link: Link) -> None:
    """In the child: do the job on the pieces that come."""
    job: Job = link.take()
    while True:
        link.give(job.run(link.take(), link.enter))
