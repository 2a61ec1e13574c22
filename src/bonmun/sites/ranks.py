"""Frequencies of texts over all pages of a corpus, as paper 1 ranks them (see algorithms/frequency.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bonmun.sites.key_arrays import merge_counts

if TYPE_CHECKING:
    from bonmun.sites.key_arrays import CountArray, KeyArray

__all__ = ["MAX_KEPT_TEXTS", "Ranks", "make_ranks"]

MAX_KEPT_TEXTS = 1000  # most frequent texts over all sites that are stored, so that site models can be added


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The distinct frequencies of texts over all pages, and the texts with the highest frequencies."""

    frequencies: CountArray  # ascending, so rank 1 comes first
    texts: KeyArray  # ascending
    counts: CountArray

    @property
    def k(self) -> int:
        """The number of distinct frequencies."""
        return len(self.frequencies)

    @property
    def limit(self) -> int:
        """The frequency of rank k - 2, the highest that main text has; 0 if k is less than 3."""
        return int(self.frequencies[self.k - 3]) if self.k > 2 else 0

    def __add__(self, other: Ranks) -> Ranks:
        texts, (counts,) = merge_counts(self.texts, [self.counts], other.texts, [other.counts])
        lower = [each.frequencies[~np.isin(each.frequencies, each.counts)] for each in (self, other)]
        return make_ranks(np.unique(np.concatenate([*lower, counts])), texts, counts)


def make_ranks(frequencies: CountArray, texts: KeyArray, counts: CountArray) -> Ranks:
    """Make ranks that store only the texts that are needed to apply the limit and to add other ranks."""
    ranks = Ranks(frequencies, texts, counts)
    common = int(np.sort(counts)[-MAX_KEPT_TEXTS]) if len(counts) > MAX_KEPT_TEXTS else 0
    kept = counts >= max(1, min(common, ranks.limit + 1))
    return Ranks(frequencies, texts[kept], counts[kept])
