"""Letters and marks are composed in linear time."""

from __future__ import annotations

import sys
from unicodedata import combining, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.text.compose import LONG_RUN, MAX_MARKS, compose
from timing import assert_linear

MARKS = [chr(code) for code in range(sys.maxunicode + 1) if combining(chr(code))]


def test_marks_can_be_in_a_long_run() -> None:
    assert LONG_RUN.fullmatch("".join(MARKS))


@given(st.text(st.sampled_from(["a", "é", "가", "ᄀ", "ᅡ", " ", "—", "\u0301", "\u0316", "\u3099"]), max_size=40))
def test_texts_are_composed(text: str) -> None:
    assert compose(text) == normalize("NFC", text)
    assert compose(f"{text}{'—' * 2 * MAX_MARKS}e\u0301") == normalize("NFC", f"{text}{'—' * 2 * MAX_MARKS}é")


def test_marks_of_a_long_run_stay() -> None:
    text = "a" + "\u0316\u0301" * 100
    assert sorted(compose(text)) == sorted(text)
    assert compose(compose(text)) == compose(text)


@pytest.mark.parametrize("part", ["\u0316\u0301", "a\u0316\u0301", "—", "가\u0301"])
def test_long_texts_take_linear_time(part: str) -> None:
    assert_linear(lambda n: part * n, compose, 40_000)
