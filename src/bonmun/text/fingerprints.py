"""64-bit fingerprints of texts (simhash): similar texts have fingerprints that differ in few bits.

Each bit is a majority vote of the hashes of all pairs of neighbouring words (see shingles.py).
"""

from __future__ import annotations

import numpy as np

from bonmun.text.shingles import find_pairs, list_words

__all__ = ["MIN_PAIRS", "find_fingerprint"]

BITS = 64
MIN_PAIRS = 8  # different pairs of words; shorter texts have no fingerprint


def find_fingerprint(text: str) -> str | None:
    """Return the fingerprint of a text as 16 hexadecimal digits; None if it is empty or very short.

    >>> find_fingerprint("The tide comes in, and the tide goes out, twice a day and a little later each time.")
    'e86024628e1d00f2'
    >>> find_fingerprint("Hello, world!") is None
    True
    """
    votes, count = np.zeros(BITS, np.int64), 0
    for words in list_words(text):
        keys = find_pairs(words)
        bits = np.unpackbits(keys.astype("<u8").view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        votes += bits.sum(0, dtype=np.uint32)
        count += len(keys)
    if count < MIN_PAIRS:
        return None
    chosen = np.packbits(2 * votes > count, bitorder="little")
    return f"{int.from_bytes(chosen.tobytes(), 'little'):016x}"
