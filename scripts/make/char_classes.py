"""Write src/bonmun/models/features/classes.z: the class of every character in the Basic Multilingual Plane.

The classes are those of models/features/characters.py. They are stored in a file because looking up 65,536 characters
takes longer than everything else the first page needs, and because Python's Unicode tables change with its version.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from unicodedata import category

import numpy as np

from bonmun.models.features.characters import (
    BLANK,
    COMMA,
    DIGIT,
    END,
    FENCE,
    LETTER,
    LINE,
    LOWER,
    MARK,
    SYMBOL,
    UPPER,
    WIDE,
)

FILE = Path(__file__).parents[2] / "src" / "bonmun" / "models" / "features" / "classes.z"
FIRST_PLANE = 0x10000  # characters
# The class of a character by its category, then by the first letter of the category, then by the character itself.
CLASS_OF_CATEGORY = {"Lu": UPPER, "Lt": UPPER, "Zs": BLANK, "Zl": BLANK, "Zp": BLANK, "Cc": BLANK}
CLASS_OF_MAIN_CATEGORY = {"L": LETTER, "M": LETTER, "N": DIGIT, "P": MARK, "S": SYMBOL}
WIDE_RANGES = ((0x2E80, 0x3000), (0x3040, 0xA4D0), (0xAC00, 0xD7B0), (0xF900, 0xFB00), (0xFF66, 0xFFDD))
CHARACTERS_OF_CLASS = {
    LOWER: "abcdefghijklmnopqrstuvwxyz",
    END: ".!?。！？…؟۔।॥：:;；",
    COMMA: ",，、،",
    FENCE: "|/\\›»«‹>•·ㆍ‣▶►→←#@*+=~_｜／",
    LINE: "\n",
}


def classify_characters() -> bytes:
    """Return the class of each character."""
    table = []
    for char in map(chr, range(FIRST_PLANE)):
        found = category(char)
        table.append(CLASS_OF_CATEGORY.get(found, CLASS_OF_MAIN_CATEGORY.get(found[0], SYMBOL)))
    classes = np.array(table, np.uint8)
    for start, stop in WIDE_RANGES:
        part = classes[start:stop]
        part[part == LETTER] = WIDE
    for number, chars in CHARACTERS_OF_CLASS.items():
        classes[[ord(char) for char in chars]] = number
    return classes.tobytes()


if __name__ == "__main__":
    FILE.write_bytes(zlib.compress(classify_characters(), 9))
