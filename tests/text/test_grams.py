"""Character n-grams: counts and similarities checked by hand, and saved counts."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonmun
from bonmun.errors import BadInput, MissingInput
from bonmun.text.grams import (
    CHARACTER_BITS,
    CorpusGrams,
    compare_texts,
    compare_vectors,
    count_grams,
    load_standard_grams,
)

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Zs", "Zl", "Zp", "Cc"]) | st.just("a"), max_size=40)


def spelled(key: int, n: int) -> str:
    return "".join(chr(key >> CHARACTER_BITS * (n - 1 - i) & (1 << CHARACTER_BITS) - 1) for i in range(n))


def by_hand(text: str, n: int) -> Counter[str]:
    padded = f" {text.casefold()}{' ' * max(1, n - 1 - len(text))}" if text else ""
    return Counter(padded[i : i + n] for i in range(len(padded) - n + 1))


def test_three_grams_by_hand() -> None:
    found = count_grams("Abab", 3)
    assert {spelled(int(key), 3): count for key, count in zip(found.keys, found.counts, strict=True)} == {
        " ab": 1,
        "aba": 1,
        "bab": 1,
        "ab ": 1,
    }


@pytest.mark.parametrize("n", [2, 3])
@given(text=TEXTS)
def test_counts_are_right_in_any_script(n: int, text: str) -> None:
    found = count_grams(text, n)
    assert {spelled(int(key), n): count for key, count in zip(found.keys, found.counts, strict=True)} == by_hand(
        text, n
    )
    assert (np.diff(found.keys) > 0).all()


def test_cosine_by_hand() -> None:
    corpus = CorpusGrams.count(["ab", "ab", "cd"])
    assert corpus.pages == 3
    known, unknown = log(4 / 3), log(4)  # " ab" and "ab " are on two of three pages, "aba" and "bab" on none
    expected = 2 * known / sqrt(2) / sqrt(2 * known**2 + 2 * unknown**2)
    assert compare_vectors(corpus.vector("ab"), corpus.vector("abab")) == pytest.approx(expected)
    assert compare_vectors(corpus.vector("ab"), corpus.vector("AB")) == pytest.approx(1)
    assert compare_vectors(corpus.vector("ab"), corpus.vector("xy")) == 0


def test_counts_are_weighted_by_their_logarithm() -> None:
    corpus = CorpusGrams.count([])
    corpus = CorpusGrams(1, corpus.keys, corpus.counts)
    # "aaaa": " aa" 1, "aaa" 2, "aa " 1
    vector = corpus.vector("aaaa")
    weights = [1.0, 1.0, 1 + log(2)]
    norm = sqrt(sum(weight**2 for weight in weights))
    assert sorted(vector.weights) == pytest.approx([weight / norm for weight in weights])


def test_grams_on_every_page_have_no_weight() -> None:
    corpus = CorpusGrams.count(["ab", "ab"])
    assert compare_vectors(corpus.vector("ab"), corpus.vector("ab")) == 0


@given(texts=st.lists(TEXTS.filter(bool), max_size=6), other=TEXTS)
def test_cosines_of_bigrams(texts: list[str], other: str) -> None:
    there = by_hand(other, 2)
    for text, value in zip(texts, compare_texts(texts, count_grams(other, 2)), strict=True):
        here = by_hand(text, 2)
        dot = sum(here[gram] * there[gram] for gram in here)
        norm = sqrt(sum(v * v for v in here.values()) * sum(v * v for v in there.values()))
        assert value == pytest.approx(dot / norm if norm else 0)


def test_empty_texts_are_not_similar() -> None:
    assert count_grams("", 3).keys.size == 0
    assert compare_texts([], count_grams("ab", 2)) == []
    assert compare_texts(["ab"], count_grams("", 2)) == [0.0]
    assert compare_vectors(load_standard_grams().vector(""), load_standard_grams().vector("ab")) == 0
    assert compare_vectors(load_standard_grams().vector("ab"), load_standard_grams().vector("")) == 0


def test_a_corpus_is_counted_from_pages_or_texts() -> None:
    page = bonmun.Page.parse("<p>ab</p><p>cd</p>")
    ours, theirs = CorpusGrams.count([page, page]), CorpusGrams.count(["ab  cd", "ab\ncd"])
    assert ours.keys.tolist() == theirs.keys.tolist()
    assert set(ours.counts.tolist()) == {2}


def test_many_pages_are_counted_right() -> None:
    texts = [f"{n % 7} {n % 11}" for n in range(200)]
    corpus = CorpusGrams.count(texts)
    expected = Counter(gram for text in texts for gram in set(by_hand(text, 3)))
    assert {spelled(int(key), 3): n for key, n in zip(corpus.keys, corpus.counts, strict=True)} == expected


def test_rare_grams_can_be_left_out() -> None:
    assert [spelled(int(key), 3) for key in CorpusGrams.count(["ab", "ab", "cd"], at_least=2).keys] == [" ab", "ab "]


def test_saving_and_loading_changes_nothing(tmp_path: Path) -> None:
    corpus = CorpusGrams.count(["불이 켜졌다", "𝒳𝒴𝒵", "ab"])
    corpus.save(tmp_path / "grams.npz")
    loaded = CorpusGrams.load(tmp_path / "grams.npz")
    assert (loaded.pages, loaded.keys.tolist(), loaded.counts.tolist()) == (
        corpus.pages,
        corpus.keys.tolist(),
        corpus.counts.tolist(),
    )
    assert [path.name for path in tmp_path.iterdir()] == ["grams.npz"]


def test_a_missing_or_invalid_file(tmp_path: Path) -> None:
    with pytest.raises(MissingInput, match="make it with"):
        CorpusGrams.load(tmp_path / "none.npz")
    for name, data in {"empty": b"", "text": b"hello", "zip": b"PK\x03\x04 broken"}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(BadInput, match="is not a file of n-gram counts"):
            CorpusGrams.load(tmp_path / name)
    np.savez(tmp_path / "other.npz", x=np.arange(3))
    with pytest.raises(BadInput, match="is not a file of n-gram counts"):
        CorpusGrams.load(tmp_path / "other.npz")


@pytest.mark.parametrize(
    ("common", "rare"),
    [("the", "xqz"), ("다. ", "쀍쀍쀍"), ("です。", "鬱鬱鬱"), ("的。", "龘龘龘"), (" и ", "щщщ"), (" ال", "ظظظ")],
)
def test_the_standard_counts_cover_many_scripts(common: str, rare: str) -> None:
    corpus = load_standard_grams()
    vector = corpus.vector(f"{common.strip()} {rare}")
    weights = {spelled(int(key), 3): weight for key, weight in zip(vector.keys, vector.weights, strict=True)}
    assert weights[rare] == max(weights.values())
    assert min(weights.values()) < weights[rare]
    assert corpus.pages > 1000


def test_the_standard_counts_are_small() -> None:
    from importlib.resources import files

    assert len((files("bonmun.text") / "grams.npz").read_bytes()) < 1_000_000
