"""The local engine: batches go to child processes and come back in order; it knows nothing of what is done to them.

Each page has a time limit. A child that is over it, or that died, is replaced; the page it was at fails, and those
before it in its batch are done again, since their results are lost.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from contextlib import contextmanager, suppress
from ctypes import CDLL
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Protocol

from bonmun.errors import BonmunError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from multiprocessing.connection import Connection

    import pyarrow as pa

__all__ = ["Job", "run"]

LOADING = 60.0  # seconds that a child may take to start
AHEAD = 64  # batches that may be done before one that is not: what waits for its turn takes memory
MISSES = 2  # times that a child may die before it is at a page, as an idle one may
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG
OFTEN = 0.5  # seconds between looks at the clock


class Job(Protocol):
    """What is done to batches; it travels to the children once."""

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> pa.RecordBatch:
        """Work on pages; `at` is told the number of each before it is worked on."""

    def failed(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
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
    busy: list[_Child] = []
    idle: list[_Child] = []
    finished: dict[int, list[pa.RecordBatch]] = {}
    turn = 0
    try:
        while True:
            while len(ready) < workers and (task := next(waiting, None)):
                ready.append(_Task(*task))
            while ready and len(busy) < workers and ready[0].number < turn + AHEAD:
                child = idle.pop() if idle else _Child(job, seconds)
                child.start(ready.popleft())
                busy.append(child)
            if not busy:
                return
            wait([child.connection for child in busy], OFTEN)
            for child in list(busy):
                done = child.read() if child.connection.poll() else child.check()
                if done:
                    finished[done.number] = done.done
                    busy.remove(child)
                    idle.append(child)
            while turn in finished:
                yield finished.pop(turn)
                turn += 1
    finally:
        for child in (*busy, *idle):
            child.stop()


class _Child:
    """A child process and the task it is at."""

    def __init__(self, job: Job, seconds: float) -> None:
        self.job = job
        self.seconds = seconds
        self.misses = 0  # times in a row that it died before it was at a page
        self._spawn()

    def _spawn(self) -> None:
        context = multiprocessing.get_context("spawn")  # nothing is inherited: no thread, lock or open file of ours
        self.connection, theirs = context.Pipe()
        self.row, self.since = context.RawValue("q", -1), context.RawValue("d", monotonic())
        self.process = context.Process(target=_serve, args=(theirs, self.row, self.since), daemon=True)
        self.ready = 0  # 1: it listens, 2: it has the job, and waits for pages
        with _deaf():
            self.process.start()
        theirs.close()

    def start(self, task: _Task) -> None:
        """Give the child what is left of a task, as soon as it listens: else we would wait while it loads."""
        self.task = task
        self.row.value, self.since.value = -1, monotonic()
        if self.ready == 2:
            self._send(task.piece)

    def _send(self, value: Any) -> None:
        with suppress(OSError):  # if it is dead, read() will find out
            self.connection.send(value)

    def read(self) -> _Task | None:
        """Take what the child has made of its piece; the task, if that was the last."""
        try:
            result = self.connection.recv()
        except (EOFError, OSError):
            return self._fail("The process died; the page may need too much memory.")
        if self.ready < 2:
            self.ready += 1
            self._send(self.job if self.ready == 1 else self.task.piece)
            return None
        self.misses = 0
        self.task.add(result)
        return self._next()

    def check(self) -> _Task | None:
        """Stop the child if its time is over."""
        spent = monotonic() - self.since.value
        if self.row.value < 0 and spent > LOADING:
            raise BonmunError(f"A child process did not start within {LOADING:g} seconds.")
        if self.row.value >= 0 and spent > self.seconds:
            return self._fail(f"The page took over {self.seconds:g} seconds.")
        return None

    def _fail(self, reason: str) -> _Task | None:
        """Replace the child; the page it was at fails."""
        row = self.row.value
        self.stop()
        self._spawn()
        if row >= 0:
            self.task.bad, self.task.reason = self.task.start + row, reason
        elif self.misses < MISSES:
            self.misses += 1
        else:
            raise BonmunError("Child processes die before they begin; is there enough memory?")
        return self._next()

    def _next(self) -> _Task | None:
        """Go on with what is left of the task; the task, if nothing is."""
        task = self.task
        if task.start == task.bad:
            task.add(self.job.failed(task.batch.slice(task.bad, 1), task.reason))
        if task.start == task.batch.num_rows:
            return task
        self.start(task)
        return None

    def stop(self) -> None:
        """End the child."""
        self.process.kill()
        self.process.join()
        self.connection.close()


@contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C is for the parent: children that start here do not hear it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _serve(connection: Connection, row: Any, since: Any) -> None:
    """In the child: work on what comes, until the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()
    if sys.platform == "linux":  # also in the middle of C code, where no thread of ours runs
        CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()

    def at(number: int) -> None:
        since.value, row.value = monotonic(), number

    with suppress(EOFError, OSError):
        connection.send(None)  # it listens
        job: Job = connection.recv()
        connection.send(None)  # it has the job
        while True:
            piece = connection.recv()
            connection.send(job.run(piece, at))


def _leave_with(parent: int) -> None:
    """End this process when its parent is gone, also in the middle of a page that takes for ever."""
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)
