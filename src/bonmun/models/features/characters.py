"""Character classes. Texts are counted by class, so that no feature depends on a language.

The class of each character is stored in classes.z, which scripts/make/char_classes.py makes.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

__all__ = [
    "BLANK",
    "CLASSES",
    "CLASS_LETTERS",
    "CLASS_NAMES",
    "COMMA",
    "DIGIT",
    "END",
    "FENCE",
    "LETTER",
    "LINE",
    "LOWER",
    "MARK",
    "SYMBOL",
    "TITLE_CHARACTERS",
    "UPPER",
    "WIDE",
    "read_class_table",
]

# In the order of the feature columns; the shipped weights depend on it.
CLASS_NAMES = (
    "a to z",
    "capitals",
    "Chinese characters, kana, Korean syllables",
    "digits",
    "blanks",
    "sentence marks",
    "commas",
    "other punctuation",
    "symbols",
    "fences such as | and »",
    "other letters",
    "line breaks",
)
LOWER, UPPER, WIDE, DIGIT, BLANK, END, COMMA, MARK, SYMBOL, FENCE, LETTER, LINE = range(len(CLASS_NAMES))
CLASSES = len(CLASS_NAMES)
TITLE_CHARACTERS = 300  # of a page's title that are compared with its blocks

# The weight of a character of each class, in letters.
CLASS_LETTERS = tuple(2.5 if each == WIDE else 0.0 if each in (BLANK, LINE) else 1.0 for each in range(CLASSES))


@cache
def read_class_table() -> bytes:
    """Return the class of each code point of the Basic Multilingual Plane."""
    return zlib.decompress(Path(__file__).with_name("classes.z").read_bytes())
