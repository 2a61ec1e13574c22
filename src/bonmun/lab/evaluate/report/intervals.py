"""How sure a mean over pages is: bootstrap intervals, and the difference of two systems on the same pages.

As many pages as a set has are drawn from it, with replacement, again and again; the interval holds the middle 95 % of
their means (Efron, B. (1979), "Bootstrap Methods: Another Look at the Jackknife"). The draws are the same each time, so
that equal values give equal intervals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Values = Sequence[float] | NDArray[np.float64]

__all__ = ["Interval", "estimate_difference", "estimate_mean"]

ROUNDS = 2000  # of drawing pages
LEVEL = 0.95
DRAWS_IN_MEMORY = 2_000_000


class Interval(NamedTuple):
    """A mean, and the range where it would be on other pages of the same kind."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def estimate_mean(values: Values) -> Interval:
    """Average over pages, with the interval.

    >>> print(estimate_mean([1.0, 0.0, 1.0, 1.0]))
    0.750 [0.250, 1.000]
    """
    if not len(values):
        raise ValueError("there is no mean of no pages")
    figures = np.asarray(values, np.float64)
    chance = np.random.default_rng(0)
    size = max(1, DRAWS_IN_MEMORY // len(figures))
    means = [
        figures[chance.integers(0, len(figures), (min(size, ROUNDS - done), len(figures)))].mean(axis=1)
        for done in range(0, ROUNDS, size)
    ]
    low, high = np.quantile(np.concatenate(means), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(figures.mean()), float(low), float(high))


def estimate_difference(one: Values, other: Values) -> Interval:
    """Say how much better the first system is, page by page: surely better if all of the interval is above zero."""
    return estimate_mean([mine - theirs for mine, theirs in zip(one, other, strict=True)])
