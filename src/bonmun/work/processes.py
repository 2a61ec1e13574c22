"""Child processes with a hard time limit, replaced when they are over it or die.

In the child, a function takes tasks from a `Link`, says which stage of the work begins, and gives answers. Here, a
`Child` sends the tasks and makes something of the answers, or of a failure; a `Pool` has several of them at work.

Children are spawned: they inherit no thread, lock or open file of ours. Ctrl-C is for the parent alone. A child ends
with all that it has started, and with its parent, even in the middle of C code.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import threading
from abc import ABC, abstractmethod
from collections import deque
from contextlib import contextmanager, suppress
from ctypes import CDLL
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from socket import socket

__all__ = ["IDLE", "Child", "Link", "Pool", "hold_interrupts", "ignore_interrupts", "limit_memory"]

IDLE = -1  # the stage of a child that starts, or waits for a task
LOOK = 0.5  # seconds between looks at the clock: children move on without a word
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG

Task = TypeVar("Task")
Result = TypeVar("Result")


class Link:
    """A child's end of the line to its parent."""

    def __init__(self, connection: Connection, stage: Any, since: Any) -> None:
        self.connection = connection
        self.stage, self.since = stage, since  # in memory that parent and child share
        self.announced = False  # whether the parent knows that something can be sent

    def take(self) -> Any:
        """Wait for what the parent sends next."""
        if not self.announced:
            self.connection.send(None)
        self.announced = False
        return self.connection.recv()

    def give(self, answer: object) -> None:
        """Send an answer, which must not be None; after the last one of a task, the next task may come."""
        self.connection.send(answer)
        self.announced = True

    def enter(self, stage: int) -> None:
        """Begin a stage of the work, of 0 or more; its time counts from now."""
        self.since.value = monotonic()
        self.stage.value = stage


class Child(ABC, Generic[Task, Result]):
    """A child process and the task it is at; the process is started when there is something to send.

    `serve` runs in it, and `first` is what a new process is sent before anything else.
    """

    def __init__(self, serve: Callable[[Link], None], first: Sequence[object] = ()) -> None:
        self.serve = serve
        self.first = first
        self.process: BaseProcess | None = None
        self.task: Task | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it is at a task."""
        return self.task is not None

    def start(self, task: Task) -> None:
        """Begin a task."""
        self.task = task
        self.start_again()

    def start_again(self) -> None:
        """Send the task that it is at, as after a failure: a process that is gone is replaced."""
        assert self.task is not None
        self.send(self.pack(self.task))

    def finish(self) -> Task:
        """Give the task that it was at, which is over: another may begin."""
        task, self.task = self.task, None
        assert task is not None
        return task

    def pack(self, task: Task) -> object:
        """What the process is sent of a task: all of it, unless a kind of child says otherwise."""
        return task

    @abstractmethod
    def limit(self, stage: int) -> float:
        """How many seconds a stage may take."""

    @abstractmethod
    def take(self, answer: Any) -> list[Result]:
        """Make something of an answer."""

    @abstractmethod
    def fail(self, stage: int, limit: float | None) -> list[Result]:
        """Make something of a process that is gone: it was over the limit of a stage, or died in it (None)."""

    def launch(self) -> None:
        """Start the process, if there is none, before there is anything to send."""
        if self.process is None:
            self._spawn()

    def send(self, value: object) -> None:
        """Send something as soon as the child listens: else we would wait while it loads."""
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
        link = Link(theirs, self.stage, self.since)
        self.process = context.Process(target=_live, args=(self.serve, link), daemon=True)
        with hold_interrupts():
            self.process.start()
        theirs.close()

    def _pass_on(self) -> None:
        if self.listens and self.unsent:
            self.listens = False
            with suppress(OSError):  # if it is dead, look() will find out
                self.connection.send(self.unsent.popleft())

    def look(self) -> list[Result]:
        """See what has become of the process: an answer, its death, or nothing within its time."""
        if not self.connection.poll():
            stage = self.stage.value  # read before the time, and written after it: no stage has an older one's time
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
        """When it is over its time, unless it enters another stage."""
        return float(self.limit(self.stage.value) + self.since.value)

    def stop(self) -> None:
        """End the process and all that it has started."""
        process, self.process = self.process, None
        if process is None:
            return
        if process.pid is not None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):  # it has no group of its own yet, or is gone
                process.kill()
            process.join()
        self.connection.close()


class Pool(Generic[Task, Result]):
    """At most `count` children at work; in a `with`, at the end of which all of them end.

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
        """The children that are at a task."""
        return [child for child in self.children if child.is_busy]

    @property
    def has_room(self) -> bool:
        """Whether another task can be begun."""
        return len(self.busy) < self.count

    def launch(self) -> None:
        """Start all children, so that they load while there is nothing for them to do yet."""
        while len(self.children) < self.count:
            self.children.append(self.make())
            self.children[-1].launch()

    def start(self, task: Task) -> None:
        """Begin a task."""
        child = next((child for child in self.children if not child.is_busy), None)
        if child is None:
            child = self.make()
            self.children.append(child)
        child.start(task)

    def step(self, *wakers: socket) -> Iterator[Result]:
        """Wait until something has come of a task, or may have, and give it; or until a waker can be read."""
        busy = self.busy
        pause = min(child.deadline for child in busy) - monotonic()
        wait([*(child.connection for child in busy), *wakers], min(max(pause, 0.0), LOOK))
        for child in busy:
            yield from child.look()  # asked anew: while a result was looked at, an answer may have come


@contextmanager
def hold_interrupts(*also: signal.Signals) -> Iterator[None]:
    """Ctrl-C waits until the block is over; processes that start in it hear none until they let it through."""
    resource_tracker.ensure_running()  # which lets interrupts through when it is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, *also})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """In a child: Ctrl-C is for its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def limit_memory(size: int) -> None:
    """In a child: let it take so many bytes more than it has; beyond that there is a MemoryError, or it dies in C code.

    What counts is address space, of which libraries reserve much more than they use, before any work is done: numpy and
    pyarrow 1.3 GB on two cores, and more on many. Elsewhere than on Linux the system does not tell, or does not care.
    """
    if sys.platform != "linux":
        return
    with suppress(OSError, ValueError):  # where somebody has set a lower limit, that one stays
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + size
        highest = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (limit, highest))


def _live(serve: Callable[[Link], None], link: Link) -> None:
    """In the child: work on what comes, until the parent is gone."""
    os.setpgid(0, 0)
    ignore_interrupts()
    parent = os.getppid()
    if sys.platform == "linux":  # also in the middle of C code, where no thread of ours runs
        CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    with suppress(EOFError, OSError):
        serve(link)


def _leave_with(parent: int) -> None:
    """End this process when its parent is gone, also in the middle of a task that takes for ever."""
    while os.getppid() == parent:
        sleep(1)
    os._exit(1)
