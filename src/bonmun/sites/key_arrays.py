"""Arrays of counts by key: unique, ascending keys of texts or places, and the counts that belong to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    KeyArray = NDArray[np.uint64]
    CountArray = NDArray[np.int64]

__all__ = ["look_up", "merge_counts", "sum_by_number"]


def look_up(keys: KeyArray, among: KeyArray, values: CountArray) -> CountArray:
    """Return the value of each key, 0 for a missing key."""
    if not len(among):
        return np.zeros(len(keys), np.int64)
    places = np.minimum(np.searchsorted(among, keys), len(among) - 1)
    return np.where(among[places] == keys, values[places], 0)


def merge_counts(
    one: KeyArray, mine: Sequence[CountArray], other: KeyArray, theirs: Sequence[CountArray]
) -> tuple[KeyArray, list[CountArray]]:
    """Return the union of both key arrays, and the sum of each pair of columns."""
    keys, which = np.unique(np.concatenate([one, other]), return_inverse=True)
    sums = []
    for a, b in zip(mine, theirs, strict=True):
        total = np.zeros(len(keys), np.int64)
        np.add.at(total, which, np.concatenate([a, b]))
        sums.append(total)
    return keys, sums


def sum_by_number(numbers: NDArray[np.intp], values: CountArray, length: int) -> CountArray:
    """Sum the values by number; the result has one sum for each number below `length`."""
    return np.bincount(numbers, values, length).astype(np.int64)
