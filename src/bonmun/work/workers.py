"""Run jobs in child processes from an event loop, with limits on time and memory and a bounded queue.

The child processes and their pipes come from work/processes.py; the event loop watches the pipes itself, without
threads. If a child process dies or exceeds the time limit, only its current job fails, and a new process replaces it.

Slow pages cannot block the others. A job that takes much longer than usual while others wait is a long job: it
continues, but a process of the reserve takes its place. If too many long jobs are running already, it is stopped, and
starts again when one of them has ended.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from statistics import median
from time import monotonic
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from bonmun.errors import BonmunError, OutOfMemory, TooBusy, TooSlow, WorkerDied
from bonmun.work.processes import IDLE, Child, ChildLink, limit_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    LogError = Callable[[str, BaseException], None]

__all__ = ["RESERVE", "Workers"]

READY = "ready"  # message of a child process that has finished loading
WORKING = 0  # stage of a child process that runs a job
LOADING_SECONDS = 60.0  # timeout for loading
TICK_SECONDS = 0.1  # between checks of the time limits
RESERVE = 4  # additional child processes of a service: two for long jobs, and two while others are being restarted
MAX_LONG_JOBS = 2  # that run at a time
SLICE_SECONDS = 0.5  # after which a job gives way to waiting ones; ordinary pages take a tenth of that
MAX_SLICE_SECONDS = 5.0
USUAL_TIMES = 4  # a job gives way after this many times the median of the last jobs, if that is longer
RECENT_JOBS = 50  # whose times are remembered
RETRY_SECONDS = (0.0, 0.2, 1.0, 5.0)  # delay of a restart, by the number of deaths in a row while loading

Result = TypeVar("Result")


@dataclass(slots=True, eq=False)
class _QueuedJob:
    """A job that is waiting or running."""

    job: Callable[..., Any]
    args: tuple[object, ...]
    future: asyncio.Future[Any]
    since: float = field(default_factory=monotonic)
    is_lost: bool = False  # whether a child process died before it started the job
    is_long: bool = False  # whether it took long while others waited


class _Worker(Child[_QueuedJob, _QueuedJob]):
    """A child process and its current job. `look` returns the job if the process died before starting it."""

    def __init__(
        self,
        prepare: Callable[[], object] | None,
        log_error: LogError | None,
        seconds: float,
        memory: int,
        times: deque[float],
        has_main: bool,
    ) -> None:
        super().__init__(_serve)
        self.has_main = has_main
        self.log_error = log_error
        self.times = times  # of the last jobs of all workers, in seconds
        self.prepare = prepare
        self.seconds = seconds
        self.memory = memory
        self.is_ready = False
        self.failed_starts = 0  # in a row

    def load(self) -> None:
        """Start the process and let it load what all jobs need."""
        with nullcontext() if self.has_main else _hide_main():
            self.launch()
        self.send((self.prepare, self.log_error, self.memory))

    @property
    def is_busy(self) -> bool:
        return super().is_busy or (self.process is not None and not self.is_ready)

    @property
    def is_free(self) -> bool:
        """Whether it can take a job."""
        return self.is_ready and self.task is None

    @property
    def seconds_taken(self) -> float:
        """How long it has been running its job."""
        return monotonic() - float(self.since.value) if self.task and self.stage.value == WORKING else 0.0

    @property
    def is_loading(self) -> bool:
        """Whether its process is starting."""
        return self.process is None or not self.is_ready

    def stop(self) -> None:
        """Kill the process without waiting: freeing gigabytes takes a second. The next start collects it."""
        self.kill()

    def pack(self, task: _QueuedJob) -> object:
        return task.job, task.args

    def limit(self, stage: int) -> float:
        return self.seconds if self.is_ready else LOADING_SECONDS

    def take(self, answer: Any) -> list[_QueuedJob]:
        if answer == READY:
            self.is_ready, self.failed_starts = True, 0
            return []
        seconds = self.seconds_taken
        queued = self.finish()
        is_good, value = answer
        if is_good:
            self.times.append(seconds)
        self.is_ready = not isinstance(value, OutOfMemory)  # after that the process exits
        if not queued.future.done():
            queued.future.set_result(value) if is_good else queued.future.set_exception(value)
        return []

    def fail(self, stage: int, limit: float | None) -> list[_QueuedJob]:
        self.failed_starts += not self.is_ready
        self.is_ready = False
        queued = self.finish() if self.task else None
        if queued is None or queued.future.done():
            return []
        if stage == IDLE and limit is None and not queued.is_lost:
            queued.is_lost = True
            return [queued]
        death = WorkerDied("The child process died; the page may need too much memory.")
        queued.future.set_exception(death if limit is None else TooSlow(f"The page took over {limit:g} seconds."))
        return []


class Workers:
    """A pool of `count` child processes that run jobs for one event loop, between `start` and `stop`.

    Up to `queue` jobs wait, each for at most `wait` seconds. A job may take `seconds`, and a child process may use
    `memory` bytes for its jobs. `prepare` is called in every child process before its first job. The `first` child
    processes, all by default, are started at once, the others when jobs wait. With a `reserve` of child processes,
    which are started with the first job that takes long, such jobs give way to others. `log_error`, a module-level
    function, is called with a message and an unexpected error. Without `has_main`, child processes do not import the
    script that is running, so it need not be protected by `if __name__ == "__main__"`; its functions cannot be jobs.
    """

    def __init__(
        self,
        count: int,
        *,
        first: int | None = None,
        reserve: int = 0,
        queue: int = 256,
        wait: float = 60.0,
        seconds: float = 30.0,
        memory: int = 2_000_000_000,
        prepare: Callable[[], object] | None = None,
        log_error: LogError | None = None,
        has_main: bool = True,
    ) -> None:
        self.log_error = log_error
        self.count = count
        self.reserve = reserve
        self.limit = queue
        self.wait = wait
        self.queue: deque[_QueuedJob] = deque()
        self.long_queue: deque[_QueuedJob] = deque()  # jobs that were stopped because they took long
        self.restarts = 0
        self.is_stopped = False
        self._times: deque[float] = deque(maxlen=RECENT_JOBS)
        self._make_child = partial(_Worker, prepare, log_error, seconds, memory, self._times, has_main)
        self._children = [self._make_child() for _ in range(count if first is None else min(first, count))]
        self._were_ready = False
        self._ticker: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the child processes; `is_ready` is true once they have loaded."""
        self._loop = asyncio.get_running_loop()
        for child in self._children:
            self._start_child(child)
        self._ticker = self._loop.create_task(self._tick())

    async def stop(self) -> None:
        """Stop the child processes; waiting and running jobs fail."""
        self.is_stopped = True
        if self._ticker:
            self._ticker.cancel()
        for child in self._children:
            if child.process is not None:
                self._loop.remove_reader(child.connection.fileno())
                child.stop()
                child.fail(WORKING, None)
        for queue in (self.queue, self.long_queue):
            while queue:
                self._refuse(queue.popleft(), "The service is shutting down; try again later.")

    @property
    def is_ready(self) -> bool:
        """Whether all child processes have loaded once and at least one is ready now."""
        ready = [child.is_ready for child in self._children]
        self._were_ready = self._were_ready or all(ready)
        return self._were_ready and any(ready) and not self.is_stopped

    @property
    def process_ids(self) -> list[int]:
        """Process ids of the child processes."""
        found = [child.process.pid for child in self._children if child.process is not None]
        return [pid for pid in found if pid is not None]

    @property
    def waiting(self) -> int:
        """Number of jobs that wait for a child process."""
        return len(self.queue) + len(self.long_queue)

    async def run(self, job: Callable[..., Result], *args: object) -> Result:
        """Run a job, a module-level function, in a child process and return its result.

        Raises the error of the job, TooSlow, TooBusy or WorkerDied. If the caller is cancelled, a waiting job is
        dropped.
        """
        future = self.submit(job, *args)
        try:
            return await future
        except asyncio.CancelledError:
            self.cancel(future)
            raise

    def submit(self, job: Callable[..., Result], *args: object) -> asyncio.Future[Result]:
        """Queue a job and return the future of its result."""
        if self.is_stopped or (self.waiting >= self.limit and not self._has_room):
            raise TooBusy(f"{self.waiting:,} requests are already waiting; try again later.")
        future: asyncio.Future[Result] = self._loop.create_future()
        self.queue.append(_QueuedJob(job, args, future))
        self._assign_jobs()
        return future

    def cancel(self, future: asyncio.Future[Any]) -> None:
        """Cancel a job; a job that is running continues, but its result is dropped."""
        future.cancel()
        for queue in (self.queue, self.long_queue):
            for queued in queue:
                if queued.future is future:
                    queue.remove(queued)
                    return

    def _count_running(self, *, is_long: bool) -> int:
        return sum(child.task is not None and child.task.is_long == is_long for child in self._children)

    def _count_free(self) -> int:
        return sum(child.is_free for child in self._children)

    @property
    def _has_room(self) -> bool:
        """Whether a new job would start at once."""
        return self._count_running(is_long=False) < self.count and self._count_free() > 0

    @property
    def _is_loading(self) -> bool:
        """Whether a child process is starting; then the others are for ordinary jobs."""
        return any(child.is_loading for child in self._children)

    @property
    def _has_room_for_long_job(self) -> bool:
        return self._count_running(is_long=True) < MAX_LONG_JOBS

    def _assign_jobs(self) -> None:
        """Assign waiting jobs to free child processes."""
        for child in self._children:
            if not child.is_free:
                continue
            if self.queue and self._count_running(is_long=False) < self.count:
                child.start(self.queue.popleft())
            elif self.long_queue and self._has_room_for_long_job and not self._is_loading:
                child.start(self.long_queue.popleft())

    def _make_room(self) -> None:
        """Let jobs that take long give way to waiting ones, those that take longest first."""
        if not self.reserve:
            return
        usual = median(self._times) if self._times else 0.0
        slice_seconds = min(max(SLICE_SECONDS, USUAL_TIMES * usual), MAX_SLICE_SECONDS)
        for child in sorted(self._children, key=_rank_by_time):
            if not self.queue or self._has_room:
                return
            queued = child.task
            if queued is None or queued.is_long or child.seconds_taken < slice_seconds:
                continue
            if not queued.future.done() and self._has_room_for_long_job:
                queued.is_long = True
            elif self._count_free() or not self._is_loading:  # else a waiting job would gain nothing
                self._stop_job(child)
                if not queued.future.done():  # otherwise, its client has disconnected
                    queued.is_long = True
                    self.long_queue.append(queued)
            self._assign_jobs()

    def _add_children(self) -> None:
        """Start a child process if jobs wait, and the reserve if a job takes long, once the others have loaded."""
        if self._is_loading:
            return
        missing = min(1, self.count - len(self._children)) if self.queue else 0
        if self.reserve and any(child.seconds_taken > SLICE_SECONDS for child in self._children):
            missing = self.count + self.reserve - len(self._children)
        for _ in range(missing):
            self._children.append(self._make_child())
            self._start_child(self._children[-1])

    def _stop_job(self, child: _Worker) -> None:
        """Stop the job of a child process by replacing the process."""
        child.finish()
        child.is_ready = False
        self._loop.remove_reader(child.connection.fileno())
        child.stop()
        self.restarts += 1
        self._start_child(child)

    def _start_child(self, child: _Worker) -> None:
        """Start a child process, or retry later if the system cannot start one now."""
        if self.is_stopped:
            return
        try:
            child.load()
        except OSError as problem:
            child.stop()
            if self.log_error:
                self.log_error("A child process could not be started; retrying.", problem)
            self._loop.call_later(RETRY_SECONDS[-1], self._start_child, child)
        else:
            self._loop.add_reader(child.connection.fileno(), self._look, child)

    def _look(self, child: _Worker) -> None:
        """Read the messages of a child process, and replace it if it has died."""
        if child.process is None:
            return
        descriptor = child.connection.fileno()
        self.queue.extendleft(child.look())
        if child.process is None:
            self._loop.remove_reader(descriptor)
            self.restarts += 1
            delay = RETRY_SECONDS[min(child.failed_starts, len(RETRY_SECONDS) - 1)]
            self._loop.call_later(delay, self._start_child, child)
        self._assign_jobs()

    async def _tick(self) -> None:
        """Enforce the time limits at regular intervals."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            for child in self._children:
                if child.is_busy:
                    self._look(child)
            self._make_room()
            self._add_children()
            for queue in (self.queue, self.long_queue):
                while queue and monotonic() - queue[0].since > self.wait:
                    self._refuse(queue.popleft(), f"The page waited for {self.wait:g} seconds; try again later.")

    def _refuse(self, queued: _QueuedJob, message: str) -> None:
        if not queued.future.done():
            queued.future.set_exception(TooBusy(message))


@contextmanager
def _hide_main() -> Iterator[None]:
    """Hide the main module from multiprocessing, which tells new processes to import it."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _rank_by_time(child: _Worker) -> float:
    return -child.seconds_taken


def _serve(link: ChildLink) -> None:
    """Main function of a child process: load what all jobs need, then run jobs."""
    prepare, log_error, memory = link.take()
    if prepare:
        prepare()
    limit_memory(memory)
    link.give(READY)
    too_large = OutOfMemory(f"The page needs more than {memory // 1_000_000:,} MB of memory, the limit for one page.")
    while True:
        job, args = link.take()
        link.enter(WORKING)
        try:
            answer = (True, job(*args))
        except BonmunError as problem:
            answer = (False, problem.with_traceback(None))
        except MemoryError:
            link.give((False, too_large))
            return  # the memory is fragmented; a new process takes over
        except Exception as problem:  # a bug in bonmun; other pages may still work
            if log_error:
                log_error("A job failed.", problem)
            answer = (False, WorkerDied(f"Unexpected error while processing the page: {type(problem).__name__}."))
        del job, args
        link.give(answer)
