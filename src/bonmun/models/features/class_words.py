"""Numbers for the class and id words that many sites use.

The words are the lines of words.txt, which scripts/make/class_words.py makes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["KNOWN_WORDS", "MAX_NAME_CHARACTERS", "NAME_ATTRIBUTES", "STOP", "STOP_MARK", "UNKNOWN", "read_word_numbers"]

NAME_ATTRIBUTES = ("class", "id", "role", "itemprop")  # the attributes whose words are read
MAX_NAME_CHARACTERS = 300  # of each attribute that are read
KNOWN_WORDS = 2682  # lines of words.txt, as a test checks; model files have a vector for each
STOP_MARK = "\0"  # follows the words of each name
STOP, UNKNOWN = -2, -1  # the numbers of STOP_MARK and of unknown words


@cache
def read_word_numbers() -> dict[bytes, int]:
    """Return the numbers of the words in words.txt and of STOP_MARK."""
    words = Path(__file__).with_name("words.txt").read_bytes().split()
    return {word: number for number, word in enumerate(words)} | {STOP_MARK.encode(): STOP}
