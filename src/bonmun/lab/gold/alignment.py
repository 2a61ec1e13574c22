"""Align a gold text with the leaves and blocks of its page.

Order matters: a menu entry with the same words as a heading is not the heading. Lines of the gold matter too: a button
with a word from a sentence is not part of that sentence. Three passes run over the visible blocks. Each one uses the
gold words that the passes before it did not match:

1. Match blocks whose words occur unchanged in the gold, in page order (see matching.py).
2. Match long blocks that occur elsewhere: the gold may have a different order.
3. Match blocks that occur in part, right after the match before them or right before the match after them. Most words
   of a long block must occur. A short block must resemble a line of the gold. Otherwise, single leaves may match
   exactly. The blocks that fit best claim their words first.

Adjacent leaves without whitespace between them form one word on the page. Where the gold separates them, they are read
as separate words. Soft hyphens and zero-width characters do not split words.
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
from bonmun.lab.gold.matching import MIN_SURE_WORDS, Match, find_heaviest_chain, match_in_order
from bonmun.labels import Labels
from bonmun.options import DEFAULTS
from bonmun.text.words import Overlap, compare_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = ["Alignment", "align"]

MIN_LONG_BLOCK_SHARE = 0.7  # share of a long block's words that must occur in the gold
MIN_PART_SHARE = 0.5  # share of matched words from which a partial block, or a leaf in one, counts as in the gold
MAX_GAP_WORDS = 60  # in a gap of at most this many gold words, a single leaf does not match by chance
MIN_LINE_SIMILARITY = 0.6  # Dice coefficient of a short block and a line of the gold that count as similar
MAX_COMPARED_LINES = 50  # lines of the gold that are compared with a short block
OPENING_CATEGORIES = frozenset({"Ps", "Pi"})  # Unicode categories of opening brackets and quotes


@dataclass(frozen=True, slots=True)
class Alignment:
    """The blocks and leaves of a page that are in its gold, and how well they match it."""

    blocks: list[bool]
    leaves: list[bool]
    words: Overlap  # of the aligned leaves with the gold: its F1 is the best that any choice of leaves can reach

    def make_labels(self) -> Labels:
        """Make the labels of a method that is always right (the oracle)."""
        reasons = ["in the gold" if kept else "not in the gold" for kept in self.leaves]
        return Labels("oracle", "leaf", [float(kept) for kept in self.leaves], self.leaves, reasons, confidence=1.0)


def align(page: Page, gold: str) -> Alignment:
    """Find the blocks and leaves of a page that are in its gold text."""
    wanted = GoldIndex([split_words(line) for line in gold.splitlines()])
    words = _read_blocks(page, wanted)
    matches = match_in_order(words, wanted)
    matches = sorted(matches + _match_elsewhere(words, wanted, matches))
    whole = {match.block for match in matches}
    parts = _match_in_part(page, words, wanted, matches)
    mostly = {row for row, part in parts.items() if part.shared.total() >= MIN_PART_SHARE * len(words[row])}
    leaves = [False] * len(page.texts)
    for leaf in _choose_leaves(page, whole, parts):
        leaves[leaf] = True
    blocks = [row in whole or row in mostly for row in range(len(words))]
    text = Document(page, Labels("gold", "leaf", leaves, leaves, [""] * len(leaves), 1.0), DEFAULTS).text
    return Alignment(blocks, leaves, compare_counts(Counter(split_words(text)), Counter(wanted.words)))


def _read_blocks(page: Page, gold: GoldIndex) -> list[list[str]]:
    """Read the words of each block. Hidden blocks have none, unless the styles hide more than half of the gold."""
    every = [_read_block(page, row, gold) for row in range(len(page.block_texts))]
    words = [[] if hidden else mine for mine, hidden in zip(every, page.hidden_blocks, strict=True)]
    shown = Counter(word for mine in words for word in mine)
    hides_gold = 2 * (shown & Counter(gold.words)).total() < len(gold.words)
    return every if hides_gold else words


def _read_block(page: Page, row: int, gold: GoldIndex) -> list[str]:
    """Read the words of a whole block, or of its leaves one by one where these are closer to the gold.

    `<b>Acme</b>Kettle` is one word on the page, but styles or the gold may separate it into two.
    """
    mine = split_words(page.block_texts[row])
    if page.stops[row] - page.starts[row] == 1:
        return mine
    apart = [word for leaf in page.blocks[row].shown_leaves() for word in split_words(page.texts[leaf])]
    return apart if apart != mine and gold.rate(apart) > gold.rate(mine) else mine


def _match_elsewhere(words: list[list[str]], gold: GoldIndex, matches: list[Match]) -> list[Match]:
    """Match long blocks with unmatched words of the gold, in any order: the gold may be ordered differently."""
    left = [True] * len(gold.words)
    for match in matches:
        left[match.start : match.stop] = [False] * (match.stop - match.start)
    taken = {match.block for match in matches}
    copies = Counter(tuple(mine) for mine in words if len(mine) >= MIN_SURE_WORDS)
    tried = {key: gold.find(key, count) for key, count in copies.items()}
    found = []
    for row, mine in enumerate(words):
        if row in taken:
            continue
        for start in tried.get(tuple(mine), ()):  # an iterator: it continues after the previous block with these words
            if all(left[start : start + len(mine)]):
                left[start : start + len(mine)] = [False] * len(mine)
                found.append(Match(row, start, start + len(mine)))
                break
    return found


class _GoldGap:
    """A run of gold words that no block has matched as a whole."""

    def __init__(self, lines: list[list[str]]) -> None:
        self.gold = GoldIndex(lines)
        self.free = Counter(self.gold.words)  # words that no block has matched in part
        self._lines = [Counter(line) for line in dict.fromkeys(map(tuple, lines))]
        self._lines_by_word: dict[str, list[int]] = {}
        for number, line in enumerate(self._lines):
            for word in line:
                self._lines_by_word.setdefault(word, []).append(number)

    def has_similar_line(self, words: Counter[str]) -> bool:
        """Whether the words resemble a line of this gap that is not matched yet.

        Lines with rare words are compared first, up to a limit: thousands of lines may share one of the words.
        """
        free = words & self.free
        found = sorted((self._lines_by_word[word] for word in free), key=len)
        numbers = dict.fromkeys(number for lines in found for number in lines[:MAX_COMPARED_LINES])
        for number in islice(numbers, MAX_COMPARED_LINES):
            line = self._lines[number]
            if 2 * (free & line).total() >= MIN_LINE_SIMILARITY * (words.total() + line.total()):
                return True
        return False


class _PartialMatch(NamedTuple):
    """The words that a block shares with a gap."""

    shared: Counter[str]
    gap: _GoldGap


def _match_in_part(
    page: Page, words: list[list[str]], gold: GoldIndex, matches: list[Match]
) -> dict[int, _PartialMatch]:
    """Match blocks that occur in the gold in part.

    The search covers the gap right after the previous match on the page and the gap right before the next one.
    """
    size = len(gold.words)
    bounds = [Match(-1, 0, 0), *matches, Match(len(words), size, size)]
    after: dict[int, _GoldGap] = {}
    before: dict[int, _GoldGap] = {}
    for one, other in pairwise(sorted(bounds, key=itemgetter(1, 2))):
        if one.stop < other.start:
            after[one.stop] = before[other.start] = _GoldGap(gold.split_lines(one.stop, other.start))
    parts: dict[int, _PartialMatch] = {}
    for one, other in pairwise(bounds):
        gaps = dict.fromkeys((after.get(one.stop), before.get(other.start)))  # most often the same
        for gap in filter(None, gaps):
            rows = {row: Counter(words[row]) for row in range(one.block + 1, other.block) if row not in parts}
            parts |= _match_in_gap(page, rows, gap)
    return parts


def _match_in_gap(page: Page, rows: dict[int, Counter[str]], gap: _GoldGap) -> dict[int, _PartialMatch]:
    """Match blocks, given by their rows and words, that occur in a gap in part.

    Blocks that share many words with the gap and have few others come first, so that a title comes before a button
    that repeats it.
    """
    fits = [(-((words & gap.free).total() ** 2) / words.total(), row) for row, words in rows.items() if words]
    parts = {}
    for fit, row in sorted(fits):
        shared = _find_shared(page, row, rows[row], gap) if fit else None
        if shared:
            parts[row] = _PartialMatch(shared, gap)
            gap.free.subtract(shared)
    return parts


def _find_shared(page: Page, row: int, words: Counter[str], gap: _GoldGap) -> Counter[str]:
    """Find the words that a block and a gap share; none if they may match by chance."""
    shared = words & gap.free
    size = words.total()
    sure = shared.total() >= MIN_LONG_BLOCK_SHARE * size if size >= MIN_SURE_WORDS else gap.has_similar_line(words)
    if sure:
        return shared
    leaves = page.blocks[row].shown_leaves()
    if len(leaves) == 1 or len(gap.gold.words) > MAX_GAP_WORDS:
        return Counter()
    texts = [split_words(page.texts[leaf]) for leaf in leaves]
    return Counter(word for text in texts if gap.gold.has(text) for word in text) & gap.free


def _choose_leaves(page: Page, whole: set[int], parts: dict[int, _PartialMatch]) -> Iterator[int]:
    """Yield the leaves in the gold: all visible leaves of a whole match, the matching leaves of a partial one."""
    for row in whole:
        yield from page.blocks[row].shown_leaves()
    for row, part in parts.items():
        yield from _choose_leaves_in_part(page, row, part)


def _choose_leaves_in_part(page: Page, row: int, part: _PartialMatch) -> set[int]:
    """Choose the leaves of a block whose words are mostly shared with the gold.

    Leaves that occur in the gold out of order claim their words last: of `#3` and `Jun 3`, that is `#3`.
    """
    leaves = page.blocks[row].shown_leaves()
    words = [split_words(page.texts[leaf]) for leaf in leaves]
    chained = {match.block for match in find_heaviest_chain(words, part.gap.gold)}
    unordered = {number for number, mine in enumerate(words) if number not in chained and part.gap.gold.has(mine)}
    free = Counter(part.shared)
    kept = set()
    for number in sorted(range(len(leaves)), key=unordered.__contains__):
        mine = Counter(words[number]) & free
        if mine and mine.total() >= MIN_PART_SHARE * len(words[number]):
            kept.add(leaves[number])
            free.subtract(mine)
    with_words = [leaf for leaf, mine in zip(leaves, words, strict=True) if mine]
    return kept | {leaf for leaf in leaves if kept.issuperset(_find_partner(page, leaf, with_words))}


def _find_partner(page: Page, leaf: int, with_words: list[int]) -> list[int]:
    """Find the leaf with words that a leaf belongs to: itself, the one before a full stop, or the one after a `(`."""
    at = bisect_left(with_words, leaf)
    if leaf in with_words[at : at + 1]:
        return [leaf]
    before, after = with_words[max(at - 1, 0) : at], with_words[at : at + 1]
    opens = category(page.texts[leaf][-1]) in OPENING_CATEGORIES
    return after or before if opens else before or after
