"""A gold text in, labels out: which leaves and blocks of a page it was made of.

The order counts: a menu entry with the words of a heading is not the heading. So do the lines of the gold: a button
with a word of some sentence is not part of it. There are three passes over the blocks that are shown, each over what
the passes before left of the gold:

1. Blocks whose words stand in the gold as they are, in the order of the page (see matching.py).
2. Long blocks that stand elsewhere: the gold may have another order.
3. Blocks that are there in part, right after the block before them or right before the block after them. Of a long one,
   most words must be there; a short one must be much like a line; else some of its leaves may be there as they are.
   Those that fit best take their words first.

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
from bonmun.lab.gold.index import GoldIndex, split_words
from bonmun.lab.gold.matching import SURE_WORDS, Match, find_heaviest_chain, match_in_order
from bonmun.labels import Labels
from bonmun.options import DEFAULTS
from bonmun.text.words import Overlap, compare_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = ["Alignment", "align"]

LONG_BLOCK_SHARE = 0.7  # of the words of a long block must be in the gold
PART_SHARE = 0.5  # of the words of a leaf in a block that is there in part, or of that block, for it to count as in
NARROW_WORDS = 60  # of the gold between two blocks, at most, where a leaf alone does not match by chance
LIKE_SHARE = 0.6  # of all words of a short block and a line must be shared for them to be much alike (Dice)
LINES_COMPARED = 50  # of the gold, at most, with a short block
OPENING = frozenset({"Ps", "Pi"})  # what Unicode calls brackets and quotes that open


@dataclass(frozen=True, slots=True)
class Alignment:
    """What of a page is in its gold, and how far that can be trusted."""

    blocks: list[bool]
    leaves: list[bool]
    words: Overlap  # of the leaves that are in with the gold: its F1 is that of the best possible choice of leaves

    def make_labels(self) -> Labels:
        """Make the labels of a method that is always right."""
        reasons = ["in the gold" if kept else "not in the gold" for kept in self.leaves]
        return Labels("oracle", "leaf", [float(kept) for kept in self.leaves], self.leaves, reasons, confidence=1.0)


def align(page: Page, gold: str) -> Alignment:
    """Find the blocks and leaves that a gold text was made of."""
    wanted = GoldIndex([split_words(line) for line in gold.splitlines()])
    words = _read_blocks(page, wanted)
    matches = match_in_order(words, wanted)
    matches = sorted(matches + _match_elsewhere(words, wanted, matches))
    whole = {match.block for match in matches}
    parts = _match_in_part(page, words, wanted, matches)
    mostly = {row for row, part in parts.items() if part.shared.total() >= PART_SHARE * len(words[row])}
    leaves = [False] * len(page.texts)
    for leaf in _choose_leaves(page, whole, parts):
        leaves[leaf] = True
    blocks = [row in whole or row in mostly for row in range(len(words))]
    text = Document(page, Labels("gold", "leaf", leaves, leaves, [""] * len(leaves), 1.0), DEFAULTS).text
    return Alignment(blocks, leaves, compare_counts(Counter(split_words(text)), Counter(wanted.words)))


def _read_blocks(page: Page, gold: GoldIndex) -> list[list[str]]:
    """Read the words of each block; none of those that are hidden, unless the gold shows that people saw them."""
    every = [_read_block(page, row, gold) for row in range(len(page.block_texts))]
    words = [[] if hidden else mine for mine, hidden in zip(every, page.hidden_blocks, strict=True)]
    shown = Counter(word for mine in words for word in mine)
    seen_anyway = 2 * (shown & Counter(gold.words)).total() < len(gold.words)  # the styles hide more than half of it
    return every if seen_anyway else words


def _read_block(page: Page, row: int, gold: GoldIndex) -> list[str]:
    """Read the words of a block as it stands or, where that is more like the gold, of its leaves one by one.

    `<b>Acme</b>Kettle` is one word on the page, and styles or the gold make two of it.
    """
    mine = split_words(page.block_texts[row])
    if page.stops[row] - page.starts[row] == 1:
        return mine
    apart = [word for leaf in page.blocks[row].shown_leaves() for word in split_words(page.texts[leaf])]
    return apart if apart != mine and gold.rate(apart) > gold.rate(mine) else mine


def _match_elsewhere(words: list[list[str]], gold: GoldIndex, matches: list[Match]) -> list[Match]:
    """Match long blocks with what other matches left of the gold: it may have another order than the page."""
    left = [True] * len(gold.words)
    for match in matches:
        left[match.start : match.stop] = [False] * (match.stop - match.start)
    taken = {match.block for match in matches}
    copies = Counter(tuple(mine) for mine in words if len(mine) >= SURE_WORDS)
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
        self.gold = GoldIndex(lines)
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
        numbers = dict.fromkeys(number for lines in found for number in lines[:LINES_COMPARED])
        for number in islice(numbers, LINES_COMPARED):
            line = self._lines[number]
            if 2 * (free & line).total() >= LIKE_SHARE * (words.total() + line.total()):
                return True
        return False


class _Part(NamedTuple):
    """What a block shares with a rest of the gold."""

    shared: Counter[str]
    rest: _Rest


def _match_in_part(page: Page, words: list[list[str]], gold: GoldIndex, matches: list[Match]) -> dict[int, _Part]:
    """Find the blocks that are in the gold in part, with the words that are.

    They are looked for right after the match before them on the page, and right before the match after them.
    """
    size = len(gold.words)
    bounds = [Match(-1, 0, 0), *matches, Match(len(words), size, size)]
    after: dict[int, _Rest] = {}
    before: dict[int, _Rest] = {}
    for one, other in pairwise(sorted(bounds, key=itemgetter(1, 2))):
        if one.stop < other.start:
            after[one.stop] = before[other.start] = _Rest(gold.split_lines(one.stop, other.start))
    parts: dict[int, _Part] = {}
    for one, other in pairwise(bounds):
        rests = dict.fromkeys((after.get(one.stop), before.get(other.start)))  # most often the same
        for rest in filter(None, rests):
            rows = {row: Counter(words[row]) for row in range(one.block + 1, other.block) if row not in parts}
            parts |= _match_in_rest(page, rows, rest)
    return parts


def _match_in_rest(page: Page, rows: dict[int, Counter[str]], rest: _Rest) -> dict[int, _Part]:
    """Find which of some blocks are, in part, in a rest of the gold.

    First come those that share many words with it and have few others, so that a title comes before a button that
    repeats it.
    """
    fits = [(-((words & rest.free).total() ** 2) / words.total(), row) for row, words in rows.items() if words]
    parts = {}
    for fit, row in sorted(fits):
        shared = _find_shared(page, row, rows[row], rest) if fit else None
        if shared:
            parts[row] = _Part(shared, rest)
            rest.free.subtract(shared)
    return parts


def _find_shared(page: Page, row: int, words: Counter[str], rest: _Rest) -> Counter[str]:
    """Find the words that a block and a rest of the gold share; none if that may be chance."""
    shared = words & rest.free
    size = words.total()
    sure = shared.total() >= LONG_BLOCK_SHARE * size if size >= SURE_WORDS else rest.has_line_like(words)
    if sure:
        return shared
    leaves = page.blocks[row].shown_leaves()
    if len(leaves) == 1 or len(rest.gold.words) > NARROW_WORDS:
        return Counter()
    texts = [split_words(page.texts[leaf]) for leaf in leaves]
    return Counter(word for text in texts if rest.gold.has(text) for word in text) & rest.free


def _choose_leaves(page: Page, whole: set[int], parts: dict[int, _Part]) -> Iterator[int]:
    """Choose the leaves that are in: all shown ones of a whole block, and of one in part those that mostly are."""
    for row in whole:
        yield from page.blocks[row].shown_leaves()
    for row, part in parts.items():
        yield from _choose_leaves_in_part(page, row, part)


def _choose_leaves_in_part(page: Page, row: int, part: _Part) -> set[int]:
    """Choose the leaves of a block that have most of their words among those that it shares with the gold.

    Leaves that stand in the gold, but not in the order of the others, come last: of `#3` and `Jun 3`, that is `#3`.
    """
    leaves = page.blocks[row].shown_leaves()
    words = [split_words(page.texts[leaf]) for leaf in leaves]
    chained = {match.block for match in find_heaviest_chain(words, part.rest.gold)}
    astray = {number for number, mine in enumerate(words) if number not in chained and part.rest.gold.has(mine)}
    free = Counter(part.shared)
    kept = set()
    for number in sorted(range(len(leaves)), key=astray.__contains__):
        mine = Counter(words[number]) & free
        if mine and mine.total() >= PART_SHARE * len(words[number]):
            kept.add(leaves[number])
            free.subtract(mine)
    worded = [leaf for leaf, mine in zip(leaves, words, strict=True) if mine]
    return kept | {leaf for leaf in leaves if kept.issuperset(_find_partner(page, leaf, worded))}


def _find_partner(page: Page, leaf: int, worded: list[int]) -> list[int]:
    """Find the leaf with words that a leaf goes with: itself; for a full stop the one before, for `(` the one after."""
    at = bisect_left(worded, leaf)
    if leaf in worded[at : at + 1]:
        return [leaf]
    before, after = worded[max(at - 1, 0) : at], worded[at : at + 1]
    opens = category(page.texts[leaf][-1]) in OPENING
    return after or before if opens else before or after
