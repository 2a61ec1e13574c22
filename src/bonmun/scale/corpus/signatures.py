"""A text as a few hundred numbers, of which two texts share about as many as they share of their words (MinHash).

Each number is the smallest that one way of shuffling gives to the pairs of neighbouring words of a text, or to its
words (see text/shingles.py). Two texts have the same smallest one as often as a pair that one of them has is one that
both have.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

import numpy as np
import pyarrow as pa

from bonmun.scale.corpus.result_batches import join_rows, try_row
from bonmun.text.fingerprints import MIN_PAIRS
from bonmun.text.shingles import drop_repeats, find_pairs, list_words, mix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

__all__ = ["BAND", "DIGEST_BYTES", "NUMBERS", "OF_PAIRS", "SIGNED", "Signing", "make_digest", "make_signature"]

BAND = 3  # numbers that must all be the same for two texts to be compared
OF_PAIRS = 85 * BAND  # numbers of a signature that are of pairs of words; the others are of words
NUMBERS = OF_PAIRS + 128
KEYS_AT_ONCE = 1024  # so that all their shuffled numbers are a megabyte
DIGEST_BYTES = 16
SIGNED = pa.schema([("digest", pa.binary(DIGEST_BYTES)), ("signature", pa.binary(2 * NUMBERS))])

_shuffles = mix(np.arange(1, NUMBERS + 1, dtype=np.uint64))
FACTORS = (_shuffles >> np.uint64(32)).astype(np.uint32) | np.uint32(1)
OFFSETS = _shuffles.astype(np.uint32)


def make_digest(text: str) -> bytes:
    """What texts share that are the same but for white space and how letters are composed."""
    return blake2b(
        " ".join(normalize("NFC", text).split()).encode("utf-8", "replace"), digest_size=DIGEST_BYTES
    ).digest()


def make_signature(text: str) -> NDArray[np.uint16] | None:
    """The numbers of a text; None for one that is empty or very short."""
    least = np.full(NUMBERS, np.iinfo(np.uint32).max, np.uint32)
    count = 0
    for words in list_words(text):
        pairs = find_pairs(words)
        count += len(pairs)
        _shuffle(pairs, least, slice(None, OF_PAIRS))
        _shuffle(drop_repeats(words), least, slice(OF_PAIRS, None))
    return least.astype(np.uint16) if count >= MIN_PAIRS else None  # their low halves: the high ones are all small


def _shuffle(keys: NDArray[np.uint64], least: NDArray[np.uint32], part: slice) -> None:
    """Note the smallest number that each way of shuffling gives to some keys, if it is smaller than before."""
    short = (keys >> np.uint64(32)).astype(np.uint32)
    for start in range(0, len(short), KEYS_AT_ONCE):
        shuffled = FACTORS[part, None] * short[start : start + KEYS_AT_ONCE] + OFFSETS[part, None]
        np.minimum(least[part], shuffled.min(1), out=least[part])


class Signing:
    """What child processes do to a column of texts: a digest and a signature for each (see engine.py)."""

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None] | None = None) -> Iterator[pa.RecordBatch]:
        """Work on texts, one by one; one that is null or blank has neither."""

        def work(number: int) -> pa.RecordBatch:
            if at:
                at(number)
            row = {"text": batch.column(0)[number].as_py()}
            return try_row(row, _make_row, lambda _, __: _make_nothing(1))

        return join_rows(map(work, range(batch.num_rows)))

    def make_failures(self, batch: pa.RecordBatch, _: str) -> pa.RecordBatch:
        """What comes out for texts that could not be worked on: they are copies of nothing."""
        return _make_nothing(batch.num_rows)


def _make_row(row: dict[str, Any]) -> pa.RecordBatch:
    text = row["text"]
    if not isinstance(text, str) or not text.strip():
        return _make_nothing(1)
    signature = make_signature(text)
    numbers = signature.astype("<u2").tobytes() if signature is not None else None
    return pa.RecordBatch.from_pylist([{"digest": make_digest(text), "signature": numbers}], schema=SIGNED)


def _make_nothing(count: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([{"digest": None, "signature": None}] * count, schema=SIGNED)
