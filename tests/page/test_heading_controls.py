"""Links in headings to the heading itself, or to edit its section, are no text."""

from __future__ import annotations

import pytest
import turbohtml

from bonmun import Page
from bonmun.page.heading_controls import find_heading_controls
from timing import assert_linear

EDIT = "/w?title=Lamp&action=edit&section=2"
CONTROLS = {
    "number sign": "<a href=#lamp>#</a>",
    "section sign, before": "<a href='/page#lamp'>§</a> ",
    "MediaWiki": f"<span class=x><span>[</span><a href='{EDIT}'>edit</a><span>]</span></span>",
    "two links": f"<span>[<a href='{EDIT}'>편집</a> | <a href='{EDIT}&x=1'>원본 편집</a>]</span>",
    "no box": f"<a href='{EDIT}'>편집</a>",
    "path": "<span><a href='/edit/Lamp?section=1'>[편집]</a></span>",
}
TEXTS = {
    "other link": ("<a href=/b>B</a>", "B"),
    "sign without a place": ("<a href=/b>#</a>", "#"),
    "name of a place": ("<a href=#b>#b</a>", "#b"),
    "text beside it": (f"<span>and how to <a href='{EDIT}'>edit</a> it in a browser, step by step</span>", None),
}


@pytest.mark.parametrize("markup", CONTROLS.values(), ids=CONTROLS)
def test_controls_are_left_out(markup: str) -> None:
    assert Page.parse(f"<body><h2>{markup}The lamp</h2><p>x</p>").block_texts == ["The lamp", "x"]
    assert Page.parse(f"<body><h2>The lamp{markup}</h2><p>x</p>").block_texts == ["The lamp", "x"]


@pytest.mark.parametrize(("markup", "text"), TEXTS.values(), ids=TEXTS)
def test_other_links_are_text(markup: str, text: str | None) -> None:
    read = Page.parse(f"<body><h2>The lamp {markup}</h2><p>x</p>").block_texts[0]
    assert read == f"The lamp {text}" if text else "step by step" in read


def test_signs_outside_headings_are_text() -> None:
    assert Page.parse("<body><p>The key <a href=#a>#</a></p>").block_texts == ["The key #"]


class _UnreadSource(str):
    """The source of a page that must not be searched."""

    def __contains__(self, part: object) -> bool:
        raise AssertionError(f"searched for {part!r}")


def test_a_source_is_searched_only_if_a_heading_has_such_a_link() -> None:
    source = _UnreadSource(
        "<h2><a href=/b#c>B</a></h2><p><a href=#a>#</a> <a href='?action=edit&section=1'>edit</a></p>"
    )
    assert find_heading_controls(turbohtml.parse(source), source) == []
    control = _UnreadSource("<h2>B <a href=#b>#</a></h2>")
    with pytest.raises(AssertionError, match="searched"):
        find_heading_controls(turbohtml.parse(control), control)


@pytest.mark.slow
def test_the_time_is_linear() -> None:
    def make(size: int) -> str:
        return f"<h2><span>{f'<a href={EDIT}>edit</a>' * size}</span></h2>{'<h3>a<a href=#a>#</a></h3>' * size}"

    assert_linear(make, Page.parse, 8_000, 0.1)
