"""How alike two texts are, counted in words, as in paper 4 and today's benchmarks.

A word is a run of letters and digits. In scripts that are written without blanks (Han, Kana, Thai, Lao, Khmer, Burmese;
see scripts.py), and in Hangul, where endings stick to words, each character is a word. Their order does not matter, how
often each occurs does.
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
    """Count the words of a text, without regard to case."""
    return Counter(WORD.findall(text.lower()))


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many words a text has, how many the gold has, and how many they share; sums of these give micro-averages.

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
        """The share of the text's words that are in the gold; 1 for an empty text and an empty gold."""
        return self.shared / self.found if self.found else float(not self.gold)

    @property
    def recall(self) -> float:
        """The share of the gold's words that are in the text; 1 for an empty text and an empty gold."""
        return self.shared / self.gold if self.gold else float(not self.found)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.f(1)

    def f(self, beta: float) -> float:
        """F-beta: recall counts beta times as much as precision."""
        total = self.found + beta**2 * self.gold
        return (1 + beta**2) * self.shared / total if total else 1.0


def compare_counts(found: Counter[Item], gold: Counter[Item]) -> Overlap:
    """Compare the words, or other items, of a text with those of the gold, as multisets."""
    return Overlap(found.total(), gold.total(), (found & gold).total())


def is_same_title(one: str | None, other: str | None) -> bool:
    """Whether two titles are the same, without regard to case, blanks and punctuation."""
    return bool(one and other) and WORD.findall((one or "").lower()) == WORD.findall((other or "").lower())
