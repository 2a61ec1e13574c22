"""Pages that would explode in the parser keep their words and lose little else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bonmun import Page
from bonmun.bounds import MAX_ELEMENTS, MAX_ROOT_TAGS, find_max_elements
from bonmun.page import page as reading
from bonmun.page.parse.bombs import defuse, make_plain

if TYPE_CHECKING:
    from collections.abc import Callable

OPEN: dict[str, Callable[[int], str]] = {
    "fonts": lambda n: "<p>" + "".join(f"<font color={i}>" for i in range(500)) + "<p>x" * n,
    "fonts in capitals": lambda n: "<p>" + "".join(f"<FoNt color={i}>" for i in range(500)) + "<p>x" * n,
    "bold with slashes": lambda n: "<p>" + "".join(f"<b/id={i}>" for i in range(500)) + "<p>x" * n,
    "all kinds, three of each": lambda n: "<p>" + 3 * "<b><i><s><u><tt><em><big><code><font><small>" + "<p>x" * n,
    "closed where it does not count": lambda n: (
        "<p>" + "".join(f"<b id={i}><table><td></b></table>" for i in range(500)) + "<p>x" * n
    ),
    "closed before": lambda n: "</b>" * 500 + "<p>" + "".join(f"<b id={i}>" for i in range(500)) + "<p>x" * n,
    "in cells": lambda n: "".join(f"<i class=c{i}>" for i in range(400)) + "<table><tr><td>text</table>" * n,
    "in every paragraph": lambda n: "".join(f"<p><font color=#{i:06x}>x" for i in range(n)),
}


@pytest.mark.slow
@pytest.mark.parametrize("make", OPEN.values(), ids=OPEN.keys())
def test_unclosed_elements_do_not_exceed_the_limit(make: Callable[[int], str]) -> None:
    html = make(80_000)
    page = Page.parse(html)
    assert len(page.tags) <= find_max_elements(len(html))
    assert not page.cut
    assert " ".join(page.texts) == " ".join(re.findall(r"(?<=>)[a-z]+", html))


@pytest.mark.parametrize("name", [name for name in OPEN if name != "in cells"])
def test_bombs_are_detected_before_parsing(name: str) -> None:
    html = OPEN[name](80_000)
    assert defuse(html) == make_plain(html) != html


@pytest.mark.parametrize(
    "html",
    [
        "<p><b>word</b> and <i>more</i></p>" * 5_000,
        "<p><b><i><u>word</u></i></b></p>" * 5_000,
        "<p>no formatting" * 5_000,
        "<p><b>a<p><b>b<p><b>c",
        "",
    ],
)
def test_ordinary_pages_are_not_changed(html: str) -> None:
    assert defuse(html) == html


def test_closed_elements_are_kept() -> None:
    html = '<B>so</B> <b>it</b> <i id=a>is</i> <code>a<b>b</b></code> <br> <bdo>x</bdo> <b id="c>d</b>'
    plain = '<B>so</B> <b>it</b> <span id=a>is</span> <span>a<b>b</b></span> <br> <bdo>x</bdo> <span id="c>d</span>'
    assert make_plain(html) == plain


@pytest.mark.parametrize("html", ["<p>word" * 2_000, "word<br>" * 2_000, "<b>word</b>" * 2_000])
def test_a_page_with_too_many_elements_is_cut(html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "find_max_elements", lambda _: 1_000)
    monkeypatch.setattr(reading, "MAX_ELEMENTS", 1_000)
    page = Page.parse(html)
    assert page.cut
    assert len(page.tags) == 1_000
    assert set(page.texts) == {"word"}
    assert MAX_ELEMENTS >= 1_000_000


def test_only_the_first_root_tags_are_read() -> None:
    html = "".join(f"<html a{i}=b><BODY c{i}=d><p>w{i}" for i in range(5_000))
    defused = defuse(html)
    assert len(re.findall("<html a", defused)) + len(re.findall("<BODY c", defused)) == MAX_ROOT_TAGS
    page = Page.parse(html)
    assert page.texts == [f"w{i}" for i in range(5_000)]
    assert page.attr(0, "a249") == "b"
    assert page.attr(0, "a250") is None


def test_a_repeated_root_tag_is_read() -> None:
    html = "<html lang=ko><body class=a><p>words</p><html lang=en id=b><body class=c>" + "<p>words" * 5_000
    assert defuse(html) == html
