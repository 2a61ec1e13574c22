"""Compare texts by their words, as in paper 4 and in today's benchmarks.

A word is a run of letters and digits. In scripts without spaces (Han, Kana, Thai, Lao, Khmer, Burmese; see scripts.py),
and in Hangul, where endings are attached to words, each character is a word. Texts are compared as multisets: order
does not matter, but counts do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeVar

from bonmun.text.patterns import compile_later
from bonmun.text.scripts import COUNTED_SINGLY, HANGUL

__all__ = ["WORD", "Overlap", "compare_counts", "count_words", "is_same_title"]

Item = TypeVar("Item", bound=Hashable)

SINGLE = COUNTED_SINGLY + HANGUL
WORD = compile_later(rf"[{SINGLE}]|[^\W_{SINGLE}]+")


def count_words(text: str) -> Counter[str]:
    """Count the words of a text, ignoring case."""
    return Counter(WORD.findall(text.lower()))


@dataclass(frozen=True, slots=True)
class Overlap:
    """The number of words of a text, of the gold, and in both; sums of overlaps give micro-averages.

    >>> compare_counts(count_words("one two two"), count_words("Two, two: three"))
    Overlap(found=3, gold=3, shared=2)
    """

    found: int
    gold: int
    shared: int

    def __add__(self, other: Overlap) -> Overlap:
        return Overlap(self.found + other.found, self.gold + other.gold, self.shared + other.shared)

    @property
    def precision(self) -> float:
        """Share of the text's words that are in the gold; 1 if both are empty."""
        return self.shared / self.found if self.found else float(not self.gold)

    @property
    def recall(self) -> float:
        """Share of the gold's words that are in the text; 1 if both are empty."""
        return self.shared / self.gold if self.gold else float(not self.found)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.f(1)

    def f(self, beta: float) -> float:
        """F-beta score: recall counts beta times as much as precision."""
        total = self.found + beta**2 * self.gold
        return (1 + beta**2) * self.shared / total if total else 1.0


def compare_counts(found: Counter[Item], gold: Counter[Item]) -> Overlap:
    """Compare the words, or other items, of a text with those of the gold, as multisets."""
    return Overlap(found.total(), gold.total(), (found & gold).total())


def is_same_title(one: str | None, other: str | None) -> bool:
    """Return whether two titles are the same, ignoring case, whitespace and punctuation."""
    return bool(one and other) and WORD.findall((one or "").lower()) == WORD.findall((other or "").lower())
