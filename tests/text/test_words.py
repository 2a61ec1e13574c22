"""Words, and how many two texts share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.text.words import Overlap, compare_counts, count_words, is_same_title


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("One two, ONE!", ["one", "one", "two"]),
        ("don't re-do_it", ["do", "don", "it", "re", "t"]),
        ("불이 켜졌다", list("다불이졌켜")),
        ("今天 rain", ["rain", "今", "天"]),
        ("v2.0", ["0", "v2"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert sorted(count_words(text).elements()) == words


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The light: again", "the light - AGAIN!", True),
        ("The light", "The lights", False),
        ("불이 켜졌다", "불이켜졌다.", True),
        ("", "", False),
        (None, "x", False),
        ("x", None, False),
    ],
)
def test_titles(one: str | None, other: str | None, same: bool) -> None:
    assert is_same_title(one, other) is same


def test_by_hand() -> None:
    found = compare_counts(count_words("one two two four"), count_words("Two, two: three"))
    assert found == Overlap(found=4, gold=3, shared=2)
    assert (found.precision, found.recall, found.f1) == (2 / 4, 2 / 3, 4 / 7)


def test_sums_are_micro_averages() -> None:
    total = Overlap(4, 3, 2) + Overlap(6, 7, 6)
    assert total == Overlap(10, 10, 8)
    assert total.f1 == 0.8


@pytest.mark.parametrize(
    ("found", "gold", "values"),
    [("", "", (1, 1, 1)), ("a", "", (0, 0, 0)), ("", "a", (0, 0, 0)), ("a", "b", (0, 0, 0))],
)
def test_empty_texts(found: str, gold: str, values: tuple[int, ...]) -> None:
    result = compare_counts(count_words(found), count_words(gold))
    assert (result.precision, result.recall, result.f1) == values


@given(st.text(), st.text())
def test_f1_is_the_harmonic_mean_and_symmetric(one: str, other: str) -> None:
    result = compare_counts(count_words(one), count_words(other))
    p, r = result.precision, result.recall
    assert result.f1 == pytest.approx(2 * p * r / (p + r) if p + r else 0)
    assert result.f1 == compare_counts(count_words(other), count_words(one)).f1
