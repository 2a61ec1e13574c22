"""Averages of scores over pages, with confidence intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bonmun.lab.evaluate.report.intervals import Interval, estimate_difference, estimate_mean
from bonmun.text.words import Overlap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bonmun.lab.evaluate.results import BenchResults

__all__ = [
    "average_ms",
    "average_pages",
    "average_pooled",
    "compare_systems",
    "estimate_average",
    "sum_counts",
    "sum_score",
]


def average_pages(results: BenchResults, score: str, system: str, pages: Sequence[int]) -> float | None:
    """Average a score over the pages that have it (macro-average); None if none has it."""
    values = _drop_missing(results.values(score, system, pages))
    return float(values.mean()) if len(values) else None


def estimate_average(results: BenchResults, score: str, system: str, pages: Sequence[int]) -> Interval | None:
    """Return the same average with its confidence interval."""
    values = _drop_missing(results.values(score, system, pages))
    return estimate_mean(values) if len(values) else None


def compare_systems(results: BenchResults, score: str, one: str, other: str, pages: Sequence[int]) -> Interval | None:
    """Estimate the lead of the first system over the second, on the pages where both have the score."""
    ours, theirs = (results.values(score, system, pages) for system in (one, other))
    both = ~np.isnan(ours) & ~np.isnan(theirs)
    return estimate_difference(ours[both], theirs[both]) if both.any() else None


def sum_counts(results: BenchResults, metric: str, system: str, pages: Sequence[int]) -> Overlap | None:
    """Sum the counts of a metric over pages, for micro-averages: long pages weigh more."""
    columns = [_drop_missing(results.values(f"{metric}.{name}", system, pages)) for name in ("found", "gold", "shared")]
    return Overlap(*(int(column.sum()) for column in columns)) if len(columns[0]) else None


def sum_score(results: BenchResults, score: str, system: str, pages: Sequence[int]) -> int:
    """Sum a score that is a count over pages."""
    return int(_drop_missing(results.values(score, system, pages)).sum())


def average_pooled(
    results: BenchResults, metric: str, system: str, pages: Sequence[int]
) -> tuple[float, float, float] | None:
    """Average P, R and F1 as the scrapinghub benchmark does.

    P is the mean over pages with an answer, R the mean over pages with a gold text; F1 is computed from the two means.
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


def average_ms(results: BenchResults, system: str) -> float | None:
    """Average the milliseconds per page of a system over the timed pages."""
    times = results.times[system]
    return sum(times.values()) / len(times) if times else None


def _drop_missing(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values[~np.isnan(values)]
