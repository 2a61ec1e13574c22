"""An index of the words of a gold text, to find where a sequence of words occurs in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["MAX_PLACES", "GoldIndex", "GoldPlaces", "split_words"]

MAX_PLACES = 40  # places in the gold that are tried for a block: only words like `Yes` occur more often
MAX_PAIR_PLACES = 1000  # places of a word pair at which the whole sequence is compared
ZERO_WIDTH = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]+")


def split_words(text: str) -> list[str]:
    """Split a text into lower-case words. Soft hyphens and zero-width characters do not split a word."""
    return WORD.findall((text if text.isascii() else ZERO_WIDTH.sub("", text)).lower())


class GoldPlaces(NamedTuple):
    """The places in the gold where a sequence of words occurs."""

    every: list[int]
    at_ends: list[int]  # places where the sequence starts or ends with a line

    def find_near(self, expected: int) -> list[int]:
        """Find places around the expected one: half of any kind, half at line ends, which are more likely."""
        if len(self.every) <= MAX_PLACES:
            return self.every
        return sorted({*_take_around(self.every, expected), *_take_around(self.at_ends, expected)})


def _take_around(places: list[int], expected: int) -> list[int]:
    first = bisect_left(places, expected) - MAX_PLACES // 4
    first = max(0, min(first, len(places) - MAX_PLACES // 2))
    return places[first : first + MAX_PLACES // 2]


class GoldIndex:
    """The words of a gold text with an index of their places. Places are counted in words."""

    def __init__(self, lines: list[list[str]]) -> None:
        self.words = [word for line in lines for word in line]
        self.line_ends = {0}  # the end of a line is also the start of the next one
        place = 0
        for line in lines:
            place += len(line)
            self.line_ends.add(place)
        self._singles: dict[str, list[int]] = {}
        for place, word in enumerate(self.words):
            self._singles.setdefault(word, []).append(place)
        self._pairs: dict[tuple[str, str], list[int]] = {}
        for place, pair in enumerate(pairwise(self.words)):
            self._pairs.setdefault(pair, []).append(place)
        self._places: dict[tuple[str, ...], GoldPlaces] = {}

    def find(self, words: Sequence[str], copies: int = 1) -> Iterator[int]:
        """Yield the places where a sequence of words occurs.

        Compares at the places of its rarest word pair; `copies`, the number of blocks with these words, raises the
        limit on these places.
        """
        if len(words) < 2:
            yield from self._singles.get(words[0], ()) if words else ()
            return
        pairs = [self._pairs.get(pair, ()) for pair in pairwise(words)]
        sizes = [len(places) for places in pairs]
        rarest = sizes.index(min(sizes))
        mine = list(words)
        for place in pairs[rarest][: MAX_PAIR_PLACES * copies]:
            if self.has_at(mine, place - rarest):
                yield place - rarest

    def find_places(self, words: tuple[str, ...], copies: int) -> GoldPlaces:
        """Find all places of words that occur `copies` times on the page. Cached, since leaves look them up again."""
        if words not in self._places:
            found = list(self.find(words, copies))
            at_ends = [start for start in found if self.has_line_end(start, start + len(words))]
            self._places[words] = GoldPlaces(found, at_ends)
        return self._places[words]

    def has(self, words: Sequence[str]) -> bool:
        """Whether a sequence of words occurs in the gold."""
        return next(self.find(words), None) is not None

    def has_at(self, words: list[str], start: int) -> bool:
        """Whether a sequence of words occurs at a place."""
        return start >= 0 and self.words[start : start + len(words)] == words

    def has_line_end(self, start: int, stop: int) -> bool:
        """Whether the words between two places start or end with a line."""
        return start in self.line_ends or stop in self.line_ends

    def split_lines(self, start: int, stop: int) -> list[list[str]]:
        """Split the words between two places into lines."""
        lines: list[list[str]] = []
        for place in range(start, stop):
            if place == start or place in self.line_ends:
                lines.append([])
            lines[-1].append(self.words[place])
        return lines

    def rate(self, words: Sequence[str]) -> tuple[bool, float]:
        """Rate how close a sequence is to the gold: whether it occurs in it, and the share of its words that do."""
        known = sum(word in self._singles for word in words)
        return self.has(words), known / len(words) if words else 0.0
