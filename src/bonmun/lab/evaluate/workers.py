"""Child processes that run systems on pages, one system and page at a time, each with a timeout.

A system that raises, crashes or times out fails on that page only. A child process that died or was stopped is
replaced. Child processes have no network, and the output of systems is discarded.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import warnings
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from time import perf_counter
from typing import TYPE_CHECKING, NoReturn

from bonmun.lab.evaluate.metrics.scores import Scorer, Scores
from bonmun.lab.evaluate.systems.answers import Answer, System
from bonmun.work.processes import Child, ChildLink, Pool

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from bonmun.lab.gold.examples import Example

__all__ = ["Outcome", "PageTask", "run_tasks"]

LOADING, RUNNING, SCORING = range(3)  # stages of a system in a child process
LOADING_SECONDS = 60.0  # timeout to start a child process, or to load a package
SCORING_SECONDS = 600.0  # timeout to compare two texts; generous, since a timeout here is not the system's fault


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page and the systems to run on it."""

    number: int
    example: Example
    systems: tuple[System, ...]
    known: dict[str, Outcome] = field(default_factory=dict)  # answers by system that only need to be scored
    is_scored: bool = True  # False: only measure the time


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer of a system on a page, or why it failed; its time and scores."""

    answer: Answer
    ms: float
    error: str | None = None
    scores: Scores = field(default_factory=dict)


Finished = tuple[PageTask, System, Outcome]


def run_tasks(tasks: Iterable[PageTask], count: int, limit: float) -> Generator[Finished, None, None]:
    """Run tasks in `count` child processes, and yield outcomes as they finish. Close the generator to stop."""
    waiting = iter(tasks)
    with Pool(lambda: _SystemChild(limit), count) as pool:
        while True:
            while pool.has_room and (task := next(waiting, None)):
                pool.start(task)
            if not pool.busy:
                return
            yield from pool.step()


class _SystemChild(Child[PageTask, Finished]):
    """A child process that runs systems on a page, and the systems that are left."""

    def __init__(self, seconds: float) -> None:
        super().__init__(_serve)
        self.seconds = seconds
        self.left: deque[System] = deque()

    def start(self, task: PageTask) -> None:
        self.left = deque(task.systems)
        super().start(task)

    def pack(self, task: PageTask) -> PageTask:
        systems = tuple(self.left)
        names = {system.name for system in systems}
        known = {name: outcome for name, outcome in task.known.items() if name in names}
        return replace(task, systems=systems, known=known)

    def limit(self, stage: int) -> float:
        return {RUNNING: self.seconds, SCORING: SCORING_SECONDS}.get(stage, LOADING_SECONDS)

    def take(self, answer: Outcome) -> list[Finished]:
        system = self.left.popleft()
        task = self.task if self.left else self.finish()
        assert task
        return [(task, system, answer)]

    def fail(self, stage: int, limit: float | None) -> list[Finished]:
        """Let the current system fail, and continue with the next one."""
        reason = "it died" if limit is None else f"it took more than {limit:g} s"
        [(task, system, outcome)] = self.take(Outcome(Answer(), self.seconds * 1e3, reason))
        if task.is_scored:
            outcome = _score(Scorer(task.example), system, outcome)
        if self.is_busy:
            self.start_again()
        return [(task, system, outcome)]


def _serve(link: ChildLink) -> None:
    """Run tasks in the child process."""
    _isolate_process()
    while True:
        task: PageTask = link.take()
        scorer = Scorer(task.example)
        for system in task.systems:
            link.enter(LOADING)
            if system.name not in task.known:
                with suppress(Exception):  # the same error is raised, and recorded, when the system runs
                    _prepare(system)
            link.enter(RUNNING)
            outcome = task.known.get(system.name) or _run(system, task)
            if task.is_scored:
                link.enter(SCORING)
                outcome = _score(scorer, system, outcome)
            link.give(outcome)


def _prepare(system: System) -> None:
    if system.module:
        import_module(system.module)
    if system.prepare:
        system.prepare()


def _run(system: System, task: PageTask) -> Outcome:
    start = perf_counter()
    try:
        answer = (system.run_full if task.is_scored and system.run_full else system.run)(task.example)
        ms = (perf_counter() - start) * 1e3
        if task.is_scored and system.markdown and system.needs_markdown(task.example):
            answer = replace(answer, markdown=system.markdown(task.example))
        for name in ("text", "title", "author", "date", "markdown", "kind"):
            value = getattr(answer, name)
            if not isinstance(value, str | None):
                raise TypeError(f"its {name} is {type(value).__name__}, not str")
    except Exception as problem:  # a peer may raise anything; it fails on this page only
        return Outcome(Answer(), (perf_counter() - start) * 1e3, _format_reason(problem))
    return Outcome(answer, ms)


def _format_reason(problem: Exception) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())[:200]


def _score(scorer: Scorer, system: System, outcome: Outcome) -> Outcome:
    scores = scorer(outcome.answer, failed=outcome.error is not None)
    scores |= scorer.score_metadata(outcome.answer, system.fields)
    if outcome.error is not None and system.group == "method" and scorer.example.text is not None:
        scores |= scorer.score_lost_leaves()
    return replace(outcome, scores=scores)


def _isolate_process() -> None:
    """Disable output, logging, warnings and the network in this process."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    sys.stdin = None
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError("The network is disabled in a benchmark.")

    for name in ("connect", "connect_ex", "sendto", "sendmsg"):
        setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo"):
        setattr(socket, name, refuse)
