"""A gold text in, labels out: which leaves and blocks of a page it was made of.

The order counts: a menu entry with the words of a heading is not the heading. Three passes over the blocks that are
shown, each over what the passes before left of the gold:

1. Blocks whose words stand in the gold as they are. Of all places where they do, the chain that goes forward in page
   and gold at once and has most characters is right; of blocks with the same words, the one next to its neighbours in
   the gold is.
2. Long blocks that stand elsewhere: the gold may have another order.
3. Blocks that are there in part: most of their words, or whole leaves, are in the gold between the blocks around them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bonmun.document import Document
from bonmun.labels import Labels
from bonmun.options import DEFAULTS
from bonmun.words import WORD, Overlap, count_words, overlap

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["Alignment", "align"]

PLACES = 30  # in the gold at which the words of a block are looked for
LONG = 8  # words: a block of as many is no chance match
MOST = 0.7  # of a block's words must be in the gold
PART = 0.5  # of the words of a leaf in a block that is there in part, or of the block itself, for it to count as in
NARROW = 60  # words of the gold between two blocks, at most, where a leaf alone is no chance match


@dataclass(frozen=True, slots=True)
class Alignment:
    """What of a page is in its gold, and how far that can be trusted."""

    blocks: list[bool]
    leaves: list[bool]
    words: Overlap  # of the blocks that are in, against the gold: its F1 is that of the best possible choice of blocks

    def labels(self) -> Labels:
        """The gold as the labels of a method that is always right."""
        reasons = ["in the gold" if kept else "not in the gold" for kept in self.leaves]
        return Labels("oracle", "leaf", [float(kept) for kept in self.leaves], self.leaves, reasons, confidence=1.0)


class _Match(NamedTuple):
    """Words of a block found in the gold."""

    block: int
    start: int  # in words of the gold
    stop: int


def align(page: Page, gold: str) -> Alignment:
    """Find the blocks and leaves that a gold text was made of."""
    wanted = WORD.findall(gold.lower())
    every = [WORD.findall(text.lower()) for text in page.block_texts]
    hidden = page.block_sizes.hidden
    words = [[] if gone else mine for mine, gone in zip(every, hidden, strict=True)]
    shown = Counter(word for mine in words for word in mine)
    if 2 * (shown & Counter(wanted)).total() < len(wanted):  # people saw what the page's own styles hide
        words = every
    matches = _chain(_places(words, wanted), words)
    matches = _nearest(matches, words)
    left = [True] * len(wanted)  # the words of the gold that no block has yet
    for match in matches:
        left[match.start : match.stop] = [False] * (match.stop - match.start)
    matches += _elsewhere(words, wanted, left, {match.block for match in matches})
    whole = {match.block for match in matches}
    parts = _parts(page, words, wanted, left, sorted(matches))
    leaves = _leaves(page, whole, parts)
    mostly = {row for row, shared in parts.items() if shared.total() >= PART * len(words[row])}
    blocks = [row in whole or row in mostly for row in range(len(words))]
    text = Document(page, Labels("gold", "leaf", leaves, leaves, [""] * len(leaves), 1.0), DEFAULTS).text
    return Alignment(blocks, leaves, overlap(count_words(text), Counter(wanted)))


def _places(words: list[list[str]], wanted: list[str]) -> list[list[_Match]]:
    """For each block, where in the gold its words stand in a row."""
    gold = f" {' '.join(wanted)} "
    starts: list[int] = []
    place = 0
    for word in wanted:
        starts.append(place)
        place += len(word) + 1
    known: dict[str, list[int]] = {}
    found: list[list[_Match]] = []
    for block, mine in enumerate(words):
        key = f" {' '.join(mine)} " if mine else ""
        if key and key not in known:
            places: list[int] = []
            known[key] = places
            place = gold.find(key)
            while place >= 0 and len(places) < PLACES:
                places.append(bisect_left(starts, place))
                place = gold.find(key, place + 1)
        found.append([_Match(block, start, start + len(mine)) for start in known.get(key, ())])
    return found


def _chain(found: list[list[_Match]], words: list[list[str]]) -> list[_Match]:
    """The matches that go forward in page and gold at once and have most characters together."""
    ends = sorted({match.stop for places in found for match in places})
    best: list[tuple[int, int]] = [(0, -1)] * (len(ends) + 1)  # a tree of maxima: the best chain up to an end
    every: list[_Match] = []
    before: list[int] = []
    for places in found:
        size = sum(map(len, words[places[0].block])) if places else 0
        new = []
        for match in places:  # all of a block ask before any is entered
            weight, last = 0, -1
            at = bisect_right(ends, match.start)
            while at:
                weight, last = max((weight, last), best[at])
                at -= at & -at
            new.append((weight + size, last, match))
        for weight, last, match in new:
            every.append(match)
            before.append(last)
            at = bisect_left(ends, match.stop) + 1
            while at < len(best):
                best[at] = max(best[at], (weight, len(every) - 1))
                at += at & -at
    chain = []
    at = max(best, default=(0, -1))[1]
    while at >= 0:
        chain.append(every[at])
        at = before[at]
    return chain[::-1]


def _nearest(chain: list[_Match], words: list[list[str]]) -> list[_Match]:
    """Of blocks with the same words, take the one that is next to its neighbours in the gold."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for row, mine in enumerate(words):
        rows.setdefault(tuple(mine), []).append(row)
    moved: list[_Match] = []
    for number, match in enumerate(chain):
        after = chain[number + 1] if number + 1 < len(chain) else None
        low = moved[-1].block if moved else -1
        high = after.block if after else len(words)
        same = [row for row in rows[tuple(words[match.block])] if low < row < high]
        touches = bool(moved) and match.start == moved[-1].stop
        if len(same) > 1 and after and (after.start == match.stop or not touches):
            match = match._replace(block=same[-1])
        elif len(same) > 1 and touches:
            match = match._replace(block=same[0])
        moved.append(match)
    return moved


def _elsewhere(words: list[list[str]], wanted: list[str], left: list[bool], taken: set[int]) -> list[_Match]:
    """Long blocks whose words stand in what is left of the gold, out of order."""
    remains = [word if free else "\n" for word, free in zip(wanted, left, strict=True)]
    long = [mine if len(mine) >= LONG and row not in taken else [] for row, mine in enumerate(words)]
    found = []
    for places in _places(long, remains):
        for match in places:
            if all(left[match.start : match.stop]):
                left[match.start : match.stop] = [False] * (match.stop - match.start)
                found.append(match)
                break
    return found


def _parts(
    page: Page, words: list[list[str]], wanted: list[str], left: list[bool], matches: list[_Match]
) -> dict[int, Counter[str]]:
    """Blocks that are in the gold in part, with the words that are: looked for between the matches around them."""
    found: dict[int, Counter[str]] = {}
    taken = {match.block for match in matches}
    bounds = [_Match(-1, 0, 0), *matches, _Match(len(words), len(wanted), len(wanted))]
    for one, other in pairwise(bounds):
        start, stop = min(one.stop, other.start), max(one.stop, other.start)
        rest = [word for word, open_ in zip(wanted[start:stop], left[start:stop], strict=True) if open_]
        free = Counter(rest)
        for row in range(one.block + 1, other.block):
            if not free or row in taken or not words[row]:
                continue
            shared = Counter(words[row]) & free
            if shared.total() < MOST * len(words[row]):
                shared = _whole_leaves(page, row, rest) & free if len(rest) <= NARROW else Counter()
            if shared:
                found[row] = shared
                free -= shared
    return found


def _whole_leaves(page: Page, row: int, rest: list[str]) -> Counter[str]:
    """The words of those leaves of a block that stand in a row in some words of the gold."""
    gold = f" {' '.join(rest)} "
    leaves = [WORD.findall(page.texts[leaf].lower()) for leaf in page.blocks[row].shown_leaves()]
    return Counter(word for leaf in leaves if leaf and f" {' '.join(leaf)} " in gold for word in leaf)


def _leaves(page: Page, whole: set[int], parts: dict[int, Counter[str]]) -> list[bool]:
    """Which leaves are in: all that are shown of a block that is, and of one in part those that are mostly."""
    leaves = [False] * len(page.texts)
    for row in (*whole, *parts):
        free = Counter(parts[row]) if row in parts else None
        for leaf in page.blocks[row].shown_leaves():
            if free is None:
                leaves[leaf] = True
                continue
            mine = count_words(page.texts[leaf])
            shared = mine & free
            leaves[leaf] = shared.total() >= PART * mine.total()
            free -= shared
    return leaves
