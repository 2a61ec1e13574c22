"""Tables of a document: rows of texts with spans filled in, within limits."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bonmun
from bonmun import Document, Options
from bonmun.errors import BadConfig
from bonmun.outputs.tables.grid import GridCell, make_grid
from bonmun.outputs.tables.headers import has_header_row
from timing import assert_quick


def document(markup: str, **options: Any) -> Document:
    return bonmun.extract(f"<!DOCTYPE html><body>{markup}", method="all", options=Options(**options))


@pytest.mark.parametrize(
    ("markup", "rows", "header"),
    [
        ("<tr><th>a<th>b<tr><td>c<td>d", [["a", "b"], ["c", "d"]], 1),
        ("<tr><th>a<th>b<tr><td>c<td>", [["a", "b"], ["c", ""]], 1),
        ("<thead><tr><td>a<td>b</thead><tr><td>c<td>d", [["a", "b"], ["c", "d"]], 1),
        ("<tr><th colspan=2>a<tr><th>b<th>c<tr><td>d<td>e", [["a", "a"], ["b", "c"], ["d", "e"]], 2),
        ("<tr><th rowspan=2>a<th>b<tr><td>c<tr><td>d<td>e", [["a", "b"], ["a", "c"], ["d", "e"]], 1),
        ("<tr><td rowspan=2 colspan=2>a<td>b<tr><td>c", [["a", "a", "b"], ["a", "a", "c"]], 0),
        ("<tr><td>a<td>b<tr><td>c<td>1", [["a", "b"], ["c", "1"]], 1),
        ("<tr><td>a<td>b<tr><td>c<td>d", [["a", "b"], ["c", "d"]], 0),
        ("<tr><th>a<th>b<tr><td><p>c</p><p>d</p><td>e<br>f", [["a", "b"], ["c d", "e f"]], 1),
        ("<tr><th>a<th>b<tr><td colspan=100000>c", [["a", "b"], ["c", "c"]], 1),
        ("<tr><th>a<th>b<th>c<tr><td>d<td>e<tr><td>f", [["a", "b", "c"], ["d", "e", ""], ["f", "", ""]], 1),
    ],
)
def test_rows(markup: str, rows: list[list[str]], header: int) -> None:
    (table,) = document(f"<table>{markup}</table>").tables
    assert [list(row) for row in table.rows] == rows
    assert table.header == header
    assert table.caption is None
    assert table.xpath == "/html/body/table[1]"


def test_caption_csv_and_json() -> None:
    doc = document(
        '<table><caption>Of <b>a</b></caption><tr><th>a, "b"<th>c<tr><td>d<td>e</table><table><tr><td>x</table>'
    )
    (table,) = doc.tables  # the other is a layout table
    assert table.caption == "Of a"
    assert table.to_csv() == '"a, ""b""",c\nd,e\n'
    assert list(csv.reader(io.StringIO(table.to_csv()))) == [list(row) for row in table.rows]
    assert json.loads(doc.render("json"))["tables"] == [
        {"caption": "Of a", "header": 1, "rows": [['a, "b"', "c"], ["d", "e"]], "xpath": "/html/body/table[1]"}
    ]


def test_only_kept_tables_count() -> None:
    assert document("<p>a</p><table hidden><tr><th>b<tr><td>c</table>").tables == ()


def test_tables_as_html() -> None:
    doc = document("<table><caption>x</caption><tr><th colspan=2>a|b<tr><td>c<td>&lt;d></table>", tables="html")
    assert doc.markdown == (
        'x\n\n<table>\n<tr><th colspan="2">a|b</th></tr>\n<tr><td>c</td><td>&lt;d&gt;</td></tr>\n</table>'
    )
    with pytest.raises(BadConfig, match="tables must be one of gfm, html"):
        Options(tables="csv")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["name", "size"], ["a", "1"]], True),
        ([["name", "size"], ["a", "b"]], False),
        ([["name", "size", "place"], ["a", "b", "c"]], True),
        ([["name", "1712", "place"], ["a", "b", "c"]], False),
        ([["name", "", "place"], ["a", "b", "c"]], False),
        ([["name", "name", "place"], ["a", "b", "c"]], False),
        ([["name", "x" * 61, "place"], ["a", "b", "c"]], False),
        ([["name", "size"]], False),
        ([["", "size"], ["a", "b"]], True),
        ([["", "size"], ["", "b"]], False),
        ([["Preis", "€"], ["12,50 €", "$3"]], True),
    ],
)
def test_unmarked_header_rows(rows: list[list[str]], expected: bool) -> None:
    assert has_header_row(rows) is expected


CELLS = st.builds(
    GridCell, st.sampled_from("abc"), st.sampled_from([1, 1, 1, 2, 3, 1000]), st.sampled_from([1, 1, 1, 2, 3, 1000])
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(CELLS, max_size=5), max_size=6))
def test_a_grid_has_every_cell_once_and_is_limited(rows: list[list[GridCell[str]]]) -> None:
    grid = make_grid(rows)
    assert len(grid) == len(rows)
    firsts = [place.cell for line in grid for place in line if place and place.is_first and not place.is_below]
    assert firsts == [cell for row in rows for cell in row]
    assert sum(map(len, grid)) <= 3 * (1_000 + 8 * len(firsts) + 1_000)


@pytest.mark.parametrize(
    "markup",
    [
        "<tr><th>a<th>b" + "<tr><td colspan=99999 rowspan=99999>c<td rowspan=1000>d" * 2_000,
        f"<tr><th>a<th>b<tr><td rowspan=1000>{'long ' * 20_000}<td>c" + "<tr><td>d" * 1_000,
        "<tr><th colspan=1000>a" * 2_000,
        f"<tr>{'<th>a' * 3_000}" + "<tr><td rowspan=3>b" * 3_000,
    ],
)
def test_hostile_spans_take_little_time_and_memory(markup: str) -> None:
    html = f"<table>{markup}</table>"

    def count_written() -> int:
        doc = document(html)
        return len(doc.markdown) + sum(len(text) for table in doc.tables for row in table.rows for text in row)

    assert assert_quick(count_written, 3) <= 200_000 + 20 * len(html)
