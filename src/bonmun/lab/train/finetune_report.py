"""What came of teaching: each page before and after, whether the model is kept, and why."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bonmun.lab.evaluate.report.intervals import estimate_mean

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["FinetuneDecision", "FinetuneReport", "PageScores", "Split", "choose_parts", "judge_pages"]

PARTS = 5  # the pages are divided into so many; each is asked about by a model that has not seen it
LEAST_SITES = 5  # where there are fewer sites, other pages of the same sites are asked about
LEAST_GAIN = 0.001  # in word F1: less is not worth a model of one's own
Split = Literal["site", "page"]


class PageScores(NamedTuple):
    """A labelled page: its word F1 by the model that was started from, and by one that learnt from other pages."""

    id: str
    site: str
    before: float
    after: float


class FinetuneDecision(NamedTuple):
    """Whether what was learnt is better, and the sentence that says why."""

    is_better: bool
    why: str


@dataclass(frozen=True, slots=True)
class FinetuneReport:
    """What came of teaching a model."""

    pages: tuple[PageScores, ...]
    split: Split  # what was kept apart in measuring: whole sites, or pages alone
    before: float  # word F1, the mean over pages
    after: float
    is_better: bool
    why: str  # in a sentence
    output: Path | None  # the model file; None if it was not kept
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values, for JSON."""
        return {
            "pages": [page._asdict() for page in self.pages],
            "split": self.split,
            "before": self.before,
            "after": self.after,
            "is_better": self.is_better,
            "why": self.why,
            "output": str(self.output) if self.output else None,
            "seconds": round(self.seconds, 1),
        }


def choose_parts(sites: Sequence[str]) -> tuple[list[int], Split]:
    """The part that each page belongs to, and whether whole sites are kept together.

    The largest sites are placed first, each where there are fewest pages yet; pages of few sites are dealt out in turn.
    """
    rows: dict[str, list[int]] = defaultdict(list)
    for row, site in enumerate(sites):
        rows[site].append(row)
    parts = [0] * len(sites)
    if len(rows) < LEAST_SITES:
        for turn, row in enumerate(row for some in rows.values() for row in some):
            parts[row] = turn % PARTS
        return parts, "page"
    sizes = [0] * PARTS
    for some in sorted(rows.values(), key=len, reverse=True):
        part = sizes.index(min(sizes))
        sizes[part] += len(some)
        for row in some:
            parts[row] = part
    return parts, "site"


def judge_pages(pages: Sequence[PageScores], split: Split) -> FinetuneDecision:
    """Say whether pages that a model has not seen are better than before, by more than chance.

    Pages of one site go up and down together, so where sites were kept apart, sites are what is counted.
    """
    gains: dict[str, list[float]] = defaultdict(list)
    for number, page in enumerate(pages):
        gains[page.site if split == "site" else str(number)].append(page.after - page.before)
    gain = estimate_mean([mean(some) for some in gains.values()])
    what = "sites" if split == "site" else "pages"
    span = f"95 % interval over {len(gains)} {what}: {gain.low:+.3f} to {gain.high:+.3f}"
    if gain.mean < LEAST_GAIN:
        is_worse = gain.mean <= -LEAST_GAIN
        says = "worse than before" if is_worse else "as good as before"
        return FinetuneDecision(
            False, f"It is not kept: {what} that it had not seen are {says} ({gain.mean:+.3f}; {span})."
        )
    if gain.low <= 0:
        return FinetuneDecision(
            False, f"It is not kept: a gain of {gain.mean:+.3f} may be chance ({span}); label more pages and try again."
        )
    return FinetuneDecision(True, f"It is kept: {what} that it had not seen are better by {gain.mean:.3f} ({span}).")
