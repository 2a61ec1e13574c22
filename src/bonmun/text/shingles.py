"""Hashes of the words of a text, and of its pairs of neighbouring words, to compare texts.

Words are those of text/words.py: in scripts without spaces, and in Hangul, every character is a word. Hashes are 64-bit
numbers that depend on the words alone, so they are the same on every machine and may be stored. numpy finds words five
times as fast as the regular expression; a test checks that both agree.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from bonmun.text.compose import compose
from bonmun.text.scripts import COUNTED_SINGLY, HANGUL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["drop_repeats", "find_pairs", "hash_words", "list_words", "mix"]

CHARS_AT_ONCE = 200_000  # characters processed together, so that memory does not grow with the text
SEPARATOR, LETTER, SINGLE = 0, 1, 2  # classes of characters: not in a word, part of a word, a word of its own
MAX_CODE_POINT = 0x40000  # there are no letters beyond
MAX_POSITIONS = 64  # positions in a word that have different weights
ODD, FIRST, SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))  # random bits
POWERS = np.cumprod(np.full(MAX_POSITIONS, ODD))


def list_words(text: str) -> Iterator[NDArray[np.uint64]]:
    """Yield the hashes of the words of a text, in order, in arrays."""
    return (hash_words(text[start : start + CHARS_AT_ONCE]) for start in range(0, len(text), CHARS_AT_ONCE))


def find_pairs(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the hashes of the different pairs of neighbouring words."""
    return drop_repeats(mix(words[:-1] * ODD + words[1:]))


def drop_repeats(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the different keys in ascending order; np.unique takes three times as long."""
    keys = np.sort(keys)
    is_new = np.ones(len(keys), np.bool_)
    is_new[1:] = keys[1:] != keys[:-1]
    return keys[is_new]


def hash_words(text: str) -> NDArray[np.uint64]:
    """Return a hash for each word, in order, ignoring case: the sum of its characters, weighted by position."""
    text = compose(text).lower()
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds = _load_kinds().take(codes, mode="clip")
    begins = kinds == LETTER
    begins[1:] &= kinds[:-1] != LETTER
    begins |= kinds == SINGLE
    starts = np.flatnonzero(begins)
    if not len(starts):
        return np.empty(0, np.uint64)
    ends = np.append(starts[1:], len(codes))
    places = np.arange(starts[0], len(codes)) - np.repeat(starts, ends - starts)
    letters = np.where(kinds == SEPARATOR, 0, codes)[starts[0] :]  # characters between words have no weight
    return mix(np.add.reduceat(letters * POWERS.take(places, mode="clip"), starts - starts[0]))


def mix(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix the bits of keys, so that each bit of the result depends on all bits of the key."""
    keys = (keys ^ (keys >> np.uint64(30))) * FIRST
    keys = (keys ^ (keys >> np.uint64(27))) * SECOND
    return np.asarray(keys ^ (keys >> np.uint64(31)), np.uint64)


@cache
def _load_kinds() -> NDArray[np.uint8]:
    """Return the class of each character, by its code point, as in text/words.py."""
    kinds = np.zeros(MAX_CODE_POINT + 1, np.uint8)  # the last entry stands for all beyond
    kinds[:MAX_CODE_POINT] = np.fromiter(
        (LETTER * chr(code).isalnum() for code in range(MAX_CODE_POINT)), np.uint8, MAX_CODE_POINT
    )
    ranges = COUNTED_SINGLY + HANGUL
    for at in range(0, len(ranges), 3):  # "a-z"
        kinds[ord(ranges[at]) : ord(ranges[at + 2]) + 1] = SINGLE
    return kinds
