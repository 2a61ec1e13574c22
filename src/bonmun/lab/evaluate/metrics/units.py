"""Units of a page and an answer in, out comes which of them the answer keeps whole, tears, or drops between neighbours.

This is the `whole` measure, and it needs no gold: of a data table, a list or a block of code, readers want all or
nothing. What counts are blocks with words that are shown, but for captions and titles, which many leave out: the
gold's, and whatever else says the same as an `<h1>`.

- A table or a list is torn if some of its blocks are kept, and others are not; one of a single block cannot be.
- Code is torn if some of its leaves are kept, and others are not. Leaves of digits alone do not count: they are numbers
  of lines, more often than not.
- Code is dropped between neighbours if none of it is kept, though the blocks right before and after it, in the element
  that holds it and more, are.

Our methods say which leaves they keep. The texts of peers are aligned with the page as golds are, which tells copies of
a text apart by their order only; code is also found where a peer has put its lines together without blanks.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bonmun.lab.gold.alignment import align
from bonmun.page.parse.ancestors import climb
from bonmun.page.units import find_units
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.page import Page
    from bonmun.page.units import UnitKind

__all__ = [
    "MEASURED_KINDS",
    "Choice",
    "CountedUnit",
    "Verdict",
    "choose_by_leaves",
    "choose_by_text",
    "count_verdicts",
    "judge_units",
    "list_units",
]

MEASURED_KINDS: dict[UnitKind, str] = {"table": "tables", "list": "lists", "code": "code"}
KEPT_SHARE = 0.5  # of the characters of a block, at least, must be kept for it to count as kept
LEAST_BLOCKS = 2  # of a table or list, for it to be torn
WRAPPERS = 8  # elements around code, at most, that hold nothing else
SURE_CHARS = 12  # so many letters and digits of code do not stand in a text by chance
CODE_TRIED = 200  # blocks of a page, at most, that are looked for without blanks: each time, all of the text is read


class CountedUnit(NamedTuple):
    """A unit with what counts of it."""

    kind: UnitKind
    element: int
    parts: tuple[int, ...]  # blocks; leaves, of code
    neighbours: tuple[int, int] | None = None  # of code: the blocks right before and after it


class Choice(NamedTuple):
    """What an answer keeps of a page."""

    leaves: Sequence[bool]
    blocks: Sequence[bool]


class Verdict(NamedTuple):
    """What became of a unit."""

    unit: CountedUnit
    lost: tuple[int, ...]  # of its parts
    is_between: bool  # both neighbours of code are kept

    @property
    def is_kept(self) -> bool:
        """Whether any of it is kept."""
        return len(self.lost) < len(self.unit.parts)

    @property
    def is_torn(self) -> bool:
        """Whether it is kept in part."""
        return self.is_kept and bool(self.lost)

    @property
    def is_dropped_between(self) -> bool:
        """Whether code is dropped though both neighbours are kept."""
        return self.is_between and not self.is_kept


def list_units(page: Page, title: str | None = None) -> list[CountedUnit]:
    """List the tables, lists and code of a page that can be torn or dropped; `title` is the gold's, if known."""
    units = [unit for unit in find_units(page) if unit.kind in MEASURED_KINDS]
    if not units:
        return []
    texts, hidden = page.block_texts, page.hidden_blocks
    titles = {_fold(title or "")} | {
        _fold(texts[row]) for row, owner in enumerate(page.owners) if page.tags[owner] == "h1"
    }
    worded = [row for row in range(len(texts)) if not hidden[row] and WORD.search(texts[row])]
    place = dict(zip(worded, range(len(worded)), strict=True))
    ends = _find_ends(page.parents)
    found = []
    for unit in units:
        rows = [row for row in unit.blocks if row in place and _counts(page, row, titles)]
        if unit.kind == "code":
            leaves = tuple(leaf for row in rows for leaf in page.blocks[row].shown_leaves() if _is_code(page, leaf))
            if leaves:
                inside = range(place[rows[0]], place[rows[-1]] + 1)
                neighbours = _find_neighbours(page, unit.element, worded, inside, ends)
                found.append(CountedUnit("code", unit.element, leaves, neighbours))
        elif len(rows) >= LEAST_BLOCKS:
            found.append(CountedUnit(unit.kind, unit.element, tuple(rows)))
    return found


def _counts(page: Page, row: int, titles: set[str]) -> bool:
    """Whether a block with words is neither a caption nor a title."""
    return page.blocks[row].kind != "caption" and _fold(page.block_texts[row]) not in titles


def _fold(text: str) -> str:
    return " ".join(WORD.findall(text.lower()))


def _is_code(page: Page, leaf: int) -> bool:
    text = page.texts[leaf]
    return WORD.search(text) is not None and not "".join(text.split()).isdigit()


def _find_ends(parents: Sequence[int]) -> list[int]:
    """Find the last element that each element holds, itself if none."""
    ends = list(range(len(parents)))
    for row in range(len(parents) - 1, 0, -1):
        ends[parents[row]] = max(ends[parents[row]], ends[row])
    return ends


def _find_neighbours(
    page: Page, element: int, worded: Sequence[int], inside: range, ends: Sequence[int]
) -> tuple[int, int] | None:
    """Find the blocks before and after code, both in the nearest element that holds more than the code.

    `worded` are the blocks that count, `inside` says which of them the code holds.
    """
    if inside.start == 0 or inside.stop == len(worded):
        return None
    before, after = worded[inside.start - 1], worded[inside.stop]
    for outer in islice(climb(page.parents, element), 1, WRAPPERS + 1):
        holds = [outer <= page.owners[row] <= ends[outer] for row in (before, after)]
        if any(holds):
            return (before, after) if all(holds) else None
    return None


def choose_by_leaves(page: Page, leaves: Iterable[int]) -> Choice:
    """Say what an answer keeps that says which leaves it keeps."""
    kept = [False] * len(page.texts)
    for leaf in leaves:
        kept[leaf] = True
    blocks = []
    for block in page.blocks:
        shown = block.shown_leaves()
        sizes = [len(page.texts[leaf]) for leaf in shown]
        taken = sum(size for size, leaf in zip(sizes, shown, strict=True) if kept[leaf])
        blocks.append(taken >= KEPT_SHARE * sum(sizes) and taken > 0)
    return Choice(kept, blocks)


def choose_by_text(page: Page, text: str, units: Iterable[CountedUnit]) -> Choice:
    """Say what an answer keeps that is but a text."""
    found = align(page, text)
    leaves = list(found.leaves)
    lossy = [unit for unit in units if unit.kind == "code" and not all(leaves[leaf] for leaf in unit.parts)]
    joined = _join_words(text) if lossy else ""
    for unit in lossy[:CODE_TRIED]:
        if _has_code(page, joined, unit.parts):
            for leaf in unit.parts:
                leaves[leaf] = True
    return Choice(leaves, found.blocks)


def _has_code(page: Page, joined: str, leaves: Sequence[int]) -> bool:
    """Whether code stands in a text without blanks, with the numbers of its lines or without."""
    ways = (leaves, range(leaves[0], leaves[-1] + 1))
    codes = [_join_words("\n".join(page.texts[leaf] for leaf in way)) for way in ways]
    return any(len(code) >= SURE_CHARS and code in joined for code in codes)


def _join_words(text: str) -> str:
    return "".join(WORD.findall(text.lower()))


def judge_units(units: Iterable[CountedUnit], choice: Choice) -> list[Verdict]:
    """Say what becomes of each unit."""
    verdicts = []
    for unit in units:
        kept = choice.leaves if unit.kind == "code" else choice.blocks
        lost = tuple(part for part in unit.parts if not kept[part])
        is_between = unit.neighbours is not None and all(choice.blocks[row] for row in unit.neighbours)
        verdicts.append(Verdict(unit, lost, is_between))
    return verdicts


def count_verdicts(verdicts: Sequence[Verdict]) -> dict[str, float]:
    """Count what is kept and torn of each kind, with the share that is whole; nothing where nothing is kept.

    `code_dropped` is the share of code between kept neighbours that is dropped.
    """
    figures: dict[str, float] = {}
    for kind, name in MEASURED_KINDS.items():
        kept = [verdict for verdict in verdicts if verdict.unit.kind == kind and verdict.is_kept]
        if kept:
            torn = sum(verdict.is_torn for verdict in kept)
            figures |= {name: 1 - torn / len(kept), f"{name}_kept": len(kept), f"{name}_torn": torn}
    between = sum(verdict.is_between for verdict in verdicts)
    if between:
        dropped = sum(verdict.is_dropped_between for verdict in verdicts)
        figures |= {"code_dropped": dropped / between, "code_between": between, "code_skipped": dropped}
    return figures
