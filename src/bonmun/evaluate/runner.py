"""Sets and systems in, results out: every page by every system, then how long each takes.

Quality first, in parallel; then time, in one child process with nothing else running, on some pages, in turns: each
page goes through every system before the next page does, so that whatever slows the machine down slows all alike.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from bonmun.evaluate.metrics import rapidfuzz
from bonmun.evaluate.results import PageInfo, Results, SystemInfo
from bonmun.evaluate.workers import Task, run_tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bonmun.evaluate.answers import System
    from bonmun.evaluate.cache import Cache
    from bonmun.gold.datasets import Dataset
    from bonmun.gold.examples import Example

__all__ = ["ROUNDS", "run", "time_systems"]

ROUNDS = 2  # that a page is timed; the best counts


def run(
    datasets: Sequence[Dataset],
    systems: Sequence[System],
    cache: Cache,
    *,
    workers: int,
    limit: float,
    progress: Callable[[int], None] = lambda _: None,
) -> Results:
    """Run every system on every page, as far as the cache does not know the outcome.

    `limit` is the time for a system and a page, in seconds; who takes longer has failed there.
    """
    rapidfuzz()  # rather missing now than in every child
    for dataset in datasets:
        dataset.check()
    results = Results([(dataset.name, dataset.facts) for dataset in datasets], _infos(systems))

    def tasks() -> Iterator[Task]:
        for dataset in datasets:
            for example in dataset:
                number = results.add_page(_info(dataset, example))
                open_: list[System] = []
                answers = {}
                for system in systems:
                    if system.group == "oracle" and example.text is None:
                        progress(1)
                        continue
                    known = cache.get(example, system)
                    if known and known.scores:
                        results.add(number, system.name, known)
                        progress(1)
                        continue
                    open_.append(system)
                    if known:
                        answers[system.name] = known
                if open_:
                    yield Task(number, example, tuple(open_), answers)

    for task, system, outcome in run_tasks(tasks(), workers, limit):
        if outcome.error is None:  # who failed may do better another time: with a package more, or more time
            cache.put(task.example, system, outcome)
        results.add(task.number, system.name, outcome)
        progress(1)
    cache.flush()
    return results


def time_systems(
    datasets: Sequence[Dataset],
    systems: Sequence[System],
    results: Results,
    *,
    pages: int,
    limit: float,
    progress: Callable[[int], None] = lambda _: None,
) -> None:
    """Time every system on about so many pages, evenly from all sets, on which none has failed.

    Who failed on most pages is not timed.
    """
    every = range(len(results.pages))
    timed = [
        system
        for system in systems
        if system.group != "oracle" and 2 * results.failed(system.name, every).total() <= len(every)
    ]
    names = {system.name for system in timed}
    good = [number for number in every if not names.intersection(results.failed_on(number))]
    chosen = {good[number * len(good) // pages] for number in range(pages)} if good and timed else set()
    best: dict[tuple[int, str], float] = defaultdict(lambda: float("inf"))

    def tasks() -> Iterator[Task]:
        for number, example in enumerate(example for dataset in datasets for example in dataset):
            for turn in range(ROUNDS if number in chosen else 0):
                first = (number + turn) * 7 % len(timed)  # nobody always follows the same one
                yield Task(number, example, (*timed[first:], *timed[:first]), scored=False)

    for task, system, outcome in run_tasks(tasks(), 1, limit):
        key = task.number, system.name
        best[key] = min(best[key], outcome.ms)
        progress(1)
    for (number, name), ms in best.items():
        results.times[name][number] = ms


def _infos(systems: Sequence[System]) -> list[SystemInfo]:
    return [SystemInfo(system.name, system.version(), system.group) for system in systems]


def _info(dataset: Dataset, example: Example) -> PageInfo:
    return PageInfo(dataset.name, example.id, example.lang or "unknown", example.kind or "unknown", example.cov)
