"""Child processes that run systems on pages: one page and system at a time, each within a time limit.

A system that raises, dies or takes too long fails on that page only. A child that died or was stopped is replaced. In
the children there is no network, and what systems print is thrown away.
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
from bonmun.work.processes import Child, Link, Pool

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from bonmun.lab.gold.examples import Example

__all__ = ["Outcome", "Task", "run_tasks"]

LOADING, RUNNING, SCORING = range(3)  # what a child is at with a system
LOADING_SECONDS = 60.0  # to start, and to load a package
SCORING_SECONDS = 600.0  # for a comparison: it is ours to be right, however long the texts are


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
    with Pool(lambda: _SystemChild(limit), count) as pool:
        while True:
            while pool.has_room and (task := next(waiting, None)):
                pool.start(task)
            if not pool.busy:
                return
            yield from pool.step()


class _SystemChild(Child[Task, Done]):
    """A child process that runs systems on a page, and what is left of its task."""

    def __init__(self, seconds: float) -> None:
        super().__init__(_serve)
        self.seconds = seconds
        self.left: deque[System] = deque()

    def start(self, task: Task) -> None:
        self.left = deque(task.systems)
        super().start(task)

    def pack(self, task: Task) -> Task:
        systems = tuple(self.left)
        names = {system.name for system in systems}
        known = {name: outcome for name, outcome in task.known.items() if name in names}
        return replace(task, systems=systems, known=known)

    def limit(self, stage: int) -> float:
        return {RUNNING: self.seconds, SCORING: SCORING_SECONDS}.get(stage, LOADING_SECONDS)

    def take(self, answer: Outcome) -> list[Done]:
        system = self.left.popleft()
        task = self.task if self.left else self.finish()
        assert task
        return [(task, system, answer)]

    def fail(self, stage: int, limit: float | None) -> list[Done]:
        """The system that it was at fails, whatever the stage."""
        reason = "it died" if limit is None else f"it took over {limit:g} s"
        [(task, system, outcome)] = self.take(Outcome(Answer(), self.seconds * 1e3, reason))
        if task.scored:
            outcome = _score(Scorer(task.example), system, outcome)
        if self.is_busy:
            self.start_again()
        return [(task, system, outcome)]


def _serve(link: Link) -> None:
    """In the child: run what comes."""
    _be_quiet()
    while True:
        task: Task = link.take()
        scorer = Scorer(task.example)
        for system in task.systems:
            link.enter(LOADING)
            if system.name not in task.known:
                with suppress(Exception):  # a package that cannot be loaded says so when it runs
                    _prepare(system)
            link.enter(RUNNING)
            outcome = task.known.get(system.name) or _run(system, task)
            if task.scored:
                link.enter(SCORING)
                outcome = _score(scorer, system, outcome)
            link.give(outcome)


def _prepare(system: System) -> None:
    if system.loads:
        import_module(system.loads)
    if system.prepare:
        system.prepare()


def _run(system: System, task: Task) -> Outcome:
    start = perf_counter()
    try:
        answer = (system.whole if task.scored and system.whole else system.run)(task.example)
        ms = (perf_counter() - start) * 1e3
        if task.scored and system.markdown and system.needs_markdown(task.example):
            answer = replace(answer, markdown=system.markdown(task.example))
        for name in ("text", "title", "author", "date", "markdown"):
            value = getattr(answer, name)
            if not isinstance(value, str | None):
                raise TypeError(f"its {name} is of type {type(value).__name__}, not a text")
    except Exception as problem:  # whatever a peer may raise, it only fails on this page
        return Outcome(Answer(), (perf_counter() - start) * 1e3, _reason(problem))
    return Outcome(answer, ms)


def _reason(problem: Exception) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())[:200]


def _score(scorer: Scorer, system: System, outcome: Outcome) -> Outcome:
    scores = scorer(outcome.answer, failed=outcome.error is not None)
    scores |= scorer.score_facts(outcome.answer, system.gives)
    if outcome.error is not None and system.group == "method" and scorer.example.text is not None:
        scores |= scorer.score_lost_leaves()
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
