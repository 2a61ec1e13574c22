"""Estimated tokens: by script, and additive."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bonmun.text.tokens import count_quarter_tokens, estimate_tokens


def test_scripts_count_by_character() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("lamp lamp lamp lamp ") == 5
    assert estimate_tokens("12345678") == 4
    assert estimate_tokens("маяк") == 2
    assert estimate_tokens("등대") == estimate_tokens("灯塔") == estimate_tokens("🗼🗼") == 2
    assert estimate_tokens("\ud800") == 1  # a lone surrogate


@given(st.text(), st.text())
def test_the_estimate_of_a_text_is_the_sum_of_its_parts(one: str, other: str) -> None:
    assert count_quarter_tokens(one + other) == count_quarter_tokens(one) + count_quarter_tokens(other)
