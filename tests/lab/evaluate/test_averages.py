"""Averages over pages, and the rows they are made of: worked examples."""

from __future__ import annotations

import math

import pytest
from made_results import SHINGLES, Values, f1, made

from bonmun.lab.evaluate.report.averages import (
    average_ms,
    average_pages,
    average_pooled,
    compare_systems,
    estimate_average,
    sum_counts,
)
from bonmun.lab.evaluate.results import PageInfo
from bonmun.text.words import Overlap

COUNTS: Values = {
    "peer": {
        "words.found": [10, 2, 0, 4],
        "words.gold": [5, 8, 3, 0],
        "words.shared": [5, 1, 0, 0],
        "words.f1": [2 / 3, 1 / 5, 0, 0],
    }
}


# Three pages with a text, of which one has no gold text and one no answer, and one with snippets only.
def test_the_macro_average_covers_pages_with_the_score() -> None:
    results = made(f1(auto=[0.5, None, 1.0, 0.0]))
    assert average_pages(results, "words.f1", "auto", [0, 1, 2, 3]) == 0.5
    assert average_pages(results, "words.f1", "auto", [0, 2]) == 0.75
    assert average_pages(results, "words.f1", "auto", [1]) is None
    assert average_pages(results, "words.f1", "auto", []) is None
    assert average_pages(results, "edit.similarity", "auto", [0]) is None
    found = estimate_average(results, "words.f1", "auto", [0, 1, 2, 3])
    assert found is not None
    assert (found.mean, 0 <= found.low < 0.5 < found.high <= 1) == (0.5, True)
    assert estimate_average(results, "words.f1", "auto", [1]) is None


def test_the_micro_average_sums_counts() -> None:
    results = made(COUNTS)
    found = sum_counts(results, "words", "peer", range(4))
    assert found == Overlap(16, 16, 6)
    assert found.f1 == 6 / 16
    assert average_pages(results, "words.f1", "peer", range(4)) == pytest.approx(13 / 60)
    assert sum_counts(results, "words", "peer", [0]) == Overlap(10, 5, 5)
    assert sum_counts(results, "shingles", "peer", range(4)) is None


def test_shingles_are_averaged_as_scrapinghub_does() -> None:
    results = made(SHINGLES)
    # P over the two pages with an answer, R over the two with a gold text; F1 of 1/4 and 1/2
    assert average_pooled(results, "shingles", "peer", range(4)) == (1 / 4, 1 / 2, 1 / 3)
    assert average_pooled(results, "shingles", "peer", [2]) == (0, 0, 0)
    assert average_pooled(results, "shingles", "peer", [1]) == (0, 0, 0)
    assert average_pooled(results, "shingles", "peer", [3]) is None
    assert average_pooled(results, "words", "peer", [0]) is None


def test_systems_are_compared_on_pages_that_both_have() -> None:
    results = made(f1(auto=[0.9, 0.8, None, 0.4], peer=[0.5, 0.8, 1.0, 0.2]))
    found = compare_systems(results, "words.f1", "auto", "peer", range(4))
    assert found is not None
    assert found.mean == pytest.approx((0.4 + 0.0 + 0.2) / 3)
    assert 0 <= found.low < found.mean < found.high <= 0.4 + 1e-9
    reverse = compare_systems(results, "words.f1", "peer", "auto", range(4))
    assert reverse is not None
    assert reverse.mean == pytest.approx(-found.mean)
    assert compare_systems(results, "words.f1", "auto", "peer", [2]) is None


def test_time_is_the_mean_over_timed_pages() -> None:
    results = made(f1(auto=[1.0, 1.0, 1.0]))
    assert average_ms(results, "auto") is None
    results.times["auto"] = {0: 2.0, 2: 4.0}
    assert average_ms(results, "auto") == 3


def test_rows_and_groups() -> None:
    pages = [
        PageInfo("set", "b", "ko", "news", None),
        PageInfo("set", "a", "en", "x", 0.5),
        PageInfo("set", "c", "en", "x", 1),
    ]
    results = made({"auto": {"words.f1": [0.5, None, 1.0], "edit.similarity": [0.25]}}, pages)
    results.times["auto"] = {1: 7.0}
    assert [(row.page, row.metric, row.value) for row in results.rows()] == [
        ("b", "edit.similarity", 0.25),
        ("b", "words.f1", 0.5),
        ("a", "time.ms", 7.0),
        ("c", "words.f1", 1.0),
    ]
    assert results.group_pages("lang") == {"en": [1, 2], "ko": [0]}
    assert results.score_names == ["edit.similarity", "words.f1"]
    assert math.isnan(results.values("no.score", "auto", [0])[0])
    assert len(results.values("no.score", "auto")) == 3
