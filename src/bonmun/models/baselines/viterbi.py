"""The likeliest labels of a row of leaves, where each label depends on the leaf and on the label before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["find_best_labels"]


def find_best_labels(unary: NDArray[np.floating], pairs: NDArray[np.floating]) -> NDArray[np.bool_]:
    """The labels (n,) that are worth most together; where two ways are worth the same, a leaf is no main text.

    `unary` (n, 2) says what both labels of a leaf are worth, `pairs` (n - 1, 4) what those of a leaf and the next are
    worth together: 00, 01, 10, 11.
    """
    n = len(unary)
    if not n:
        return np.zeros(0, bool)
    rows, steps = unary.tolist(), pairs.tolist()  # Python's numbers: arrays of two take ten times as long
    out, inside = rows[0]
    came: list[tuple[bool, bool]] = []  # for both labels of a leaf, the label before on the best way there
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
