"""Bootstrap confidence intervals of a mean over pages, and of the difference of two systems on the same pages.

Samples of the size of the set are drawn from it repeatedly, with replacement. The interval contains the middle 95 % of
their means (Efron, B. (1979), "Bootstrap Methods: Another Look at the Jackknife"). The random seed is fixed, so equal
values give equal intervals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Values = Sequence[float] | NDArray[np.float64]

__all__ = ["Interval", "estimate_difference", "estimate_mean"]

SAMPLES = 2000
LEVEL = 0.95
MAX_DRAWS_IN_MEMORY = 2_000_000


class Interval(NamedTuple):
    """A mean and its confidence interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def estimate_mean(values: Values) -> Interval:
    """Return the mean of some values with its interval.

    >>> print(estimate_mean([1.0, 0.0, 1.0, 1.0]))
    0.750 [0.250, 1.000]
    """
    if not len(values):
        raise ValueError("cannot average zero values")
    scores = np.asarray(values, np.float64)
    rng = np.random.default_rng(0)
    size = max(1, MAX_DRAWS_IN_MEMORY // len(scores))
    means = [
        scores[rng.integers(0, len(scores), (min(size, SAMPLES - done), len(scores)))].mean(axis=1)
        for done in range(0, SAMPLES, size)
    ]
    low, high = np.quantile(np.concatenate(means), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(scores.mean()), float(low), float(high))


def estimate_difference(one: Values, other: Values) -> Interval:
    """Return the mean lead of the first system per page; it is significant if the interval is above zero."""
    return estimate_mean([mine - theirs for mine, theirs in zip(one, other, strict=True)])
