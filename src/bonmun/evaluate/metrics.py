"""How good an answer is: every measure of the papers and of today's benchmarks, each with its definition and source.

A metric is a value object: it has a name, compares two texts, and gives a few named figures; those that are shares of
something also give the counts, so that they can be added up over pages (micro) as well as averaged (macro).

    >>> Words()("one two two", "Two, two: three")["f1"]
    0.6666666666666666
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from bonmun.errors import MissingExtra
from bonmun.words import WORD, Overlap, count_words, overlap

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence
    from types import ModuleType

__all__ = [
    "METRICS",
    "Blocks",
    "Confusion",
    "Edit",
    "Lcs",
    "Metric",
    "Recognition",
    "Rouge",
    "Shingles",
    "TextBlocks",
    "Words",
    "snippets",
]


class Metric(Protocol):
    """Compares the text of a system with the gold."""

    @property
    def name(self) -> str:
        """As it is called in tables."""

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Figures by name."""


def _figures(counts: Overlap) -> dict[str, float]:
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
    """Words as multisets, without regard to case and order; a character of Han, Kana, Hangul, Thai … is a word.

    P = shared / found, R = shared / gold, F1 their harmonic mean; two empty texts agree. Paper 4 (extraction precision
    and recall); the same as WCXB's word F1 on texts in scripts with blanks.
    """

    name: ClassVar[str] = "words"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        return _figures(overlap(count_words(found), count_words(gold)))


@dataclass(frozen=True)
class Shingles:
    """Runs of four tokens as multisets (scrapinghub/article-extraction-benchmark).

    A token is a run of letters, digits and underscores, case kept; a text of fewer than four tokens is one shingle.
    TP = Σ min, FP and FN the rest. The benchmark averages P over pages with an answer and R over pages with a gold
    text, and takes F1 of the two means.
    """

    n: int = 4
    name: ClassVar[str] = "shingles"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        return _figures(overlap(self._shingles(found), self._shingles(gold)))

    def _shingles(self, text: str) -> Counter[tuple[str, ...]]:
        return _runs(re.findall(r"\w+", text), self.n, whole=True)


@dataclass(frozen=True)
class Rouge:
    """ROUGE-N (runs of n words as multisets) or, with n = 0, ROUGE-L (longest common subsequence of words).

    Lin, C.-Y. (2004), "ROUGE: A Package for Automatic Evaluation of Summaries". Words as in `words`, so that it works
    in every script; on ASCII texts it agrees with the package rouge-score without stemming.
    """

    n: int = 0

    @property
    def name(self) -> str:
        """rouge-1, rouge-2, …, rouge-l."""
        return f"rouge-{self.n or 'l'}"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        ours, theirs = WORD.findall(found.lower()), WORD.findall(gold.lower())
        if self.n:
            return _figures(overlap(_runs(ours, self.n), _runs(theirs, self.n)))
        return _figures(Overlap(len(ours), len(theirs), _longest(ours, theirs)))


@dataclass(frozen=True)
class Lcs:
    """The longest common subsequence of the two texts, in characters, white space folded (paper 2).

    P = LCS / found, R = LCS / gold; with F1 and F0.5, which asks more for precision. Exact.
    """

    name: ClassVar[str] = "lcs"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        ours, theirs = " ".join(found.split()), " ".join(gold.split())
        return _figures(Overlap(len(ours), len(theirs), _longest(ours, theirs)))


@dataclass(frozen=True)
class TextBlocks:
    """Whole blocks of text, as multisets: those of the answer that are, word for word, blocks of the gold (paper 2).

    The paper's blocks are the leaf elements that hold nothing but text. Golds and most systems give text, not elements:
    here a block is a line that is not empty, white space folded.
    """

    name: ClassVar[str] = "block-leaf"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        return _figures(overlap(self._lines(found), self._lines(gold)))

    def _lines(self, text: str) -> Counter[str]:
        return Counter(filter(None, (" ".join(line.split()) for line in re.split(r"[\n\r\u2028\u2029]", text))))


@dataclass(frozen=True)
class Recognition:
    """Whether the main text was found at all, and how clean it is where it was (paper 5).

    R = (N - r) / N, r: pages with no text or a wholly different one; P = M / (M + G) over the others, M the words that
    are right, G those that are not. "Wholly different" is decided so: of neither text do more than half of the words
    stand in the other. The mean of `recognised` over pages is R, the mean of `precision` where there is one is P.
    """

    name: ClassVar[str] = "recognition"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        counts = overlap(count_words(found), count_words(gold))
        if not counts.found or not counts.gold:
            return {"recognised": float(counts.found == counts.gold)}
        if 2 * counts.shared <= min(counts.found, counts.gold):
            return {"recognised": 0.0}
        return {"recognised": 1.0, "precision": counts.precision}


@dataclass(frozen=True)
class Edit:
    """1 - edit distance / length of the longer text, in characters, white space folded."""

    name: ClassVar[str] = "edit"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        ours, theirs = " ".join(found.split()), " ".join(gold.split())
        return {"similarity": _rapidfuzz().Levenshtein.normalized_similarity(ours, theirs)}


@dataclass(frozen=True, slots=True)
class Confusion:
    """Decisions that were right and wrong: the `blocks` measure of paper 1, over leaves, and that of snippets.

    >>> round(Confusion(46614, 1352, 95, 36000).f1, 3)  # paper 1, Table 4
    0.985
    """

    tp: int
    fp: int
    fn: int
    tn: int

    def __add__(self, other: Confusion) -> Confusion:
        return Confusion(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn)

    @property
    def counts(self) -> Overlap:
        """What is kept, what should be, and what is both."""
        return Overlap(self.tp + self.fp, self.tp + self.fn, self.tp)

    @property
    def precision(self) -> float:
        """TP / (TP + FP)."""
        return self.counts.precision

    @property
    def recall(self) -> float:
        """TP / (TP + FN)."""
        return self.counts.recall

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return self.counts.f1

    @property
    def accuracy(self) -> float:
        """The share of decisions that are right."""
        total = self.tp + self.fp + self.fn + self.tn
        return (self.tp + self.tn) / total if total else 1.0


class Blocks:
    """The confusion matrix over leaves or blocks of a page: kept or not, in the gold or not (paper 1, eq. 1-3)."""

    name: ClassVar[str] = "blocks"

    def __call__(self, kept: Sequence[bool], gold: Sequence[bool]) -> Confusion:
        """Count the four kinds of decisions."""
        pairs = Counter(zip(map(bool, kept), map(bool, gold), strict=True))
        return Confusion(pairs[True, True], pairs[True, False], pairs[False, True], pairs[False, False])


def snippets(found: str, wanted: Sequence[str], unwanted: Sequence[str]) -> Confusion:
    """Strings that must be in the text and strings that must not (trafilatura's evaluation): white space folded."""
    text = " ".join(found.split())
    there = [" ".join(snippet.split()) in text for snippet in (*wanted, *unwanted)]
    right, wrong = there[: len(wanted)], there[len(wanted) :]
    return Confusion(sum(right), sum(wrong), len(right) - sum(right), len(wrong) - sum(wrong))


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (Words(), Shingles(), Rouge(1), Rouge(2), Rouge(), Lcs(), TextBlocks(), Recognition(), Edit())
}


def _runs(words: Sequence[str], n: int, *, whole: bool = False) -> Counter[tuple[str, ...]]:
    """All runs of n words; of fewer words, all together if asked for."""
    if whole and 0 < len(words) < n:
        return Counter([tuple(words)])
    return Counter(zip(*(words[i:] for i in range(n)), strict=False))


def _longest(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    return int(_rapidfuzz().LCSseq.similarity(one, other))


def _rapidfuzz() -> ModuleType:
    try:
        from rapidfuzz import distance
    except ImportError:
        raise MissingExtra("Subsequences and edits are found by rapidfuzz: pip install 'bonmun[bench]'.") from None
    return distance
