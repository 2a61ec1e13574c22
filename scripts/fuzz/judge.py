"""One page judged: what is wrong with it, what is new about it, and what took how long."""

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

__all__ = ["ALL_TIMES", "CHECK", "EXTRA_SECONDS", "TEXT_TIMES", "Verdict", "count_length", "find_slow", "judge_page"]

TEXT_TIMES = 20  # bare parses that the main text may take
ALL_TIMES = 40  # bare parses that all formats and facts may take
EXTRA_SECONDS = 0.02  # which either may take besides
TRIES = 3  # a slow page is measured so often, and its best time counts
CHECK = len(STAGES)  # the stage after the last: what was written is checked


@dataclass
class Verdict:
    """What came of a page."""

    faults: list[Fault] = field(default_factory=list)
    features: frozenset[str] = frozenset()  # what it made bonmun do, roughly
    seconds: dict[str, float] = field(default_factory=dict)  # by stage
    bare: float = 0.0
    refused: str = ""  # the error, if it is no page

    @property
    def over(self) -> float:
        """How many times the bound on all formats it took."""
        return sum(self.seconds.values()) / (ALL_TIMES * self.bare + EXTRA_SECONDS)


def judge_page(page: str | bytes, method: str = "auto", enter: Callable[[int], None] = lambda _: None) -> Verdict:
    """Run a page through all stages and check all that must hold."""
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
    """The best times of several, of every stage and of the bare parse."""
    for _ in range(TRIES):
        again = run_stages(page, method, enter).seconds
        seconds = {stage: min(taken, again.get(stage, taken)) for stage, taken in seconds.items()}
        bare = min(bare, measure(lambda: parse_bare(page))[0])
        if not list(find_slow(seconds, bare)):
            break
    return seconds, bare


def find_slow(seconds: dict[str, float], bare: float) -> Iterable[Fault]:
    """Whether the text, or everything, took longer than it may, and the stage that took longest."""
    for name, stages, times in (("text", TEXT_STAGES, TEXT_TIMES), ("everything", STAGES, ALL_TIMES)):
        taken = {stage: seconds.get(stage, 0) for stage in stages}
        total, bound = sum(taken.values()), times * bare + EXTRA_SECONDS
        if total > bound:
            dearest = max(taken, key=lambda stage: taken[stage])
            parts = ", ".join(f"{stage} {each * 1e3:.0f}" for stage, each in taken.items())
            detail = f"{total * 1e3:.0f} ms, {total / bound:.1f} × the bound, bare parse {bare * 1e3:.1f} ms: {parts}"
            yield Fault(f"{name} is slow, mostly {dearest}", detail, total / bound)


def count_length(page: str | bytes) -> int:
    """The bytes of a page."""
    return len(page) if isinstance(page, bytes) else len(page.encode("utf-8", "surrogatepass"))


def _find_features(run: Run, bare: float) -> Iterable[str]:
    """What is in what, in our HTML; how many bare parses each stage took, doubling by doubling; the error."""
    if run.refused is not None:
        yield type(run.refused).__name__
    for stage, taken in run.seconds.items():
        yield f"{stage} {int(2 * log2(1 + taken / (bare + 0.002)))}"
    if "html" in run.written:
        for element in turbohtml.parse(run.written["html"]).find_all():
            above = element.parent
            yield f"{getattr(above, 'tag', '')} {element.tag} {' '.join(sorted(element.attrs))}"
