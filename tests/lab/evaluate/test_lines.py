"""Required lines: which are found, and how much of the page is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.lab.evaluate.metrics.required_lines import find_lines, measure_kept
from bonmun.lab.evaluate.metrics.scores import Scorer
from bonmun.lab.evaluate.systems.answers import Answer
from bonmun.lab.gold.examples import Example
from bonmun.page import Page
from timing import assert_linear


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Lamps\n- 200 g Flour, sifted\n- Salt", "200 g flour (sifted)"),
        ("1 1/2 cups milk", "1½ cups milk"),
        ("1½ cups milk", "1 1/2 cups milk"),
        ("2⅓ cups", "2 1⁄3 cups"),
        ("200\n g\nflour", "200 g flour"),
        ("| 200 | g | flour |", "200g flour"),
        ("In a bowl or a jar, stir.", "In a bowlor a jar, stir."),
        ("Crème fraîche", "Cre\u0300me frai\u0302che"),
        ("Ofen auf 180°C vor\u00adheizen", "Ofen auf 180 °C vorheizen"),
        ("ＳＡＬＴ and Straße", "salt and straße"),
        ("소금을 넣고 끓인다", "소금을 넣고"),
        ("鍋に水を入れる", "水を入れ"),
        ("salted, salt", "salt"),
        ("anything", "—"),
    ],
)
def test_a_line_is_found(text: str, line: str) -> None:
    assert find_lines(text, [line]) == [True]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("200 g of flour", "200 g flour"),
        ("unsalted butter", "salt"),
        ("salted butter", "salt"),
        ("1 1/2 cups", "1/3 cups"),
        ("12 cups of milk", "2 cups of milk"),
        ("Stir. Then wait.", "Stir. Then wait for an hour."),
        ("", "salt"),
    ],
)
def test_a_line_is_not_found(text: str, line: str) -> None:
    assert find_lines(text, [line]) == [False]


def test_each_line_is_judged_separately() -> None:
    assert find_lines("Flour. Salt.", ["salt", "milk", "flour", "salt"]) == [True, False, True, True]
    assert find_lines("Flour.", []) == []


@given(st.lists(st.text("ab ,½가漢é\n", min_size=1, max_size=8), min_size=1, max_size=6))
def test_all_lines_of_a_text_are_found(lines: list[str]) -> None:
    assert all(find_lines("\n".join(lines), lines))
    assert all(find_lines(" - ".join(line.upper() for line in lines), lines))


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["a", "ab", "a ", "ﷺ", "½", "a\u0301", "가"])
@pytest.mark.parametrize("part", [0.001, 0.5])
def test_repeated_texts_take_linear_time(piece: str, part: float) -> None:
    def make(size: int) -> tuple[str, str]:
        return "x" + piece * size, piece * int(size * part) + "b"

    assert assert_linear(make, lambda made: find_lines(made[0], [made[1]]), 100_000) == [False]


# --- how much is kept ------------------------------------------------------------------------------------------------

PAGE = "<nav>Home</nav><h1>Soup</h1><ul><li>200 g flour<li>1½ cups milk</ul><p hidden>Sign in</p><p>Stir it well.</p>"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Home Soup 200 g flour 1½ cups milk Stir it well", 1.0),
        ("200 g flour", 3 / 11),
        ("flour flour flour Sign in", 1 / 11),
        ("", 0.0),
    ],
)
def test_the_share_of_the_page_that_is_kept(text: str, kept: float) -> None:
    assert measure_kept(text, Page.parse(PAGE)) == pytest.approx(kept)


def test_a_page_without_visible_words_has_no_share() -> None:
    assert measure_kept("Soup", Page.parse("<p>…</p>")) is None


def test_scores_of_required_lines() -> None:
    scorer = Scorer(Example("a", PAGE, None, must=("200 g flour", "1 1/2 cups milk", "Stir it well", "Serve")))
    found = scorer(Answer("Soup\n200 g flour\n1½ cups milk"))
    assert found == {"must.found": 0.5, "must.kept": pytest.approx(7 / 11), **units(1, 0)}
    assert scorer(Answer(), failed=True) == {"must.found": 0, "must.kept": 0}


def units(kept: int, incomplete: int) -> dict[str, float]:
    return {"whole.lists": 1 - incomplete / kept, "whole.lists_kept": kept, "whole.lists_torn": incomplete}


def test_peers_are_scored_on_pages_that_we_cannot_parse() -> None:
    assert Scorer(Example("a", " ", None, must=("salt",)))(Answer("Salt")) == {"must.found": 1.0}
