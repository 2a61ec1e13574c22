"""Results in, averages out: how good a system is on some pages, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bonmun.lab.evaluate.report.intervals import Interval, estimate_difference, estimate_mean
from bonmun.text.words import Overlap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bonmun.lab.evaluate.results import Results

__all__ = [
    "add_counts",
    "add_figure",
    "average_ms",
    "average_pages",
    "average_pooled",
    "compare_systems",
    "estimate_average",
]


def average_pages(results: Results, figure: str, system: str, pages: Sequence[int]) -> float | None:
    """Average a figure over the pages that have it (the macro-average); None where none has."""
    values = _drop_missing(results.values(figure, system, pages))
    return float(values.mean()) if len(values) else None


def estimate_average(results: Results, figure: str, system: str, pages: Sequence[int]) -> Interval | None:
    """Average in the same way, and say how sure that is."""
    values = _drop_missing(results.values(figure, system, pages))
    return estimate_mean(values) if len(values) else None


def compare_systems(results: Results, figure: str, one: str, other: str, pages: Sequence[int]) -> Interval | None:
    """Say how much better the first system is than the second, over the pages on which both have the figure."""
    ours, theirs = (results.values(figure, system, pages) for system in (one, other))
    both = ~np.isnan(ours) & ~np.isnan(theirs)
    return estimate_difference(ours[both], theirs[both]) if both.any() else None


def add_counts(results: Results, metric: str, system: str, pages: Sequence[int]) -> Overlap | None:
    """Add up the counts of a metric over pages (for micro-averages): long pages count for more."""
    columns = [_drop_missing(results.values(f"{metric}.{name}", system, pages)) for name in ("found", "gold", "shared")]
    return Overlap(*(int(column.sum()) for column in columns)) if len(columns[0]) else None


def add_figure(results: Results, figure: str, system: str, pages: Sequence[int]) -> int:
    """Add up a figure that counts something."""
    return int(_drop_missing(results.values(figure, system, pages)).sum())


def average_pooled(
    results: Results, metric: str, system: str, pages: Sequence[int]
) -> tuple[float, float, float] | None:
    """Average P, R and F1 as the scrapinghub benchmark does.

    P is the mean over pages with an answer, R over pages with a gold text, F1 that of the two means.
    """
    found, gold, precision, recall = (
        results.values(f"{metric}.{name}", system, pages) for name in ("found", "gold", "precision", "recall")
    )
    if np.isnan(found).all():
        return None
    answered, golden = found > 0, gold > 0
    p = float(precision[answered].mean()) if answered.any() else 0.0
    r = float(recall[golden].mean()) if golden.any() else 0.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def average_ms(results: Results, system: str) -> float | None:
    """Average the milliseconds that a system takes for a page, over the pages that were timed."""
    times = results.times[system]
    return sum(times.values()) / len(times) if times else None


def _drop_missing(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values[~np.isnan(values)]
