"""The local engine: batches go to child processes and come back in order; it knows nothing of what is done to them.

Each page has a time limit, and each child a memory limit. A child that is over its time, or that died, is replaced;
the page it was at fails, and those before it whose results it had not given yet are done again.
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

LOADING = 60.0  # seconds that a child may take to start
AHEAD = 64  # batches that may be done before one that is not: what waits for its turn takes memory
HELD_BYTES = 256_000_000  # of results that wait for their turn: while there are more, no other batch is begun
MEMORY_BYTES = 4_000_000_000  # that a child may take for its work: the largest pages of 20 MB take 3.3 GB
DONE = "done"  # says a child after the last result of a batch
MISSES = 2  # times that a child may die before it is at a page, as an idle one may


class BatchJob(Protocol):
    """What is done to batches; it travels to the children once."""

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Iterable[pa.RecordBatch]:
        """Work on pages; `at` is told the number of each before it is worked on. Results come in pieces, in order."""

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
    size: int = 0  # bytes of what is done

    @property
    def piece(self) -> pa.RecordBatch:
        """The rows that come next."""
        stop = self.bad if self.bad >= self.start else self.batch.num_rows
        return self.batch.slice(self.start, stop - self.start)

    def add(self, result: pa.RecordBatch) -> None:
        """Keep what has come of the next rows."""
        self.done.append(result)
        self.start += result.num_rows
        self.size += result.nbytes


def run(
    job: BatchJob, batches: Iterable[pa.RecordBatch], workers: int, seconds: float, memory: int = MEMORY_BYTES
) -> Generator[list[pa.RecordBatch], None, None]:
    """Work on batches in child processes; what comes out of each comes in the order of the batches.

    `seconds` is the time limit for a page, `memory` the bytes that a child may take for its work. Close the generator
    to stop: the children end.
    """
    waiting = enumerate(batches)
    ready: deque[_Task] = deque()
    begun: dict[int, _Task] = {}
    finished: set[int] = set()
    turn = 0
    with Pool(lambda: _PageChild(job, seconds, memory), workers) as pool:
        while True:
            while len(ready) < workers and (numbered := next(waiting, None)):
                ready.append(_Task(*numbered))
            while ready and pool.has_room and _may_begin(ready[0].number, turn, begun):
                task = ready.popleft()
                begun[task.number] = task
                pool.start(task)
            if not pool.busy:
                return
            while not (done := list(pool.step())):  # a child has given a part of its results, or nothing yet
                pass
            finished.update(task.number for task in done)
            while turn in finished:
                finished.remove(turn)
                yield begun.pop(turn).done
                turn += 1


def _may_begin(number: int, turn: int, begun: dict[int, _Task]) -> bool:
    """Whether there is room for what will come of a batch; there always is for the one whose turn it is."""
    return number == turn or (number < turn + AHEAD and sum(task.size for task in begun.values()) < HELD_BYTES)


class _PageChild(Child[_Task, _Task]):
    """A child process that does a job on the rows of a batch; its stage is the row it is at."""

    def __init__(self, job: BatchJob, seconds: float, memory: int) -> None:
        super().__init__(_serve, first=[(job, memory)])
        self.job = job
        self.seconds = seconds
        self.sent = 0  # the row of the batch that the child counts from
        self.misses = 0  # times in a row that it died before it was at a page

    def start(self, task: _Task) -> None:
        self.sent = task.start
        super().start(task)

    def pack(self, task: _Task) -> pa.RecordBatch:
        return task.piece

    def limit(self, stage: int) -> float:
        return LOADING if stage == IDLE else self.seconds

    def take(self, answer: pa.RecordBatch | str) -> list[_Task]:
        assert self.task
        self.misses = 0
        if isinstance(answer, str):  # DONE
            return self._go_on(self.task)
        self.task.add(answer)
        self.since.value = monotonic()  # it may have waited for us to take it
        return []

    def fail(self, stage: int, limit: float | None) -> list[_Task]:
        """The page that it was at fails."""
        assert self.task
        if stage != IDLE:
            died = "The process died; the page may need too much memory."
            self.task.reason = died if limit is None else f"The page took over {limit:g} seconds."
            self.task.bad = self.sent + stage
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
        return [self.finish()]


def _serve(link: ChildLink) -> None:
    """In the child: do the job on the pieces that come."""
    import pyarrow

    pyarrow.array([None])  # with its first array it loads pandas, where that is installed: not in the time of a page
    job, memory = link.take()
    limit_memory(memory)
    while True:
        for result in job.run(link.take(), link.enter):
            link.give(result)
        link.give(DONE)
