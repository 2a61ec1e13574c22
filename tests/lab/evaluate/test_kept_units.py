"""Units that an answer keeps whole, keeps in part, or drops: by leaves and by text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun.lab.evaluate.metrics.scores import Scorer
from bonmun.lab.evaluate.metrics.units import (
    choose_by_leaves,
    choose_by_text,
    count_verdicts,
    judge_units,
    list_units,
)
from bonmun.lab.evaluate.systems.answers import Answer
from bonmun.lab.gold.examples import Example
from bonmun.page import Page
from samples import on_every_page
from timing import assert_linear

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.lab.evaluate.metrics.units import Choice

TABLE = "<table><caption>Lamps of the coast</caption><tr><th>Name<th>Range<tr><td>Old pier<td>20 miles</table>"
LIST = "<ul><li>Flour and water<li>Salt from the sea<li>Yeast</ul>"
CODE = "<div><p>First, run this:</p><div><pre>make <b>all</b>\nmake test</pre></div><p>Then have a look.</p></div>"


def keep(page: Page, *texts: str) -> Choice:
    """Keep the leaves with these texts."""
    return choose_by_leaves(page, [leaf for leaf, text in enumerate(page.texts) if text in texts])


def count(html: str, *texts: str, title: str | None = None) -> dict[str, float]:
    page = Page.parse(html)
    return count_verdicts(judge_units(list_units(page, title), keep(page, *texts)))


def tables(kept: int, incomplete: int, name: str = "tables") -> dict[str, float]:
    return {name: 1 - incomplete / kept, f"{name}_kept": kept, f"{name}_torn": incomplete}


def dropped(dropped: int, between: int) -> dict[str, float]:
    return {"code_dropped": dropped / between, "code_between": between, "code_skipped": dropped}


# --- by leaves -------------------------------------------------------------------------------------------------------


def test_a_table_is_whole_or_incomplete() -> None:
    cells = ["Name", "Range", "Old pier", "20 miles"]
    assert count(TABLE, *cells) == tables(1, 0)
    assert count(TABLE, *cells[2:]) == tables(1, 1)
    assert count(TABLE, "Lamps of the coast") == {}
    assert count(TABLE) == {}


def test_units_are_counted() -> None:
    assert count(LIST + TABLE + LIST, "Yeast", "Name") == tables(1, 1) | tables(2, 2, "lists")


@pytest.mark.parametrize(
    "more",
    [
        "<li hidden>Never seen",
        "<li>•",
        "<li>Bread, <i>baked</i>",
        "<li>The gold's own title",
    ],
    ids=["hidden", "no words", "the headline", "the title"],
)
def test_uncounted_blocks_are_ignored(more: str) -> None:
    html = f"<h1>Bread, baked</h1><ul><li>Flour and water<li>Salt{more}</ul>"
    assert count(html, "Flour and water", "Salt", title="The gold’s own title") == tables(1, 0, "lists")
    assert count(html, "Flour and water", title="The gold’s own title") == tables(1, 1, "lists")


def test_a_single_block_cannot_be_incomplete() -> None:
    assert count("<ul><li>Alone</ul>", "Alone") == {}
    assert count("<ul><li>Alone<li hidden>Never seen</ul>", "Alone") == {}


def test_an_item_counts_as_kept_if_most_of_it_is() -> None:
    html = "<ul><li>Flour and water <a href=x>(1)</a><li>Salt</ul>"
    assert count(html, "Flour and water", "Salt") == tables(1, 0, "lists")
    assert count(html, "(1)", "Salt") == tables(1, 1, "lists")


def test_layout_tables_are_not_units() -> None:
    html = "<table><tr><td><div><p>One side</p></div><td><div><p>Other side</p></div></table>"
    assert count(html, "One side") == {}


@pytest.mark.parametrize(
    ("kept", "scores"),
    [
        (["make", "all", "make test"], tables(1, 0, "code")),
        (["make", "make test"], tables(1, 1, "code")),
        (["First, run this:", "Then have a look."], dropped(1, 1)),
        (["First, run this:", "Then have a look.", "all"], tables(1, 1, "code") | dropped(0, 1)),
        (["First, run this:"], {}),
        (["Then have a look."], {}),
        ([], {}),
    ],
)
def test_code_is_whole_incomplete_or_dropped(kept: list[str], scores: dict[str, float]) -> None:
    assert count(CODE, *kept) == scores


def test_neighbours_are_in_the_element_around_code() -> None:
    """An element that contains only the code is skipped; blocks outside of the element around it do not count."""
    before, after = "<p>Before it all.</p>", "<p>After it all.</p>"
    texts = ("Before it all.", "After it all.")
    for code in ("<pre>make</pre>", "<div><div><pre>make</pre></div></div>", "<pre hidden>no</pre><pre>make</pre><hr>"):
        assert count(f"<main>{before}{code}{after}</main>", *texts) == dropped(1, 1), code
    apart = f"<main><section>{before}<pre>make</pre></section><section>{after}</section></main>"
    assert count(apart, *texts) == {}
    assert count(f"{before}<section><pre>make</pre><p>Other.</p></section>", "Before it all.", "Other.") == {}
    assert count(f"<pre>make</pre>{after}", *texts) == {}
    inner = f"<main><div>{before}</div><pre>make</pre><div>{after}</div></main>"
    assert count(inner, *texts) == dropped(1, 1)


def test_line_numbers_are_not_code() -> None:
    html = "<pre><span>1</span> <span>make all</span>\n<span>2</span> <span>make test</span></pre>"
    assert count(html, "make all", "make test") == tables(1, 0, "code")
    assert count(html, "make all", "1") == tables(1, 1, "code")
    assert count("<pre>12 13</pre>", "12 13") == {}


# --- by text ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("Flour and water\nSalt from the sea\nYeast", tables(1, 0, "lists")),
        ("- flour and water\n- yeast", tables(1, 1, "lists")),
        ("Nothing of it", {}),
        ("Name | Range\nOld pier | 20 miles", tables(1, 0)),
        ("Old pier | 20 miles", tables(1, 1)),
        ("First, run this:\nThen have a look.", dropped(1, 1)),
        ("First, run this:\n$ make all\nmake test\nThen have a look.", tables(1, 0, "code") | dropped(0, 1)),
    ],
)
def test_texts_are_aligned_with_the_page(text: str, scores: dict[str, float]) -> None:
    page = Page.parse(LIST + TABLE + CODE)
    units = list_units(page)
    assert count_verdicts(judge_units(units, choose_by_text(page, text, units))) == scores


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("Pythonimport lampslamps.light(6)", tables(1, 0, "code")),
        ("1import lamps2lamps.light(6)", tables(1, 0, "code")),
        ("import lamps", tables(1, 1, "code")),
        ("import\nlight(6)", {}),
    ],
)
def test_code_is_found_if_its_lines_are_joined(text: str, scores: dict[str, float]) -> None:
    page = Page.parse("<pre><i>1</i><b>import lamps</b>\n<i>2</i><b>lamps.light(6)</b></pre>")
    units = list_units(page)
    assert count_verdicts(judge_units(units, choose_by_text(page, text, units))) == scores


@on_every_page
def test_a_page_that_is_kept_completely_has_only_whole_units(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    units = list_units(page)
    found = judge_units(units, choose_by_leaves(page, range(len(page.texts))))
    assert [verdict for verdict in found if verdict.lost] == []
    nothing = judge_units(units, choose_by_leaves(page, ()))
    assert count_verdicts(nothing) == {}


def test_peers_and_methods_have_the_same_scores() -> None:
    scorer = Scorer(Example("a", LIST + TABLE, "Yeast"))
    page = Page.parse(LIST + TABLE)
    leaves = tuple(leaf for leaf, text in enumerate(page.texts) if text in ("Flour and water", "Yeast"))
    by_text = scorer(Answer("Flour and water\nYeast"))
    by_leaves = scorer(Answer("Flour and water\nYeast", leaves=leaves))
    assert {name: by_text[name] for name in by_text if name.startswith("whole")} == {
        "whole.lists": 0.0,
        "whole.lists_kept": 1.0,
        "whole.lists_torn": 1.0,
    }
    assert by_text.items() <= by_leaves.items()
    assert not any(name.startswith("whole") for name in scorer(Answer(), failed=True))


# --- random pages ----------------------------------------------------------------------------------------------------

PARTS = [
    "<ul>",
    "</ul>",
    "<li>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<pre>",
    "</pre>",
    "<p>",
    "<h1>",
    "one ",
    "two ",
]


@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join), st.sets(st.integers(0, 30)))
def test_counts_of_any_page_are_consistent(html: str, leaves: set[int]) -> None:
    page = Page.parse(f"<p>{html}")
    verdicts = judge_units(
        list_units(page), choose_by_leaves(page, (leaf for leaf in leaves if leaf < len(page.texts)))
    )
    for verdict in verdicts:
        assert set(verdict.lost) <= set(verdict.unit.parts)
        assert verdict.unit.kind == "code" or len(verdict.unit.parts) >= 2
    scores = count_verdicts(verdicts)
    for name in ("tables", "lists", "code"):
        assert scores.get(f"{name}_torn", 0) <= scores.get(f"{name}_kept", 0) <= len(verdicts)
    assert scores.get("code_skipped", 0) <= scores.get("code_between", 0)


def nest(size: int) -> str:
    return "<div>" * 400 + "<p>a</p><pre>b</pre><p>c</p>" * size


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "<pre>a</pre>",
        "<div><pre>a</pre>",
        "<p>a<pre>b</pre>",
        "<ul><li>a<li>b</ul>",
        "<ul><li>a",
        "<h1>a</h1><ul><li>a<li>a</ul>",
    ],
)
def test_many_units_take_linear_time(piece: str) -> None:
    def read(page: Page) -> int:
        return len(judge_units(list_units(page), choose_by_leaves(page, range(0, len(page.texts), 2))))

    assert assert_linear(lambda size: Page.parse(piece * size), read, 6_000) >= 0


@pytest.mark.slow
def test_deeply_nested_code_takes_linear_time() -> None:
    found = assert_linear(lambda size: Page.parse(nest(size)), lambda page: len(list_units(page)), 6_000)
    assert found == 6_000
