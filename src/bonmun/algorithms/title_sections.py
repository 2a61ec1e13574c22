"""What `title-table` and `title-table+` share (paper 3): sections of a page, how titles are scored, and the fit.

Yoon, J.-H., Park, S., Lee, S. W. & Han, Y. S., "An Object Model of Korean Web Pages for Title Identification",
University of Suwon.

Stage 1, rules: the pieces of text on the page ("objects") become title candidates or main candidates by their length; a
main candidate owns the title candidates between the main candidate before it and itself. Stage 2, score: of all title
candidates the one with the highest

    e · p(t) + (1 - e) · sim(t, m)        p(t) = P(main j) · P(title i | main j)

is the title: m is the j-th main candidate, t the i-th title candidate above it (1: the nearest), sim the cosine of
their character bigrams, and P a table counted on labelled pages. Its main candidate is the main text.

A main candidate with the title candidates it owns is a section here. Stage 1 is each method's own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

from bonmun.errors import BadConfig, BadInput
from bonmun.labels import Labels
from bonmun.text.grams import compare_texts, count_grams
from bonmun.text.words import is_same_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bonmun.page import Page

__all__ = [
    "MOST_SECTIONS",
    "NOT_OBJECTS",
    "TITLES",
    "TITLE_BYTES",
    "MainCandidate",
    "PlaceTable",
    "Section",
    "TextObject",
    "TitleCandidate",
    "TitleMethod",
    "measure_text",
]

MOST_SECTIONS = 3  # that are used
TITLES = 5  # title candidates of a section that have a probability
TITLE_BYTES = 4  # of EUC-KR, in which a Hangul syllable has two; a title candidate has as many at least
NOT_OBJECTS = frozenset({"option", "select", "button", "textarea"})  # tags whose text is no object
BIGRAM = 2  # characters


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """The probabilities of Table 1: for each number of main candidates, P(main j) and P(title i | main j)."""

    mains: Mapping[int, tuple[float, ...]]
    titles: Mapping[int, tuple[tuple[float, ...], ...]]

    def p(self, mains: int, main: int, title: int) -> float:
        """The probability that of so many main candidates this one, and of its title candidates this one, is right."""
        known = max((n for n in self.mains if n <= mains), default=0)
        if not known or main > len(self.mains[known]) or title > len(self.titles[known][main - 1]):
            return 0.0
        return self.mains[known][main - 1] * self.titles[known][main - 1][title - 1]

    @classmethod
    def estimate(cls, places: Counter[tuple[int, int, int]], deepest: int) -> Self:
        """Count P from how many titles stand where: by number of main candidates, j and i."""
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
    """Main candidates: a dummy has no text; bytes are those of EUC-KR."""

    main: int
    bytes: int
    dummy: bool
    chosen: bool
    text: str


@dataclass(slots=True)
class TextObject:
    """An object of stage 1: a run of leaves and what they say."""

    leaves: list[int]
    text: str
    table: int = 0


@dataclass
class Section:
    """A main candidate with the title candidates it owns and their numbers i; a dummy has no pieces."""

    pieces: list[TextObject]
    titles: list[TextObject]
    numbers: Sequence[int]

    @cached_property
    def text(self) -> str:
        """What the main candidate says."""
        return " ".join(piece.text for piece in self.pieces)


class Likeness(NamedTuple):
    """How like its main candidate a title candidate is."""

    main: int  # j
    title: int  # i
    piece: TextObject
    sim: float


class TitleMethod:
    """Stage 2 and the fit; stage 1 is `find_sections`."""

    name: str
    places: int  # of title candidates that have a probability

    def __init__(self, table: PlaceTable, e: float) -> None:
        if not 0 <= e <= 1:
            raise BadConfig(f"e weighs place against likeness: it must be from 0 to 1, not {e}.")
        self.table_ = table  # as given, or as fitted
        self.e_ = e

    def find_sections(self, page: Page) -> list[Section]:
        """Stage 1: the main candidates with their title candidates, in order."""
        raise NotImplementedError

    def label(self, page: Page) -> Labels:
        """Label the leaves: the main text is the main candidate under the title."""
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
            for leaf in (leaf for piece in section.pieces for leaf in piece.leaves):
                kept[leaf] = j == main
                scores[leaf] = likely
                reasons[leaf] = "the main text" if j == main else "another main candidate"
            for piece in section.titles:
                for leaf in piece.leaves:
                    reasons[leaf] = "the title" if piece is rows[best].piece else "a title candidate"
        mains = [
            MainCandidate(j, measure_text(section.text), not section.pieces, j == main, section.text)
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

    def _score_titles(self, rows: list[Likeness], sections: int) -> list[TitleCandidate]:
        """Stage 2: the score of each title candidate; the first with the highest is chosen."""
        chances = [self.table_.p(sections, row.main, row.title) for row in rows]
        scores = [self.e_ * p + (1 - self.e_) * row.sim for row, p in zip(rows, chances, strict=True)]
        best = max(range(len(scores)), key=lambda number: scores[number], default=-1)
        return [
            TitleCandidate(row.main, row.title, p, row.sim, score, number == best, row.piece.text)
            for number, (row, p, score) in enumerate(zip(rows, chances, scores, strict=True))
        ]

    def fit(self, examples: Iterable[tuple[Page, str]]) -> Self:
        """Estimate the table and e anew from pages with their titles; a page whose title is no candidate is no help.

        P is counted where the title stands; e is the one of 0.1, …, 0.9 that then finds most titles.
        """
        places: Counter[tuple[int, int, int]] = Counter()
        seen: list[tuple[int, list[tuple[int, int, float, bool]]]] = []
        for page, title in examples:
            sections = self.find_sections(page)
            rows = [(j, i, sim, is_same_title(piece.text, title)) for j, i, piece, sim in _compare_titles(sections)]
            right = [(j, i) for j, i, _, same in rows if same]
            if right:
                seen.append((len(sections), rows))
                places[len(sections), *right[0]] += 1
        if not seen:
            raise BadInput("No title stands among the candidates of its page: pass pages with their headlines.")
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


def _compare_titles(sections: list[Section]) -> list[Likeness]:
    """How like its main candidate each title candidate is."""
    rows = []
    for j, section in enumerate(sections, 1):
        alike = compare_texts([piece.text for piece in section.titles], count_grams(section.text, BIGRAM))
        rows += [
            Likeness(j, i, piece, sim) for i, piece, sim in zip(section.numbers, section.titles, alike, strict=True)
        ]
    return rows


def measure_text(text: str) -> int:
    """The length of a text in bytes of EUC-KR: two for all but ASCII."""
    return len(text) if text.isascii() else 2 * len(text) - len(text.encode("ascii", "ignore"))
