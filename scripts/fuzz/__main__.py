"""Fuzz bonmun for a given time, and report the findings.

    make fuzz                                   # ten minutes, from shapes only
    make fuzz SECONDS=60 PAGES=../shared/data   # a minute, from real pages too

Each input is a mutated page or shape (mutate.py), or made of a grammar (grammars.py). It is judged in child processes
(judge.py) as text and as bytes, mostly with the method auto, in all five formats with links, images, comments and
metadata. Inputs that make bonmun do something new are mutated further. Every tenth input is a sitemap, a feed, a
robots.txt or a saved page, and is only read (files.py). Findings are saved in out/fuzz: the original page, and a
smaller one with the same fault.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from math import inf
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING

from bonmun.algorithms import PAGE_METHODS
from scripts.fuzz.files import make_file
from scripts.fuzz.findings import Findings
from scripts.fuzz.grammars import GRAMMARS, make_page
from scripts.fuzz.mutate import encode_page, mutate
from scripts.fuzz.pages import make_small_shapes, sample_pages
from scripts.fuzz.workers import STAGE_SECONDS, Task, judge_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scripts.fuzz.checks import Fault
    from scripts.fuzz.workers import Judged

OTHER_METHODS = sorted(PAGE_METHODS)
FILE_SHARE, GRAMMAR_SHARE = 0.1, 0.25  # of inputs that are files, and pages of grammars
AUTO_SHARE, ALL_SHARE = 0.7, 0.2  # of inputs that are judged with the methods auto and all
MAX_PAGES = 3_000  # of real pages
MAX_TIMES_OVER = 8  # the time limit of real pages; pages of only small blocks take up to four times it, in linear time
UNTIMED_SECONDS = 120.0  # per stage with --untimed
MAX_KEPT = 5_000  # inputs that made bonmun do something new


class Fuzzer:
    """Makes inputs, and learns from the verdicts which inputs to mutate further."""

    def __init__(self, shapes: list[tuple[str, str]], pages: list[tuple[str, str]], seed: int) -> None:
        self.random = Random(seed)
        self.shapes, self.pages = shapes, pages + shapes
        self.has_grammars = bool(shapes)  # whether to make pages and files of grammars, too
        self.kept: list[tuple[str, str]] = []  # inputs that made bonmun do something new
        self.seen: set[str] = set()  # features
        self.inputs = self.executions = 0
        self.refused: Counter[str] = Counter()

    def make_tasks(self, end: float, inputs: float) -> Iterator[Task]:
        """Yield every shape unchanged, then mutants, until the time is over or there are enough."""
        yield from (Task(html, "auto", name) for name, html in self.shapes if monotonic() < end)
        while monotonic() < end and self.inputs < inputs:
            drawn = self.random.random()
            if self.has_grammars and drawn < FILE_SHARE:
                method, data = make_file(self.random)
                yield Task(data, method, f"{self.inputs}: {method}")
                self.inputs += 1
                continue
            name, html = self.choose_page()
            if self.has_grammars and drawn < FILE_SHARE + GRAMMAR_SHARE:
                name = self.random.choice(list(GRAMMARS))
                html = make_page(self.random, GRAMMARS[name])
            else:
                html = mutate(self.random, html, self.choose_page()[1])
            name = f"{self.inputs}: {name.split(': ')[-1]}"
            self.inputs += 1
            method = self.choose_method()
            yield Task(html, method, name)
            yield Task(encode_page(self.random, html), method, name)

    def choose_page(self) -> tuple[str, str]:
        """Return a page to mutate; half of the time one that did something new."""
        return self.random.choice(self.kept if self.kept and self.random.random() < 0.5 else self.pages)

    def choose_method(self) -> str:
        """Return a method, mostly auto."""
        drawn = self.random.random()
        return (
            "auto"
            if drawn < AUTO_SHARE
            else "all"
            if drawn < AUTO_SHARE + ALL_SHARE
            else self.random.choice(OTHER_METHODS)
        )

    def learn(self, judged: Judged) -> None:
        """Keep an input, given as text, that made bonmun do something new."""
        self.executions += 1
        task, verdict = judged
        if verdict.refused:
            self.refused[verdict.refused] += 1
        if isinstance(task.page, bytes) or verdict.faults or verdict.features <= self.seen:
            return
        self.seen |= verdict.features
        self.kept.append((task.name, task.page))
        if len(self.kept) > MAX_KEPT:
            del self.kept[: MAX_KEPT // 10]


def _is_dense(fault: Fault, slow: float) -> bool:
    """Whether a page is slow only because it has many blocks."""
    return " is slow" in fault.kind and fault.times < slow


def main(given: Sequence[str] | None = None) -> int:
    """Run the fuzzer, print a summary, and return 1 if there are findings."""
    arguments = argparse.ArgumentParser(prog="python -m scripts.fuzz", description="Fuzz bonmun with hostile pages.")
    arguments.add_argument("--seconds", type=float, default=600)
    arguments.add_argument("--inputs", type=float, default=inf, help="maximum number of mutants")
    arguments.add_argument("--no-shapes", action="store_true", help="start from the pages only")
    arguments.add_argument("--pages", type=Path, help="folder of HTML pages or JSON lines, or a JSON Lines file")
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--seed", type=int, default=None, help="seed of the random numbers [default: random]")
    arguments.add_argument("--out", type=Path, default=Path("out/fuzz"), help="folder for findings")
    arguments.add_argument("--untimed", action="store_true", help="do not report slow pages, for a slow build")
    arguments.add_argument("--shrink", type=float, default=20, help="seconds for shrinking each finding")
    chosen = arguments.parse_args(given)
    seed = Random().randrange(2**32) if chosen.seed is None else chosen.seed
    shapes = [] if chosen.no_shapes else list(make_small_shapes())
    pages = sample_pages(Random(seed), chosen.pages, MAX_PAGES) if chosen.pages else []
    fuzzer, findings = Fuzzer(shapes, pages, seed), Findings(chosen.out)
    slow, limit = (inf, UNTIMED_SECONDS) if chosen.untimed else (MAX_TIMES_OVER, STAGE_SECONDS)
    start = monotonic()
    for judged in judge_all(fuzzer.make_tasks(start + chosen.seconds, chosen.inputs), chosen.workers, limit):
        judged.verdict.faults = [each for each in judged.verdict.faults if not _is_dense(each, slow)]
        fuzzer.learn(judged)
        findings.add(judged)
    seconds = monotonic() - start
    findings.save(chosen.shrink)
    print(f"seed {seed}: {len(shapes):,} shapes, {len(pages):,} pages, {fuzzer.inputs:,} inputs made of them")
    print(f"{fuzzer.executions:,} executions in {seconds:.0f} s, {fuzzer.executions / seconds:.1f} a second")
    print("refused: " + (", ".join(f"{name} {count:,}" for name, count in fuzzer.refused.most_common()) or "none"))
    findings.print()
    return 1 if findings.count else 0


if __name__ == "__main__":
    sys.exit(main())
