"""The first paper's counts over all pages of a corpus (see algorithms/frequency.py): how frequent its texts are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bonmun.sites.key_arrays import merge_counts

if TYPE_CHECKING:
    from bonmun.sites.key_arrays import CountArray, KeyArray

__all__ = ["KEPT_TEXTS", "Ranks", "keep_highest"]

KEPT_TEXTS = 1000  # texts over all sites, the most frequent ones, that are kept for site models to be added


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The different frequencies of texts over all pages, and the texts with the keep_highest ones."""

    frequencies: CountArray  # ascending: that of rank 1 first
    texts: KeyArray  # ascending
    counts: CountArray

    @property
    def k(self) -> int:
        """How many different frequencies there are."""
        return len(self.frequencies)

    @property
    def limit(self) -> int:
        """The frequency of rank k - 2, the keep_highest that main text has; 0 where k is under 3."""
        return int(self.frequencies[self.k - 3]) if self.k > 2 else 0

    def __add__(self, other: Ranks) -> Ranks:
        texts, (counts,) = merge_counts(self.texts, [self.counts], other.texts, [other.counts])
        lower = [each.frequencies[~np.isin(each.frequencies, each.counts)] for each in (self, other)]
        return keep_highest(np.unique(np.concatenate([*lower, counts])), texts, counts)


def keep_highest(frequencies: CountArray, texts: KeyArray, counts: CountArray) -> Ranks:
    """Make ranks that keep no more texts than it takes."""
    ranks = Ranks(frequencies, texts, counts)
    common = int(np.sort(counts)[-KEPT_TEXTS]) if len(counts) > KEPT_TEXTS else 0
    kept = counts >= max(1, min(common, ranks.limit + 1))
    return Ranks(frequencies, texts[kept], counts[kept])
