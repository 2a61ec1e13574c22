"""The kernel finds and scores metadata as the reference does, for any page."""

from __future__ import annotations

import importlib.util
import json
import pickle
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.kernel import load_kernel
from bonmun.metadata import ranking, scans
from bonmun.metadata.dates.choose import OTHER_YEARS, YEAR_STARTS
from bonmun.metadata.page_reading import HEADINGS_READ
from bonmun.metadata.ranking import Candidate, load_default_rankers
from bonmun.metadata.threads import moments
from bonmun.metadata.threads.moments import find_moments
from samples import ROOT

KERNEL = load_kernel("facts")
pytestmark = pytest.mark.skipif(KERNEL is None, reason="the kernel is not built, or BONMUN_PURE is set")
PAGES = sorted((ROOT / "tests" / "pages").rglob("*.html"))
VALUES = st.one_of(st.booleans(), st.just(1.0), st.floats(-3, 3, width=32))
THINGS = st.recursive(
    st.one_of(st.none(), st.text(max_size=3), st.integers()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(["@type", "@id", "a", "b"]), inner, max_size=4)
    ),
    max_leaves=30,
)


@pytest.fixture(scope="module")
def reference() -> Any:
    """Return the module of scans without the kernel."""
    patch = pytest.MonkeyPatch()
    patch.setattr("bonmun.kernel.load_kernel", lambda _: None)
    spec = importlib.util.spec_from_file_location("pure_scans", Path(scans.__file__))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    patch.undo()
    assert module.KERNEL is None
    return module


@given(st.text())
def test_a_text_is_folded(reference: Any, text: str) -> None:
    assert KERNEL.fold_text(text) == reference.fold_text(text)


@pytest.mark.parametrize(
    "text", ["", "A-b_c", "Straße, İstanbul!", "\ud800x\udfff", "𝒜𝒷 1", "漢 字" * 5000, "a b" * 50_000]
)
def test_odd_texts_are_folded(reference: Any, text: str) -> None:
    assert KERNEL.fold_text(text) == reference.fold_text(text)


@given(st.lists(st.one_of(st.text(), st.text(st.characters(max_codepoint=127)))), st.integers(0, 10))
def test_texts_are_folded_together(reference: Any, texts: list[str], most: int) -> None:
    assert KERNEL.fold_texts(texts, most) == reference.fold_texts(texts, most)


@given(st.text(), st.lists(st.tuples(st.characters(), st.characters()).map(sorted), min_size=1, max_size=3))
def test_characters_are_found(text: str, pairs: list[list[str]]) -> None:
    ranges = "".join(first + last for first, last in sorted(pairs))
    is_held = any(first <= letter <= last for letter in text if not text.isascii() for first, last in pairs)
    assert KERNEL.holds_char(text, ranges) == is_held


@pytest.mark.parametrize("pattern", ["[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]", "[\u3400-\u9fff\uac00-\ud7a3]"])
@given(text=st.text(st.sampled_from("a é’\u303f\u3040\u30ff\u3100\u3400\u9fff\ua000\uac00\ud7a3\ud7a4𝒜"), max_size=4))
def test_scripts_are_detected_as_by_the_reference(reference: Any, pattern: str, text: str) -> None:
    expression = re.compile(pattern)
    assert scans.compile_char_test(expression)(text) == reference.compile_char_test(expression)(text)


@given(st.text(st.one_of(st.characters(), st.sampled_from("漢字かな가나다 aé1٣²_😀"))))
def test_characters_and_letters_are_counted(reference: Any, text: str) -> None:
    classes = [re.compile(each) for each in ("[\u3040-\u30ff]", "[\u3400-\u9fff]", "[\uac00-\ud7a3]")]
    assert scans.compile_char_counter(*classes)(text) == reference.compile_char_counter(*classes)(text)


def test_invalid_ranges_are_rejected() -> None:
    assert KERNEL.count_letters("a1b", ()) == [2]
    for ranges in (("ab",), ("a-b",) * 9, (b"a-b",)):
        with pytest.raises((ValueError, TypeError)):
            KERNEL.count_letters("a", ranges)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_pages_are_scanned(reference: Any, path: Path) -> None:
    page = Page.parse(path.read_bytes())
    for wanted in (HEADINGS_READ, ["time", "meta"], []):
        assert KERNEL.find_tagged(page.tags, page.owners, wanted) == reference.find_tagged(
            page.tags, page.owners, wanted
        )
        assert KERNEL.find_elements(page.tags, wanted, 3) == reference.find_elements(page.tags, wanted, 3)


@given(st.lists(st.text(st.sampled_from("0129 5é漢令和😀"), max_size=6), max_size=6), st.integers(0, 6))
def test_texts_with_the_start_of_a_year_are_found(reference: Any, texts: list[str], most: int) -> None:
    rows = list(range(len(texts)))
    for pairs in (YEAR_STARTS, OTHER_YEARS, ("é2", "😀0"), ()):
        assert KERNEL.find_holding(texts, rows, pairs) == reference.find_holding(texts, rows, pairs)
        assert KERNEL.find_holding(texts, rows, pairs, most) == reference.find_holding(texts, rows, pairs, most)


def test_invalid_pairs_are_rejected() -> None:
    for pairs in (("2",), ("200",), (b"20",), (None,), ("20",) * 9, None, ["20"]):
        with pytest.raises((ValueError, TypeError)):
            KERNEL.find_holding(["20"], [0], pairs)


@given(st.one_of(st.text(), st.text(st.sampled_from("aB1_ ²½٣Ⅷßİŉ一ー・\u0301\ud800😀\x85"))))
def test_words_are_listed(reference: Any, text: str) -> None:
    assert KERNEL.find_words(text) == reference.find_words(text)
    assert KERNEL.find_letters(text) == reference.find_letters(text)


def test_invalid_rows_are_left_out() -> None:
    assert KERNEL.find_holding(["20"], [-1, 0, 1], YEAR_STARTS) == [0]
    assert KERNEL.find_tagged(["p"], [-1, 1, 0, 7], ["p"]) == [(2, "p")]
    assert KERNEL.find_tagged([], [], ["p"]) == KERNEL.find_elements([], ["p"], 1) == []


@given(THINGS, st.integers(0, 20), st.integers(0, 4), st.integers(0, 3))
def test_objects_are_found(reference: Any, value: object, values: int, levels: int, members: int) -> None:
    found = KERNEL.find_things(value, values, levels, members)
    assert found == reference.find_things(value, values, levels, members)


def test_nested_objects_are_found(reference: Any) -> None:
    deep: Any = {"@id": "x"}
    for _ in range(400):
        deep = {"@type": "Thing", "inner": [deep, 1, None]}
    value = json.loads(json.dumps([deep] * 3))
    assert KERNEL.find_things(value, 1000, 8, 200) == reference.find_things(value, 1000, 8, 200) != []


@pytest.mark.parametrize("field", ["title", "author", "date"])
@given(data=st.data())
def test_features_are_scored(field: str, data: st.DataObject) -> None:
    ranker = getattr(load_default_rankers(), field)
    names = st.sampled_from([*ranker.features, "a feature that nobody knows"])
    features = data.draw(st.lists(st.dictionaries(names, VALUES, max_size=30), max_size=5))
    assert KERNEL.FeatureScorer(ranker.features, ranker.first, ranker.first_bias, ranker.second)(
        features
    ) == pytest.approx(ranker._score_features(features), abs=1e-4)


def test_the_kernel_scores_and_a_ranker_can_be_pickled() -> None:
    ranker = load_default_rankers().title
    candidates = [Candidate("A", ["h1"], {"h1": 1.0}), Candidate("B", ["h2"], {"h2": True, "size": 0.5})]
    scores = ranker.scores(candidates)
    assert type(ranker._scorer) is KERNEL.FeatureScorer
    assert pickle.loads(pickle.dumps(ranker)).scores(candidates) == scores
    assert pickle.loads(pickle.dumps(ranker._scorer))([each.features for each in candidates]) == scores


@pytest.mark.parametrize(
    ("first", "bias", "second"),
    [([[1.0]], [0.0, 0.0], [1.0, 1.0]), ([[1.0, 2.0]], [0.0, 0.0], [1.0]), ([["a"]], [0.0], [1.0])],
)
def test_inconsistent_weights_are_rejected(first: Any, bias: Any, second: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        KERNEL.FeatureScorer({"a": 0}, first, bias, second)


def test_a_feature_without_weights_is_ignored() -> None:
    score = KERNEL.FeatureScorer({"a": 0, "b": 5, "c": -1}, [[1.0]], [0.0], [1.0])
    assert score([{"b": 1.0, "c": 1.0}, {"a": 0}, {}]) == [0.0, 0.0, 0.0]
    assert score([]) == []


def test_the_packed_weights_are_those_that_were_trained(tmp_path: Path) -> None:
    trained = ranking.load_rankers(ranking.WEIGHTS.with_suffix(".npz"))
    ranking.pack_rankers(trained, tmp_path / "weights.json")
    assert (tmp_path / "weights.json").read_bytes() == ranking.WEIGHTS.read_bytes()


AGES = st.sampled_from(
    "an hour ago,one day ago,A MONTH AGO,vor einem Tag,il y a un an,hace una hora,un giorno fa,a mese fa,a hari temu,"
    "yesterday,Today,gestern,heute,hier,aujourd'hui,ayer,hoy,ieri,oggi,just now,przed,h,3 h,12:30,4 March 2026,"
    "어제,5분 전,ago,fact,word,a,x".split(",")
)


@given(st.lists(st.tuples(st.sampled_from(["p", "b", "time"]), AGES | st.text(max_size=9)), max_size=12))
def test_moments(pieces: list[tuple[str, str]]) -> None:
    """What the kernel leaves out names no moment."""
    page = Page.parse("<p>" + "".join(f"<{tag}>{escape(text)}</{tag}> " for tag, text in pieces))
    found = list(find_moments(page))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moments, "KERNEL", None)
        assert list(find_moments(page)) == found


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
def test_moments_of_pages(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    found = list(find_moments(page))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moments, "KERNEL", None)
        assert list(find_moments(page)) == found
    with pytest.raises(ValueError, match="differ in length"):
        KERNEL.list_possible_moments(["a"], [], [], [], {"time"}, 80, ())
