"""Child processes with time and memory limits, replaced when they exceed a limit or die.

`run_in_children` is the usual way to use them: one item in, one result out. A `Child` with its own protocol sends tasks
and handles the answers; a `Pool` runs several children. In the child process, a function receives tasks from a
`ChildLink`, announces the stage of its work, and sends answers.

Children are spawned: they inherit no threads, locks or open files, and import no modules from the working directory.
Ctrl-C only reaches the parent. A child ends together with all processes it has started, and with its parent, even in
the middle of C code.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections import deque
from contextlib import contextmanager, suppress
from ctypes import CDLL
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from bonmun.errors import BonmunError
from bonmun.work.programs import safe_path

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from socket import socket

__all__ = [
    "IDLE",
    "Child",
    "ChildLimits",
    "ChildLink",
    "ItemChild",
    "ItemJob",
    "Pool",
    "hold_interrupts",
    "ignore_interrupts",
    "limit_memory",
    "run_in_children",
]

IDLE = -1  # stage of a child that is starting, or waiting for a task
POLL_SECONDS = 0.5  # between checks of the clock: children enter stages without a message
MAX_FALSE_STARTS = 2  # times in a row that a child may die before it starts with an item
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG

Task = TypeVar("Task")
Result = TypeVar("Result")
Item = TypeVar("Item")
Output = TypeVar("Output")
ItemIn = TypeVar("ItemIn", contravariant=True)
OutputOut = TypeVar("OutputOut", covariant=True)


class ChildLink:
    """The connection of a child process to its parent."""

    def __init__(self, connection: Connection, stage: Any, since: Any) -> None:
        self.connection = connection
        self.stage, self.since = stage, since  # in shared memory
        self.announced = False  # whether the parent knows that it may send

    def take(self) -> Any:
        """Wait for the next value from the parent."""
        if not self.announced:
            self.connection.send(None)
        self.announced = False
        return self.connection.recv()

    def give(self, answer: object) -> None:
        """Send an answer, which must not be None. After the last answer of a task the parent may send the next task."""
        self.connection.send(answer)
        self.announced = True

    def enter(self, stage: int) -> None:
        """Start a stage (0 or more); its time limit counts from now."""
        self.since.value = monotonic()
        self.stage.value = stage


class Child(ABC, Generic[Task, Result]):
    """A child process and its current task. The process is started when there is something to send.

    `serve` runs in the process; `first` is sent to every new process before anything else.
    """

    def __init__(self, serve: Callable[[ChildLink], None], first: Sequence[object] = ()) -> None:
        self.serve = serve
        self.first = first
        self.process: BaseProcess | None = None
        self.task: Task | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it has a task."""
        return self.task is not None

    def start(self, task: Task) -> None:
        """Start a task."""
        self.task = task
        self.start_again()

    def start_again(self) -> None:
        """Send the current task again, for instance to a new process after a failure."""
        assert self.task is not None
        self.send(self.pack(self.task))

    def finish(self) -> Task:
        """Return the current task, which is finished, so that another may start."""
        task, self.task = self.task, None
        assert task is not None
        return task

    def pack(self, task: Task) -> object:
        """Return what is sent of a task; by default all of it."""
        return task

    @abstractmethod
    def limit(self, stage: int) -> float:
        """Return the time limit of a stage in seconds."""

    @abstractmethod
    def take(self, answer: Any) -> list[Result]:
        """Handle an answer; return the results it completes."""

    @abstractmethod
    def fail(self, stage: int, limit: float | None) -> list[Result]:
        """Handle the end of the process, which exceeded the limit of a stage or died in it (None); return results."""

    def launch(self) -> None:
        """Start the process, if there is none, before there is anything to send."""
        if self.process is None:
            self._spawn()

    def send(self, value: object) -> None:
        """Send a value as soon as the child is ready to receive, without waiting for it to load."""
        self.launch()
        self.stage.value, self.since.value = IDLE, monotonic()
        self.unsent.append(value)
        self._pass_on()

    def _spawn(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.stage, self.since = context.RawValue("q", IDLE), context.RawValue("d", monotonic())
        self.unsent = deque(self.first)
        self.listens = False
        link = ChildLink(theirs, self.stage, self.since)
        self.process = context.Process(target=_live, args=(self.serve, link), daemon=True)
        with hold_interrupts():
            self.process.start()
        theirs.close()

    def _pass_on(self) -> None:
        if self.listens and self.unsent:
            self.listens = False
            with suppress(OSError):  # if it is dead, look() notices
                self.connection.send(self.unsent.popleft())

    def look(self) -> list[Result]:
        """Check the process for an answer, its death, or an exceeded limit; return results."""
        if not self.connection.poll():
            stage = (
                self.stage.value
            )  # read before the time and written after it, so that a stage never has the time of an older one
            limit = self.limit(stage)
            return self._replace(stage, limit) if monotonic() - self.since.value > limit else []
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            return self._replace(self.stage.value, None)
        self.listens = True
        if answer is not None:
            return self.take(answer)
        self._pass_on()
        return []

    def _replace(self, stage: int, limit: float | None) -> list[Result]:
        self.stop()
        return self.fail(stage, limit)

    @property
    def deadline(self) -> float:
        """When the current stage exceeds its limit."""
        return float(self.limit(self.stage.value) + self.since.value)

    def stop(self) -> None:
        """Kill the process and all processes it has started, and wait until it has ended."""
        process = self.kill()
        if process is not None:
            process.join()

    def kill(self) -> BaseProcess | None:
        """Kill the process and all processes it has started; return the process, if there was one."""
        process, self.process = self.process, None
        if process is None:
            return None
        self.connection.close()
        if process.pid is None:
            return None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):  # it has no process group yet, or is gone
            process.kill()
        return process


class Pool(Generic[Task, Result]):
    """At most `count` children, which are stopped at the end of a `with` block.

    with Pool(make_child, 4) as pool:
        pool.start(task)            # while pool.has_room
        for result in pool.step():  # while pool.busy
            ...
    """

    def __init__(self, make: Callable[[], Child[Task, Result]], count: int) -> None:
        self.make = make
        self.count = count
        self.children: list[Child[Task, Result]] = []

    def __enter__(self) -> Pool[Task, Result]:
        return self

    def __exit__(self, *_: object) -> None:
        for child in self.children:
            child.stop()

    @property
    def busy(self) -> list[Child[Task, Result]]:
        """The children that have a task."""
        return [child for child in self.children if child.is_busy]

    @property
    def has_room(self) -> bool:
        """Whether another task can be started."""
        return len(self.busy) < self.count

    def launch(self) -> None:
        """Start all children, so that they load before the first task."""
        while len(self.children) < self.count:
            self.children.append(self.make())
            self.children[-1].launch()

    def start(self, task: Task) -> None:
        """Start a task."""
        child = next((child for child in self.children if not child.is_busy), None)
        if child is None:
            child = self.make()
            self.children.append(child)
        child.start(task)

    def step(self, *wakers: socket) -> Iterator[Result]:
        """Wait for a child or for a waker to become readable, and yield the results that are there."""
        busy = self.busy
        pause = min(child.deadline for child in busy) - monotonic()
        wait([*(child.connection for child in busy), *wakers], min(max(pause, 0.0), POLL_SECONDS))
        for child in busy:
            yield from child.look()  # while a result was handled, more answers may have arrived


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """How many children work, and how much time and memory each may use."""

    workers: int
    seconds: float  # per item
    memory: int | None = None  # bytes per child
    loading_seconds: float = 60.0  # to start a child


class ItemJob(Protocol[ItemIn, OutputOut]):
    """Work that turns an item into a result. It is pickled and sent to every child once."""

    def load(self) -> Callable[[ItemIn], OutputOut]:
        """Load what all items need, in the child process; return the function that processes an item."""

    def fail(self, item: ItemIn, reason: str) -> OutputOut:
        """Return the result of an item whose process died or exceeded its time limit."""


class ItemChild(Child[Item, Output]):
    """A child process that does a job, item by item."""

    def __init__(self, job: ItemJob[Item, Output], limits: ChildLimits) -> None:
        super().__init__(_serve_items, first=[(job, limits.memory)])
        self.job = job
        self.limits = limits
        self.false_starts = 0  # times in a row that it died before it started with an item

    def limit(self, stage: int) -> float:
        """Return the time limit of a stage in seconds."""
        return self.limits.loading_seconds if stage == IDLE else self.limits.seconds

    def take(self, answer: Output) -> list[Output]:
        """Return the result of the item."""
        self.finish()
        self.false_starts = 0
        return [answer]

    def fail(self, stage: int, limit: float | None) -> list[Output]:
        """Let the item fail, or start it again if the process died before it began."""
        if stage == IDLE:
            self.false_starts += 1
            if limit is not None or self.false_starts > MAX_FALSE_STARTS:
                raise BonmunError("Child processes do not start, or die before they begin; is there enough memory?")
            self.start_again()
            return []
        died = "The process died; the page may need too much memory."
        return [self.job.fail(self.finish(), died if limit is None else f"The page took over {limit:g} seconds.")]


def run_in_children(
    job: ItemJob[Item, Output], items: Iterable[Item], limits: ChildLimits
) -> Generator[Output, None, None]:
    """Process items in child processes and yield the results as they finish. Close the generator to stop."""
    waiting = iter(items)
    with Pool(lambda: ItemChild(job, limits), limits.workers) as pool:
        while True:
            while pool.has_room and (task := next(waiting, None)) is not None:
                pool.start(task)
            if not pool.busy:
                return
            yield from pool.step()


def _serve_items(link: ChildLink) -> None:
    job, memory = link.take()
    work = job.load()
    if memory:
        limit_memory(memory)
    while True:
        item = link.take()
        link.enter(0)
        link.give(work(item))


@contextmanager
def hold_interrupts(*also: signal.Signals) -> Iterator[None]:
    """Delay Ctrl-C until the end of the block; processes started in it ignore Ctrl-C until they unblock it.

    These processes import no modules from the working directory.
    """
    with safe_path():
        resource_tracker.ensure_running()  # it unblocks interrupts when it starts
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *also})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """Ignore Ctrl-C in a child process: it is meant for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def limit_memory(size: int) -> None:
    """Limit the memory of a child process to `size` bytes more than it has now (Linux only).

    Beyond the limit, Python raises MemoryError and C code may crash. The limit counts address space, of which libraries
    reserve much more than they use: numpy and pyarrow 1.3 GB on two cores.
    """
    if sys.platform != "linux":
        return
    import resource  # does not exist on Windows

    with suppress(OSError, ValueError):  # a lower limit that exists already stays
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + size
        highest = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (limit, highest))


def _live(serve: Callable[[ChildLink], None], link: ChildLink) -> None:
    """Run in the child process until the parent is gone."""
    os.setpgid(0, 0)
    ignore_interrupts()
    parent = os.getppid()
    if sys.platform == "linux":  # also works in the middle of C code
        CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    with suppress(EOFError, OSError):
        serve(link)


def _leave_with(parent: int) -> None:
    """End this process when its parent is gone, even in the middle of an endless task."""
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)
