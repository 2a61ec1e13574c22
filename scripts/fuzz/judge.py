"""Judge one page: its faults, its new features, and the time of each stage."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log2
from typing import TYPE_CHECKING

import turbohtml

from scripts.fuzz.checks import Fault, find_faults
from scripts.fuzz.stages import STAGES, TEXT_STAGES, measure, parse_bare, run_stages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scripts.fuzz.stages import Run

__all__ = [
    "CHECK",
    "EXTRA_SECONDS",
    "MAX_ALL_PARSES",
    "MAX_TEXT_PARSES",
    "Verdict",
    "count_length",
    "find_slow",
    "judge_page",
]

MAX_TEXT_PARSES = 20  # time limit of the main text, in bare parses
MAX_ALL_PARSES = 40  # time limit of all formats and metadata, in bare parses
EXTRA_SECONDS = 0.02  # that are added to either limit
TRIES = 3  # a slow page is measured this many times, and its best time counts
CHECK = len(STAGES)  # the stage after the last, in which the outputs are checked


@dataclass
class Verdict:
    """The verdict on a page."""

    faults: list[Fault] = field(default_factory=list)
    features: frozenset[str] = frozenset()  # a coarse description of what bonmun did
    seconds: dict[str, float] = field(default_factory=dict)  # by stage
    bare: float = 0.0
    refused: str = ""  # the error, if the input was rejected

    @property
    def over(self) -> float:
        """The ratio of its time to the limit for all formats."""
        return sum(self.seconds.values()) / (MAX_ALL_PARSES * self.bare + EXTRA_SECONDS)


def judge_page(page: str | bytes, method: str = "auto", enter: Callable[[int], None] = lambda _: None) -> Verdict:
    """Run a page through all stages, and check the outputs."""
    run = run_stages(page, method, enter)
    bare = measure(lambda: parse_bare(page))[0]
    if not run.failed and list(find_slow(run.seconds, bare)):
        run.seconds, bare = _measure_again(page, method, run.seconds, bare, enter)
    enter(CHECK)
    faults = list(find_faults(run, len(page)))
    if not run.failed:
        faults += find_slow(run.seconds, bare)
    refused = type(run.refused).__name__ if run.refused else ""
    return Verdict(faults, frozenset(_find_features(run, bare)), run.seconds, bare, refused)


def _measure_again(
    page: str | bytes, method: str, seconds: dict[str, float], bare: float, enter: Callable[[int], None]
) -> tuple[dict[str, float], float]:
    """Return the best of several times of every stage and of the bare parse."""
    for _ in range(TRIES):
        again = run_stages(page, method, enter).seconds
        seconds = {stage: min(taken, again.get(stage, taken)) for stage, taken in seconds.items()}
        bare = min(bare, measure(lambda: parse_bare(page))[0])
        if not list(find_slow(seconds, bare)):
            break
    return seconds, bare


def find_slow(seconds: dict[str, float], bare: float) -> Iterable[Fault]:
    """Yield a fault if the text, or everything, took too long, with the slowest stage."""
    for name, stages, times in (("text", TEXT_STAGES, MAX_TEXT_PARSES), ("everything", STAGES, MAX_ALL_PARSES)):
        taken = {stage: seconds.get(stage, 0) for stage in stages}
        total, bound = sum(taken.values()), times * bare + EXTRA_SECONDS
        if total > bound:
            dearest = max(taken, key=lambda stage: taken[stage])
            parts = ", ".join(f"{stage} {each * 1e3:.0f}" for stage, each in taken.items())
            detail = f"{total * 1e3:.0f} ms, {total / bound:.1f} × the bound, bare parse {bare * 1e3:.1f} ms: {parts}"
            yield Fault(f"{name} is slow, mostly {dearest}", detail, total / bound)


def count_length(page: str | bytes) -> int:
    """Return the length of a page in bytes."""
    return len(page) if isinstance(page, bytes) else len(page.encode("utf-8", "surrogatepass"))


def _find_features(run: Run, bare: float) -> Iterable[str]:
    """Return the pairs of nested tags in our HTML, the time of each stage in powers of two, and the error."""
    if run.refused is not None:
        yield type(run.refused).__name__
    for stage, taken in run.seconds.items():
        yield f"{stage} {int(2 * log2(1 + taken / (bare + 0.002)))}"
    if "html" in run.written:
        for element in turbohtml.parse(run.written["html"]).find_all():
            above = element.parent
            yield f"{getattr(above, 'tag', '')} {element.tag} {' '.join(sorted(element.attrs))}"
