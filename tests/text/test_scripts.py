"""Scripts without spaces: which characters count as a word each, and between which no space is added."""

from __future__ import annotations

import re

import pytest

from bonmun.text.scripts import COUNTED_SINGLY, EAST_ASIAN_MARKS, FULL_WIDTH, HAN_BEYOND_FFFF, JOINED

EVERY = "".join(map(chr, range(0x110000)))


def members(characters: str) -> set[str]:
    return set(re.findall(f"[{characters}]", EVERY))


@pytest.mark.parametrize(
    ("character", "counted", "joined"),
    [
        ("a", False, False),
        ("é", False, False),
        ("я", False, False),
        ("한", False, False),
        ("ก", True, True),
        ("ລ", True, True),
        ("မ", True, True),
        ("ខ", True, True),
        ("か", True, True),
        ("カ", True, True),
        ("漢", True, True),
        ("\uf900", True, True),
        ("𠮷", True, False),
        ("。", False, True),
        ("\u3000", False, True),
        ("！", False, True),
        ("Ａ", False, True),
    ],
)
def test_by_character(character: str, counted: bool, joined: bool) -> None:
    assert (character in members(COUNTED_SINGLY), character in members(JOINED)) == (counted, joined)


def test_the_classes_differ_in_punctuation_and_beyond_ffff() -> None:
    assert members(JOINED) - members(COUNTED_SINGLY) == members(EAST_ASIAN_MARKS) | members(FULL_WIDTH)
    assert members(COUNTED_SINGLY) - members(JOINED) == members(HAN_BEYOND_FFFF)
