"""Run every system on every page of some sets, then measure the time of each system.

Quality is measured first, in parallel. Time is measured afterwards on a sample of pages, in one child process with
nothing else running. Each page goes through every system before the next page, so that a slow phase of the machine
affects all systems alike.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from bonmun.lab.evaluate.metrics.texts import load_rapidfuzz
from bonmun.lab.evaluate.results import BenchResults, PageInfo, SystemInfo
from bonmun.lab.evaluate.workers import PageTask, run_tasks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bonmun.lab.evaluate.cache import Cache
    from bonmun.lab.evaluate.systems.answers import System
    from bonmun.lab.gold.datasets import Dataset
    from bonmun.lab.gold.examples import Example

__all__ = ["ROUNDS", "run", "time_systems"]

ROUNDS = 2  # times that each page is timed; the best time is used
STEP = 7  # systems by which the order is rotated from round to round, so that none always follows the same one


def run(
    datasets: Sequence[Dataset],
    systems: Sequence[System],
    cache: Cache,
    *,
    workers: int,
    limit: float,
    progress: Callable[[int], None] = lambda _: None,
) -> BenchResults:
    """Run every system on every page, except where the cache has the outcome.

    `limit` is the timeout in seconds for one system on one page; a page that times out counts as failed.
    """
    load_rapidfuzz()  # fail now if it is missing, not in every child process
    for dataset in datasets:
        dataset.check()
    infos = [SystemInfo(system.name, system.version(), system.group) for system in systems]
    results = BenchResults([(dataset.name, dataset.summary) for dataset in datasets], infos)
    tasks = _make_tasks(datasets, systems, cache, results, progress)
    for task, system, outcome in run_tasks(tasks, workers, limit):
        if outcome.error is None:  # a failure may not repeat, for example with a higher limit
            cache.put(task.example, system, outcome)
        results.add(task.number, system.name, outcome)
        progress(1)
    cache.flush()
    return results


def _make_tasks(
    datasets: Sequence[Dataset],
    systems: Sequence[System],
    cache: Cache,
    results: BenchResults,
    progress: Callable[[int], None],
) -> Iterator[PageTask]:
    """Add every page to the results with its cached outcomes, and yield a task for the remaining systems."""
    for dataset in datasets:
        for example in dataset:
            number = results.add_page(_describe_page(dataset, example))
            left: list[System] = []
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
                left.append(system)
                if known:
                    answers[system.name] = known
            if left:
                yield PageTask(number, example, tuple(left), answers)


def _describe_page(dataset: Dataset, example: Example) -> PageInfo:
    return PageInfo(dataset.name, example.id, example.lang or "unknown", example.kind or "unknown", example.cov)


def time_systems(
    datasets: Sequence[Dataset],
    systems: Sequence[System],
    results: BenchResults,
    *,
    pages: int,
    limit: float,
    progress: Callable[[int], None] = lambda _: None,
) -> None:
    """Time every system on up to `pages` pages, evenly spread over all sets, on which no timed system failed.

    A system that failed on most pages is not timed.
    """
    every = range(len(results.pages))
    timed = [
        system
        for system in systems
        if system.group != "oracle" and 2 * results.count_failures(system.name, every).total() <= len(every)
    ]
    names = {system.name for system in timed}
    good = [number for number in every if not names.intersection(results.list_failed(number))]
    chosen = {good[number * len(good) // pages] for number in range(pages)} if good and timed else set()
    best: dict[tuple[int, str], float] = defaultdict(lambda: float("inf"))
    for task, system, outcome in run_tasks(_make_timed_tasks(datasets, timed, chosen), 1, limit):
        key = task.number, system.name
        best[key] = min(best[key], outcome.ms)
        progress(1)
    for (number, name), ms in best.items():
        results.times[name][number] = ms


def _make_timed_tasks(datasets: Sequence[Dataset], systems: Sequence[System], chosen: set[int]) -> Iterator[PageTask]:
    """Yield a task without scoring for each round over the chosen pages."""
    for number, example in enumerate(example for dataset in datasets for example in dataset):
        for turn in range(ROUNDS if number in chosen else 0):
            first = (number + turn) * STEP % len(systems)
            yield PageTask(number, example, (*systems[first:], *systems[:first]), is_scored=False)
