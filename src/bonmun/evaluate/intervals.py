"""How sure a mean over pages is: bootstrap intervals, and the difference of two systems on the same pages.

Pages are drawn again and again, with replacement, as many as there are; the middle 95 % of the means is the interval
(Efron, B. (1979), "Bootstrap Methods: Another Look at the Jackknife"). The draws are the same each time: equal values
give equal intervals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Values = Sequence[float] | NDArray[np.float64]

__all__ = ["Interval", "difference", "mean"]

ROUNDS = 2000
LEVEL = 0.95
AT_ONCE = 2_000_000  # draws that are held in memory


class Interval(NamedTuple):
    """A mean, and where it would be on other pages of the kind."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def mean(values: Values) -> Interval:
    """The mean over pages with its interval.

    >>> print(mean([1.0, 0.0, 1.0, 1.0]))
    0.750 [0.250, 1.000]
    """
    if not len(values):
        raise ValueError("there is no mean of no pages")
    figures = np.asarray(values, np.float64)
    chance = np.random.default_rng(0)
    size = max(1, AT_ONCE // len(figures))
    means = [
        figures[chance.integers(0, len(figures), (min(size, ROUNDS - done), len(figures)))].mean(axis=1)
        for done in range(0, ROUNDS, size)
    ]
    low, high = np.quantile(np.concatenate(means), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(figures.mean()), float(low), float(high))


def difference(one: Values, other: Values) -> Interval:
    """How much better the first system is, page by page: better for sure if the interval is above zero."""
    return mean([mine - theirs for mine, theirs in zip(one, other, strict=True)])
