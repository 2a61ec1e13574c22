"""Sections, title scores and fitting, shared by `title-table` and `title-table+` (paper 3).

Yoon, J.-H., Park, S., Lee, S. W. & Han, Y. S., "An Object Model of Korean Web Pages for Title Identification",
University of Suwon.

Stage 1, rules: the texts of the page ("objects") become title candidates or main candidates by their length. A main
candidate owns the title candidates between the previous main candidate and itself. Stage 2, score: the title is the
title candidate with the highest

    e · p(t) + (1 - e) · sim(t, m)        p(t) = P(main j) · P(title i | main j)

where m is the j-th main candidate, t the i-th title candidate above it (1: the nearest), sim the cosine similarity of
their character bigrams, and P a table counted on labelled pages. The main candidate below the title is the main text.

A section is a main candidate with its title candidates. Each method has its own stage 1.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

from bonmun.errors import BadConfig, BadInput
from bonmun.labels import Labels
from bonmun.text.grams import compare_texts, count_grams
from bonmun.text.words import is_same_title
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bonmun.page import Page

__all__ = [
    "MAX_SECTIONS",
    "MAX_TITLES",
    "MIN_TITLE_BYTES",
    "NON_OBJECT_TAGS",
    "MainCandidate",
    "PlaceTable",
    "Section",
    "TextObject",
    "TitleCandidate",
    "TitleMethod",
    "count_euc_kr_bytes",
]

MAX_SECTIONS = 3
MAX_TITLES = 5  # title candidates of a section that have a probability
MIN_TITLE_BYTES = 4  # of a title candidate, in EUC-KR, where a Hangul syllable has two bytes
NON_OBJECT_TAGS = frozenset({"option", "select", "button", "textarea"})  # tags whose text is not an object
BIGRAM = 2  # characters


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """The probabilities of Table 1: for each number of main candidates, P(main j) and P(title i | main j)."""

    mains: Mapping[int, tuple[float, ...]]
    titles: Mapping[int, tuple[tuple[float, ...], ...]]

    def p(self, mains: int, main: int, title: int) -> float:
        """Return P(main j) · P(title i | main j) on a page with `mains` main candidates."""
        known = max((n for n in self.mains if n <= mains), default=0)
        if not known or main > len(self.mains[known]) or title > len(self.titles[known][main - 1]):
            return 0.0
        return self.mains[known][main - 1] * self.titles[known][main - 1][title - 1]

    @classmethod
    def estimate(cls, places: Counter[tuple[int, int, int]], deepest: int) -> Self:
        """Estimate P from the places of titles, counted by (number of main candidates, j, i)."""
        mains: dict[int, tuple[float, ...]] = {}
        titles: dict[int, tuple[tuple[float, ...], ...]] = {}
        for count in sorted({count for count, _, _ in places}):
            here = {(j, i): times for (n, j, i), times in places.items() if n == count}
            total = sum(here.values())
            sums = [sum(times for (j, _), times in here.items() if j == main) for main in range(1, count + 1)]
            mains[count] = tuple(part / total for part in sums)
            titles[count] = tuple(
                tuple(here.get((main, i), 0) / (part or 1) for i in range(1, deepest + 1))
                for main, part in enumerate(sums, 1)
            )
        return cls(mains, titles)


class TitleCandidate(NamedTuple):
    """Title candidates: by main candidate, the most likely place above it first."""

    main: int  # j
    title: int  # i
    p: float
    sim: float
    score: float
    chosen: bool
    text: str


class MainCandidate(NamedTuple):
    """Main candidates: a dummy has no text; sizes are EUC-KR bytes."""

    main: int
    bytes: int
    dummy: bool
    chosen: bool
    text: str


@dataclass(slots=True)
class TextObject:
    """An object of stage 1: a run of leaves and their text."""

    leaves: list[int]
    text: str
    table: int = 0


@dataclass
class Section:
    """A main candidate with the title candidates it owns and their numbers i; a dummy has no objects."""

    objects: list[TextObject]
    titles: list[TextObject]
    numbers: Sequence[int]

    @cached_property
    def text(self) -> str:
        """The text of the main candidate."""
        return " ".join(item.text for item in self.objects)


class TitleSimilarity(NamedTuple):
    """The similarity of a title candidate to its main candidate."""

    main: int  # j
    title: int  # i
    item: TextObject
    sim: float


class TitleMethod:
    """Stage 2 and fitting; subclasses implement stage 1 in `find_sections`."""

    name: str
    places: int  # the number of title candidates that have a probability

    def __init__(self, table: PlaceTable, e: float) -> None:
        if not 0 <= e <= 1:
            raise BadConfig(f"e weighs place against similarity: it must be between 0 and 1, not {e}.")
        self.table_ = table  # as given, or as fitted
        self.e_ = e

    def find_sections(self, page: Page) -> list[Section]:
        """Stage 1: return the main candidates with their title candidates, in document order."""
        raise NotImplementedError

    def label(self, page: Page) -> Labels:
        """Label the leaves: the main text is the main candidate below the title."""
        sections = self.find_sections(page)
        rows = _compare_titles(sections)
        titles = self._score_titles(rows, len(sections))
        best = next((number for number, title in enumerate(titles) if title.chosen), -1)
        longest = max(range(len(sections)), key=lambda number: len(sections[number].text), default=-1)
        main = titles[best].main if titles else longest + 1  # a text may have no title

        scores = [0.0] * len(page.texts)
        kept = [False] * len(page.texts)
        reasons = ["hidden"] * len(page.texts)
        for leaf in page.shown:
            reasons[leaf] = "no candidate"
        for j, section in enumerate(sections, 1):
            likely = max((title.score for title in titles if title.main == j), default=0.0)
            for leaf in (leaf for item in section.objects for leaf in item.leaves):
                kept[leaf] = j == main
                scores[leaf] = likely
                reasons[leaf] = "the main text" if j == main else "another main candidate"
            for item in section.titles:
                for leaf in item.leaves:
                    reasons[leaf] = "the title" if item is rows[best].item else "a title candidate"
        mains = [
            MainCandidate(j, count_euc_kr_bytes(section.text), not section.objects, j == main, section.text)
            for j, section in enumerate(sections, 1)
        ]
        return Labels(
            self.name,
            "leaf",
            scores,
            kept,
            reasons,
            confidence=titles[best].score if titles else 0.0,
            title=" ".join(titles[best].text.split()) if titles else None,
            evidence=[*titles, *mains],
        )

    def _score_titles(self, rows: list[TitleSimilarity], sections: int) -> list[TitleCandidate]:
        """Stage 2: score each title candidate; the first with the highest score is chosen."""
        chances = [self.table_.p(sections, row.main, row.title) for row in rows]
        scores = [self.e_ * p + (1 - self.e_) * row.sim for row, p in zip(rows, chances, strict=True)]
        best = max(range(len(scores)), key=lambda number: scores[number], default=-1)
        return [
            TitleCandidate(row.main, row.title, p, row.sim, score, number == best, row.item.text)
            for number, (row, p, score) in enumerate(zip(rows, chances, scores, strict=True))
        ]

    def fit(self, examples: Iterable[tuple[Page, str]]) -> Self:
        """Estimate the table and e from pages with their titles, skipping pages whose title is not a candidate.

        P is counted from the places of the titles; e is the value of 0.1, …, 0.9 that then finds the most titles.
        """
        places: Counter[tuple[int, int, int]] = Counter()
        seen: list[tuple[int, list[tuple[int, int, float, bool]]]] = []
        for page, title in examples:
            sections = self.find_sections(page)
            rows = [(j, i, sim, is_same_title(item.text, title)) for j, i, item, sim in _compare_titles(sections)]
            right = [(j, i) for j, i, _, same in rows if same]
            if right:
                seen.append((len(sections), rows))
                places[len(sections), *right[0]] += 1
        if not seen:
            raise BadInput("No title is among the candidates of its page: pass pages with their headlines.")
        self.table_ = PlaceTable.estimate(places, self.places)
        hits = {
            e: sum(
                max(rows, key=lambda row: e * self.table_.p(sections, row[0], row[1]) + (1 - e) * row[2])[3]
                for sections, rows in seen
            )
            for e in (tenth / 10 for tenth in range(1, 10))
        }
        self.e_ = max(hits, key=lambda e: hits[e])
        return self


def _compare_titles(sections: list[Section]) -> list[TitleSimilarity]:
    """Return the similarity of each title candidate to its main candidate."""
    rows = []
    for j, section in enumerate(sections, 1):
        similarities = compare_texts([item.text for item in section.titles], count_grams(section.text, BIGRAM))
        rows += [
            TitleSimilarity(j, i, item, sim)
            for i, item, sim in zip(section.numbers, section.titles, similarities, strict=True)
        ]
    return rows


def count_euc_kr_bytes(text: str) -> int:
    """Return the length of a text in EUC-KR bytes: one for ASCII, two for all other characters."""
    return len(text) if text.isascii() else 2 * len(text) - len(text.encode("ascii", "ignore"))
