"""Measure how time and memory grow with the page: every shape of scripts/fuzz/shapes × every method × every format.

    .venv/bin/python -m scripts.figures.shapes                      # all methods; half an hour
    .venv/bin/python -m scripts.figures.shapes --methods auto,all   # five minutes
    .venv/bin/python -m scripts.figures.shapes --only "wide, rows"  # shapes with these words in their names

Each shape is made at n, 2n, 4n and 8n. A fresh process for each shape measures the CPU time of every stage, and another
one measures the peak memory at 8n with the first method. The limits are:

- Time: a stage takes at 8n at most 8 × 1.3 times as long as at n (counting at least 4 ms), or at most 2 × 1.3 times as
  long as at 4n, unless the kept text grows as much.
- Total: the text takes at most 20 bare parses and 20 ms, everything at most 40 bare parses and 20 ms.
- Memory: a page over 100 kB takes at most 100 times its size.
- Output: the sizes in `bonmun.bounds`.
- No errors.

A shape that is less than twice over a limit is measured again, and its best time counts.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.algorithms import PAGE_METHODS
from bonmun.bounds import BASE_OUTPUT_CHARS, MAX_OUTPUT_RATIO
from bonmun.work.processes import IDLE, Child, ChildLink, Pool, limit_memory
from scripts.fuzz.judge import EXTRA_SECONDS, MAX_ALL_PARSES, MAX_TEXT_PARSES, count_length
from scripts.fuzz.shapes import ALL_SHAPES
from scripts.fuzz.stages import STAGES, Run, measure, measure_peak, parse_bare, run_stages

if TYPE_CHECKING:
    from collections.abc import Iterator

STEPS = (8, 4, 2, 1)  # the size of a shape is divided by these
GROWTH = 1.3  # allowed ratio to linear growth
MIN_SECONDS = 0.004  # shorter times cannot be measured
MAX_MEMORY_RATIO, MIN_MEMORY_PAGE_BYTES = (
    100,
    100_000,
)  # memory to page size; checked from this size
TRIES = 3
CLEAR_EXCESS = 2.0  # ratio to a limit from which a measurement is not repeated
START_SECONDS, STAGE_SECONDS = 60.0, 10.0
MEMORY_BYTES = 6_000_000_000  # limit of a child process
KINDS = ("fails", "grows", "takes long", "takes memory", "writes much")


@dataclass
class Sample:
    """The measurements of a shape at one size."""

    shape: str
    size: int
    length: int = 0  # of the page, in bytes
    bare: float = 0.0
    memory: int = 0
    seconds: dict[tuple[str, str], float] = field(default_factory=dict)  # by method and stage
    texts: dict[str, int] = field(default_factory=dict)  # by method, the characters of the text
    largest: int = 0  # characters written in one format, and which
    largest_format: str = ""
    failures: dict[tuple[str, str], str] = field(default_factory=dict)

    def compare_size(self, small: Sample, method: str) -> float:
        """Return the ratio of its size, or of its kept text, to that of a smaller sample."""
        return max(self.size / small.size, self.texts.get(method, 0) / max(small.texts.get(method, 0), 1))

    def merge(self, other: Sample) -> None:
        """Keep the best of two measurements of one page."""
        if other.largest > self.largest:
            self.largest, self.largest_format = other.largest, other.largest_format
        self.bare = min(self.bare or other.bare, other.bare or self.bare)  # 0 if it was not measured
        self.memory = min(self.memory or other.memory, other.memory or self.memory)
        self.failures |= other.failures
        self.texts |= other.texts
        for key, seconds in other.seconds.items():
            self.seconds[key] = min(seconds, self.seconds.get(key, seconds))


class Task(NamedTuple):
    """A shape to measure: the times at some sizes, or the memory at one."""

    shape: str
    sizes: tuple[int, ...]  # from small to large
    methods: list[str]
    memory: bool = False


def serve(link: ChildLink) -> None:
    """Run one task, in a child process."""
    limit_memory(MEMORY_BYTES)
    run_stages("<p>Some words to load everything that is loaded on first use.</p>")
    task = link.take()
    numbers = range(len(task.sizes))
    if task.memory:
        link.give([measure_memory(link, task, number) for number in numbers])
        return
    samples = [measure_times(link, task, number) for number in numbers]
    for number in numbers:  # repeated, because the first use of memory is slower
        samples[number].merge(measure_times(link, task, number))
    link.give(samples)


def make_page(task: Task, number: int) -> tuple[str | bytes, Sample]:
    """Return a shape at one of its sizes, and an empty sample."""
    html = ALL_SHAPES[task.shape].make(task.sizes[number])
    return html, Sample(task.shape, task.sizes[number], count_length(html))


def measure_memory(link: ChildLink, task: Task, number: int) -> Sample:
    """Measure the peak memory with the first method."""
    html, sample = make_page(task, number)
    peak: list[int] = []
    with measure_peak(peak):
        run_stages(html, task.methods[0], partial(enter_stage, link, number, 0))
    sample.memory = peak[0]
    return sample


def measure_times(link: ChildLink, task: Task, number: int) -> Sample:
    """Measure all stages of all methods; the page is parsed once, because that does not depend on the method."""
    html, sample = make_page(task, number)
    run = run_stages(html, task.methods[0], partial(enter_stage, link, number, 0))
    add_run(sample, run)
    sample.bare = min(measure(lambda: parse_bare(html))[0] for _ in range(TRIES))
    for method, name in enumerate(task.methods[1:], 1):
        if run.doc is not None:
            add_run(sample, run_stages(run.doc.page, name, partial(enter_stage, link, number, method)))
    return sample


def enter_stage(link: ChildLink, size: int, method: int, stage: int) -> None:
    """Report the stage, method and size that begins."""
    link.enter(1_000 * size + 10 * method + stage)


def add_run(sample: Sample, run: Run) -> None:
    """Add the run of one method to a sample."""
    for stage, seconds in run.seconds.items():
        sample.seconds[run.method, stage] = seconds
    sample.texts[run.method] = len(run.written.get("text", ""))
    for name, text in run.written.items():
        if len(text) > sample.largest:
            sample.largest, sample.largest_format = len(text), f"{run.method} {name}"
    if run.failed:
        sample.failures[run.method, run.failed[0]] = run.failed[1]


class Worker(Child[Task, Sample]):
    """A child process that runs one task."""

    task: Task | None = None

    @property
    def is_busy(self) -> bool:
        """Whether it is running a task."""
        return self.task is not None

    def start(self, task: Task) -> None:
        """Send a task."""
        self.task = task
        self.send(task)

    def limit(self, stage: int) -> float:
        """Return the time limit of a stage, or of the start."""
        return START_SECONDS if stage == IDLE else STAGE_SECONDS

    def take(self, answer: Any) -> list[Sample]:
        """Return the samples; the next task gets a fresh process."""
        self.stop()
        self.task = None
        return list(answer)

    def fail(self, stage: int, limit: float | None) -> list[Sample]:
        """Return samples with the stage at which the process hung or died; larger pages are not tried."""
        assert self.task is not None
        task, self.task = self.task, None
        size, method, step = max(stage, 0) // 1_000, max(stage, 0) // 10 % 100, max(stage, 0) % 10
        reason = f"over {limit:.0f} s" if limit else "the process died"
        return [Sample(task.shape, task.sizes[size], failures={(task.methods[method], STAGES[step]): reason})]


def measure_all(tasks: list[Task], workers: int) -> Iterator[Sample]:
    """Measure in child processes."""
    waiting = deque(tasks)
    with Pool(lambda: Worker(serve), workers) as pool:
        while waiting or pool.busy:
            while waiting and pool.has_room:
                pool.start(waiting.popleft())
            yield from pool.step()


@dataclass(order=True)
class Excess:
    """A limit that a shape exceeds, and by how much."""

    times: float
    kind: str
    shape: str
    what: str
    detail: str


def find_excesses(samples: list[Sample]) -> Iterator[Excess]:
    """Return the limits that a shape exceeds; its samples are in order of size."""
    for sample in samples:
        for (method, stage), reason in sample.failures.items():
            yield Excess(1_000, "fails", sample.shape, f"{method} {stage}", f"n = {sample.size:,}: {reason}")
    if any(sample.failures for sample in samples):
        return
    large = samples[-1]
    for (method, stage), seconds in large.seconds.items():
        # relative to n, to 4n and to the text: a method may keep nothing of a small page, and all of a large one
        times = min(
            seconds / max(small.seconds.get((method, stage), 0), MIN_SECONDS) / large.compare_size(small, method)
            for small in (samples[0], samples[-2])
        )
        if times > GROWTH:
            steps = " ".join(f"{sample.seconds.get((method, stage), 0) * 1e3:.1f}" for sample in samples)
            yield Excess(times / GROWTH, "grows", large.shape, f"{method} {stage}", f"ms at n, 2n, 4n, 8n: {steps}")
    yield from find_page_excesses(large)


def find_page_excesses(sample: Sample) -> Iterator[Excess]:
    """Return the limits that a single page exceeds, independent of other sizes."""
    parse = sample.seconds.get(("auto", "parse"), 0)
    for name, factor, stages in (
        ("text", MAX_TEXT_PARSES, ("label", "text")),
        ("everything", MAX_ALL_PARSES, STAGES[1:]),
    ):
        bound = factor * sample.bare + EXTRA_SECONDS
        for method in dict.fromkeys(method for method, _ in sample.seconds):
            taken = {stage: sample.seconds.get((method, stage), 0) for stage in stages} | {"parse": parse}
            total = sum(taken.values())
            if total > bound:
                dearest = sorted(taken, key=lambda stage: taken[stage], reverse=True)[:3]
                causes = ", ".join(f"{stage} {taken[stage] * 1e3:.0f}" for stage in dearest)
                detail = f"{total * 1e3:.0f} ms, bound {bound * 1e3:.0f}, bare parse {sample.bare * 1e3:.1f}: {causes}"
                yield Excess(total / bound, "takes long", sample.shape, f"{method} {name}", detail)
    if sample.length > MIN_MEMORY_PAGE_BYTES and sample.memory > MAX_MEMORY_RATIO * sample.length:
        detail = f"{sample.memory / 1e6:.0f} MB for a page of {sample.length / 1e6:.2f} MB"
        yield Excess(sample.memory / sample.length / MAX_MEMORY_RATIO, "takes memory", sample.shape, "auto", detail)
    bound = MAX_OUTPUT_RATIO * sample.length + BASE_OUTPUT_CHARS
    if sample.largest > bound:
        detail = f"{sample.largest:,} characters, bound {bound:,}"
        yield Excess(sample.largest / bound, "writes much", sample.shape, sample.largest_format, detail)


def measure_shape(name: str, methods: list[str], workers: int) -> list[Excess]:
    """Measure a shape at all sizes; repeat if it may be over a limit by chance."""
    sizes = tuple(max(1, ALL_SHAPES[name].size // step) for step in STEPS)
    tasks = [Task(name, sizes, methods)]
    if count_length(ALL_SHAPES[name].make(sizes[-1])) > MIN_MEMORY_PAGE_BYTES:
        tasks.append(Task(name, sizes[-1:], methods, memory=True))
    found: dict[int, Sample] = {}
    for _ in range(TRIES):
        for sample in measure_all(tasks, workers):
            found.setdefault(sample.size, sample).merge(sample)
        excesses = list(find_excesses([found[size] for size in sorted(found)]))
        if not is_close(excesses):
            break
    return excesses


def is_close(excesses: list[Excess]) -> bool:
    """Whether a shape is over a limit by so little that it may be noise."""
    return bool(excesses) and max(excesses).times < CLEAR_EXCESS


def main() -> None:
    """Print the exceeded limits, the worst first."""
    arguments = argparse.ArgumentParser(description="Measure how time and memory grow with the page.")
    arguments.add_argument(
        "--methods", default=",".join(PAGE_METHODS), help="methods, separated by commas; the first is timed as a whole"
    )
    arguments.add_argument("--only", default="", help="parts of names of shapes, separated by commas")
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--lines", type=int, default=20, help="maximum number of shapes to print per kind")
    given = arguments.parse_args()
    parts = [part.strip() for part in given.only.split(",")]
    names = [name for name in ALL_SHAPES if any(part in name for part in parts)]
    excesses = []
    for number, name in enumerate(names, 1):
        found = measure_shape(name, given.methods.split(","), given.workers)
        excesses += found
        for each in {each.kind: each for each in sorted(found)}.values():  # the worst of each kind
            print(f"{number}/{len(names)} {name}: {each.kind}, {each.what}, {each.detail}", file=sys.stderr, flush=True)
    print(f"{len(names)} shapes, {len({excess.shape for excess in excesses})} over a bound")
    for kind in KINDS:
        worst = sorted({each.shape: each for each in sorted(excesses) if each.kind == kind}.values(), reverse=True)
        print(f"\n{kind}: {len(worst)} shapes")
        for excess in worst[: given.lines]:
            print(f"{excess.times:8.1f} × {excess.shape:34} {excess.what:24} {excess.detail}")


if __name__ == "__main__":
    main()
