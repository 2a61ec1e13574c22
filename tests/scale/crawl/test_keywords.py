"""Keywords in texts of several scripts."""

from __future__ import annotations

import unicodedata

import pytest

from bonmun.errors import BadConfig
from bonmun.scale.crawl.discover.keywords import Keywords


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("본문", "웹문서본문추출"),
        ("본문", unicodedata.normalize("NFD", "본문")),
        ("AI", "새로운 ai가 나왔다"),
        ("AI", "AI, again"),
        ("New  York", "in new\nyork."),
        ("straße", "STRASSE 5"),
        ("C++", "C++17 and C"),
        ("機械", "機械学習"),
        ("café", "Cafe\u0301!"),
        ("a", "b-a-b"),
    ],
)
def test_matching_keywords(word: str, text: str) -> None:
    assert Keywords(["missing", word]).matches(text)


@pytest.mark.parametrize(
    ("word", "text"), [("AI", "he said"), ("AI", "AIs 2AI"), ("본문", "본 문"), ("cafe", "café"), ("x", "")]
)
def test_keywords_that_do_not_match(word: str, text: str) -> None:
    assert not Keywords([word]).matches(text)


@pytest.mark.parametrize("words", [[], [""], [" ", "\n"]])
def test_empty_keywords_are_rejected(words: list[str]) -> None:
    with pytest.raises(BadConfig, match="at least one"):
        Keywords(words)
