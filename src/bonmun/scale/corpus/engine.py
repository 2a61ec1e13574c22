"""The local engine: run a job on batches of pages in child processes, and return the results in order.

Each page has a time limit, and each child process a memory limit. A child that exceeds its time limit or dies is
replaced. The page it was working on fails; earlier pages whose results were not returned yet are processed again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from bonmun.errors import BonmunError
from bonmun.work.processes import IDLE, Child, ChildLink, Pool, limit_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    import pyarrow as pa

__all__ = ["MEMORY_BYTES", "BatchJob", "run"]

START_SECONDS = 60.0  # time limit for the start of a child
MAX_BATCHES_AHEAD = 64  # batches that may finish before an earlier one; their results wait in memory
MAX_WAITING_BYTES = 256_000_000  # of waiting results; beyond that, no new batch is started
MEMORY_BYTES = 4_000_000_000  # limit for the work of a child: the largest pages of 20 MB need 3.3 GB
DONE = "done"  # sent by a child after the last result of a batch
MAX_IDLE_DEATHS = 2  # in a row, of a child that has not started a page


class BatchJob(Protocol):
    """The work on a batch. A job is sent to each child process once."""

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Iterable[pa.RecordBatch]:
        """Yield batches of results in the order of the pages. Before each page, `at` is called with its number."""

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        """Return the results of pages that could not be processed."""


@dataclass(slots=True)
class _Task:
    """A batch and its results so far. After a failure, the rest of the batch is processed."""

    number: int
    batch: pa.RecordBatch
    start: int = 0  # first unfinished row
    bad: int = -1  # the row that failed
    reason: str = ""
    done: list[pa.RecordBatch] = field(default_factory=list)
    size: int = 0  # bytes of the results

    @property
    def rest(self) -> pa.RecordBatch:
        """The rows to process next: up to the row that failed, or all."""
        stop = self.bad if self.bad >= self.start else self.batch.num_rows
        return self.batch.slice(self.start, stop - self.start)

    def add(self, result: pa.RecordBatch) -> None:
        """Add the results of the next rows."""
        self.done.append(result)
        self.start += result.num_rows
        self.size += result.nbytes


def run(
    job: BatchJob, batches: Iterable[pa.RecordBatch], workers: int, seconds: float, memory: int = MEMORY_BYTES
) -> Generator[list[pa.RecordBatch], None, None]:
    """Process batches in child processes, and yield the results of each batch in order.

    `seconds` is the time limit for a page, `memory` the memory limit of a child in bytes. Close the generator to stop
    the children.
    """
    waiting = enumerate(batches)
    ready: deque[_Task] = deque()
    started: dict[int, _Task] = {}
    finished: set[int] = set()
    turn = 0  # number of the batch whose results come next
    with Pool(lambda: _PageChild(job, seconds, memory), workers) as pool:
        while True:
            while len(ready) < workers and (numbered := next(waiting, None)):
                ready.append(_Task(*numbered))
            while ready and pool.has_room and _may_start(ready[0].number, turn, started):
                task = ready.popleft()
                started[task.number] = task
                pool.start(task)
            if not pool.busy:
                return
            while not (done := list(pool.step())):  # some results, or none yet
                pass
            finished.update(task.number for task in done)
            while turn in finished:
                finished.remove(turn)
                yield started.pop(turn).done
                turn += 1


def _may_start(number: int, turn: int, started: dict[int, _Task]) -> bool:
    """Return whether a batch may be started: if its results come next, or if few results are waiting."""
    return number == turn or (
        number < turn + MAX_BATCHES_AHEAD and sum(task.size for task in started.values()) < MAX_WAITING_BYTES
    )


class _PageChild(Child[_Task, _Task]):
    """A child process that runs the job. Its stage is the number of the current row."""

    def __init__(self, job: BatchJob, seconds: float, memory: int) -> None:
        super().__init__(_serve, first=[(job, memory)])
        self.job = job
        self.seconds = seconds
        self.first_row = 0  # of the batch that was sent, within the batch of the task
        self.idle_deaths = 0  # in a row, before the first page

    def start(self, task: _Task) -> None:
        self.first_row = task.start
        super().start(task)

    def pack(self, task: _Task) -> pa.RecordBatch:
        return task.rest

    def limit(self, stage: int) -> float:
        return START_SECONDS if stage == IDLE else self.seconds

    def take(self, answer: pa.RecordBatch | str) -> list[_Task]:
        assert self.task
        self.idle_deaths = 0
        if isinstance(answer, str):  # DONE
            return self._continue(self.task)
        self.task.add(answer)
        self.since.value = monotonic()  # the child may have waited until the result was read
        return []

    def fail(self, stage: int, limit: float | None) -> list[_Task]:
        """Mark the current page as failed."""
        assert self.task
        if stage != IDLE:
            died = "The process died; the page may need too much memory."
            self.task.reason = died if limit is None else f"The page took over {limit:g} seconds."
            self.task.bad = self.first_row + stage
        elif limit is not None:
            raise BonmunError(f"A child process did not start within {limit:g} seconds.")
        elif self.idle_deaths < MAX_IDLE_DEATHS:
            self.idle_deaths += 1
        else:
            raise BonmunError("Child processes die at the start; check that there is enough memory.")
        return self._continue(self.task)

    def _continue(self, task: _Task) -> list[_Task]:
        """Process the rest of the task, or return it if it is finished."""
        if task.start == task.bad:
            task.add(self.job.make_failures(task.batch.slice(task.bad, 1), task.reason))
        if task.start < task.batch.num_rows:
            self.start(task)
            return []
        return [self.finish()]


def _serve(link: ChildLink) -> None:
    """Run the job in the child process."""
    import pyarrow

    pyarrow.array([None])  # the first array imports pandas, if installed: do it before the time of a page starts
    job, memory = link.take()
    limit_memory(memory)
    while True:
        for result in job.run(link.take(), link.enter):
            link.give(result)
        link.give(DONE)
