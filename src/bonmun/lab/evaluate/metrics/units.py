"""Judge which units of a page an answer keeps whole, keeps in part, or drops between kept neighbours.

This is the `whole` measure. It needs no gold: readers want all of a data table, list or code block, or nothing. Only
visible blocks with words are counted. Captions and titles are not, since many systems leave them out; a title is the
gold's title, or any block with the same words as an `<h1>`.

- A table or a list is incomplete if some of its blocks are kept and others are not. With a single block it cannot be.
- Code is incomplete if some of its leaves are kept and others are not. Leaves of digits alone are not counted: they are
  usually line numbers.
- Code is dropped between neighbours if none of it is kept, but the blocks right before and after it are, and both are
  in the nearest element that contains more than the code.

Our methods say which leaves they keep. The text of a peer is aligned with the page like a gold, which can only tell
copies of a text apart by their order. Code is also recognised where a peer has joined its lines without whitespace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bonmun.lab.gold.alignment import align
from bonmun.page.parse.ancestors import list_around
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
    "UnitVerdict",
    "choose_by_leaves",
    "choose_by_text",
    "count_verdicts",
    "judge_units",
    "list_units",
]

MEASURED_KINDS: dict[UnitKind, str] = {"table": "tables", "list": "lists", "code": "code"}
MIN_KEPT_SHARE = 0.5  # share of a block's characters that must be kept for the block to count as kept
MIN_BLOCKS = 2  # of a table or list that can be incomplete
MAX_WRAPPERS = 8  # elements around code that contain nothing else
MIN_SURE_CHARS = 12  # code of at least this many letters and digits does not occur in a text by chance
MAX_CODE_SEARCHES = 200  # code blocks of a page that are searched without whitespace: each search reads the whole text


class CountedUnit(NamedTuple):
    """A unit and its parts that are counted."""

    kind: UnitKind
    element: int
    parts: tuple[int, ...]  # blocks, or leaves if the unit is code
    neighbours: tuple[int, int] | None = None  # blocks right before and after code


class Choice(NamedTuple):
    """The leaves and blocks of a page that an answer keeps."""

    leaves: Sequence[bool]
    blocks: Sequence[bool]


class UnitVerdict(NamedTuple):
    """Whether an answer keeps a unit, and the parts that it lost."""

    unit: CountedUnit
    lost: tuple[int, ...]
    is_between: bool  # both neighbours of code are kept

    @property
    def is_kept(self) -> bool:
        """Whether any part is kept."""
        return len(self.lost) < len(self.unit.parts)

    @property
    def is_incomplete(self) -> bool:
        """Whether some parts are kept and others are lost."""
        return self.is_kept and bool(self.lost)

    @property
    def is_dropped_between(self) -> bool:
        """Whether code is dropped although both neighbours are kept."""
        return self.is_between and not self.is_kept


def list_units(page: Page, title: str | None = None) -> list[CountedUnit]:
    """List the tables, lists and code of a page that are judged; `title` is the gold's title, if known."""
    units = [unit for unit in find_units(page) if unit.kind in MEASURED_KINDS]
    if not units:
        return []
    texts, hidden = page.block_texts, page.hidden_blocks
    titles = {_normalise(title or "")} | {
        _normalise(texts[row]) for row, owner in enumerate(page.owners) if page.tags[owner] == "h1"
    }
    with_words = [row for row in range(len(texts)) if not hidden[row] and WORD.search(texts[row])]
    place = dict(zip(with_words, range(len(with_words)), strict=True))
    ends = _find_ends(page.parents)
    found = []
    for unit in units:
        rows = [row for row in unit.blocks if row in place and _is_counted(page, row, titles)]
        if unit.kind == "code":
            leaves = tuple(leaf for row in rows for leaf in page.blocks[row].shown_leaves() if _is_code(page, leaf))
            if leaves:
                inside = range(place[rows[0]], place[rows[-1]] + 1)
                neighbours = _find_neighbours(page, unit.element, with_words, inside, ends)
                found.append(CountedUnit("code", unit.element, leaves, neighbours))
        elif len(rows) >= MIN_BLOCKS:
            found.append(CountedUnit(unit.kind, unit.element, tuple(rows)))
    return found


def _is_counted(page: Page, row: int, titles: set[str]) -> bool:
    """Whether a block with words is neither a caption nor a title."""
    return page.blocks[row].kind != "caption" and _normalise(page.block_texts[row]) not in titles


def _normalise(text: str) -> str:
    return " ".join(WORD.findall(text.lower()))


def _is_code(page: Page, leaf: int) -> bool:
    text = page.texts[leaf]
    return WORD.search(text) is not None and not "".join(text.split()).isdigit()


def _find_ends(parents: Sequence[int]) -> list[int]:
    """Find the last descendant of each element; the element itself if it has none."""
    ends = list(range(len(parents)))
    for row in range(len(parents) - 1, 0, -1):
        ends[parents[row]] = max(ends[parents[row]], ends[row])
    return ends


def _find_neighbours(
    page: Page, element: int, with_words: Sequence[int], inside: range, ends: Sequence[int]
) -> tuple[int, int] | None:
    """Find the blocks before and after code, both in the nearest element that contains more than the code.

    `with_words` are the visible blocks with words; `inside` are the positions in it that belong to the code.
    """
    if inside.start == 0 or inside.stop == len(with_words):
        return None
    before, after = with_words[inside.start - 1], with_words[inside.stop]
    for outer in list_around(page.parents, element, MAX_WRAPPERS + 1)[1:]:
        holds = [outer <= page.owners[row] <= ends[outer] for row in (before, after)]
        if any(holds):
            return (before, after) if all(holds) else None
    return None


def choose_by_leaves(page: Page, leaves: Iterable[int]) -> Choice:
    """Return the choice of an answer that gives the leaves it keeps."""
    kept = [False] * len(page.texts)
    for leaf in leaves:
        kept[leaf] = True
    blocks = []
    for block in page.blocks:
        shown = block.shown_leaves()
        sizes = [len(page.texts[leaf]) for leaf in shown]
        taken = sum(size for size, leaf in zip(sizes, shown, strict=True) if kept[leaf])
        blocks.append(taken >= MIN_KEPT_SHARE * sum(sizes) and taken > 0)
    return Choice(kept, blocks)


def choose_by_text(page: Page, text: str, units: Iterable[CountedUnit]) -> Choice:
    """Return the choice of an answer that is only a text."""
    found = align(page, text)
    leaves = list(found.leaves)
    incomplete = [unit for unit in units if unit.kind == "code" and not all(leaves[leaf] for leaf in unit.parts)]
    joined = _join_words(text) if incomplete else ""
    for unit in incomplete[:MAX_CODE_SEARCHES]:
        if _has_code(page, joined, unit.parts):
            for leaf in unit.parts:
                leaves[leaf] = True
    return Choice(leaves, found.blocks)


def _has_code(page: Page, joined: str, leaves: Sequence[int]) -> bool:
    """Whether a text without whitespace contains code, with or without its line numbers."""
    variants = (leaves, range(leaves[0], leaves[-1] + 1))
    codes = [_join_words("\n".join(page.texts[leaf] for leaf in variant)) for variant in variants]
    return any(len(code) >= MIN_SURE_CHARS and code in joined for code in codes)


def _join_words(text: str) -> str:
    return "".join(WORD.findall(text.lower()))


def judge_units(units: Iterable[CountedUnit], choice: Choice) -> list[UnitVerdict]:
    """Judge each unit by what an answer keeps."""
    verdicts = []
    for unit in units:
        kept = choice.leaves if unit.kind == "code" else choice.blocks
        lost = tuple(part for part in unit.parts if not kept[part])
        is_between = unit.neighbours is not None and all(choice.blocks[row] for row in unit.neighbours)
        verdicts.append(UnitVerdict(unit, lost, is_between))
    return verdicts


def count_verdicts(verdicts: Sequence[UnitVerdict]) -> dict[str, float]:
    """Count the kept and incomplete units of each kind, with the share that is whole; no scores where none is kept.

    `code_dropped` is the share of code between kept neighbours that is dropped.
    """
    scores: dict[str, float] = {}
    for kind, name in MEASURED_KINDS.items():
        kept = [verdict for verdict in verdicts if verdict.unit.kind == kind and verdict.is_kept]
        if kept:
            incomplete = sum(verdict.is_incomplete for verdict in kept)
            scores |= {name: 1 - incomplete / len(kept), f"{name}_kept": len(kept), f"{name}_torn": incomplete}
    between = sum(verdict.is_between for verdict in verdicts)
    if between:
        dropped = sum(verdict.is_dropped_between for verdict in verdicts)
        scores |= {"code_dropped": dropped / between, "code_between": between, "code_skipped": dropped}
    return scores
