"""No document is far larger than its page, and `Document.cut` tells what was left out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bonmun import Options, extract
from bonmun.bounds import BASE_OUTPUT_CHARS, MAX_OUTPUT_RATIO
from bonmun.outputs import FORMATS
from scripts.fuzz.checks import find_other_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun import Document

EVERYTHING = Options(links=True, images=True, comments=True)
URL = "https://example.org/a/b"
LONG_NAME = "a" * 40

# Pages whose output would grow quadratically, or be hundreds of times larger.
BOMBS: dict[str, Callable[[int], str]] = {
    "tabs before cells": lambda n: "<table><tr>" + "<th>a<td><ul><li>b</ul>" * n,
    "a long tag name": lambda n: f"<x{'y' * 10 * n}>" + "<p>x" * n,
    "long tag names, deep down": lambda n: f"<{LONG_NAME}>" * 110 + "<p>x" * n,
    "a path at full depth": lambda n: "<div>" * 120 + "<p>x" * n,
    "one address over many lines": lambda n: f"<a href={'y' * 4 * n}>" + "x<br>" * n,
    "an address that is just short enough": lambda n: f"<a href={'y' * 3_000}>" + "x<br>" * n,
    "an address of marks": lambda n: f"<a href='{'()' * 1_500}&quot;'>" + "x<br>" * n,
    "a long base for links": lambda n: f"<base href=https://e.org/{'y' * 3_000}/>" + "<a href=x>y</a>" * n,
    "a long base for images": lambda n: f"<base href=https://e.org/{'y' * 3_000}/><p>x" + "<img src=x>" * n + "<p>x",
    "many images": lambda n: "<p>x" + "<img src=x>x" * n,
    "line breaks in nested quotes": lambda n: "<blockquote>" * 24 + "<pre>x" + "\n" * n + "x",
    "line breaks in nested lists": lambda n: "<ul><li>" * 12 + "<pre>x" + "\nx" * n,
    "lines in nested emphasis": lambda n: "<p><b><i><s><code><sub><sup>" + "x<br>" * n,
    "marks of every format": lambda n: "<p>" + "&<>\"'*_`[]\\|" * n,
    "one long row, and many short ones": lambda n: f"<table><tr>{'<th>a' * n}{'<tr><td>b' * n}</table>",
    "huge spans": lambda n: f"<table><tr><th>a<th>b{'<tr><td colspan=9999 rowspan=9999>c<td>d' * n}</table>",
    "small paragraphs": lambda n: "<p>x" * n,
    "side notes, deep down": lambda n: (
        f"{f'<{LONG_NAME}>' * 110}<p>x<label></label>{'<small class=sidenote>a</small>b' * n}"
    ),
    "rows in rows of equations": lambda n: (
        f"<p>x<table class=ltx_eqn_table><tr><td><svg>{'<tr><math><mi>x</mi></math>' * 480}</svg></table>" * (n // 500)
    ),
    "bold letters in cells": lambda n: f"<table>{'<tr><td>a<td><math><mi>' + '𝛆' * n}<tr><td>b<td>c",
    "a long title": lambda n: f"<title>{'word ' * n}</title><h1>{'word ' * n}</h1><p>x",
}


def write_all(doc: Document) -> dict[str, str]:
    return {name: doc.render(name) for name in FORMATS}


@pytest.mark.slow
@pytest.mark.parametrize(("method", "options"), [("all", EVERYTHING), ("auto", Options())], ids=["all", "auto"])
@pytest.mark.parametrize("make", BOMBS.values(), ids=BOMBS.keys())
def test_every_format_is_within_its_limit(make: Callable[[int], str], method: str, options: Options) -> None:
    html = make(500)
    doc = extract(html, URL, method, options)
    written = write_all(doc)
    for name, text in written.items():
        assert len(text) <= BASE_OUTPUT_CHARS + MAX_OUTPUT_RATIO * len(html), name
    assert not list(find_other_words(written))


def test_links_over_the_limit_become_plain_text() -> None:
    html = BOMBS["an address that is just short enough"](2_000)
    doc = extract(html, URL, "all")
    assert doc.cut
    assert json.loads(doc.render("json"))["cut"] is True
    assert doc.text.split() == ["x"] * 2_000
    assert "yyy" not in doc.markdown + doc.html + doc.render("xml")
    assert not extract(html, URL, "all", Options(links=False)).cut


def test_images_over_the_limit_are_left_out() -> None:
    html = BOMBS["a long base for images"](2_000)
    doc = extract(html, URL, "all")
    assert doc.cut
    assert "<img" not in doc.html
    assert doc.text.split() == ["x", "x"]


def test_blocks_over_the_limit_are_cut_at_the_end() -> None:
    html = f"<{LONG_NAME}>" * 110 + "".join(f"<p>w{i}" for i in range(5_000))
    doc = extract(html, URL, "all")
    assert doc.cut
    words = doc.text.split()
    assert 100 < len(words) < 5_000
    assert words == [f"w{i}" for i in range(len(words))]
    assert not list(find_other_words(write_all(doc)))


@pytest.mark.parametrize(
    "html",
    [
        "<p>x" * 3_000,
        "<table>" + "<tr><td>1<td>2<td>3" * 1_000,
        "<ul>" + "<li><a href=/a>b</a>" * 1_000,
        "<div>" * 30 + "<p>word <a href=/a>b</a> <img src=c.png> word</p>" * 300,
        "",
    ],
)
def test_dense_pages_are_not_cut(html: str) -> None:
    doc = extract(html + "<p>words at the end", URL, "all", EVERYTHING)
    assert not doc.cut
    assert doc.text.endswith("words at the end")
