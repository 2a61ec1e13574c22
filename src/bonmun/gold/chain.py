"""The words of blocks and a gold text in, out comes where whole blocks stand in it.

A block may have its words in many places, and a place may be right for many blocks. Of all matches, those are taken
that go forward in page and gold at once and have most characters: a chain. Of chains with as many, it is the one that
keeps to the lines of the gold, and whose blocks are next to each other on the page if they are in the gold. Short
blocks in the middle of a line are chance, and left out.

Time is linear in page and gold, also where thousands of cells say the same: words that stand in more than `PLACES`
places of the gold are only looked for near the one where the chain of all other blocks lets them be expected.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["LONG", "Gold", "Match", "heaviest", "in_order", "words_of"]

PLACES = 40  # of a block in the gold that the chain chooses from: more than that have only words like `Yes`
CANDIDATES = 1000  # places of two words in the gold, at most, at which the others of a block are compared
LONG = 8  # words: a block of as many is no chance match
CHARACTER = 1 << 20  # what a character weighs in a chain: more than all lines and neighbours of a page together
BESIDE = 1  # what it weighs that a block beside a match on the page is beside it in the gold in part
TOUCHING = 4  # what it weighs that it is as a whole: more than two in part, lest copies of some blocks be mixed
LINE = 10  # what an end of a match weighs at an end of a line, and costs elsewhere: one match of a line outweighs two
BETWEEN = 2  # words of the gold, at most, between blocks of a list that is on one line: its numbers
Context = tuple[list[str], list[str]]  # the words of the blocks before and after a block on the page
UNSEEN = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]+")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; soft hyphens and characters without width do not split them."""
    return WORD.findall((text if text.isascii() else UNSEEN.sub("", text)).lower())


class Match(NamedTuple):
    """A block whose words stand in the gold."""

    block: int
    start: int  # in words of the gold
    stop: int


class Places(NamedTuple):
    """Where some words stand in the gold."""

    every: list[int]
    at_ends: list[int]  # those that start or stop with a line

    def near(self, expected: int) -> list[int]:
        """Those around the expected one: half of them any, half of them with an end of a line, which are likelier."""
        if len(self.every) <= PLACES:
            return self.every
        return sorted({*_around(self.every, expected), *_around(self.at_ends, expected)})


def _around(places: list[int], expected: int) -> list[int]:
    first = bisect_left(places, expected) - PLACES // 4
    first = max(0, min(first, len(places) - PLACES // 2))
    return places[first : first + PLACES // 2]


class Gold:
    """The words of a gold text, with an index of where they stand."""

    def __init__(self, lines: list[list[str]]) -> None:
        self.words = [word for line in lines for word in line]
        self.ends = {0}  # of lines, in words; where one stops the next one starts
        place = 0
        for line in lines:
            place += len(line)
            self.ends.add(place)
        self._singles: dict[str, list[int]] = {}
        for place, word in enumerate(self.words):
            self._singles.setdefault(word, []).append(place)
        self._pairs: dict[tuple[str, str], list[int]] = {}
        for place, pair in enumerate(pairwise(self.words)):
            self._pairs.setdefault(pair, []).append(place)
        self._places: dict[tuple[str, ...], Places] = {}

    def find(self, words: Sequence[str], copies: int = 1) -> Iterator[int]:
        """Where some words stand in a row: looked for at the places of their rarest pair, at more for many copies."""
        if len(words) < 2:
            yield from self._singles.get(words[0], ()) if words else ()
            return
        pairs = [self._pairs.get(pair, ()) for pair in pairwise(words)]
        sizes = [len(places) for places in pairs]
        rarest = sizes.index(min(sizes))
        mine = list(words)
        for place in pairs[rarest][: CANDIDATES * copies]:
            if self.has_at(mine, place - rarest):
                yield place - rarest

    def has(self, words: Sequence[str]) -> bool:
        """Whether some words stand in a row."""
        return next(self.find(words), None) is not None

    def places(self, words: tuple[str, ...], copies: int) -> Places:
        """All places of some words, of which the page has so many copies; they are kept, since leaves ask again."""
        if words not in self._places:
            found = list(self.find(words, copies))
            self._places[words] = Places(found, [start for start in found if self.has_end(start, start + len(words))])
        return self._places[words]

    def lines(self, start: int, stop: int) -> list[list[str]]:
        """The words between two places, line by line."""
        lines: list[list[str]] = []
        for place in range(start, stop):
            if place == start or place in self.ends:
                lines.append([])
            lines[-1].append(self.words[place])
        return lines

    def has_at(self, words: list[str], start: int) -> bool:
        """Whether some words stand at a place."""
        return start >= 0 and self.words[start : start + len(words)] == words

    def has_end(self, start: int, stop: int) -> bool:
        """Whether the words between two places start or stop with a line."""
        return start in self.ends or stop in self.ends

    def likeness(self, words: Sequence[str]) -> tuple[bool, float]:
        """Whether some words stand in a row, and how many of them stand anywhere: more is more alike."""
        known = sum(word in self._singles for word in words)
        return self.has(words), known / len(words) if words else 0.0


def in_order(words: list[list[str]], gold: Gold) -> list[Match]:
    """The blocks that stand in the gold as they are, in the order of the page."""
    matches = heaviest(words, gold, _contexts(words))
    matches = _nearest(_nearest(matches, words), words)  # twice, since their neighbours move too
    return _without_chance(matches, words, gold)


def heaviest(words: list[list[str]], gold: Gold, contexts: list[Context] | None = None) -> list[Match]:
    """The heaviest chain of blocks, or leaves, that stand in the gold as they are; of equal ones the first.

    With contexts, blocks weigh more if those next to them on the page are next to them in the gold too.
    """
    keys = [tuple(mine) for mine in words]
    known = {key: gold.places(key, copies) for key, copies in Counter(keys).items()}
    every = [known[key].every for key in keys]
    matches = _chain([places if len(places) <= PLACES else [] for places in every], words, gold, contexts)
    if all(len(places) <= PLACES for places in every):
        return matches
    expected = _expected(matches, every, len(gold.words))
    near = [known[key].near(place) for key, place in zip(keys, expected, strict=True)]
    return _chain(near, words, gold, contexts)


def _expected(matches: list[Match], places: list[list[int]], size: int) -> list[int]:
    """Where in the gold each block may be expected, if those between two matches are spread evenly."""
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
    """The links that are worth going on from: each stops later in the gold than the one before and weighs as much.

    Of two that weigh the same, both stay if the one that was there first stops later, so that the first wins.
    """

    def __init__(self) -> None:
        self.links: list[_Link] = []
        self._stops: list[int] = []

    def before(self, start: int) -> _Link | None:
        """The heaviest link that stops before a place."""
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


def _chain(places: list[list[int]], words: list[list[str]], gold: Gold, contexts: list[Context] | None) -> list[Match]:
    """The heaviest chain of matches, of those at some places, that goes forward in page and gold at once."""
    stairs = _Stairs()
    last: dict[int, _Link] = {}  # the links of the block before, by where they stop
    for row, (mine, starts) in enumerate(zip(words, places, strict=True)):
        if not mine:
            continue
        size = CHARACTER * sum(map(len, mine))
        links = []
        for start in starts:
            match = Match(row, start, start + len(mine))
            weight, before = _heavier(stairs.before(start), last.get(start))
            weight += size + _lines_kept(match, gold)
            if contexts:
                weight += _partly_beside(match, gold, contexts[row])
            links.append(_Link(weight, match, before))
        for link in links:  # all of a block have asked before any is added
            stairs.add(link)
        last = {link.match.stop: link for link in links} if contexts else {}
    matches = []
    at = stairs.links[-1] if stairs.links else None
    while at:
        matches.append(at.match)
        at = at.before
    return matches[::-1]


def _heavier(before: _Link | None, touching: _Link | None) -> tuple[int, _Link | None]:
    """The link that a match goes on from, and what that weighs: more if it touches it on the page and in the gold.

    If both weigh the same it is the touching one, so that a copy of some blocks is taken as a whole: the one that goes
    on with what follows, since a heading stands before its text, and a menu with the same words does not.
    """
    if touching and (before is None or touching.weight + TOUCHING >= before.weight):
        return touching.weight + TOUCHING, touching
    return (before.weight, before) if before else (0, None)


def _lines_kept(match: Match, gold: Gold) -> int:
    """What it weighs that a match keeps to the lines of the gold, or costs that it does not."""
    ends = (match.start in gold.ends) + (match.stop in gold.ends)
    return LINE * (2 * ends - 2)


def _partly_beside(match: Match, gold: Gold, context: Context) -> int:
    """What it weighs that a block next to a match is beside it in the gold in part: whole ones are touching links."""
    before, after = context
    start, stop = match.start, match.stop
    ends = before[-1:] == gold.words[start - 1 : start] and not gold.has_at(before, start - len(before))
    starts = after[:1] == gold.words[stop : stop + 1] and not gold.has_at(after, stop)
    return BESIDE * (ends + starts)


def _contexts(words: list[list[str]]) -> list[Context]:
    """For each block, the words of the block before it and of the one after it."""
    contexts: list[Context] = [([], [])] * len(words)
    shown = [row for row, mine in enumerate(words) if mine]
    texts = [[], *(words[row] for row in shown), []]
    for number, row in enumerate(shown):
        contexts[row] = texts[number], texts[number + 2]
    return contexts


def _nearest(matches: list[Match], words: list[list[str]]) -> list[Match]:
    """Of blocks with the same words, take the one nearest to a neighbour in the gold; those next to one stay."""
    copies: dict[tuple[str, ...], list[int]] = {}
    for row, mine in enumerate(words):
        copies.setdefault(tuple(mine), []).append(row)
    numbers = _numbers(words)
    far = len(words)
    moved = [Match(-far, -1, -1)]
    for match, after in pairwise([*matches, Match(3 * far, -1, -1)]):
        before = moved[-1]
        if not _are_next(before, match, numbers) and not _are_next(match, after, numbers):
            rows = copies[tuple(words[match.block])]
            first = rows[bisect_right(rows, before.block)]
            last = rows[bisect_left(rows, after.block) - 1]
            match = match._replace(block=_nearer(first, last, match, before, after))
        moved.append(match)
    return moved[1:]


def _numbers(words: list[list[str]]) -> dict[int, int]:
    """The numbers of the blocks that have words."""
    return {row: number for number, row in enumerate(row for row, mine in enumerate(words) if mine)}


def _are_next(one: Match, other: Match, numbers: dict[int, int]) -> bool:
    """Whether two matches follow each other, on the page and in the gold."""
    return one.stop == other.start and numbers[one.block] + 1 == numbers[other.block]


def _nearer(first: int, last: int, match: Match, before: Match, after: Match) -> int:
    """Of two copies of a match, the one nearer to the match that it touches in the gold; to any, if to both or none."""
    touches, follows = before.stop == match.start, match.stop == after.start
    if touches != follows:
        return first if touches else last
    return first if first - before.block < after.block - last else last


def _without_chance(matches: list[Match], words: list[list[str]], gold: Gold) -> list[Match]:
    """Without short blocks in the middle of a line: a menu says `Save`, and so does some sentence.

    Those stay that follow each other in the gold from or to a long block, or an end of a line. Blocks that follow each
    other on the page too may have some words between them, as the numbers of a list.
    """
    numbers = _numbers(words)
    runs: list[list[Match]] = []
    for match in matches:
        last = runs[-1][-1] if runs else match
        next_on_page = numbers[match.block] == numbers[last.block] + 1
        if last is not match and match.start - last.stop <= (BETWEEN if next_on_page else 0):
            runs[-1].append(match)
        else:
            runs.append([match])
    return [match for run in runs if any(_is_sure(match, gold) for match in run) for match in run]


def _is_sure(match: Match, gold: Gold) -> bool:
    """Whether a match is no chance by itself."""
    return match.stop - match.start >= LONG or gold.has_end(match.start, match.stop)
