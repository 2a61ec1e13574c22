"""A gold text in, labels out: which leaves and blocks of a page it was made of.

The order counts: a menu entry with the words of a heading is not the heading. So do the lines of the gold: a button
with a word of some sentence is not in it. Three passes over the blocks that are shown, each over what the passes before
left of the gold:

1. Blocks whose words stand in the gold as they are, in the order of the page (see chain.py).
2. Long blocks that stand elsewhere: the gold may have another order.
3. Blocks that are there in part, right after the block before them or right before the block after them. Of a long one,
   most words must be there; a short one must be much like a line; else leaves may be there as they are. Those that fit
   best take their words first.

Leaves that are joined without a blank are one word on the page; where the gold has them apart, they are read apart.
Soft hyphens and characters without width do not split words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from itertools import islice, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import category

from bonmun.document import Document
from bonmun.gold.chain import LONG, Gold, Match, heaviest, in_order, words_of
from bonmun.labels import Labels
from bonmun.options import DEFAULTS
from bonmun.text.words import Overlap, overlap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = ["Alignment", "align"]

MOST = 0.7  # of a long block's words must be in the gold
PART = 0.5  # of the words of a leaf in a block that is there in part, or of the block itself, for it to count as in
NARROW = 60  # words of the gold between two blocks, at most, where a leaf alone is no chance match
LIKE = 0.6  # of all words of a short block and a line must be shared for them to be much alike (Dice)
LINES = 50  # of the gold, at most, that a short block is compared with
OPENING = frozenset({"Ps", "Pi"})  # what Unicode calls brackets and quotes that open


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


def align(page: Page, gold: str) -> Alignment:
    """Find the blocks and leaves that a gold text was made of."""
    wanted = Gold([words_of(line) for line in gold.splitlines()])
    words = _block_words(page, wanted)
    matches = in_order(words, wanted)
    matches = sorted(matches + _out_of_order(words, wanted, matches))
    whole = {match.block for match in matches}
    parts = _parts(page, words, wanted, matches)
    mostly = {row for row, part in parts.items() if part.shared.total() >= PART * len(words[row])}
    leaves = [False] * len(page.texts)
    for leaf in _leaves(page, whole, parts):
        leaves[leaf] = True
    blocks = [row in whole or row in mostly for row in range(len(words))]
    text = Document(page, Labels("gold", "leaf", leaves, leaves, [""] * len(leaves), 1.0), DEFAULTS).text
    return Alignment(blocks, leaves, overlap(Counter(words_of(text)), Counter(wanted.words)))


def _block_words(page: Page, gold: Gold) -> list[list[str]]:
    """The words of each block; none for those that are hidden, unless people saw them."""
    every = [_read(page, row, gold) for row in range(len(page.block_texts))]
    words = [[] if hidden else mine for mine, hidden in zip(every, page.hidden_blocks, strict=True)]
    shown = Counter(word for mine in words for word in mine)
    seen_anyway = 2 * (shown & Counter(gold.words)).total() < len(gold.words)  # the styles hide more than half of it
    return every if seen_anyway else words


def _read(page: Page, row: int, gold: Gold) -> list[str]:
    """The words of a block as it is read or, where that is more like the gold, of its leaves one by one.

    `<b>Acme</b>Kettle` is one word on the page, and styles or the gold make two of it.
    """
    mine = words_of(page.block_texts[row])
    if page.stops[row] - page.starts[row] == 1:
        return mine
    apart = [word for leaf in page.blocks[row].shown_leaves() for word in words_of(page.texts[leaf])]
    return apart if apart != mine and gold.likeness(apart) > gold.likeness(mine) else mine


def _out_of_order(words: list[list[str]], gold: Gold, matches: list[Match]) -> list[Match]:
    """Long blocks that stand in what some matches left of the gold: it may have another order than the page."""
    left = [True] * len(gold.words)
    for match in matches:
        left[match.start : match.stop] = [False] * (match.stop - match.start)
    taken = {match.block for match in matches}
    copies = Counter(tuple(mine) for mine in words if len(mine) >= LONG)
    tried = {key: gold.find(key, count) for key, count in copies.items()}
    found = []
    for row, mine in enumerate(words):
        if row in taken:
            continue
        for start in tried.get(tuple(mine), ()):  # goes on where the block before it with these words stopped
            if all(left[start : start + len(mine)]):
                left[start : start + len(mine)] = [False] * len(mine)
                found.append(Match(row, start, start + len(mine)))
                break
    return found


class _Rest:
    """Words of the gold in a row that no block has yet."""

    def __init__(self, lines: list[list[str]]) -> None:
        self.gold = Gold(lines)
        self.free = Counter(self.gold.words)  # those that no block has in part
        self._lines = [Counter(line) for line in dict.fromkeys(map(tuple, lines))]
        self._with: dict[str, list[int]] = {}  # the numbers of the lines with a word
        for number, line in enumerate(self._lines):
            for word in line:
                self._with.setdefault(word, []).append(number)

    def has_line_like(self, words: Counter[str]) -> bool:
        """Whether a line whose words are free is much like some words.

        Lines with rare words are looked at first, and not many: a gold may have thousands with one word of them.
        """
        free = words & self.free
        found = sorted((self._with[word] for word in free), key=len)
        for number in islice(dict.fromkeys(number for lines in found for number in lines[:LINES]), LINES):
            line = self._lines[number]
            if 2 * (free & line).total() >= LIKE * (words.total() + line.total()):
                return True
        return False


class _Part(NamedTuple):
    """What a block shares with a rest of the gold."""

    shared: Counter[str]
    rest: _Rest


def _parts(page: Page, words: list[list[str]], gold: Gold, matches: list[Match]) -> dict[int, _Part]:
    """Blocks that are in the gold in part, with the words that are.

    They are looked for right after the match before them on the page, and right before the match after them.
    """
    size = len(gold.words)
    bounds = [Match(-1, 0, 0), *matches, Match(len(words), size, size)]
    after: dict[int, _Rest] = {}
    before: dict[int, _Rest] = {}
    for one, other in pairwise(sorted(bounds, key=itemgetter(1, 2))):
        if one.stop < other.start:
            after[one.stop] = before[other.start] = _Rest(gold.lines(one.stop, other.start))
    parts: dict[int, _Part] = {}
    for one, other in pairwise(bounds):
        rests = dict.fromkeys((after.get(one.stop), before.get(other.start)))  # most often the same
        for rest in filter(None, rests):
            rows = {row: Counter(words[row]) for row in range(one.block + 1, other.block) if row not in parts}
            parts |= _parts_of(page, rows, rest)
    return parts


def _parts_of(page: Page, rows: dict[int, Counter[str]], rest: _Rest) -> dict[int, _Part]:
    """The blocks, of some, that are in a rest of the gold in part.

    First come those that share many words with it and have few others: a button that repeats a title comes after it.
    """
    fits = [(-((words & rest.free).total() ** 2) / words.total(), row) for row, words in rows.items() if words]
    parts = {}
    for fit, row in sorted(fits):
        shared = _shared(page, row, rows[row], rest) if fit else None
        if shared:
            parts[row] = _Part(shared, rest)
            rest.free.subtract(shared)
    return parts


def _shared(page: Page, row: int, words: Counter[str], rest: _Rest) -> Counter[str]:
    """What a block and a rest of the gold share; nothing if that may be chance."""
    shared = words & rest.free
    size = words.total()
    sure = shared.total() >= MOST * size if size >= LONG else rest.has_line_like(words)
    if sure:
        return shared
    leaves = page.blocks[row].shown_leaves()
    if len(leaves) == 1 or len(rest.gold.words) > NARROW:
        return Counter()
    texts = [words_of(page.texts[leaf]) for leaf in leaves]
    return Counter(word for text in texts if rest.gold.has(text) for word in text) & rest.free


def _leaves(page: Page, whole: set[int], parts: dict[int, _Part]) -> Iterator[int]:
    """Which leaves are in: all that are shown of a block that is, and of one in part those that are mostly."""
    for row in whole:
        yield from page.blocks[row].shown_leaves()
    for row, part in parts.items():
        yield from _leaves_in_part(page, row, part)


def _leaves_in_part(page: Page, row: int, part: _Part) -> set[int]:
    """The leaves of a block that have most of their words among those that it shares with the gold.

    Those come last that stand in the gold, but not where the others let them: of `#3` and `Jun 3`, that is `#3`.
    """
    leaves = page.blocks[row].shown_leaves()
    words = [words_of(page.texts[leaf]) for leaf in leaves]
    chained = {match.block for match in heaviest(words, part.rest.gold)}
    astray = {number for number, mine in enumerate(words) if number not in chained and part.rest.gold.has(mine)}
    free = Counter(part.shared)
    kept = set()
    for number in sorted(range(len(leaves)), key=astray.__contains__):
        mine = Counter(words[number]) & free
        if mine and mine.total() >= PART * len(words[number]):
            kept.add(leaves[number])
            free.subtract(mine)
    worded = [leaf for leaf, mine in zip(leaves, words, strict=True) if mine]
    return kept | {leaf for leaf in leaves if kept.issuperset(_partner(page, leaf, worded))}


def _partner(page: Page, leaf: int, worded: list[int]) -> list[int]:
    """The leaf with words that a leaf goes with: itself, or for a full stop the one before, for `(` the one after."""
    at = bisect_left(worded, leaf)
    if leaf in worded[at : at + 1]:
        return [leaf]
    before, after = worded[max(at - 1, 0) : at], worded[at : at + 1]
    opens = category(page.texts[leaf][-1]) in OPENING
    return after or before if opens else before or after
