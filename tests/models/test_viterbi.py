"""Viterbi decoding: an example by hand, and short rows compared with brute force."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.models.baselines.viterbi import find_best_labels

worths = st.integers(-20, 20).map(lambda each: each / 4)  # so that sums are exact


def add_up(labels: tuple[int, ...], unary: list[list[float]], pairs: list[list[float]]) -> float:
    own = sum(row[label] for row, label in zip(unary, labels, strict=True))
    return own + sum(row[2 * one + other] for row, (one, other) in zip(pairs, pairwise(labels), strict=True))


def test_by_hand() -> None:
    """The middle leaf is not main text by itself: 2.0 against 1.0. The scores of its neighbours outweigh that."""
    unary = np.array([[0.0, 3.0], [2.0, 1.0], [0.0, 3.0]])
    alone, together = np.zeros((2, 4)), np.array([[0.0, 0.0, 0.0, 0.75]] * 2)
    assert find_best_labels(unary, alone).tolist() == [True, False, True]
    assert find_best_labels(unary, together).tolist() == [True, True, True]  # 7 + 1.5 against 8


@pytest.mark.parametrize(("unary", "labels"), [([], []), ([[0.0, 1.0]], [True]), ([[1.0, 1.0]], [False])])
def test_few_leaves(unary: list[list[float]], labels: list[bool]) -> None:
    rows, none = np.array(unary).reshape(-1, 2), np.zeros((max(len(unary) - 1, 0), 4))
    assert find_best_labels(rows, none).tolist() == labels


@given(st.data(), st.integers(1, 7))
def test_no_other_labels_score_higher(data: st.DataObject, n: int) -> None:
    unary = data.draw(st.lists(st.lists(worths, min_size=2, max_size=2), min_size=n, max_size=n))
    pairs = data.draw(st.lists(st.lists(worths, min_size=4, max_size=4), min_size=n - 1, max_size=n - 1))
    found = tuple(find_best_labels(np.array(unary), np.array(pairs).reshape(-1, 4)).astype(int).tolist())
    assert add_up(found, unary, pairs) == max(add_up(way, unary, pairs) for way in product((0, 1), repeat=n))
