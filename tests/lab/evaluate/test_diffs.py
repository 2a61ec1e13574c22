"""Word-by-word diffs of two texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.lab.evaluate.report.diffs import CONTEXT_WORDS, MAX_SHOWN_WORDS, diff
from bonmun.text.words import WORD

TEXTS = st.lists(st.sampled_from("a b c d 등대 불 灯 Ünder عاد x_y 3.5 ﬁ İ".split()), max_size=40).map(" ".join)


def words(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text)]


@given(gold=TEXTS, found=TEXTS)
def test_a_diff_contains_both_texts(gold: str, found: str) -> None:
    chunks = diff(gold, found)
    if any(chunk.kind == "left out" for chunk in chunks):
        return
    assert words(" ".join(chunk.text for chunk in chunks if chunk.kind in ("both", "gold"))) == words(gold)
    assert words(" ".join(chunk.text for chunk in chunks if chunk.kind in ("both", "found"))) == words(found)
    assert all(chunk.text for chunk in chunks)


@given(gold=st.text(max_size=60), found=st.text(max_size=60))
def test_any_two_texts_can_be_compared(gold: str, found: str) -> None:
    chunks = diff(gold, found)
    theirs = "".join(chunk.text for chunk in chunks if chunk.kind in ("both", "gold"))
    if not any(chunk.kind == "left out" for chunk in chunks):
        assert gold.endswith(theirs)  # except for text before the first word
        assert words(theirs) == words(gold)


@given(TEXTS)
def test_equal_texts_have_no_differences(text: str) -> None:
    assert {chunk.kind for chunk in diff(text, text)} <= {"both", "left out"}


def numbered(count: int, letter: str) -> str:
    return " ".join(f"{letter}{number}" for number in range(count))


def test_worked_examples() -> None:
    assert diff("", "") == []
    assert [tuple(chunk) for chunk in diff("One two.", "")] == [("gold", "One two.")]
    assert [tuple(chunk) for chunk in diff("", "Menu")] == [("found", "Menu")]
    first, *middle, last = diff("THE light was lit", "the light is lit")
    assert (tuple(first), tuple(last)) == (("both", "THE light "), ("both", "lit"))
    assert {tuple(chunk) for chunk in middle} == {("gold", "was "), ("found", "is ")}
    first, *_, last = diff("불이 켜졌다", "불이 꺼졌다")
    assert (first.text, last.text) == ("불이 ", "졌다")


def test_long_common_runs_are_shortened() -> None:
    same = numbered(100, "a")
    first, middle, last, extra = diff(same, f"{same} more")
    assert (first.text, last.text) == (f"{numbered(CONTEXT_WORDS, 'a')} ", " ".join(same.split()[-CONTEXT_WORDS:]))
    assert tuple(middle) == ("left out", " … 76 words … ")
    assert tuple(extra) == ("found", "more")


@pytest.mark.parametrize("found", ["", "z", numbered(5_000, "b")])
def test_long_differences_are_shortened(found: str) -> None:
    chunks = diff(numbered(5_000, "a"), found)
    shown = sum(len(words(chunk.text)) for chunk in chunks if chunk.kind != "left out")
    assert shown <= MAX_SHOWN_WORDS + 2 * CONTEXT_WORDS
    assert any(chunk.kind == "left out" and "words" in chunk.text for chunk in chunks)


def test_omissions_are_never_empty() -> None:
    same = numbered(2 * CONTEXT_WORDS, "b")
    chunks = diff(f"{numbered(MAX_SHOWN_WORDS - 1, 'a')} {same}", f"{same} and more")
    assert not [chunk.text for chunk in chunks if " 0 words" in chunk.text]
