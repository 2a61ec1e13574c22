"""Report on fine-tuning: scores before and after, whether the model is saved, and why."""

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

PARTS = 5  # cross-validation parts; each is measured by a model that has not seen it
MIN_SITES = 5  # with fewer sites, pages are split instead of sites
MIN_GAIN = 0.001  # in word F1; a smaller gain is not worth a separate model
Split = Literal["site", "page"]


class PageScores(NamedTuple):
    """Word F1 of a labelled page: by the original model, and by one that was trained without the page."""

    id: str
    site: str
    before: float
    after: float


class FinetuneDecision(NamedTuple):
    """Whether to save the fine-tuned model, and why."""

    is_better: bool
    why: str


@dataclass(frozen=True, slots=True)
class FinetuneReport:
    """Result of fine-tuning a model."""

    pages: tuple[PageScores, ...]
    split: Split  # what the parts were split by
    before: float  # mean word F1 over the pages
    after: float
    is_better: bool
    why: str  # one sentence
    output: Path | None  # model file; None if it was not saved
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values for JSON."""
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
    """Return the part of each page, and whether the split is by site or by page.

    Sites are placed by size, largest first, into the smallest part so far. Pages of few sites are dealt out in turn.
    """
    rows: dict[str, list[int]] = defaultdict(list)
    for row, site in enumerate(sites):
        rows[site].append(row)
    parts = [0] * len(sites)
    if len(rows) < MIN_SITES:
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
    """Decide whether unseen pages improved by more than chance.

    Pages of one site vary together, so with a split by site, sites are counted instead of pages.
    """
    gains: dict[str, list[float]] = defaultdict(list)
    for number, page in enumerate(pages):
        gains[page.site if split == "site" else str(number)].append(page.after - page.before)
    gain = estimate_mean([mean(some) for some in gains.values()])
    what = "sites" if split == "site" else "pages"
    span = f"95% interval over {len(gains)} {what}: {gain.low:+.3f} to {gain.high:+.3f}"
    if gain.mean < MIN_GAIN:
        is_worse = gain.mean <= -MIN_GAIN
        change = "worse" if is_worse else "no better"
        return FinetuneDecision(
            False, f"The model was not saved: unseen {what} are {change} than before ({gain.mean:+.3f}; {span})."
        )
    if gain.low <= 0:
        why = f"a gain of {gain.mean:+.3f} may be chance ({span}); label more pages and try again."
        return FinetuneDecision(False, f"The model was not saved: {why}")
    return FinetuneDecision(True, f"The model was saved: unseen {what} improved by {gain.mean:.3f} ({span}).")
