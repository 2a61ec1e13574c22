"""The kernel searches texts for words as the reference does, for any text."""

from __future__ import annotations

import importlib.util
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.kernel import load_kernel
from bonmun.objects.products import script_values
from bonmun.text import word_finder
from timing import assert_linear

KERNEL = load_kernel("words")
pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or BONMUN_PURE is set")
LETTERS = "abcAB -\n1éÉİıſK漢字😀\ud800"
WORDS = st.lists(
    st.text(st.sampled_from("abc -1éı漢字😀"), min_size=2, max_size=4).filter(lambda word: word == word.lower()),
    max_size=5,
).map(tuple)
TEXTS = st.one_of(
    st.text(st.sampled_from("abcAB -"), max_size=30), st.text(st.sampled_from(LETTERS), max_size=30), st.text()
)


@pytest.fixture(scope="module")
def reference() -> Any:
    """Return the finder without the kernel."""
    patch = pytest.MonkeyPatch()
    patch.setattr("bonmun.kernel.load_kernel", lambda _: None)
    spec = importlib.util.spec_from_file_location("pure_word_finder", Path(word_finder.__file__))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    patch.undo()
    return module.WordFinder


@given(WORDS, st.lists(TEXTS, max_size=5), st.integers(0, 40))
def test_words_are_found(reference: Any, words: tuple[str, ...], texts: list[str], most: int) -> None:
    ours, expected = KERNEL.WordFinder(words), reference(words)
    assert ours.list_holding(texts, most) == expected.list_holding(texts, most)
    for text in texts:
        assert ours.list_starts(text) == expected.list_starts(text)
        assert ours.holds(text) == expected.holds(text)


@pytest.mark.parametrize("text", ["ab" * 200_000, "a" * 400_000, "漢" + "ab" * 200_000, "\U0001f600" + "aB" * 200_000])
def test_long_texts_are_searched(reference: Any, text: str) -> None:
    words = ("ab", "aab", "ba" * 20, "a" * 300)
    assert KERNEL.WordFinder(words).list_starts(text) == reference(words).list_starts(text)


def test_words_that_share_a_slot_are_told_apart(reference: Any) -> None:
    words = tuple(
        f"{chr(97 + first)}{chr(97 + second)}{third}" for first in range(26) for second in range(26) for third in "xy"
    )
    text = " ".join(words)
    assert KERNEL.WordFinder(words).list_starts(text) == reference(words).list_starts(text)


def test_a_finder_can_be_pickled() -> None:
    finder = pickle.loads(pickle.dumps(KERNEL.WordFinder(("ab", "漢字"))))
    assert finder.list_starts("xAB漢字") == [1, 3]


def test_invalid_words_are_rejected() -> None:
    for words in (("a",), ("",), ("ab",) * 2001, (b"ab",), (None,), None, ["ab"]):
        with pytest.raises((ValueError, TypeError)):
            KERNEL.WordFinder(words)
    for texts in ([b"ab"], [None], ("ab",), None):
        with pytest.raises(TypeError):
            KERNEL.WordFinder(("ab",)).list_holding(texts, 5)


@given(
    st.lists(
        st.sampled_from(
            ['"price": ', "price", "Brand", ":", '"', "12.5", ",", "sku", "id", "=", "'abc'", "{name:", " x"]
        )
    )
)
def test_keys_of_scripts_are_those_of_the_pattern(parts: list[str]) -> None:
    text = "".join(parts)
    ours = [match.span() for match in script_values.find_keys(text)]
    assert ours == [match.span() for match in script_values.KEY.finditer(text)]


@pytest.mark.parametrize("part", ["price", '"id":', "aaaaaaab", "漢", "id \u00a0"])
def test_any_text_is_searched_in_linear_time(part: str) -> None:
    finder = KERNEL.WordFinder(("a" * 100 + "c", "id", "price", "漢字"))
    assert_linear(lambda size: part * size, finder.list_starts, 400_000)
    assert_linear(lambda size: [part] * size, lambda texts: finder.list_holding(texts, 10), 100_000)
    assert_linear(lambda size: part * size, lambda text: list(script_values.find_keys(text)), 100_000)
