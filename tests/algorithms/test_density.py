"""Word and link density (paper 1, eq. 4 to 7), worked out by hand."""

from __future__ import annotations

import pytest

from bonmun import Page
from bonmun.algorithms.density import Densities, Density, Thresholds, measure_densities

# 13 + 4 + 9 characters in 3 leaves: the mean is 26/3. D_word = words · mean / characters.
PAGE = "<p>one two three</p><p><a href=/>more</a></p><p>four five</p>"


def test_the_equations_by_hand() -> None:
    rows = measure_densities(Page.parse(PAGE))
    assert [row.word_density for row in rows] == pytest.approx([2.0, 2.1666667, 1.9259259])
    assert [row._replace(word_density=0) for row in rows] == [
        Densities(0, 3, 0, 0.0),
        Densities(1, 1, 0, 1.0),
        Densities(2, 2, 0, 0.0),
    ]


def test_length_cancels_out() -> None:
    """By eq. 6: a long and a short leaf of the same words are equally dense."""
    short, long = measure_densities(Page.parse(f"<p>{'abc ' * 10}</p><p>{'abc ' * 1000}</p>"))
    assert short.word_density == pytest.approx(long.word_density, rel=0.05)


@pytest.mark.parametrize(
    ("limits", "kept"),
    [
        (Thresholds(), [True, False, True]),
        (Thresholds(this=1.95, after_link=1.9), [True, False, True]),
        (Thresholds(this=1.95, after_link=1.95), [True, False, False]),  # after a link, the next must be dense
        (Thresholds(this=2.1, after=2.1, before=9), [True, False, True]),  # not dense, but the next one is
        (Thresholds(this=2.1, after=2.2, before=9), [False, False, True]),
        (Thresholds(this=2.1, after=2.2, before=1.9), [True, False, True]),  # not dense, but the one before is
    ],
)
def test_the_rule(limits: Thresholds, kept: list[bool]) -> None:
    assert Density(limits).label(Page.parse(PAGE)).kept == kept


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("one two", 2),
        ("폐역에 다시 불이 켜졌다", 4),
        ("今天下雨明天晴天", 4),
        ("你好世", 2),
        ("วันนี้ฝนตก", 5),
        ("한국어 日本語 mixed", 4),
    ],
)
def test_words_in_scripts_with_and_without_blanks(text: str, words: int) -> None:
    assert measure_densities(Page.parse(f"<p>{text}</p>"))[0].words == words


def test_reasons() -> None:
    labels = Density(Thresholds(after_link=9)).label(Page.parse(PAGE + "<p hidden>no</p>"))
    assert labels.reasons == ["dense, not in a link", "in a link", "not dense", "hidden"]
    assert labels.evidence == measure_densities(Page.parse(PAGE + "<p hidden>no</p>"))
