"""Find the places in a gold text where whole blocks of a page occur.

The words of a block may occur in many places, and a place may fit many blocks. The result is a chain: a sequence of
matches that moves forward on the page and in the gold, with as many characters as possible. Ties go to the chain that
respects the lines of the gold, and whose neighbours in the gold are neighbours on the page. Short blocks in the middle
of a line match by chance and are dropped.

Runs in time linear in page and gold, even where thousands of cells have the same text: words that occur in more than
`MAX_PLACES` places are only searched near the place that the chain of all other blocks predicts.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bonmun.lab.gold.index import MAX_PLACES

if TYPE_CHECKING:
    from bonmun.lab.gold.index import GoldIndex

__all__ = ["MIN_SURE_WORDS", "Match", "find_heaviest_chain", "match_in_order"]

MIN_SURE_WORDS = 8  # a block of at least this many words does not match by chance

# Weights in a chain.
CHARACTER_WEIGHT = 1 << 20  # more than all lines and neighbours of a page together
LINE_END_WEIGHT = 10  # match boundary at a line end (minus this elsewhere): one whole line beats two partial ones
TOUCHING_WEIGHT = 4  # neighbour that is beside a block as a whole: beats two partial ones, so that copies are not mixed
BESIDE_WEIGHT = 1  # neighbour that is beside a block in part

MAX_WORDS_BETWEEN = 2  # gold words between the items of a list that is one line in the gold: its numbers

Context = tuple[list[str], list[str]]  # the words of the blocks before and after a block on the page


class Match(NamedTuple):
    """A block and the place of its words in the gold."""

    block: int
    start: int  # in words
    stop: int


def match_in_order(words: list[list[str]], gold: GoldIndex) -> list[Match]:
    """Find the blocks, given by their words, that occur unchanged in the gold, in page order."""
    matches = find_heaviest_chain(words, gold, _collect_contexts(words))
    matches = _move_to_neighbours(_move_to_neighbours(matches, words), words)  # twice, since neighbours move too
    return _drop_chance_matches(matches, words, gold)


def find_heaviest_chain(words: list[list[str]], gold: GoldIndex, contexts: list[Context] | None = None) -> list[Match]:
    """Find the heaviest chain of blocks, or leaves, that occur unchanged in the gold; on a tie, the first.

    With contexts, a block weighs more if its neighbours on the page are also its neighbours in the gold.
    """
    keys = [tuple(mine) for mine in words]
    known = {key: gold.find_places(key, copies) for key, copies in Counter(keys).items()}
    every = [known[key].every for key in keys]
    matches = _chain([places if len(places) <= MAX_PLACES else [] for places in every], words, gold, contexts)
    if all(len(places) <= MAX_PLACES for places in every):
        return matches
    expected = _expect_places(matches, every, len(gold.words))
    near = [known[key].find_near(place) for key, place in zip(keys, expected, strict=True)]
    return _chain(near, words, gold, contexts)


def _expect_places(matches: list[Match], places: list[list[int]], size: int) -> list[int]:
    """Predict the place of each block in the gold, with the blocks between two matches spread evenly."""
    expected = [0] * len(places)
    for one, other in pairwise([Match(-1, 0, 0), *matches, Match(len(places), size, size)]):
        rows = [row for row in range(one.block + 1, other.block) if places[row]]
        for number, row in enumerate(rows):
            expected[row] = one.stop + (other.start - one.stop) * number // len(rows)
    return expected


class _ChainLink(NamedTuple):
    """A match and the best chain that ends in it."""

    weight: int
    match: Match
    before: _ChainLink | None


class _LinkFrontier:
    """The links worth continuing from (a Pareto frontier): sorted by where they stop, with non-decreasing weight.

    Of two links with the same weight, both stay if the one that was added first stops later, so that the first wins.
    """

    def __init__(self) -> None:
        self.links: list[_ChainLink] = []
        self._stops: list[int] = []

    def find_before(self, start: int) -> _ChainLink | None:
        """Find the heaviest link that stops at or before a place."""
        at = bisect_right(self._stops, start)
        return self.links[at - 1] if at else None

    def add(self, link: _ChainLink) -> None:
        """Add a link, unless a link of at least its weight stops as early; drop the links that it dominates."""
        stop = link.match.stop
        end = bisect_right(self._stops, stop)
        if end and self.links[end - 1].weight >= link.weight:
            return
        at = end - 1 if end and self._stops[end - 1] == stop else end
        while end < len(self.links) and self.links[end].weight < link.weight:
            end += 1
        self.links[at:end] = [link]
        self._stops[at:end] = [stop]


def _chain(
    places: list[list[int]], words: list[list[str]], gold: GoldIndex, contexts: list[Context] | None
) -> list[Match]:
    """Find the heaviest chain of matches at the given places that moves forward on the page and in the gold."""
    frontier = _LinkFrontier()
    last: dict[int, _ChainLink] = {}  # links of the previous block, by their stop
    for row, (mine, starts) in enumerate(zip(words, places, strict=True)):
        if not mine:
            continue
        size = CHARACTER_WEIGHT * sum(map(len, mine))
        links = []
        for start in starts:
            match = Match(row, start, start + len(mine))
            weight, before = _choose_before(frontier.find_before(start), last.get(start))
            weight += size + _weigh_line_ends(match, gold)
            if contexts:
                weight += _weigh_partial_neighbours(match, gold, contexts[row])
            links.append(_ChainLink(weight, match, before))
        for link in links:  # only now: a block cannot follow itself
            frontier.add(link)
        last = {link.match.stop: link for link in links} if contexts else {}
    return _follow_back(frontier.links[-1] if frontier.links else None)


def _follow_back(link: _ChainLink | None) -> list[Match]:
    """List the matches of a chain, given its last link."""
    matches = []
    while link:
        matches.append(link.match)
        link = link.before
    return matches[::-1]


def _choose_before(before: _ChainLink | None, touching: _ChainLink | None) -> tuple[int, _ChainLink | None]:
    """Choose the link before a match, and weigh it: more if they are adjacent on the page and in the gold.

    On a tie, the adjacent link wins, so that a copy of several blocks is matched as a whole. The copy that continues
    with the following text is the right one: a heading precedes its text, a menu with the same words does not.
    """
    if touching and (before is None or touching.weight + TOUCHING_WEIGHT >= before.weight):
        return touching.weight + TOUCHING_WEIGHT, touching
    return (before.weight, before) if before else (0, None)


def _weigh_line_ends(match: Match, gold: GoldIndex) -> int:
    """Weigh whether the ends of a match are line ends of the gold; negative if they are not."""
    ends = (match.start in gold.line_ends) + (match.stop in gold.line_ends)
    return LINE_END_WEIGHT * (2 * ends - 2)


def _weigh_partial_neighbours(match: Match, gold: GoldIndex, context: Context) -> int:
    """Weigh neighbours that are beside a match in the gold in part; `_choose_before` weighs whole neighbours."""
    before, after = context
    start, stop = match.start, match.stop
    ends = before[-1:] == gold.words[start - 1 : start] and not gold.has_at(before, start - len(before))
    starts = after[:1] == gold.words[stop : stop + 1] and not gold.has_at(after, stop)
    return BESIDE_WEIGHT * (ends + starts)


def _collect_contexts(words: list[list[str]]) -> list[Context]:
    """Collect the words of the blocks before and after each block."""
    contexts: list[Context] = [([], [])] * len(words)
    shown = [row for row, mine in enumerate(words) if mine]
    texts = [[], *(words[row] for row in shown), []]
    for number, row in enumerate(shown):
        contexts[row] = texts[number], texts[number + 2]
    return contexts


def _move_to_neighbours(matches: list[Match], words: list[list[str]]) -> list[Match]:
    """Replace a block without an adjacent match by the copy of it that is nearest to a neighbour in the gold."""
    copies: dict[tuple[str, ...], list[int]] = {}
    for row, mine in enumerate(words):
        copies.setdefault(tuple(mine), []).append(row)
    numbers = _number_blocks(words)
    far = len(words)
    moved = [Match(-far, -1, -1)]
    for match, after in pairwise([*matches, Match(3 * far, -1, -1)]):
        before = moved[-1]
        if not _are_next(before, match, numbers) and not _are_next(match, after, numbers):
            rows = copies[tuple(words[match.block])]
            first = rows[bisect_right(rows, before.block)]
            last = rows[bisect_left(rows, after.block) - 1]
            match = match._replace(block=_choose_nearer(first, last, match, before, after))
        moved.append(match)
    return moved[1:]


def _number_blocks(words: list[list[str]]) -> dict[int, int]:
    """Number the blocks that have words."""
    return {row: number for number, row in enumerate(row for row, mine in enumerate(words) if mine)}


def _are_next(one: Match, other: Match, numbers: dict[int, int]) -> bool:
    """Whether two matches follow each other, on the page and in the gold."""
    return one.stop == other.start and numbers[one.block] + 1 == numbers[other.block]


def _choose_nearer(first: int, last: int, match: Match, before: Match, after: Match) -> int:
    """Choose the copy next to the only match that is adjacent in the gold, or else the copy nearer to any match."""
    touches, follows = before.stop == match.start, match.stop == after.start
    if touches != follows:
        return first if touches else last
    return first if first - before.block < after.block - last else last


def _drop_chance_matches(matches: list[Match], words: list[list[str]], gold: GoldIndex) -> list[Match]:
    """Drop short blocks in the middle of a line: a menu entry `Save` also occurs in a sentence.

    A run of blocks that follow each other in the gold stays if it contains a long block or touches a line end. Blocks
    that also follow each other on the page may have some words between them, such as the numbers of a list.
    """
    numbers = _number_blocks(words)
    runs: list[list[Match]] = []
    for match in matches:
        last = runs[-1][-1] if runs else match
        next_on_page = numbers[match.block] == numbers[last.block] + 1
        if last is not match and match.start - last.stop <= (MAX_WORDS_BETWEEN if next_on_page else 0):
            runs[-1].append(match)
        else:
            runs.append([match])
    return [match for run in runs if any(_is_sure(match, gold) for match in run) for match in run]


def _is_sure(match: Match, gold: GoldIndex) -> bool:
    """Whether a match is not a coincidence."""
    return match.stop - match.start >= MIN_SURE_WORDS or gold.has_line_end(match.start, match.stop)
