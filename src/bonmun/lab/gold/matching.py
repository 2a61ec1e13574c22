"""The words of blocks and a gold text in, out comes where whole blocks stand in it.

A block may have its words in many places, and a place may be right for many blocks. Of all matches, those are taken
that go forward in page and gold at once and have most characters: a chain. Of chains with equally many, it is the one
that keeps to the lines of the gold, and whose blocks are neighbours on the page if they are in the gold. Short blocks
in the middle of a line are there by chance, and left out.

Time is linear in page and gold, even where thousands of cells say the same: words that stand in more than `NEAR_PLACES`
places of the gold are only looked for near the place where the chain of all other blocks lets them be expected.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bonmun.lab.gold.index import NEAR_PLACES

if TYPE_CHECKING:
    from bonmun.lab.gold.index import GoldIndex

__all__ = ["SURE_WORDS", "Match", "find_heaviest_chain", "match_in_order"]

SURE_WORDS = 8  # a block of as many words does not match by chance

# What the parts of a chain weigh.
CHARACTER_WEIGHT = 1 << 20  # more than all lines and neighbours of a page together
LINE_END_WEIGHT = 10  # of an end of a match at an end of a line; it costs as much elsewhere: a line beats two parts
TOUCHING_WEIGHT = 4  # of a neighbour that stands beside a block as a whole: more than two in part, lest copies be mixed
BESIDE_WEIGHT = 1  # of a neighbour that stands beside a block in part

WORDS_BETWEEN = 2  # of the gold, at most, between blocks of a list that is one line there: its numbers

Context = tuple[list[str], list[str]]  # the words of the blocks before and after a block on the page


class Match(NamedTuple):
    """A block whose words stand in the gold."""

    block: int
    start: int  # in words of the gold
    stop: int


def match_in_order(words: list[list[str]], gold: GoldIndex) -> list[Match]:
    """Find the blocks, given by their words, that stand in the gold as they are, in the order of the page."""
    matches = find_heaviest_chain(words, gold, _collect_contexts(words))
    matches = _move_to_neighbours(_move_to_neighbours(matches, words), words)  # twice, since neighbours move too
    return _drop_chance_matches(matches, words, gold)


def find_heaviest_chain(words: list[list[str]], gold: GoldIndex, contexts: list[Context] | None = None) -> list[Match]:
    """Find the heaviest chain of blocks, or leaves, that stand in the gold as they are; of equal ones the first.

    With contexts, blocks weigh more if those next to them on the page are next to them in the gold too.
    """
    keys = [tuple(mine) for mine in words]
    known = {key: gold.find_places(key, copies) for key, copies in Counter(keys).items()}
    every = [known[key].every for key in keys]
    matches = _chain([places if len(places) <= NEAR_PLACES else [] for places in every], words, gold, contexts)
    if all(len(places) <= NEAR_PLACES for places in every):
        return matches
    expected = _expect_places(matches, every, len(gold.words))
    near = [known[key].find_near(place) for key, place in zip(keys, expected, strict=True)]
    return _chain(near, words, gold, contexts)


def _expect_places(matches: list[Match], places: list[list[int]], size: int) -> list[int]:
    """Say where in the gold each block may be expected, if those between two matches are spread evenly."""
    expected = [0] * len(places)
    for one, other in pairwise([Match(-1, 0, 0), *matches, Match(len(places), size, size)]):
        rows = [row for row in range(one.block + 1, other.block) if places[row]]
        for number, row in enumerate(rows):
            expected[row] = one.stop + (other.start - one.stop) * number // len(rows)
    return expected


class _Link(NamedTuple):
    """A match with the best chain that ends in it."""

    weight: int
    match: Match
    before: _Link | None


class _Stairs:
    """The links worth going on from: each stops later in the gold than the one before it, and weighs as much or more.

    Of two that weigh the same, both stay if the one that was there first stops later, so that the first wins.
    """

    def __init__(self) -> None:
        self.links: list[_Link] = []
        self._stops: list[int] = []

    def find_before(self, start: int) -> _Link | None:
        """Find the heaviest link that stops before a place."""
        at = bisect_right(self._stops, start)
        return self.links[at - 1] if at else None

    def add(self, link: _Link) -> None:
        """Add a link, unless one that is as heavy stops as early; drop those that it makes worthless."""
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
    """Find the heaviest chain of matches, of those at some places, that goes forward in page and gold at once."""
    stairs = _Stairs()
    last: dict[int, _Link] = {}  # the links of the block before, by where they stop
    for row, (mine, starts) in enumerate(zip(words, places, strict=True)):
        if not mine:
            continue
        size = CHARACTER_WEIGHT * sum(map(len, mine))
        links = []
        for start in starts:
            match = Match(row, start, start + len(mine))
            weight, before = _choose_before(stairs.find_before(start), last.get(start))
            weight += size + _weigh_line_ends(match, gold)
            if contexts:
                weight += _weigh_partial_neighbours(match, gold, contexts[row])
            links.append(_Link(weight, match, before))
        for link in links:  # only now: a block does not follow itself
            stairs.add(link)
        last = {link.match.stop: link for link in links} if contexts else {}
    return _follow_back(stairs.links[-1] if stairs.links else None)


def _follow_back(link: _Link | None) -> list[Match]:
    """List the matches of a chain, given its last link, from the first on."""
    matches = []
    while link:
        matches.append(link.match)
        link = link.before
    return matches[::-1]


def _choose_before(before: _Link | None, touching: _Link | None) -> tuple[int, _Link | None]:
    """Choose the link that a match goes on from, and weigh it: more if they touch, on the page and in the gold.

    If both weigh the same it is the touching one, so that a copy of some blocks is taken as a whole: the one that goes
    on with what follows, since a heading stands before its text, and a menu with the same words does not.
    """
    if touching and (before is None or touching.weight + TOUCHING_WEIGHT >= before.weight):
        return touching.weight + TOUCHING_WEIGHT, touching
    return (before.weight, before) if before else (0, None)


def _weigh_line_ends(match: Match, gold: GoldIndex) -> int:
    """Weigh how a match keeps to the lines of the gold: it costs if it does not."""
    ends = (match.start in gold.line_ends) + (match.stop in gold.line_ends)
    return LINE_END_WEIGHT * (2 * ends - 2)


def _weigh_partial_neighbours(match: Match, gold: GoldIndex, context: Context) -> int:
    """Weigh that a block next to a match stands beside it in the gold in part: whole ones are touching links."""
    before, after = context
    start, stop = match.start, match.stop
    ends = before[-1:] == gold.words[start - 1 : start] and not gold.has_at(before, start - len(before))
    starts = after[:1] == gold.words[stop : stop + 1] and not gold.has_at(after, stop)
    return BESIDE_WEIGHT * (ends + starts)


def _collect_contexts(words: list[list[str]]) -> list[Context]:
    """Collect for each block the words of the block before it and of the one after it."""
    contexts: list[Context] = [([], [])] * len(words)
    shown = [row for row, mine in enumerate(words) if mine]
    texts = [[], *(words[row] for row in shown), []]
    for number, row in enumerate(shown):
        contexts[row] = texts[number], texts[number + 2]
    return contexts


def _move_to_neighbours(matches: list[Match], words: list[list[str]]) -> list[Match]:
    """Of blocks with the same words, take the one nearest to a neighbour in the gold; those next to one stay."""
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
    """Choose, of two copies of a match, the one nearer to the match that it touches; to any, if to both or none."""
    touches, follows = before.stop == match.start, match.stop == after.start
    if touches != follows:
        return first if touches else last
    return first if first - before.block < after.block - last else last


def _drop_chance_matches(matches: list[Match], words: list[list[str]], gold: GoldIndex) -> list[Match]:
    """Drop short blocks in the middle of a line: a menu says `Save`, and so does some sentence.

    Those stay that follow each other in the gold from or to a long block, or an end of a line. Blocks that follow each
    other on the page too may have some words between them, as the numbers of a list.
    """
    numbers = _number_blocks(words)
    runs: list[list[Match]] = []
    for match in matches:
        last = runs[-1][-1] if runs else match
        next_on_page = numbers[match.block] == numbers[last.block] + 1
        if last is not match and match.start - last.stop <= (WORDS_BETWEEN if next_on_page else 0):
            runs[-1].append(match)
        else:
            runs.append([match])
    return [match for run in runs if any(_is_sure(match, gold) for match in run) for match in run]


def _is_sure(match: Match, gold: GoldIndex) -> bool:
    """Whether a match is no chance by itself."""
    return match.stop - match.start >= SURE_WORDS or gold.has_line_end(match.start, match.stop)
