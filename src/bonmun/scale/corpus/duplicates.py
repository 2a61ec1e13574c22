"""Find exact and near copies of pages by their MinHash signatures (locality-sensitive hashing).

Signatures are divided into bands. Pages with the same numbers in a band are candidates: they are compared with the
first few pages of their group over the whole signature. So the number of comparisons per page and band is limited, even
if very many pages are alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.scale.corpus.signatures import BAND_SIZE, PAIR_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Rows = NDArray[np.int64]

__all__ = ["MIN_SIMILARITY", "NO_COPY", "Copies", "find_copies"]

MIN_SIMILARITY = 0.48  # of copies: about a fifth of the words may differ
MIN_PAIR_SIMILARITY = 0.3  # of copies, by pairs of words: the same few words in another order are not a copy
LEADERS = 6  # pages of each group that the others are compared with
BATCH_PAGES = 4096  # signatures in memory at a time
NO_COPY = -1


class Copies(NamedTuple):
    """The original of each page, or NO_COPY; their similarity; and whether the copy is exact."""

    original: Rows
    similarity: NDArray[np.float32]
    exact: NDArray[np.bool_]

    def slice(self, start: int, stop: int) -> Copies:
        """Return the rows of some pages."""
        return Copies(self.original[start:stop], self.similarity[start:stop], self.exact[start:stop])


def find_copies(
    digests: NDArray[np.uint64],
    signatures: NDArray[np.uint16],
    has_text: NDArray[np.bool_],
    has_signature: NDArray[np.bool_],
    step: Callable[[int], None] = lambda _: None,
) -> Copies:
    """Find the copies among pages.

    `digests` has two numbers per page; `signatures` has a row per page and may be memory-mapped. `step` is called with
    the number of finished bands.
    """
    copies = Copies(
        np.full(len(digests), NO_COPY, np.int64), np.zeros(len(digests), np.float32), np.zeros(len(digests), np.bool_)
    )
    _find_exact(digests, np.flatnonzero(has_text), copies)
    rows = np.flatnonzero(has_signature & ~copies.exact)
    for band in range(PAIR_NUMBERS // BAND_SIZE):
        _compare_band(signatures, band, rows, copies)
        rows = rows[copies.original[rows] == NO_COPY]
        step(band + 1)
    _find_originals(signatures, copies)
    return copies


def _find_exact(digests: NDArray[np.uint64], rows: Rows, copies: Copies) -> None:
    """Mark pages with the same digest as an earlier page."""
    order = rows[np.lexsort((digests[rows, 1], digests[rows, 0]))]  # stable: pages with the same digest stay in order
    if not len(order):
        return
    begins = np.concatenate(([True], (digests[order[1:]] != digests[order[:-1]]).any(1)))
    originals = order[begins][np.cumsum(begins) - 1]
    is_copy = originals != order
    copies.original[order[is_copy]] = originals[is_copy]
    copies.similarity[order[is_copy]] = 1
    copies.exact[order[is_copy]] = True


def _compare_band(signatures: NDArray[np.uint16], band: int, rows: Rows, copies: Copies) -> None:
    """Compare the pages that have the same numbers in a band, and mark near copies."""
    columns = slice(band * BAND_SIZE, (band + 1) * BAND_SIZE)
    factors = np.uint64(1) << np.arange(0, 16 * BAND_SIZE, 16, dtype=np.uint64)
    keys = np.empty(len(rows), np.uint64)
    for start in range(0, len(rows), BATCH_PAGES):
        part = slice(start, start + BATCH_PAGES)
        keys[part] = signatures[rows[part], columns].astype(np.uint64) @ factors
    order = np.argsort(keys, kind="stable")
    keys, rows = keys[order], rows[order]
    for _ in range(LEADERS):
        is_shared = np.zeros(len(keys), np.bool_)
        is_shared[1:] = keys[1:] == keys[:-1]
        is_shared[:-1] |= is_shared[1:]
        keys, rows = keys[is_shared], rows[is_shared]
        if not len(rows):
            return
        begins = np.concatenate(([True], keys[1:] != keys[:-1]))
        leaders = rows[begins][np.cumsum(begins) - 1]
        others = np.flatnonzero(~begins)
        similarity = _compare(signatures, rows[others], leaders[others])
        is_copy = similarity >= MIN_SIMILARITY
        copied = others[is_copy]
        copies.original[rows[copied]] = leaders[copied]
        copies.similarity[rows[copied]] = similarity[is_copy]
        left = np.delete(others, np.flatnonzero(is_copy))
        keys, rows = keys[left], rows[left]


def _compare(signatures: NDArray[np.uint16], first: Rows, second: Rows) -> NDArray[np.float32]:
    """Return the similarities of pairs of pages: the mean of shared words and shared pairs of words.

    It is 0 for pages that share few pairs. Pairs alone would make copies of pages that share long passages, such as
    pages with the same template or half-translated pages.
    """
    similarity = np.empty(len(first), np.float32)
    for start in range(0, len(first), BATCH_PAGES):
        part = slice(start, start + BATCH_PAGES)
        same = signatures[first[part]] == signatures[second[part]]
        pairs, words = same[:, :PAIR_NUMBERS].mean(1), same[:, PAIR_NUMBERS:].mean(1)
        similarity[part] = np.where(pairs >= MIN_PAIR_SIMILARITY, (pairs + words) / 2, 0)
    return similarity


def _find_originals(signatures: NDArray[np.uint16], copies: Copies) -> None:
    """If a near copy points to another near copy, let it point to the original instead, if it is similar enough."""
    near = np.flatnonzero((copies.original != NO_COPY) & ~copies.exact)
    for row in near.tolist():  # in order, so earlier pages already point to their originals
        original = int(copies.original[copies.original[row]])
        if original == NO_COPY:
            continue
        similarity = _compare(signatures, np.array([row]), np.array([original]))[0]
        if similarity >= MIN_SIMILARITY:
            copies.original[row], copies.similarity[row] = original, similarity
