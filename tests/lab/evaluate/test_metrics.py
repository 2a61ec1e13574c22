"""The metrics: numbers from the papers, worked examples, and agreement with other implementations."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.errors import MissingExtra
from bonmun.lab.evaluate.metrics.decisions import Confusion, check_snippets, count_decisions, count_text_elements
from bonmun.lab.evaluate.metrics.texts import METRICS, Edit, Lcs, Recognition, Rouge, Shingles, Words
from bonmun.lab.gold.metadata_metrics import Author, Date, Title, read_day
from bonmun.page import Page
from bonmun.text.words import compare_counts
from timing import assert_faster

if TYPE_CHECKING:
    from collections.abc import Callable

ASCII = st.text("abcde .,!?AB1", max_size=60)


@pytest.mark.parametrize(
    ("matrix", "recall", "precision", "f1"),
    [
        (Confusion(45_772, 37_260, 937, 92), 98.0, 55.1, 70.6),
        (Confusion(46_204, 1_066, 505, 36_286), 98.9, 97.7, 98.3),
        (Confusion(46_614, 1_352, 95, 36_000), 99.8, 97.2, 98.5),
    ],
    ids=["density", "sequence", "frequency"],
)
def test_the_matrices_of_paper_1(matrix: Confusion, recall: float, precision: float, f1: float) -> None:
    found = (matrix.recall * 100, matrix.precision * 100, matrix.f1 * 100)
    assert found == pytest.approx((recall, precision, f1), abs=0.06)
    assert matrix.tp + matrix.fp + matrix.fn + matrix.tn == 84_061


def test_blocks_count_decisions() -> None:
    found = count_decisions([True, True, False, False, True], [True, False, True, False, True])
    assert found == Confusion(tp=2, fp=1, fn=1, tn=1)
    assert found.accuracy == 3 / 5
    assert found + found == Confusion(4, 2, 2, 2)
    with pytest.raises(ValueError, match="shorter"):
        count_decisions([True], [])


@pytest.mark.parametrize(
    ("metric", "found", "gold", "expected"),
    [
        ("words", "one two two four", "Two, two: three", {"precision": 2 / 4, "recall": 2 / 3, "f1": 4 / 7}),
        ("words", "불이 켜졌다", "불이 꺼졌다", {"precision": 4 / 5, "recall": 4 / 5, "f1": 4 / 5}),
        # shingles a b c d, b c d e against a b c d, b c d x
        ("shingles", "a b c d e", "a b c d x", {"precision": 1 / 2, "recall": 1 / 2, "f1": 1 / 2}),
        ("shingles", "a b", "a b", {"precision": 1, "recall": 1, "f1": 1}),
        ("shingles", "A b c d", "a b c d", {"f1": 0}),
        ("rouge-1", "the cat sat", "the cat", {"precision": 2 / 3, "recall": 1, "f1": 4 / 5}),
        ("rouge-2", "the cat sat", "the cat ran", {"precision": 1 / 2, "recall": 1 / 2}),
        ("rouge-l", "a b c d", "a c b d", {"precision": 3 / 4, "recall": 3 / 4}),
        # "abcd" and "axcd" share a, c, d; F0.5 = 1.25 · 3 / (6 + 0.25 · 4)
        ("lcs", "abcd", "axcd", {"precision": 3 / 4, "recall": 3 / 4}),
        ("lcs", "ab  cd\nef", "abcd", {"precision": 4 / 8, "recall": 1, "f0.5": 1.25 * 4 / (8 + 0.25 * 4)}),
        ("block-leaf", "One\nTwo\n\nTwo", "Two\n One ", {"precision": 2 / 3, "recall": 1}),
        ("block-leaf", "One two", "One", {"f1": 0}),
        ("edit", "abcd", "abxd", {"similarity": 3 / 4}),
        ("edit", "", "", {"similarity": 1}),
    ],
)
def test_worked_examples(metric: str, found: str, gold: str, expected: dict[str, float]) -> None:
    scores = METRICS[metric](found, gold)
    assert {name: scores[name] for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        ("a b c d", "a b c x", {"recognised": 1, "precision": 3 / 4}),
        ("a", "a b c d e f", {"recognised": 1, "precision": 1}),  # too short, but not different
        ("a b c d e f g h", "a b", {"recognised": 1, "precision": 1 / 4}),  # too long
        ("a x y z", "a b c d", {"recognised": 0}),
        ("", "a b", {"recognised": 0}),
        ("a b", "", {"recognised": 0}),
        ("", "", {"recognised": 1}),
    ],
)
def test_recognition(found: str, gold: str, expected: dict[str, float]) -> None:
    assert Recognition()(found, gold) == expected


@pytest.mark.parametrize("name", ["lcs", "rouge-l", "edit"])
def test_a_missing_package_gives_instructions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(MissingExtra, match=r"pip install 'bonmun\[bench\]'"):
        METRICS[name]("a", "b")


def test_snippets() -> None:
    found = check_snippets("The  light\nis lit. © Post", ["light is", "dark"], ["© Post", "Menu"])
    assert found == Confusion(tp=1, fp=1, fn=1, tn=1)


@pytest.mark.parametrize(
    ("found", "gold", "exact", "f1"),
    [
        ("The light is lit", "the LIGHT - is lit!", 1, 1),
        ("The light is lit | The Post", "The light is lit", 0, 8 / 10),
        ("is lit the light", "The light is lit", 0, 1),
        ("등대에 불이", "등대에불이", 1, 1),
        ("등대 불", "등대에 불이", 0, 6 / 8),
        ("The sea", "A light", 0, 0),
        (None, "A light", 0, 0),
        (" ", "A light", 0, 0),
    ],
)
def test_titles(found: str | None, gold: str, exact: float, f1: float) -> None:
    given = float(bool(found and found.strip()))
    assert Title()(found, gold) == pytest.approx({"exact": exact, "f1": f1, "given": given})


@pytest.mark.parametrize(
    ("found", "gold", "exact", "f1"),
    [
        ("By Ann Lee", "Ann Lee", 1, 1),
        ("LEE, Ann", "ann lee", 1, 1),
        ("Ann Lee and Bo Kim", "Bo Kim, Ann Lee", 1, 1),
        ("Ann Lee und Bo Kim", "by Bo Kim and Ann Lee", 1, 1),
        ("Ann Lee", "Ann Lee, Bo Kim", 0, 4 / 6),
        ("Ann Lee, The Post", "Ann Lee", 0, 4 / 6),
        ("Anderson Byatt", "Anderson Byatt", 1, 1),  # neither "and" nor "by" is a word here
        ("한소을 기자", "한소을", 1, 1),  # a rank is not part of the name
        (None, "Ann Lee", 0, 0),
        ("", "Ann Lee", 0, 0),
        ("By: Ann Lee", "Ann Lee", 1, 1),
        (None, "—", 0, 0),
    ],
)
def test_authors(found: str | None, gold: str, exact: float, f1: float) -> None:
    assert Author()(found, gold) == pytest.approx({"exact": exact, "f1": f1, "given": float(bool(found))})


DAYS = [
    ("2024-04-03", "2024-04-03"),
    ("2024-04-03T23:59:00-10:00", "2024-04-03"),
    ("2024/4/3", "2024-04-03"),
    ("20 March 2024, updated 2024-04-03", "2024-04-03"),  # a date with the year first is the least ambiguous
    ("2024. 4. 3.", "2024-04-03"),
    ("등록일 2024.04.03 10:20", "2024-04-03"),
    ("2024년 4월 3일 수요일", "2024-04-03"),
    ("2024년4월3일", "2024-04-03"),
    ("2024年4月3日", "2024-04-03"),
    ("03.04.2024", "2024-04-03"),
    ("3/4/2024", "2024-04-03"),
    ("03-04-2024 at 10:50 IST", "2024-04-03"),
    ("Wed, 3 Apr 2024 10:00:00 GMT", "2024-04-03"),
    ("3. april 2024", "2024-04-03"),
    ("APRIL 3, 2024", "2024-04-03"),
    ("Apr. 3 2024", "2024-04-03"),
    ("Sept 30, 1999", "1999-09-30"),
    ("Dec 31, 2024", "2024-12-31"),
    # no day
    (None, None),
    ("", None),
    ("April 2024", None),
    ("2024-04", None),
    ("yesterday at 10:50", None),
    ("1712102400", None),
    ("1824-04-03", None),
    # no such day
    ("2024-13-01", None),
    ("2024-04-32", None),
    ("2024-04-031", None),
    ("April 40, 2024", None),
    *((text, None) for text in ("2024-02-30", "2023-02-29", "2024-04-31", "2024-00-10", "2024-04-00", "0 April 2024")),
    ("04/25/2024", "2024-04-25"),
    ("입력2024.04.03", "2024-04-03"),
    ("April 3rd, 2024", "2024-04-03"),
    ("3rd of April 2024", "2024-04-03"),
    ("3 April, 2024", "2024-04-03"),
    ("April\u00a03, 2024", "2024-04-03"),
    ("03-Apr-2024", "2024-04-03"),
    ("20240403", "2024-04-03"),
    ("3. März 2024", None),  # only English month names are read
]


@pytest.mark.parametrize(("text", "expected"), DAYS)
def test_days(text: str | None, expected: str | None) -> None:
    assert read_day(text) == expected


@pytest.mark.parametrize(
    ("found", "gold", "expected"),
    [
        ("2024-04-03T10:00:00Z", "April 3, 2024", {"exact": 1, "given": 1}),
        ("2024년 4월 3일", "2024-04-03", {"exact": 1, "given": 1}),
        ("2024-04-04", "2024-04-03", {"exact": 0, "given": 1}),
        (None, "2024-04-03", {"exact": 0, "given": 0}),
        ("soon", "2024-04-03", {"exact": 0, "given": 0}),
        ("2024-04-03", "soon", {}),  # the gold is unreadable
        (None, "soon", {}),
    ],
)
def test_dates(found: str | None, gold: str, expected: dict[str, float]) -> None:
    assert Date()(found, gold) == expected


@pytest.mark.parametrize("name", METRICS)
def test_equal_texts_have_perfect_scores(name: str) -> None:
    for text in ("", "One two three four five.", "등대에 불이 켜졌다."):
        scores = METRICS[name](text, text)
        assert all(
            scores[key] == 1 for key in ("precision", "recall", "f1", "similarity", "recognised") if key in scores
        )
    assert METRICS[name].name == name


@given(found=ASCII, gold=ASCII)
def test_rouge_agrees_with_rouge_score(found: str, gold: str) -> None:
    from rouge_score.rouge_scorer import RougeScorer  # loads SciPy

    theirs = RougeScorer(["rouge1", "rouge2", "rougeL"]).score(gold, found)
    for key, metric in (("rouge1", Rouge(1)), ("rouge2", Rouge(2)), ("rougeL", Rouge())):
        ours, score = metric(found, gold), theirs[key]
        if ours["found"] and ours["gold"]:
            assert (ours["precision"], ours["recall"], ours["f1"]) == pytest.approx(tuple(score), abs=1e-9)


def naive_shingles(text: str) -> list[str]:
    words = re.findall(r"\w+", text)
    return [" ".join(words[i : i + 4]) for i in range(max(1, len(words) - 3)) if words]


@given(found=ASCII, gold=ASCII)
def test_shingles_match_the_scrapinghub_benchmark(found: str, gold: str) -> None:
    ours, theirs = naive_shingles(found), naive_shingles(gold)
    right = sum(min(ours.count(each), theirs.count(each)) for each in set(ours))
    scores = Shingles()(found, gold)
    assert (scores["found"], scores["gold"], scores["shared"]) == (len(ours), len(theirs), right)


@given(found=ASCII, gold=ASCII)
def test_words_match_wcxb(found: str, gold: str) -> None:
    ours, theirs = (Counter(re.findall(r"[a-z0-9]+", text.lower())) for text in (found, gold))
    shared = sum((ours & theirs).values())
    scores = Words()(found, gold)
    assert (scores["found"], scores["gold"], scores["shared"]) == (ours.total(), theirs.total(), shared)


def naive_lcs(one: str, other: str) -> int:
    row = [0] * (len(other) + 1)
    for left in one:
        last = 0
        for i, right in enumerate(other):
            last, row[i + 1] = row[i + 1], last + 1 if left == right else max(row[i + 1], row[i])
    return row[-1]


@given(found=st.text("abc 가나", max_size=30), gold=st.text("abc 가나", max_size=30))
def test_lcs_is_exact(found: str, gold: str) -> None:
    folded = [" ".join(text.split()) for text in (found, gold)]
    assert Lcs()(found, gold)["shared"] == naive_lcs(*folded)


@pytest.mark.slow
@pytest.mark.parametrize("metric", [Lcs(), Edit(), Rouge()], ids=lambda metric: metric.name)
def test_long_texts_are_a_hundred_times_faster_than_naive(metric: Callable[[str, str], object]) -> None:
    rng = random.Random(1)
    one, other = ("".join(rng.choices("abcdefgh 가나다", k=25_000)) for _ in range(2))
    compared = (25_000 / 500) ** 2  # times the comparisons of `naive_lcs` for 500 characters
    assert assert_faster(lambda: metric(one, other), lambda: naive_lcs(one[:500], other[:500]), compared / 100)


def test_elements_that_contain_only_text() -> None:
    """Paper 2's Block measure: of five elements with text, three contain only text, and two of those are in the gold."""
    page = Page.parse("<h1>A</h1><p>b <b>c</b> d</p><p>e<br>f</p><p>g<!-- --> h</p>")
    assert page.texts == ["A", "b", "c", "d", "e", "f", "g", "h"]
    found, gold = count_text_elements(page, range(8)), count_text_elements(page, [1, 2, 3, 6, 7])
    assert found == Counter({"A": 1, "c": 1, "g h": 1})
    assert gold == Counter({"c": 1, "g h": 1})
    counts = compare_counts(found, gold)
    assert (counts.precision, counts.recall) == (2 / 3, 1)
    assert counts.f1 == pytest.approx(0.8)
    assert counts.f(0.5) == pytest.approx(1.25 * 2 / (3 + 0.25 * 2))


def test_the_longest_common_subsequence_of_words_and_of_characters() -> None:
    """Paper 2's LCS: "b c" of 3 found and 4 gold words; in characters, " b c" of 5 and 7."""
    words, characters = Rouge()("a b c", "x b y c"), Lcs()("a b c", "x b y c")
    assert (words["precision"], words["recall"]) == (2 / 3, 2 / 4)
    assert words["f0.5"] == pytest.approx(1.25 * 2 / (3 + 0.25 * 4))
    assert (characters["precision"], characters["recall"]) == (4 / 5, 4 / 7)
