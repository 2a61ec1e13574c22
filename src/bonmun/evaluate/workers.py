"""Child processes that run systems on pages: one page and system at a time, each within a time limit.

A system that raises, dies or takes too long fails on that page only. A child that died or was stopped is replaced. In
the children there is no network, and what systems print is thrown away.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import warnings
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from multiprocessing.connection import wait
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, NoReturn

from bonmun.evaluate.answers import Answer, System
from bonmun.evaluate.scores import Scorer, Scores

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from multiprocessing.connection import Connection

    from bonmun.gold.examples import Example

__all__ = ["Outcome", "Task", "run_tasks"]

SCORING = 600.0  # seconds that a comparison may take: it is ours to be right, however long the texts are
LOADING = 60.0  # seconds that a child may take to start and to load a package
GO, ANSWERED = "go", "answered"  # what a child says before its system runs, and after


@dataclass(frozen=True, slots=True)
class Task:
    """A page, and the systems to run on it; of those in `known` the answer is there and only compared."""

    number: int
    example: Example
    systems: tuple[System, ...]
    known: dict[str, Outcome] = field(default_factory=dict)
    scored: bool = True  # False: only the time matters


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a system on a page."""

    answer: Answer
    ms: float
    error: str | None = None  # why there is no answer
    scores: Scores = field(default_factory=dict)


Done = tuple[Task, System, Outcome]


def run_tasks(tasks: Iterable[Task], count: int, limit: float) -> Generator[Done, None, None]:
    """Run tasks in `count` children; outcomes come as they are ready. Close it to stop: the children end."""
    waiting = iter(tasks)
    busy: list[_Child] = []
    idle: list[_Child] = []
    try:
        while True:
            while len(busy) < count and (task := next(waiting, None)):
                child = idle.pop() if idle else _Child(limit)
                child.start(task)
                busy.append(child)
            if not busy:
                return
            pause = max(0.0, min(child.deadline for child in busy) - monotonic())
            wait([child.connection for child in busy], pause)
            for child in list(busy):
                # asked anew: while an outcome was looked at, an answer may have come, and the time been over
                yield from child.read() if child.connection.poll() else child.check()
                if not child.left:
                    busy.remove(child)
                    idle.append(child)
    finally:
        for child in (*busy, *idle):
            child.stop()


class _Child:
    """A child process, the task it is at, and what is left of it."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.left: deque[System] = deque()
        self.allowed = self.deadline = 0.0
        self._spawn()

    def _spawn(self) -> None:
        context = multiprocessing.get_context("spawn")  # nothing is inherited: no thread, lock or open file of ours
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()

    def start(self, task: Task) -> None:
        self.task = task
        self.left = deque(task.systems)
        self._send()

    def _send(self) -> None:
        """Give the child what is left of the task."""
        systems = tuple(self.left)
        names = {system.name for system in systems}
        known = {name: outcome for name, outcome in self.task.known.items() if name in names}
        self._allow(LOADING)
        try:
            self.connection.send(replace(self.task, systems=systems, known=known))
        except OSError:
            self.deadline = 0.0  # it is dead; read() or check() will find out

    def _allow(self, seconds: float) -> None:
        self.allowed, self.deadline = seconds, monotonic() + seconds

    def read(self) -> Iterator[Done]:
        """Take the child's next message: that a system starts, that it has an answer, or an outcome."""
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            yield from self._fail("it died")
            return
        if message in (GO, ANSWERED):
            self._allow(self.limit if message == GO else SCORING)
            return
        self._allow(LOADING)
        yield self.task, self.left.popleft(), message

    def check(self) -> Iterator[Done]:
        """Stop the child if its time is over."""
        if monotonic() >= self.deadline:
            yield from self._fail(f"it took over {self.allowed:g} s")

    def _fail(self, reason: str) -> Iterator[Done]:
        self.stop()
        system = self.left.popleft()
        outcome = Outcome(Answer(), self.limit * 1e3, reason)
        if self.task.scored:
            outcome = _scored(Scorer(self.task.example), system, outcome)
        self._spawn()
        if self.left:
            self._send()
        yield self.task, system, outcome

    def stop(self) -> None:
        """End the child and all that it has started."""
        if self.process.pid is not None:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                self.process.kill()
        self.process.join()
        self.connection.close()


def _serve(connection: Connection) -> None:
    """In the child: run what comes, until the parent is gone."""
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _be_quiet()
    while True:
        try:
            task: Task = connection.recv()
        except EOFError:
            return
        scorer = Scorer(task.example)
        for system in task.systems:
            if system.loads and system.name not in task.known:
                with suppress(Exception):  # whoever cannot be loaded will say so when it runs
                    import_module(system.loads)
            connection.send(GO)
            outcome = task.known.get(system.name) or _run(system, task)
            if task.scored:
                connection.send(ANSWERED)
                outcome = _scored(scorer, system, outcome)
            connection.send(outcome)


def _run(system: System, task: Task) -> Outcome:
    start = perf_counter()
    try:
        answer = (system.whole if task.scored and system.whole else system.run)(task.example)
        ms = (perf_counter() - start) * 1e3
        for name in ("text", "title", "author", "date"):
            value = getattr(answer, name)
            if not isinstance(value, str | None):
                raise TypeError(f"its {name} is of type {type(value).__name__}, not a text")
    except Exception as problem:  # whatever a peer may raise, it only fails on this page
        return Outcome(Answer(), (perf_counter() - start) * 1e3, _reason(problem))
    return Outcome(answer, ms)


def _reason(problem: Exception) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())[:200]


def _scored(scorer: Scorer, system: System, outcome: Outcome) -> Outcome:
    scores = scorer(outcome.answer, failed=outcome.error is not None)
    scores |= scorer.facts(outcome.answer, system.gives)
    if outcome.error is not None and system.group == "method" and scorer.example.text is not None:
        scores |= scorer.nothing()
    return replace(outcome, scores=scores)


def _be_quiet() -> None:
    """No output, no warnings, no network."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.stdin = None
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError("There is no network in a benchmark.")

    for name in ("connect", "connect_ex", "sendto", "sendmsg"):
        setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo"):
        setattr(socket, name, refuse)
