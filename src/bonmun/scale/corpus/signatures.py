"""MinHash signatures of texts: the share of equal numbers estimates the similarity of two texts.

Each number is the minimum of one hash function over the pairs of neighbouring words of a text, or over its words (see
text/shingles.py). Two texts have the same minimum with a probability equal to their Jaccard similarity.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from bonmun.scale.corpus.result_batches import join_rows, try_row
from bonmun.text.compose import compose
from bonmun.text.fingerprints import MIN_PAIRS
from bonmun.text.shingles import drop_repeats, find_pairs, list_words, mix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

__all__ = [
    "BAND_SIZE",
    "DIGEST_BYTES",
    "PAIR_NUMBERS",
    "SIGNATURE_SIZE",
    "SIGNED",
    "SignatureJob",
    "make_digest",
    "make_signature",
]

BAND_SIZE = 3  # numbers that must be equal for two texts to be compared
PAIR_NUMBERS = 85 * BAND_SIZE  # numbers of a signature for pairs of words; the others are for words
SIGNATURE_SIZE = PAIR_NUMBERS + 128
BATCH_KEYS = 1024  # keys hashed at a time: their hashes take about a megabyte
DIGEST_BYTES = 16
SIGNED = pa.schema([("digest", pa.binary(DIGEST_BYTES)), ("signature", pa.binary(2 * SIGNATURE_SIZE))])

_hash_seeds = mix(np.arange(1, SIGNATURE_SIZE + 1, dtype=np.uint64))
FACTORS = (_hash_seeds >> np.uint64(32)).astype(np.uint32) | np.uint32(1)
OFFSETS = _hash_seeds.astype(np.uint32)


def make_digest(text: str) -> bytes:
    """Return a hash of a text that ignores differences of white space and Unicode composition."""
    return blake2b(" ".join(compose(text).split()).encode("utf-8", "replace"), digest_size=DIGEST_BYTES).digest()


def make_signature(text: str) -> NDArray[np.uint16] | None:
    """Return the signature of a text, or None if the text is very short."""
    minima = np.full(SIGNATURE_SIZE, np.iinfo(np.uint32).max, np.uint32)
    count = 0
    for words in list_words(text):
        pairs = find_pairs(words)
        count += len(pairs)
        _update_minima(pairs, minima, slice(None, PAIR_NUMBERS))
        _update_minima(drop_repeats(words), minima, slice(PAIR_NUMBERS, None))
    if count < MIN_PAIRS:
        return None
    return minima.astype(np.uint16)  # the low halves: the high halves of minima are all small


def _update_minima(keys: NDArray[np.uint64], minima: NDArray[np.uint32], part: slice) -> None:
    """Lower the minimum of each hash function to its minimum over some keys."""
    short = (keys >> np.uint64(32)).astype(np.uint32)
    for start in range(0, len(short), BATCH_KEYS):
        hashes = FACTORS[part, None] * short[start : start + BATCH_KEYS] + OFFSETS[part, None]
        np.minimum(minima[part], hashes.min(1), out=minima[part])


class SignatureJob:
    """The job that makes a digest and a signature for each text of a column (see engine.py)."""

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield batches with a row per text; the row of a null or blank text is empty."""

        def make(number: int) -> pa.RecordBatch:
            if at:
                at(number)
            row = {"text": batch.column(0)[number].as_py()}
            return try_row(row, _make_row, lambda _, __: _make_empty(1))

        return join_rows(map(make, range(batch.num_rows)))

    def make_failures(self, batch: pa.RecordBatch, _: str) -> pa.RecordBatch:
        """Return empty rows for texts that failed: they have no copies."""
        return _make_empty(batch.num_rows)


def _make_row(row: dict[str, Any]) -> pa.RecordBatch:
    text = row["text"]
    if not isinstance(text, str) or not text.strip():
        return _make_empty(1)
    signature = make_signature(text)
    numbers = signature.astype("<u2").tobytes() if signature is not None else None
    return pa.RecordBatch.from_pylist([{"digest": make_digest(text), "signature": numbers}], schema=SIGNED)


def _make_empty(count: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([{"digest": None, "signature": None}] * count, schema=SIGNED)
