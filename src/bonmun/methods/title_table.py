"""The headline by its place above the text and its likeness to it (paper 3).

Yoon, J.-H., Park, S., Lee, S. W. & Han, Y. S., "An Object Model of Korean Web Pages for Title Identification",
University of Suwon.

Stage 1, rules: the pieces of text on the page ("objects") become title candidates or main candidates by their length; a
main candidate owns the title candidates between the main candidate before it and itself. Stage 2, score: of all title
candidates the one with the highest

    e · p(t) + (1 - e) · sim(t, m)        p(t) = P(main j) · P(title i | main j)

is the title: m is the j-th main candidate, t the i-th title candidate above it (1: the nearest), sim the cosine of
their character bigrams, and P a table counted on labelled pages. Its main candidate is the main text.

`title-table` is the letter: objects are table cells. `title-table+` takes the same two stages to any layout: objects
are blocks, main candidates the heaviest groups of xpath+, and the table is one that `fit` made.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Self

from bonmun.errors import BadConfig, BadInput
from bonmun.labels import Labels
from bonmun.methods.xpath import text_of, weighed_groups
from bonmun.text.grams import cosines, grams
from bonmun.text.sentences import find_sentences
from bonmun.text.words import same_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bonmun.page import Page

__all__ = ["PAPER", "PLUS", "Candidate", "MainCandidate", "Table", "TitleTable", "TitleTablePlus"]

MOST = 3  # main candidates that are used
TITLES = 5  # title candidates of each that have a probability

# Of the letter. Bytes are those of EUC-KR, in which a Hangul syllable has two.
TITLE_BYTES = 4
MAIN_BYTES = 74  # from the lengths in 473 pages
BEYOND_STOP_WORD = 80
NEAR = 1  # tables between a stop word and its main text at most; the paper says "near"
# The paper keeps its list small and does not print it: what labels the fields of a Korean board.
STOP_WORDS = frozenset(
    (
        "번호 제목 작성자 글쓴이 이름 작성일 등록일 날짜 일시 조회 조회수 추천 추천수 첨부 첨부파일 파일 내용 "
        "이메일 홈페이지 목록 이전글 다음글"
    ).split()
)
NOT_OBJECTS = frozenset({"option", "select", "button", "textarea"})
EDGES = " \t:：|·[]【】<>()*-"

# Of title-table+.
HEADLINE_BYTES = 300
HEAVY = 0.2  # a group with less of the heaviest one's weight is no main candidate
RANKS = {f"h{rank}": rank for rank in range(1, 7)}
PLAIN = 7  # the rank of what is no heading


@dataclass(frozen=True, slots=True)
class Table:
    """The probabilities of Table 1: for each number of main candidates, P(main j) and P(title i | main j)."""

    mains: Mapping[int, tuple[float, ...]]
    titles: Mapping[int, tuple[tuple[float, ...], ...]]

    def p(self, mains: int, main: int, title: int) -> float:
        """The probability that of so many main candidates this one, and of its title candidates this one, is right."""
        known = max((n for n in self.mains if n <= mains), default=0)
        if not known or main > len(self.mains[known]) or title > len(self.titles[known][main - 1]):
            return 0.0
        return self.mains[known][main - 1] * self.titles[known][main - 1][title - 1]


# The paper prints no row for three main candidates: that of two is used, and the third gets 0.
PAPER = Table(
    mains={1: (1.0,), 2: (0.98, 0.02)},
    titles={1: ((0.80, 0.06, 0.04, 0.04, 0.02),), 2: ((0.75, 0.11, 0.08, 0.0, 0.0), (0.61, 0.23, 0.16, 0.0, 0.0))},
)
# As scripts/fit/titles.py made it from 431 pages; it also gives e = 0.5.
PLUS = Table(
    mains={1: (1.0,), 2: (0.94, 0.06), 3: (0.94, 0.06, 0.0)},
    titles={
        1: ((0.95, 0.03, 0.01, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0),),
        2: ((0.88, 0.04, 0.06, 0.02), (0.67,)),
        3: ((0.85, 0.04, 0.07), (0.67, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.33), ()),
    },
)


class Candidate(NamedTuple):
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
class _Piece:
    """An object of stage 1: a run of leaves and what they say."""

    leaves: list[int]
    text: str
    table: int = 0


@dataclass
class _Main:
    """A main candidate, with the title candidates it owns and their numbers i; a dummy has no pieces."""

    pieces: list[_Piece]
    titles: list[_Piece]
    numbers: Sequence[int]

    @cached_property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces)


class _TwoStages:
    """What both share: stage 2, and the fit."""

    name: str
    places: int  # of title candidates that have a probability

    def __init__(self, table: Table, e: float) -> None:
        if not 0 <= e <= 1:
            raise BadConfig(f"e weighs place against likeness: it must be from 0 to 1, not {e}.")
        self.table_ = table  # as given, or as fitted
        self.e_ = e

    def mains(self, page: Page) -> list[_Main]:
        """Stage 1: the main candidates with their title candidates, in order."""
        raise NotImplementedError

    def label(self, page: Page) -> Labels:
        """Label the leaves: the main text is the main candidate under the title."""
        mains = self.mains(page)
        rows = _compared(mains)
        scored = [
            (self.e_ * p + (1 - self.e_) * sim, j, i, piece.text, p, sim)
            for j, i, piece, sim in rows
            for p in (self.table_.p(len(mains), j, i),)
        ]
        best = max(range(len(scored)), key=lambda row: scored[row][0], default=-1)
        longest = max(range(len(mains)), key=lambda number: len(mains[number].text), default=-1)
        chosen = scored[best][1] if scored else longest + 1  # a text may have no title
        candidates = [
            Candidate(j, i, p, sim, score, row == best, text) for row, (score, j, i, text, p, sim) in enumerate(scored)
        ]
        evidence = [
            MainCandidate(j, _bytes(main.text), not main.pieces, j == chosen, main.text)
            for j, main in enumerate(mains, 1)
        ]
        scores = [0.0] * len(page.texts)
        kept = [False] * len(page.texts)
        reasons = ["hidden"] * len(page.texts)
        for leaf in page.shown:
            reasons[leaf] = "no candidate"
        for j, main in enumerate(mains, 1):
            likely = max((row.score for row in candidates if row.main == j), default=0.0)
            for leaf in (leaf for piece in main.pieces for leaf in piece.leaves):
                kept[leaf] = j == chosen
                scores[leaf] = likely
                reasons[leaf] = "the main text" if j == chosen else "another main candidate"
            for piece in main.titles:
                for leaf in piece.leaves:
                    reasons[leaf] = "the title" if piece is rows[best][2] else "a title candidate"
        return Labels(
            self.name,
            "leaf",
            scores,
            kept,
            reasons,
            confidence=candidates[best].score if candidates else 0.0,
            title=" ".join(candidates[best].text.split()) if candidates else None,
            evidence=[*candidates, *evidence],
        )

    def fit(self, examples: Iterable[tuple[Page, str]]) -> Self:
        """Estimate the table and e anew from pages with their titles; a page whose title is no candidate is no help.

        P is counted where the title stands; e is the one of 0.1, …, 0.9 that then finds most titles.
        """
        places: Counter[tuple[int, int, int]] = Counter()
        seen: list[tuple[int, list[tuple[int, int, float, bool]]]] = []
        for page, title in examples:
            mains = self.mains(page)
            rows = [(j, i, sim, same_title(piece.text, title)) for j, i, piece, sim in _compared(mains)]
            right = [(j, i) for j, i, _, same in rows if same]
            if right:
                seen.append((len(mains), rows))
                places[len(mains), *right[0]] += 1
        if not seen:
            raise BadInput("No title stands among the candidates of its page: pass pages with their headlines.")
        self.table_ = _estimated(places, self.places)
        hits = {
            e: sum(
                max(rows, key=lambda row: e * self.table_.p(mains, row[0], row[1]) + (1 - e) * row[2])[3]
                for mains, rows in seen
            )
            for e in (tenth / 10 for tenth in range(1, 10))
        }
        self.e_ = max(hits, key=lambda e: hits[e])
        return self


class TitleTable(_TwoStages):
    """The letter of the paper: pages laid out with tables, lengths in EUC-KR bytes, Table 1, e = 0.1."""

    name = "title-table"
    places = TITLES

    def __init__(self, table: Table = PAPER, e: float = 0.1) -> None:
        super().__init__(table, e)

    def mains(self, page: Page) -> list[_Main]:
        """Stage 1: sort the cells into candidates."""
        pieces = _cells(page)
        dummies = _dummies(pieces)
        found: list[_Main] = []
        titles: list[_Piece] = []
        short: list[_Piece] = []

        def close(main: list[_Piece]) -> None:
            if titles:  # a main candidate has at least one title candidate
                found.append(_Main(main, titles[::-1], range(1, len(titles) + 1)))
                titles.clear()

        for number, piece in enumerate(pieces):
            size = _bytes(piece.text)
            if size < TITLE_BYTES:
                short.append(piece)
            else:
                if len(short) > 1:  # a run of tiny cells is one main candidate
                    close(short[:])
                short.clear()
                if size >= MAIN_BYTES:
                    close([piece])
                elif not _is_stop_word(piece.text):
                    titles.append(piece)
            if number in dummies:
                close([])
        close(short[:] if len(short) > 1 else [])
        return found[:MOST]


class TitleTablePlus(_TwoStages):
    """The same two stages over the blocks of any layout."""

    name = "title-table+"
    places = 2 * TITLES

    def __init__(self, table: Table = PLUS, e: float = 0.5) -> None:
        super().__init__(table, e)

    def mains(self, page: Page) -> list[_Main]:
        """Stage 1: the heaviest groups of xpath+ are main candidates, what stands above each its title candidates.

        Short lines without a sentence at the start of a group are above it. Headings are title 1 to 5, the higher
        ranks first, then the nearest; other candidates are title 6 to 10, so that P tells the two apart.
        """
        sizes, links = page.block_sizes
        hidden = page.hidden_blocks
        ranks = [RANKS.get(page.tags[owner], PLAIN) for owner in page.owners]
        sentences, _ = find_sentences(page.block_texts)
        groups, weights = weighed_groups(page, sentences)
        least = max(weights, default=0.0) * HEAVY
        texts = [n for n, group in enumerate(groups) if weights[n] > least and ranks[group[0]] == PLAIN]
        heaviest = sorted(texts, key=lambda number: -weights[number])[:MOST]
        mains = [text_of(page, groups[number], sentences) for number in heaviest]
        first = {main[0]: main for main in mains}
        inside = {row for main in mains for row in main}
        found: list[_Main] = []
        above: list[int] = []
        for row, text in enumerate(page.block_texts):
            if row in first:
                found.append(_main(page, first[row], above, ranks))
                above = []
            elif hidden[row] or page.tags[page.owners[row]] in NOT_OBJECTS or (ranks[row] == PLAIN and row in inside):
                continue
            elif TITLE_BYTES <= _bytes(text) <= HEADLINE_BYTES and (ranks[row] < PLAIN or links[row] < sizes[row]):
                above.append(row)
        if not found and above:
            found.append(_main(page, [], above, ranks))
        return [main for main in found if main.titles] or found


def _main(page: Page, rows: list[int], above: list[int], ranks: list[int]) -> _Main:
    above = sorted(above, key=lambda row: (ranks[row], -row))
    headings = sum(ranks[row] < PLAIN for row in above)
    numbers = _numbers(0, headings) + _numbers(TITLES, len(above) - headings)
    return _Main([_block(page, row) for row in rows], [_block(page, row) for row in above], numbers)


def _numbers(before: int, count: int) -> list[int]:
    """Five numbers after some others; then numbers that have no probability."""
    return [before + i if i <= TITLES else 2 * TITLES + i for i in range(1, count + 1)]


def _compared(mains: list[_Main]) -> list[tuple[int, int, _Piece, float]]:
    """Each title candidate with its main candidate's number, its own, and how alike the two are."""
    rows = []
    for j, main in enumerate(mains, 1):
        alike = cosines([piece.text for piece in main.titles], grams(main.text, 2))
        rows += [(j, i, piece, sim) for i, piece, sim in zip(main.numbers, main.titles, alike, strict=True)]
    return rows


def _estimated(places: Counter[tuple[int, int, int]], deepest: int) -> Table:
    """P(main j) and P(title i | main j) for each number of main candidates, from how many titles stand where."""
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
    return Table(mains, titles)


def _cells(page: Page) -> list[_Piece]:
    """The texts of table cells in document order, without links and the parts of forms."""
    numbers = {row: number for number, row in enumerate(row for row, tag in enumerate(page.tags) if tag == "table")}
    boxes = {
        page.cells[row]
        for row, tag in enumerate(page.tags)
        if tag == "input" and (page.attr(row, "type") or "").lower() in ("radio", "checkbox")
    }
    controls: list[bool] = []
    for tag, parent in zip(page.tags, page.parents, strict=True):
        controls.append(tag in NOT_OBJECTS or (parent >= 0 and controls[parent]))
    leaves: dict[int, list[int]] = {}
    for leaf in page.shown:
        element = page.leaf_elements[leaf]
        cell = page.cells[element]
        if cell < 0 or page.tags[cell] != "td" or page.tables[cell] < 0:
            continue
        if not page.linked_leaves[leaf] and not controls[element]:
            leaves.setdefault(cell, []).append(leaf)
    pieces = {
        cell: _Piece(rows, " ".join(page.texts[leaf] for leaf in rows), numbers[page.tables[cell]])
        for cell, rows in leaves.items()
    }
    # a short text beside a button or box is its label; a long one is not
    return [piece for cell, piece in pieces.items() if cell not in boxes or _bytes(piece.text) >= MAIN_BYTES]


def _dummies(pieces: list[_Piece]) -> set[int]:
    """After which objects a virtual main candidate stands: a stop word has no long text after it, near by."""
    found: set[int] = set()
    stop = 0  # one past the last object that is near
    long = -1  # the last object before it that is long
    for number, piece in enumerate(pieces):
        if not _is_stop_word(piece.text):
            continue
        stop = max(stop, number + 1)
        while stop < len(pieces) and pieces[stop].table - piece.table <= NEAR:
            if _bytes(pieces[stop].text) >= BEYOND_STOP_WORD:
                long = stop
            stop += 1
        if long <= number:
            found.add(stop - 1)
    return found


def _is_stop_word(text: str) -> bool:
    return text.strip(EDGES) in STOP_WORDS


def _bytes(text: str) -> int:
    """The length of a text in EUC-KR: two bytes for all but ASCII."""
    return len(text) if text.isascii() else 2 * len(text) - len(text.encode("ascii", "ignore"))


def _block(page: Page, row: int) -> _Piece:
    block = page.blocks[row]
    return _Piece(block.shown_leaves(), block.shown_text)
