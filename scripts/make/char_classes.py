"""Write src/bonmun/models/classes.z: the class of every character of Unicode's first plane, a byte each, packed.

The classes are those of models/arrays.py. They are kept in a file because looking 65,536 characters up takes longer
than all else that the first page needs, and because Python's Unicode tables change with its version.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from unicodedata import category

import numpy as np

from bonmun.models.arrays import BLANK, COMMA, DIGIT, END, FENCE, LETTER, LINE, LOWER, MARK, SYMBOL, UPPER, WIDE

FILE = Path(__file__).parents[2] / "src" / "bonmun" / "models" / "classes.z"
ENDS = ".!?。！？…؟۔।॥：:;；"
COMMAS = ",，、،"
FENCES = "|/\\›»«‹>•·ㆍ‣▶►→←#@*+=~_｜／"
OF_CATEGORY = {"Lu": UPPER, "Lt": UPPER, "Zs": BLANK, "Zl": BLANK, "Zp": BLANK, "Cc": BLANK}
OF_MAIN_CATEGORY = {"L": LETTER, "M": LETTER, "N": DIGIT, "P": MARK, "S": SYMBOL}
WIDE_RANGES = ((0x2E80, 0x3000), (0x3040, 0xA4D0), (0xAC00, 0xD7B0), (0xF900, 0xFB00), (0xFF66, 0xFFDD))


def classes() -> bytes:
    """The class of each character."""
    table = []
    for char in map(chr, range(0x10000)):
        kind = category(char)
        table.append(OF_CATEGORY.get(kind, OF_MAIN_CATEGORY.get(kind[0], SYMBOL)))
    found = np.array(table, np.uint8)
    for start, stop in WIDE_RANGES:
        part = found[start:stop]
        part[part == LETTER] = WIDE
    found[0x61:0x7B] = LOWER
    for chars, number in ((ENDS, END), (COMMAS, COMMA), (FENCES, FENCE), ("\n", LINE)):
        for char in chars:
            found[ord(char)] = number
    return found.tobytes()


if __name__ == "__main__":
    FILE.write_bytes(zlib.compress(classes(), 9))
