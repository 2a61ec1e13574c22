"""Sentences in many scripts, with abbreviations, without loss, in linear time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.text.sentences import cut_sentences
from timing import assert_linear


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in cut_sentences(text, 0, len(text))]


@pytest.mark.parametrize(
    "sentences",
    [
        ["One.", "Two!", "Three?", "Four"],
        ["He said “no.”", "Then he left.", "(Or so.)", "It rained…", "Again?!", "Yes."],
        ["Dr. Kim and J. Smith met at No. 5.", "They left at 5 p.m. sharp.", "See fig. 3 vs. fig. 4."],
        ["It is 3.14.", "Use a.b and c."],
        ["그는 갔다.", "비가 왔어요.", "왜 그랬을까?"],
        ["آیا این است؟", "بله."],
        ["यह है।", "वह था॥", "ठीक."],
    ],
)
def test_sentences_in_scripts_with_spaces(sentences: list[str]) -> None:
    assert cut("  " + " ".join(sentences) + "\n") == sentences
    assert cut("\n".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["点いた。", "「暗い。」", "と言った！", "海？！", "はい"],
        ["갔다.", "왔어요!", "봤죠.", "끝"],
        ["是。”", "他说"],
    ],
)
def test_sentences_in_scripts_without_spaces(sentences: list[str]) -> None:
    assert cut("".join(sentences)) == sentences


def test_a_part_of_a_text() -> None:
    assert list(cut_sentences("One. Two. Three.", 5, 12)) == [(5, 9), (10, 12)]
    assert list(cut_sentences(" . ", 0, 3)) == [(1, 2)]
    assert list(cut_sentences("   ", 0, 3)) == []
    assert list(cut_sentences("", 0, 0)) == []


@given(st.text("ab.。!?… \n다가”)Dr", max_size=60))
def test_only_whitespace_is_lost(text: str) -> None:
    place = 0
    for start, end in cut_sentences(text, 0, len(text)):
        assert not text[place:start].strip()
        assert text[start:end] == text[start:end].strip() != ""
        place = end
    assert not text[place:].strip()


@pytest.mark.parametrize("piece", [".", "a. ", ".”", "。", "다.가", " ", "...a ", "Dr. ", "a."])
def test_time_is_linear(piece: str) -> None:
    found = assert_linear(lambda size: piece * (size // len(piece)), cut, 200_000)
    assert sum(map(len, found)) <= 200_000
