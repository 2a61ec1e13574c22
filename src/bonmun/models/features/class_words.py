"""The class and id words that many sites use, as numbers.

They are the lines of words.txt, which scripts/make/class_words.py makes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["KNOWN_WORDS", "MAX_NAME_CHARACTERS", "NAMING", "STOP", "STOP_MARK", "UNKNOWN", "read_word_numbers"]

NAMING = ("class", "id", "role", "itemprop")  # the attributes whose words are known
MAX_NAME_CHARACTERS = 300  # of each of them are read
KNOWN_WORDS = 2682  # lines of words.txt, as a test makes sure: model files have a vector for each
STOP_MARK = "\0"  # stands after the words of each name
STOP, UNKNOWN = -2, -1  # the numbers of that mark, and of every word that is not in the list


@cache
def read_word_numbers() -> dict[bytes, int]:
    """The numbers of the words of words.txt, and that of the mark after the words of a name."""
    words = Path(__file__).with_name("words.txt").read_bytes().split()
    return {word: number for number, word in enumerate(words)} | {STOP_MARK.encode(): STOP}
