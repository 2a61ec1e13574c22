"""Bootstrap intervals: properties for any values, and their coverage."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.lab.evaluate.report.intervals import Interval, estimate_difference, estimate_mean

VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=50)


@given(VALUES)
def test_an_interval_lies_within_the_values(values: list[float]) -> None:
    found = estimate_mean(values)
    assert found.mean == pytest.approx(sum(values) / len(values))
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9
    assert found == estimate_mean(values)


def test_equal_values_give_an_interval_of_zero_width() -> None:
    assert estimate_mean([0.5] * 9) == Interval(0.5, 0.5, 0.5)
    assert str(estimate_mean([0.5])) == "0.500 [0.500, 0.500]"


def test_more_pages_give_a_narrower_interval() -> None:
    few, many = estimate_mean([0.0, 1.0] * 10), estimate_mean([0.0, 1.0] * 1000)
    assert few.high - few.low > 5 * (many.high - many.low)


def test_an_empty_mean_is_rejected() -> None:
    with pytest.raises(ValueError, match="zero values"):
        estimate_mean([])


def test_intervals_have_the_stated_coverage() -> None:
    rng = random.Random(7)
    inside = 0
    for _ in range(200):
        found = estimate_mean([rng.betavariate(5, 2) for _ in range(60)])
        inside += found.low <= 5 / 7 <= found.high
    assert 0.89 <= inside / 200 <= 0.99


def test_paired_differences_are_more_precise_than_means() -> None:
    rng = random.Random(3)
    hard = [rng.random() for _ in range(100)]
    better = [min(1.0, value + 0.02) for value in hard]
    assert estimate_mean(better).low < estimate_mean(hard).high  # the two intervals overlap
    found = estimate_difference(better, hard)
    assert 0 < found.low < found.mean < found.high
    assert found.mean == pytest.approx(sum(better) / 100 - sum(hard) / 100)


def test_pairs_must_have_equal_length() -> None:
    with pytest.raises(ValueError, match="longer"):
        estimate_difference([1.0], [1.0, 0.0])


@pytest.mark.slow
def test_many_pages_fit_in_memory() -> None:
    assert estimate_mean([0.0, 1.0] * 20_000).mean == 0.5
