"""Fingerprints: the words they are made of, what similar texts share, and that they never change."""

from __future__ import annotations

from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonmun
from bonmun.text import shingles
from bonmun.text.fingerprints import MIN_PAIRS, find_fingerprint
from bonmun.text.shingles import find_pairs, hash_words, list_words
from bonmun.text.words import WORD

TEXTS = {
    "en": "The old lighthouse at the end of the village was lit again last night, after thirty dark years.",
    "ko": "마을 끝의 낡은 등대가 서른 해 만에 어젯밤 다시 불을 밝혔고, 사람들은 바닷가에 모여 오래 바라보았다.",
    "ja": "村のはずれにある古い灯台が、三十年ぶりに昨夜ふたたび灯され、人々は浜辺に集まって長いあいだ眺めていた。",
    "th": "ประภาคารเก่าที่ปลายหมู่บ้านกลับมาสว่างอีกครั้งเมื่อคืนนี้ หลังจากมืดมาสามสิบปี",
    "ar": "أضيئت المنارة القديمة في طرف القرية من جديد ليلة أمس، بعد ثلاثين عاما من الظلام.",
}
FINGERPRINTS = {
    "en": "57a29b60447f9077",
    "ko": "334d0c4468888cc4",
    "ja": "110668efb015af7f",
    "th": "29be1d28abeb5763",
    "ar": "c00d7e4896825380",
}


def count_bits(one: str, other: str) -> int:
    """Return the number of bits in which the fingerprints of two texts differ."""
    first, second = find_fingerprint(one), find_fingerprint(other)
    assert first is not None
    assert second is not None
    return (int(first, 16) ^ int(second, 16)).bit_count()


@given(st.text(st.one_of(st.characters(), st.sampled_from("aé_1 .등가の國ก\u0e31𠀀\ud800\n-"))))
def test_words_are_those_of_count_words(text: str) -> None:
    words = WORD.findall(normalize("NFC", text).lower())
    keys = hash_words(text).tolist()
    assert len(keys) == len(words)
    assert len(set(keys)) == len(set(words))
    assert [keys[words.index(word)] for word in words] == keys  # a word has the same hash everywhere


@pytest.mark.parametrize("code", [0x3FFFF, 0x40000, 0xE0100, 0x10FFFF])
def test_code_points_beyond_all_letters_are_not_words(code: int) -> None:
    assert len(hash_words(chr(code))) == len(WORD.findall(chr(code)))


def test_fingerprints_never_change() -> None:
    """Fingerprints are stored in files: changing them would make those useless."""
    assert {language: find_fingerprint(text) for language, text in TEXTS.items()} == FINGERPRINTS


@pytest.mark.parametrize("language", TEXTS)
def test_similar_texts_have_similar_fingerprints(language: str) -> None:
    text = f"{TEXTS[language]} " + " ".join(f"{TEXTS[language][at:]}" for at in range(1, 12))
    assert count_bits(text, f"\n {normalize('NFD', text).upper().replace(' ', '  ')}!") == 0
    assert count_bits(text, text + TEXTS[language][:8]) <= 8
    others = "".join(TEXTS[other] for other in TEXTS if other != language)
    assert count_bits(text, others) >= 16


@pytest.mark.parametrize("text", ["", " \n", "…!?", "Hello, world!", "a " * 10_000, "가" * 1000])
def test_short_texts_have_no_fingerprint(text: str) -> None:
    assert find_fingerprint(text) is None


def test_the_shortest_text_with_a_fingerprint() -> None:
    words = " ".join(chr(ord("a") + at) for at in range(MIN_PAIRS + 1))
    assert find_fingerprint(words) is not None
    assert find_fingerprint(words[:-2]) is None


def test_long_texts_are_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(f"word{at}" for at in range(3000))
    whole = find_fingerprint(text)
    assert sum(len(find_pairs(words)) for words in list_words(text)) == 2999
    monkeypatch.setattr(shingles, "CHARS_AT_ONCE", 1000)
    assert max(map(len, list_words(text))) < 200
    piecewise = find_fingerprint(text)
    assert piecewise != whole  # some words are split
    assert (int(str(piecewise), 16) ^ int(str(whole), 16)).bit_count() <= 12


def test_a_long_word_is_a_word() -> None:
    words = hash_words(f"{'a' * 500} {'a' * 499}b {'a' * 500}")
    assert len(np.unique(words)) == 2


def test_a_document_has_the_fingerprint_of_its_main_text() -> None:
    text = TEXTS["ko"] * 3
    page = f"<title>등대</title><nav>홈 | 소식</nav><article><h1>등대</h1><p>{text}</p></article>"
    doc = bonmun.extract(page)
    assert doc.fingerprint == find_fingerprint(doc.text)
    assert doc.to_dict()["fingerprint"] == doc.fingerprint
    assert bonmun.extract("<p>x</p>").to_dict()["fingerprint"] is None
    said = f"<section id=comments><p>{TEXTS['en'] * 2}</p></section>"
    both = bonmun.extract(page + said, options=bonmun.Options(comments=True), method="all")
    assert both.fingerprint == find_fingerprint("\n".join(block.text for block in both.blocks))
