"""A text as the set of its words, and of its pairs of neighbouring words, each a 64-bit number: what copies share.

A word is what text/words.py takes for one, so in scripts that are written without blanks, and in Hangul, a character.
The numbers depend on the words alone: they are the same on every machine, and may stand in files. numpy finds the words
in a fifth of the time that the regular expression takes; a test says that they are the same.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from unicodedata import normalize

import numpy as np

from bonmun.text.scripts import COUNTED_SINGLY, HANGUL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["drop_repeats", "find_pairs", "hash_words", "list_words", "mix"]

PIECE_CHARS = 200_000  # of a text that are looked at together, so that memory does not grow with the text
NO_WORD, LETTER, SINGLE = 0, 1, 2  # what a character is: part of no word, of one, or one by itself
CODES = 0x40000  # beyond are no letters
PLACES = 64  # in a word that are told apart
ODD, FIRST, SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))  # no pattern
POWERS = np.cumprod(np.full(PLACES, ODD))


def list_words(text: str) -> Iterator[NDArray[np.uint64]]:
    """The words of a text, in order, some at a time."""
    return (hash_words(text[start : start + PIECE_CHARS]) for start in range(0, len(text), PIECE_CHARS))


def find_pairs(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The different pairs of neighbouring words."""
    return drop_repeats(mix(words[:-1] * ODD + words[1:]))


def drop_repeats(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The different ones of some numbers, in ascending order: np.unique takes three times as long."""
    keys = np.sort(keys)
    is_new = np.ones(len(keys), np.bool_)
    is_new[1:] = keys[1:] != keys[:-1]
    return keys[is_new]


def hash_words(text: str) -> NDArray[np.uint64]:
    """A number for each word, in order and without regard to case: the sum of its characters, weighed by place."""
    text = (text if text.isascii() else normalize("NFC", text)).lower()
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
    letters = np.where(kinds == NO_WORD, 0, codes)[starts[0] :]  # what stands between words counts nothing
    return mix(np.add.reduceat(letters * POWERS.take(places, mode="clip"), starts - starts[0]))


def mix(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Numbers whose bits all depend on all bits of others."""
    keys = (keys ^ (keys >> np.uint64(30))) * FIRST
    keys = (keys ^ (keys >> np.uint64(27))) * SECOND
    return np.asarray(keys ^ (keys >> np.uint64(31)), np.uint64)


@cache
def _load_kinds() -> NDArray[np.uint8]:
    """What each character is, by its code: as in text/words.py."""
    kinds = np.zeros(CODES + 1, np.uint8)  # the last stands for all that are beyond
    kinds[:CODES] = np.fromiter((LETTER * chr(code).isalnum() for code in range(CODES)), np.uint8, CODES)
    ranges = COUNTED_SINGLY + HANGUL
    for at in range(0, len(ranges), 3):  # "a-z"
        kinds[ord(ranges[at]) : ord(ranges[at + 2]) + 1] = SINGLE
    return kinds
