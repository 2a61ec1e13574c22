"""Results in, averages out: how good a system is on some pages, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bonmun.evaluate.intervals import Interval, difference, mean
from bonmun.text.words import Overlap

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bonmun.evaluate.results import Results

__all__ = ["better", "macro", "micro", "pooled", "speed", "surely"]


def macro(results: Results, figure: str, system: str, pages: Sequence[int]) -> float | None:
    """The mean over the pages that have the figure; None where none has."""
    values = _there(results.values(figure, system, pages))
    return float(values.mean()) if len(values) else None


def surely(results: Results, figure: str, system: str, pages: Sequence[int]) -> Interval | None:
    """The same with its interval."""
    values = _there(results.values(figure, system, pages))
    return mean(values) if len(values) else None


def better(results: Results, figure: str, one: str, other: str, pages: Sequence[int]) -> Interval | None:
    """How much better the first system is than the second, over the pages that both have the figure on."""
    ours, theirs = (results.values(figure, system, pages) for system in (one, other))
    both = ~np.isnan(ours) & ~np.isnan(theirs)
    return difference(ours[both], theirs[both]) if both.any() else None


def micro(results: Results, metric: str, system: str, pages: Sequence[int]) -> Overlap | None:
    """The counts of a metric added up over pages: long pages count for more."""
    columns = [_there(results.values(f"{metric}.{name}", system, pages)) for name in ("found", "gold", "shared")]
    return Overlap(*(int(column.sum()) for column in columns)) if len(columns[0]) else None


def pooled(results: Results, metric: str, system: str, pages: Sequence[int]) -> tuple[float, float, float] | None:
    """P, R and F1 as the scrapinghub benchmark averages them.

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


def speed(results: Results, system: str) -> float | None:
    """Milliseconds a page, on average over the pages that were timed."""
    times = results.times[system]
    return sum(times.values()) / len(times) if times else None


def _there(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values[~np.isnan(values)]
