"""Units: tables, lists, code, figures and formulas."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.page.units import find_units

TABLE = "<table><caption>Sizes</caption><tr><th>Name<th>Size<tr><td>One<td>1</table>"


def find(html: str) -> list[tuple[str, list[str]]]:
    """Return the kinds and texts of the units of a page."""
    page = Page.parse(html)
    return [(unit.kind, [page.block_texts[row] for row in unit.blocks]) for unit in find_units(page)]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>No unit.", []),
        (f"<p>Before.{TABLE}<p>After.", [("table", ["Sizes", "Name", "Size", "One", "1"])]),
        ("<ul><li>One<li>Two</ul>", [("list", ["One", "Two"])]),
        ("<ol><li>One<ul><li>Two</ul><li>Three</ol>", [("list", ["One", "Two", "Three"])]),
        ("<dl><dt>Name<dd>What it is</dl>", [("list", ["Name", "What it is"])]),
        ("<p>Run:<pre>make\nmake test</pre>", [("code", ["make\nmake test"])]),
        ("<figure><img alt=''><figcaption>A hill</figcaption></figure>", [("figure", ["A hill"])]),
    ],
)
def test_units(html: str, expected: list[tuple[str, list[str]]]) -> None:
    assert find(html) == expected


def test_a_list_in_a_table_belongs_to_the_table() -> None:
    html = "<table><tr><th>Name<th>Parts<tr><td>One<td><ul><li>left<li>right</ul></table>"
    assert find(html) == [("table", ["Name", "Parts", "One", "left", "right"])]


def test_a_layout_table_is_not_a_unit_but_lists_in_it_are() -> None:
    html = f"<table><tr><td><ul><li>One<li>Two</ul><td><p>Text.<p>More.{TABLE}</table>"
    assert [kind for kind, _ in find(html)] == ["list", "table"]


def test_a_list_of_cards_is_not_a_unit() -> None:
    card = "<li><h3>Title</h3><p>What it is about.</p>"
    assert find(f"<ul>{card * 3}</ul>") == []
    assert find("<ul>" + "<li><p>A</p><p>B</p><p>C</p>" * 3 + "</ul>") == []


def test_a_plain_list_in_a_card_is_a_unit() -> None:
    html = "<ul><li><h3>Title</h3><ul><li>One<li>Two</ul></ul>"
    assert find(html) == [("list", ["One", "Two"])]


@given(
    st.lists(st.sampled_from("<ul> </ul> <li> <table> <tr> <td> <th> </table> <pre> </pre> <h2> x <dl> <p>".split()))
)
def test_units_are_disjoint_and_contain_the_blocks_of_their_element(parts: list[str]) -> None:
    page = Page.parse("<p>" + "".join(parts))
    units = find_units(page)
    rows = [row for unit in units for row in unit.blocks]
    assert rows == sorted(set(rows))
    for unit in units:
        inside = page.mark_descendants(unit.element)
        assert len(unit.blocks) > 0
        assert all(inside[page.owners[row]] for row in unit.blocks)


def test_units_of_a_deep_page_are_found_in_no_time() -> None:
    page = Page.parse("<ul><li>x" * 20_000)
    assert [unit.blocks for unit in find_units(page)] == [range(len(page.block_texts))]
