"""Signatures in, copies out: which page says the same as an earlier one, to the letter or nearly.

Pages are compared where they are likely to be alike: for each band of a signature, those with the same numbers in it
are put together, and compared with the first few of them, over all numbers. So no number of pages that are alike, or
that only look alike, makes more than some comparisons a page and band.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.scale.corpus.signatures import BAND, OF_PAIRS

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Rows = NDArray[np.int64]

__all__ = ["ALIKE", "NO_COPY", "Copies", "find_copies"]

ALIKE = 0.48  # how alike copies are, at least: a fifth of the words may be others
PAIRS_ALIKE = 0.3  # share of pairs of words that both have, at least: the same few words in another order are no copy
LEADERS = 6  # pages of those with one band that the others are compared with
AT_ONCE = 4096  # pages whose signatures are in memory together
NO_COPY = -1


class Copies(NamedTuple):
    """For each page: the one that it is a copy of, or NO_COPY; how alike they are; whether they are the same."""

    first: Rows
    similarity: NDArray[np.float32]
    exact: NDArray[np.bool_]

    def cut(self, start: int, stop: int) -> Copies:
        """Those of some pages."""
        return Copies(self.first[start:stop], self.similarity[start:stop], self.exact[start:stop])


def find_copies(
    digests: NDArray[np.uint64],
    signatures: NDArray[np.uint16],
    has_text: NDArray[np.bool_],
    has_signature: NDArray[np.bool_],
    step: Callable[[int], None] = lambda _: None,
) -> Copies:
    """Find the copies among pages; `digests` are two numbers a page, `signatures` a row a page, maybe on disk.

    `step` is told the number of bands that are done.
    """
    copies = Copies(
        np.full(len(digests), NO_COPY, np.int64), np.zeros(len(digests), np.float32), np.zeros(len(digests), np.bool_)
    )
    _find_equal(digests, np.flatnonzero(has_text), copies)
    rows = np.flatnonzero(has_signature & ~copies.exact)
    for band in range(OF_PAIRS // BAND):
        _compare_band(signatures, band, rows, copies)
        rows = rows[copies.first[rows] == NO_COPY]
        step(band + 1)
    _find_earliest(signatures, copies)
    return copies


def _find_equal(digests: NDArray[np.uint64], rows: Rows, copies: Copies) -> None:
    """Mark pages that say the same as an earlier one."""
    order = rows[np.lexsort((digests[rows, 1], digests[rows, 0]))]  # stable: pages of a digest stay in order
    if not len(order):
        return
    begins = np.concatenate(([True], (digests[order[1:]] != digests[order[:-1]]).any(1)))
    first = order[begins][np.cumsum(begins) - 1]
    is_copy = first != order
    copies.first[order[is_copy]] = first[is_copy]
    copies.similarity[order[is_copy]] = 1
    copies.exact[order[is_copy]] = True


def _compare_band(signatures: NDArray[np.uint16], band: int, rows: Rows, copies: Copies) -> None:
    """Compare the pages that have the same numbers in a band, and mark those that are alike."""
    keys = np.empty(len(rows), np.uint64)
    for start in range(0, len(rows), AT_ONCE):
        some = signatures[rows[start : start + AT_ONCE], band * BAND : (band + 1) * BAND].astype(np.uint64)
        keys[start : start + AT_ONCE] = some @ (np.uint64(1) << np.arange(0, 16 * BAND, 16, dtype=np.uint64))
    order = np.argsort(keys, kind="stable")
    keys, rows = keys[order], rows[order]
    for _ in range(LEADERS):
        many = np.zeros(len(keys), np.bool_)  # not alone with their numbers
        many[1:] = keys[1:] == keys[:-1]
        many[:-1] |= many[1:]
        keys, rows = keys[many], rows[many]
        if not len(rows):
            return
        begins = np.concatenate(([True], keys[1:] != keys[:-1]))
        leaders = rows[begins][np.cumsum(begins) - 1]
        others = np.flatnonzero(~begins)
        similarity = _compare(signatures, rows[others], leaders[others])
        is_copy = similarity >= ALIKE
        copied = others[is_copy]
        copies.first[rows[copied]] = leaders[copied]
        copies.similarity[rows[copied]] = similarity[is_copy]
        left = np.delete(others, np.flatnonzero(is_copy))
        keys, rows = keys[left], rows[left]


def _compare(signatures: NDArray[np.uint16], some: Rows, others: Rows) -> NDArray[np.float32]:
    """How alike pages are, one with another: the share of words that both have and that of pairs of words, their mean.

    0 for those that share few pairs. Pairs alone would take pages of one template for copies, or half translated ones,
    which share long runs.
    """
    found = np.empty(len(some), np.float32)
    for start in range(0, len(some), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        same = signatures[some[part]] == signatures[others[part]]
        pairs, words = same[:, :OF_PAIRS].mean(1), same[:, OF_PAIRS:].mean(1)
        found[part] = np.where(pairs >= PAIRS_ALIKE, (pairs + words) / 2, 0)
    return found


def _find_earliest(signatures: NDArray[np.uint16], copies: Copies) -> None:
    """Give near copies of a page that is a near copy itself the first of them all, if they are like it, too."""
    near = np.flatnonzero((copies.first != NO_COPY) & ~copies.exact)
    for row in near.tolist():  # in order, so the pages before it have theirs
        before = int(copies.first[copies.first[row]])
        if before != NO_COPY and (alike := _compare(signatures, np.array([row]), np.array([before]))[0]) >= ALIKE:
            copies.first[row], copies.similarity[row] = before, alike
