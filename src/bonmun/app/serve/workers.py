"""Jobs in child processes, for an event loop: with limits on time and memory, and a queue that ends.

The children and their pipes are those of work/processes.py; the event loop watches the pipes itself, so that no thread
stands between a request and the child that works on it. A child that dies, or is over its time, fails the job it was
at and no other, and a new one takes its place.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from bonmun.app.serve.http.logs import log_mistake
from bonmun.errors import BonmunError, OutOfMemory, TooBusy, TooSlow, WorkerDied
from bonmun.work.processes import IDLE, Child, ChildLink, limit_memory

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Workers"]

READY = "ready"  # what a child says when it has loaded all it needs
WORKING = 0  # the stage of a child that is at a job
LOADING_SECONDS = 60.0  # in which a child must be ready
TICK_SECONDS = 0.1  # between looks at the clock
RETRY_SECONDS = (0.0, 0.2, 1.0, 5.0)  # before a child is started again that has died so many times before it was ready

Result = TypeVar("Result")


@dataclass(slots=True, eq=False)
class _Ticket:
    """A job that waits or is worked on."""

    job: Callable[..., Any]
    args: tuple[object, ...]
    future: asyncio.Future[Any]
    since: float = field(default_factory=monotonic)
    is_lost: bool = False  # whether a child has died before it began with it


class _Worker(Child[_Ticket, _Ticket]):
    """A child process and the job it is at; what comes of looking at it are jobs that it had not begun when it died."""

    def __init__(self, prepare: Callable[[], object] | None, seconds: float, memory: int) -> None:
        super().__init__(_serve)
        self.prepare = prepare
        self.seconds = seconds
        self.memory = memory
        self.is_ready = False
        self.misses = 0  # times in a row that it died before it was ready

    def load(self) -> None:
        """Start the process, and have it load what all jobs need."""
        self.send((self.prepare, self.memory))

    @property
    def is_busy(self) -> bool:
        return super().is_busy or (self.process is not None and not self.is_ready)

    @property
    def is_free(self) -> bool:
        """Whether it waits for a job."""
        return self.is_ready and self.task is None

    def pack(self, task: _Ticket) -> object:
        return task.job, task.args

    def limit(self, stage: int) -> float:
        return self.seconds if self.is_ready else LOADING_SECONDS

    def take(self, answer: Any) -> list[_Ticket]:
        if answer == READY:
            self.is_ready, self.misses = True, 0
            return []
        ticket = self.finish()
        is_good, value = answer
        self.is_ready = not isinstance(value, OutOfMemory)  # after which it leaves
        if not ticket.future.done():
            ticket.future.set_result(value) if is_good else ticket.future.set_exception(value)
        return []

    def fail(self, stage: int, limit: float | None) -> list[_Ticket]:
        self.misses += not self.is_ready
        self.is_ready = False
        ticket = self.finish() if self.task else None
        if ticket is None or ticket.future.done():
            return []
        if stage == IDLE and limit is None and not ticket.is_lost:
            ticket.is_lost = True
            return [ticket]
        died = WorkerDied("The process that worked on the page died; the page may need too much memory.")
        ticket.future.set_exception(died if limit is None else TooSlow(f"The page took over {limit:g} seconds."))
        return []


class Workers:
    """Child processes that do jobs, between `start` and `stop`, in one event loop.

    `count` of them work; `queue` jobs may wait, each for `wait` seconds at most; a job may take `seconds`, and a child
    `memory` bytes for its jobs. `prepare` is called in every child before its first job.
    """

    def __init__(
        self,
        count: int,
        *,
        queue: int = 256,
        wait: float = 60.0,
        seconds: float = 30.0,
        memory: int = 2_000_000_000,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        self.limit = queue
        self.wait = wait
        self.queue: deque[_Ticket] = deque()
        self.restarts = 0
        self.is_stopped = False
        self._children = [_Worker(prepare, seconds, memory) for _ in range(count)]
        self._were_ready = False
        self._ticker: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the children; `is_ready` says when they have loaded."""
        self._loop = asyncio.get_running_loop()
        for child in self._children:
            self._start_child(child)
        self._ticker = self._loop.create_task(self._tick())

    async def stop(self) -> None:
        """End the children; what waits or is worked on fails."""
        self.is_stopped = True
        if self._ticker:
            self._ticker.cancel()
        for child in self._children:
            if child.process is not None:
                self._loop.remove_reader(child.connection.fileno())
                child.stop()
                child.fail(WORKING, None)
        while self.queue:
            self._refuse(self.queue.popleft(), "The service stops; ask again later.")

    @property
    def is_ready(self) -> bool:
        """Whether all children have loaded once, and one of them is there now."""
        ready = [child.is_ready for child in self._children]
        self._were_ready = self._were_ready or all(ready)
        return self._were_ready and any(ready) and not self.is_stopped

    @property
    def process_ids(self) -> list[int]:
        """Those of the children."""
        found = [child.process.pid for child in self._children if child.process is not None]
        return [pid for pid in found if pid is not None]

    async def run(self, job: Callable[..., Result], *args: object) -> Result:
        """Do a job, a function of a module, in a child; raises what it raises, TooSlow, TooBusy or WorkerDied.

        A job whose caller is cancelled is not started any more.
        """
        future = self.ask(job, *args)
        try:
            return await future
        except asyncio.CancelledError:
            self.forget(future)
            raise

    def ask(self, job: Callable[..., Result], *args: object) -> asyncio.Future[Result]:
        """Ask for a job; its result will be in the future."""
        if self.is_stopped or (len(self.queue) >= self.limit and not any(child.is_free for child in self._children)):
            raise TooBusy(f"{len(self.queue):,} others wait for the service already; ask again later.")
        future: asyncio.Future[Result] = self._loop.create_future()
        self.queue.append(_Ticket(job, args, future))
        self._hand_out()
        return future

    def forget(self, future: asyncio.Future[Any]) -> None:
        """Take a job back; one that is being worked on goes on, for nobody."""
        future.cancel()
        for ticket in self.queue:
            if ticket.future is future:
                self.queue.remove(ticket)
                return

    def _hand_out(self) -> None:
        """Give what waits to the children that are free."""
        for child in self._children:
            if not self.queue:
                return
            if child.is_free:
                child.start(self.queue.popleft())

    def _start_child(self, child: _Worker) -> None:
        """Start a child, or try again later where the system has no room for one."""
        if self.is_stopped:
            return
        try:
            child.load()
        except OSError as problem:
            child.stop()
            log_mistake("A child process cannot be started; it will be tried again.", problem)
            self._loop.call_later(RETRY_SECONDS[-1], self._start_child, child)
        else:
            self._loop.add_reader(child.connection.fileno(), self._look, child)

    def _look(self, child: _Worker) -> None:
        """See what has become of a child, and have another take its place if it is gone."""
        if child.process is None:
            return
        descriptor = child.connection.fileno()
        self.queue.extendleft(child.look())
        if child.process is None:
            self._loop.remove_reader(descriptor)
            self.restarts += 1
            pause = RETRY_SECONDS[min(child.misses, len(RETRY_SECONDS) - 1)]
            self._loop.call_later(pause, self._start_child, child)
        self._hand_out()

    async def _tick(self) -> None:
        """Look at the clock from time to time."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            for child in self._children:
                if child.is_busy:
                    self._look(child)
            while self.queue and monotonic() - self.queue[0].since > self.wait:
                self._refuse(self.queue.popleft(), f"The page waited {self.wait:g} seconds; ask again later.")

    def _refuse(self, ticket: _Ticket, says: str) -> None:
        if not ticket.future.done():
            ticket.future.set_exception(TooBusy(says))


def _serve(link: ChildLink) -> None:
    """In the child: load what all jobs need, then do those that come."""
    prepare, memory = link.take()
    if prepare:
        prepare()
    limit_memory(memory)
    link.give(READY)
    too_much = OutOfMemory(f"The page needs more than {memory // 1_000_000:,} MB of memory, the limit for a page.")
    while True:
        job, args = link.take()
        link.enter(WORKING)
        try:
            answer = (True, job(*args))
        except BonmunError as problem:
            answer = (False, problem.with_traceback(None))
        except MemoryError:
            link.give((False, too_much))
            return  # what is left of its memory is in pieces; another process takes its place
        except Exception as problem:  # a mistake of ours: the next page may well be read
            log_mistake("A job failed.", problem)
            answer = (False, WorkerDied(f"The work on the page failed: {type(problem).__name__}."))
        del job, args
        link.give(answer)
