"""Viterbi decoding of the labels of consecutive leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["find_best_labels"]


def find_best_labels(unary: NDArray[np.floating], pairs: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Return the labels (n,) with the highest total score; in a tie, a leaf is not main text.

    `unary` (n, 2) has the scores of both labels of each leaf, `pairs` (n - 1, 4) the scores of the labels of a leaf
    and the next one: 00, 01, 10, 11.
    """
    n = len(unary)
    if not n:
        return np.zeros(0, bool)
    rows, steps = unary.tolist(), pairs.tolist()  # Python lists: numpy arrays of two are ten times slower
    out, inside = rows[0]
    came: list[tuple[bool, bool]] = []  # for both labels of a leaf, the previous label on the best path
    for (stay, enter, leave, go_on), (own_out, own_inside) in zip(steps, rows[1:], strict=True):
        from_out = (out + stay, out + enter)
        from_inside = (inside + leave, inside + go_on)
        came.append((from_inside[0] > from_out[0], from_inside[1] > from_out[1]))
        out, inside = max(from_out[0], from_inside[0]) + own_out, max(from_out[1], from_inside[1]) + own_inside
    label = inside > out
    labels = [label]
    for before in reversed(came):
        label = before[label]
        labels.append(label)
    return np.array(labels[::-1], bool)
