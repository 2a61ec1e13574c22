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
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Protocol

from bonmun.errors import MissingExtra
from bonmun.text.words import WORD, Overlap, count_words, overlap, same_title

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

__all__ = [
    "METRICS",
    "Author",
    "Blocks",
    "Confusion",
    "Date",
    "Edit",
    "Lcs",
    "Metric",
    "Recognition",
    "Rouge",
    "Shingles",
    "TextBlocks",
    "Title",
    "Words",
    "day",
    "rapidfuzz",
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
        return _figures(overlap(_counted(found), _counted(gold)))


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
        return _figures(overlap(_shingles(found, self.n), _shingles(gold, self.n)))


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
        if self.n == 1:
            return Words()(found, gold)
        if self.n:
            return _figures(overlap(_word_runs(found, self.n), _word_runs(gold, self.n)))
        ours, theirs = _words(found), _words(gold)
        return _figures(Overlap(len(ours), len(theirs), int(rapidfuzz().LCSseq.similarity(ours, theirs))))


@dataclass(frozen=True)
class Lcs:
    """The longest common subsequence of the two texts, in characters, white space folded (paper 2).

    P = LCS / found, R = LCS / gold; with F1 and F0.5, which asks more for precision. Exact.
    """

    name: ClassVar[str] = "lcs"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        ours, theirs = " ".join(found.split()), " ".join(gold.split())
        least = max(len(ours), len(theirs)) - _distance(ours, theirs)  # what is left as it is by the fewest edits
        shared = rapidfuzz().LCSseq.similarity(ours, theirs, score_cutoff=least)
        return _figures(Overlap(len(ours), len(theirs), int(shared)))


@dataclass(frozen=True)
class TextBlocks:
    """Whole blocks of text, as multisets: those of the answer that are, word for word, blocks of the gold (paper 2).

    The paper's blocks are the leaf elements that hold nothing but text. Golds and most systems give text, not elements:
    here a block is a line that is not empty, white space folded.
    """

    name: ClassVar[str] = "block-leaf"

    def __call__(self, found: str, gold: str) -> Mapping[str, float]:
        """Compare two texts."""
        return _figures(overlap(_lines(found), _lines(gold)))


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
        counts = overlap(_counted(found), _counted(gold))
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
        return {"similarity": 1 - _distance(ours, theirs) / max(len(ours), len(theirs), 1)}


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


@dataclass(frozen=True)
class Title:
    """Whether the title is right, without regard to case, blanks and punctuation; and the F1 of its words."""

    name: ClassVar[str] = "title"

    def __call__(self, found: str | None, gold: str) -> Mapping[str, float]:
        """Compare two titles."""
        return _fact(found, gold, same_title(found, gold))


@dataclass(frozen=True)
class Author:
    """Whether the names of the authors have the same words, in any order, without "by"; and the F1 of the words."""

    name: ClassVar[str] = "author"

    def __call__(self, found: str | None, gold: str) -> Mapping[str, float]:
        """Compare two bylines."""
        ours, theirs = (BYLINE.sub("", text or "") for text in (found, gold))
        names = set(count_words(ours))
        return _fact(ours, theirs, bool(names) and names == set(count_words(theirs)))


@dataclass(frozen=True)
class Date:
    """Whether it is the same day, in the time zone that each was written in."""

    name: ClassVar[str] = "date"

    def __call__(self, found: str | None, gold: str) -> Mapping[str, float]:
        """Compare two dates; no figures where the gold's cannot be read."""
        ours, theirs = day(found), day(gold)
        return {"exact": float(ours == theirs), "given": float(bool(ours))} if theirs else {}


BYLINE = re.compile(r"^\s*by\b:?|\band\b|\bund\b", re.I)
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
YEAR = "((?:19|20)[0-9]{2})"
YEAR_FIRST = re.compile(rf"(?<![0-9]){YEAR}\s*[-./年년]\s*([0-9]{{1,2}})\s*[-./月월]\s*([0-9]{{1,2}})(?![0-9])")
YEAR_LAST = re.compile(rf"(?<![0-9])([0-9]{{1,2}})[-./]([0-9]{{1,2}})[-./]{YEAR}(?![0-9])")
COMPACT = re.compile(rf"(?<![0-9]){YEAR}([0-9]{{2}})([0-9]{{2}})(?![0-9])")
NUMBER = r"([0-9]{1,2})(?:st|nd|rd|th|\.)?"
NAME = rf"({'|'.join(MONTHS)})[a-z]*\.?"
DAY_FIRST = re.compile(rf"(?<![0-9]){NUMBER}(?:\s+of\s+|[\s-]+){NAME}(?:,?\s+|-){YEAR}(?![0-9])", re.I)
MONTH_FIRST = re.compile(rf"\b{NAME}\s+{NUMBER},?\s+{YEAR}(?![0-9])", re.I)


def day(text: str | None) -> str | None:
    """The day in a date as pages and people write it, as YYYY-MM-DD; None where there is none.

    Of two numbers before a year the first is the day, unless only the second can be.

    >>> day("2024-04-26 13:34:57+00:00"), day("22-03-2023 at 10:50 IST"), day("April 3rd, 2024"), day("2025년 5월 1일")
    ('2024-04-26', '2023-03-22', '2024-04-03', '2025-05-01')
    """
    said = text or ""
    if found := YEAR_FIRST.search(said) or COMPACT.search(said):
        year, month, number = map(int, found.groups())
    elif found := YEAR_LAST.search(said):
        number, month, year = map(int, found.groups())
        month, number = (number, month) if month > 12 else (month, number)
    elif found := DAY_FIRST.search(said):
        year, month, number = int(found[3]), MONTHS.index(found[2].lower()) + 1, int(found[1])
    elif found := MONTH_FIRST.search(said):
        year, month, number = int(found[3]), MONTHS.index(found[1].lower()) + 1, int(found[2])
    else:
        return None
    try:
        return date(year, month, number).isoformat()
    except ValueError:
        return None


def _fact(found: str | None, gold: str, exact: bool) -> dict[str, float]:
    f1 = overlap(count_words(found or ""), count_words(gold)).f1 if found else 0.0
    return {"exact": float(exact), "f1": f1, "given": float(bool(found and found.strip()))}


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (Words(), Shingles(), Rouge(1), Rouge(2), Rouge(), Lcs(), TextBlocks(), Recognition(), Edit())
}


# Several measures compare one pair of texts, and many answers are compared with one gold: what is made of a text is
# kept until others have come.
@lru_cache(maxsize=3)
def _words(text: str) -> Sequence[str]:
    return WORD.findall(text.lower())


@lru_cache(maxsize=3)
def _counted(text: str) -> Counter[str]:
    return Counter(_words(text))


@lru_cache(maxsize=3)
def _word_runs(text: str, n: int) -> Counter[tuple[str, ...]]:
    return _runs(_words(text), n)


@lru_cache(maxsize=3)
def _shingles(text: str, n: int) -> Counter[tuple[str, ...]]:
    return _runs(re.findall(r"\w+", text), n, whole=True)


@lru_cache(maxsize=3)
def _lines(text: str) -> Counter[str]:
    return Counter(filter(None, (" ".join(line.split()) for line in re.split(r"[\n\r\u2028\u2029]", text))))


def _runs(words: Sequence[str], n: int, *, whole: bool = False) -> Counter[tuple[str, ...]]:
    """All runs of n words; of fewer words, all together if asked for."""
    if whole and 0 < len(words) < n:
        return Counter([tuple(words)])
    return Counter(zip(*(words[i:] for i in range(n)), strict=False))


@lru_cache(maxsize=1)
def _distance(one: str, other: str) -> int:
    expected = max(64, abs(len(one) - len(other)) * 5 // 4)  # halves the time where it is not far off
    return int(rapidfuzz().Levenshtein.distance(one, other, score_hint=expected))


def rapidfuzz() -> ModuleType:
    """Its distances: subsequences and edits of long texts."""
    try:
        from rapidfuzz import distance
    except ImportError:
        raise MissingExtra("Subsequences and edits are found by rapidfuzz: pip install 'bonmun[bench]'.") from None
    return distance
