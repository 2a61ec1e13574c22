"""Tags are removed from titles and descriptions, unless a text is about them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonmun
from bonmun.text.leftover_tags import drop_tags
from timing import assert_linear

PIECES = ["<b>", "</b>", "<p class=x>", "</p>", "<br>", "<br />", "<", ">", "</", "lamp", " ", "<a href='x'>", "<i"]
TEXT = "<p>The old lamp of the village was lit again this spring, and many people came to see it burn at night.</p>" * 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The <i>old</i> lamp", "The old lamp"),
        ("<p>A <b>lamp</b></p><p>A boat</p>", " A lamp  A boat "),
        ("A lamp<BR>\n  is lit", "A lamp \n  is lit"),
        ("A lamp.<br/>It is lit", "A lamp. It is lit"),
        ("<p class='lead'>A lamp that was cut", "A lamp that was cut"),
        ("The <b> element", "The <b> element"),
        ("<a>: The anchor element", "<a>: The anchor element"),
        ("<br>: The line break", "<br>: The line break"),
        ("List<String> and Map<K, V>", "List<String> and Map<K, V>"),
        ("a < b and c > d", "a < b and c > d"),
    ],
)
def test_tags(text: str, expected: str) -> None:
    assert drop_tags(text) == expected


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_nothing_but_tags_is_removed(text: str) -> None:
    assert drop_tags(text).count("lamp") == text.count("lamp")
    assert len(drop_tags(text)) <= len(text)


@pytest.mark.parametrize("piece", ["<b>", "<b>a</b>", "<b ", "a<br", "a<br         ", "<p>a</p", "</p>", "<b>a"])
def test_any_tags_take_linear_time(piece: str) -> None:
    assert_linear(lambda count: piece * count, drop_tags, 4_000)


def test_title_and_description_have_no_tags() -> None:
    head = "<title>The lamp<BR> of <i>Ott</i></title><meta name=description content='&lt;p&gt;It is lit.&lt;/p&gt;'>"
    doc = bonmun.extract(head + TEXT)
    assert doc.title == "The lamp of Ott"
    assert doc.metadata.description == "It is lit."
