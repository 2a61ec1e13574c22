"""Metrics of texts: the measures of the papers and of current benchmarks, each with its definition and source.

A metric is a value object that has a name, compares two texts and returns a few named scores. Metrics that are ratios
also return their counts, so that they can be summed over pages (micro) as well as averaged (macro). Leaves and snippets
are compared in decisions.py; titles, authors and dates in lab/gold/metadata_metrics.py.

    >>> Words()("one two two", "Two, two: three")["f1"]
    0.6666666666666666
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Protocol

from bonmun.errors import MissingExtra
from bonmun.text.words import WORD, Overlap, compare_counts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

__all__ = [
    "METRICS",
    "Edit",
    "Lcs",
    "Metric",
    "Recognition",
    "Rouge",
    "Shingles",
    "TextBlocks",
    "Words",
    "load_rapidfuzz",
]


class Metric(Protocol):
    """Compares the text of a system with the gold."""

    @property
    def name(self) -> str:
        """Name of the metric, the first part of its score names."""

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts and return scores by name."""


def _name_scores(counts: Overlap) -> dict[str, float]:
    return {
        "precision": counts.precision,
        "recall": counts.recall,
        "f1": counts.f1,
        "f0.5": counts.f(0.5),
        "found": counts.found,
        "gold": counts.gold,
        "shared": counts.shared,
    }


@dataclass(frozen=True)
class Words:
    """Words as multisets, ignoring case and order; a character of Han, Kana, Hangul, Thai … is a word.

    P = shared / found, R = shared / gold, F1 their harmonic mean; two empty texts are equal. Paper 4 (extraction
    precision and recall); the same as WCXB's word F1 in scripts that separate words with spaces.
    """

    name: ClassVar[str] = "words"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        return _name_scores(compare_counts(_count_words(found), _count_words(gold)))


@dataclass(frozen=True)
class Shingles:
    """Runs of four tokens as multisets (scrapinghub/article-extraction-benchmark).

    A token is a run of letters, digits and underscores, case-sensitive. A text of fewer than four tokens is one
    shingle. TP = Σ min; FP and FN are the rest. The benchmark averages P over pages with an answer and R over pages
    with a gold text, and computes F1 from the two means.
    """

    n: int = 4
    name: ClassVar[str] = "shingles"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        return _name_scores(compare_counts(_count_shingles(found, self.n), _count_shingles(gold, self.n)))


@dataclass(frozen=True)
class Rouge:
    """ROUGE-N (runs of n words as multisets) or, with n = 0, ROUGE-L (longest common subsequence of words).

    Lin, C.-Y. (2004), "ROUGE: A Package for Automatic Evaluation of Summaries". Words are split as in `words`, so that
    it works in every script. On ASCII texts it agrees with the package rouge-score without stemming.
    """

    n: int = 0

    @property
    def name(self) -> str:
        """rouge-1, rouge-2, …, rouge-l."""
        return f"rouge-{self.n or 'l'}"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        if self.n == 1:
            return Words()(found, gold)
        if self.n:
            return _name_scores(compare_counts(_count_word_runs(found, self.n), _count_word_runs(gold, self.n)))
        ours, theirs = _split_words(found), _split_words(gold)
        return _name_scores(Overlap(len(ours), len(theirs), int(load_rapidfuzz().LCSseq.similarity(ours, theirs))))


@dataclass(frozen=True)
class Lcs:
    """The longest common subsequence of two texts, in characters, with whitespace collapsed (paper 2).

    P = LCS / found, R = LCS / gold; also F1, and F0.5, which weighs precision higher. Exact.
    """

    name: ClassVar[str] = "lcs"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        ours, theirs = " ".join(found.split()), " ".join(gold.split())
        lower_bound = max(len(ours), len(theirs)) - _measure_distance(ours, theirs)  # characters that no edit changes
        shared = load_rapidfuzz().LCSseq.similarity(ours, theirs, score_cutoff=lower_bound)
        return _name_scores(Overlap(len(ours), len(theirs), int(shared)))


@dataclass(frozen=True)
class TextBlocks:
    """Whole blocks of text as multisets: blocks of the answer that equal a block of the gold (paper 2).

    The paper's blocks are the leaf elements that contain only text. Golds and most systems give text, not elements, so
    here a block is a non-empty line with whitespace collapsed.
    """

    name: ClassVar[str] = "block-leaf"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        return _name_scores(compare_counts(_count_lines(found), _count_lines(gold)))


@dataclass(frozen=True)
class Recognition:
    """Whether the main text was found at all, and its precision if it was (paper 5).

    R = (N - r) / N, where r is the number of pages with no text or a completely different one. P = M / (M + G) over
    the other pages, where M are correct words and G are wrong words. Here, two texts are completely different if at
    most half of the words of each are in the other. The mean of `recognised` over pages is R; the mean of `precision`
    over pages that have one is P.
    """

    name: ClassVar[str] = "recognition"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        counts = compare_counts(_count_words(found), _count_words(gold))
        if not counts.found or not counts.gold:
            return {"recognised": float(counts.found == counts.gold)}
        if 2 * counts.shared <= min(counts.found, counts.gold):
            return {"recognised": 0.0}
        return {"recognised": 1.0, "precision": counts.precision}


@dataclass(frozen=True)
class Edit:
    """1 - edit distance / length of the longer text, in characters, with whitespace collapsed."""

    name: ClassVar[str] = "edit"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        ours, theirs = " ".join(found.split()), " ".join(gold.split())
        return {"similarity": 1 - _measure_distance(ours, theirs) / max(len(ours), len(theirs), 1)}


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (Words(), Shingles(), Rouge(1), Rouge(2), Rouge(), Lcs(), TextBlocks(), Recognition(), Edit())
}


# Several metrics compare the same two texts, and many answers are compared with one gold, so the last few results are
# cached.
@lru_cache(maxsize=3)
def _split_words(text: str) -> Sequence[str]:
    return WORD.findall(text.lower())


@lru_cache(maxsize=3)
def _count_words(text: str) -> Counter[str]:
    return Counter(_split_words(text))


@lru_cache(maxsize=3)
def _count_word_runs(text: str, n: int) -> Counter[tuple[str, ...]]:
    return _count_runs(_split_words(text), n)


@lru_cache(maxsize=3)
def _count_shingles(text: str, n: int) -> Counter[tuple[str, ...]]:
    return _count_runs(re.findall(r"\w+", text), n, whole=True)


@lru_cache(maxsize=3)
def _count_lines(text: str) -> Counter[str]:
    return Counter(filter(None, (" ".join(line.split()) for line in re.split(r"[\n\r\u2028\u2029]", text))))


def _count_runs(words: Sequence[str], n: int, *, whole: bool = False) -> Counter[tuple[str, ...]]:
    """Count all runs of n words. Fewer than n words are one run if `whole` is set, else none."""
    if whole and 0 < len(words) < n:
        return Counter([tuple(words)])
    return Counter(zip(*(words[i:] for i in range(n)), strict=False))


@lru_cache(maxsize=1)
def _measure_distance(one: str, other: str) -> int:
    expected = max(64, abs(len(one) - len(other)) * 5 // 4)  # a close estimate halves the time
    return int(load_rapidfuzz().Levenshtein.distance(one, other, score_hint=expected))


def load_rapidfuzz() -> ModuleType:
    """Load the distance functions of rapidfuzz: longest common subsequences and edit distances of long texts."""
    try:
        from rapidfuzz import distance
    except ImportError:
        raise MissingExtra("Comparing texts needs rapidfuzz: pip install 'bonmun[bench]'.") from None
    return distance
