"""Formulas: one leaf each, whatever tool made them; and hostile pages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import bonmun
from bonmun import Document, Options, Page
from bonmun.outputs import FORMATS
from bonmun.page.formulas.raw_tex import split_tex
from bonmun.page.formulas.tex import Formula, clean_tex
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

MATHJAX = "<script src='https://cdn.example/mathjax/tex.js'></script>"
P = "<p>A paragraph that is long enough to be read as one, with a full stop.</p>"


def extract(markup: str, options: Options | None = None) -> Document:
    return bonmun.extract(f"<!DOCTYPE html><body>{markup}", method="all", options=options)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>a <math><mi>x</mi></math> b</p>", "a $x$ b"),
        ("<p>a <math display=block><mi>x</mi></math> b</p>", "a\n\n$$x$$\n\nb"),
        ("<p>a (<math><mi>x</mi></math>) b</p>", "a ($x$) b"),
        ("<p>a <math alttext='x squared plus one'><mi>x</mi></math></p>", "a $x$"),
        ("<p>a <math></math> b</p>", "a b"),
        ("<p>a <math><mtext>few words</mtext></math> b</p>", "a few words b"),
        ("<p>a <math>x^2</math> b</p>", "a $x^2$ b"),
        (
            "<link rel=stylesheet href=katex.css><p>a <span class=katex><span class=katex-html aria-hidden=true>x2</span></span></p>",
            "a x2",
        ),
        ("<div class=katex><p>a</p><p>b</p></div>", "a\n\nb"),
        ("<div class=MathJax><p>a</p><p>b</p></div>", "a\n\nb"),
        ("<p data-tex='x=1'>" + "many words " * 50, ("many words " * 50).strip()),
        ("<p>a <span data-math=true>b</span></p>", "a b"),
        ("<p>a <img class=latex alt='a cat on a mat'></p>", "a"),
        ("<p>a <img src='/up%5Cloads%5Ccat.png' alt=cat> <img src=latex.png alt=x></p>", "a"),
        ("<p>a <script type='math/mml'><math><mi>x</mi></math></script></p>", "a $x$"),
        ("<p>a <script type='math/tex'></script> b</p>", "a b"),
        ("<p>a <span class=MathJax data-mathml='&lt;math>&lt;mi>x&lt;/mi>&lt;/math>'>x</span></p>", "a $x$"),
        ("<p>a <d-math>x</d-math></p><script src=distill.js></script>", "a $x$"),
        ("<pre>a <math><mi>x</mi></math>\n  b</pre>", "a $x$\n  b"),
        ("<ul><li>a<math display=block><mi>x</mi></math>b<li>c</ul>", "a\n$$x$$\nb\nc"),
        ("<table><tr><th>a<th>b<tr><td>c<td><math display=block><mi>x</mi></math></table>", "a\tb\nc\t$$x$$"),
        (r"<p>a \(x\) b</p>", r"a \(x\) b"),  # there is no script that renders it
        (MATHJAX + r"<p>a \(x\) b</p>", "a $x$ b"),
        (MATHJAX + r"<p>a <code>\(x\)</code></p><pre>\(x\)</pre>", "a \\(x\\)\n\n\\(x\\)"),
        (MATHJAX + "<p>$5 and $6, or $7</p>", "$5 and $6, or $7"),
        (MATHJAX + r"<p>a \begin{align}x&amp;=1\end{align} b</p>", "a\n\n$$\\begin{aligned}x&=1\\end{aligned}$$\n\nb"),
    ],
)
def test_text(markup: str, text: str) -> None:
    assert extract(markup).text == text


def test_all_formats_contain_the_same_formulas() -> None:
    doc = extract(r"<p>a <math alttext='x &lt;b|c`d'><mi>x</mi></math></p><math display=block><mi>y</mi></math>")
    assert doc.markdown == "a $x < b|c‘d$\n\n$$y$$"  # as TeX shows a backtick; it would start code
    assert '<code class="math">x &lt; b|c`d</code>' in doc.html
    assert '<code class="math display">y</code>' in doc.html
    assert '<formula notation="TeX" rend="display">y</formula>' in doc.render("xml")
    blocks = json.loads(doc.render("json"))["blocks"]
    assert [(block["kind"], block["text"]) for block in blocks] == [
        ("paragraph", "a $x < b|c`d$"),
        ("formula", "$$y$$"),
    ]
    assert blocks[1]["xpath"] == "/html/body/*[2]"


def test_no_tex_becomes_markup() -> None:
    doc = extract("<p>a <math alttext='\\text{</code><script>alert(1)</script>$x$}'><mi>x</mi></math></p>")
    for name in ("markdown", "html", "xml"):
        assert not re.search("<script|</script", doc.render(name))
    assert doc.text.count("$") == 2


def test_xpaths_of_leaves_within_one_text_node() -> None:
    page = Page.parse(MATHJAX + r"<p>one \(x\) two <b>three</b> four \(y\)</p><p>five <script type=math/tex>z</script>")
    assert [leaf.xpath.removeprefix("/html/body/") for leaf in page.leaves] == [
        *["p[1]/text()[1]"] * 3,
        "p[1]/b[1]/text()[1]",
        *["p[1]/text()[2]"] * 2,
        "p[2]/text()[1]",
        "p[2]/script[1]",
    ]


def test_an_image_of_a_formula_is_not_an_image() -> None:
    doc = extract("<p>a</p><p>b <img class=latex src='/latex.php?latex=x' alt=x> c</p><p>d</p>", Options(images=True))
    assert doc.markdown == "a\n\nb $x$ c\n\nd"


@pytest.mark.parametrize(
    ("tex", "clean"),
    [
        ("a % b\n c", "a c"),
        (r"50\% b", r"50\% b"),
        (r"{\displaystyle x}", "x"),
        (r"{\displaystyle x}{y}", r"{\displaystyle x}{y}"),
        (r"\displaystyle x", "x"),
        (r"\displaystylex", r"\displaystylex"),
        ("$$x$$", "x"),
        (r"\(x\)", "x"),
        (r"\text{if $x$}", r"\text{if \(x\)}"),
        (r"a $ b", r"a \$ b"),
        ("a\n\n  b\u200b", "a b"),
        ("a<b", "a< b"),
        ("a\\", "a\\ "),
    ],
)
def test_tex_is_safe_between_dollars(tex: str, clean: str) -> None:
    assert clean_tex(tex) == clean


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (r"a \(x\) b", ["a ", Formula("x", is_display=False), " b"]),
        (r"\[x\]", [Formula("x", is_display=True)]),
        ("a $$x$$", ["a ", Formula("x", is_display=True)]),
        (r"a \(x b", [r"a \(x b"]),
        (r"a \\(x\)", [r"a \\(x\)"]),
        (r"a \$x\$ b", [r"a \$x\$ b"]),
        ("from $5 to $6", ["from $5 to $6"]),
        (r"$x_1$ for $5", [Formula("x_1", is_display=False), " for $5"]),
        (r"\(\)", [r"\(\)"]),
    ],
)
def test_tex_among_words(text: str, pieces: list[str | Formula]) -> None:
    assert split_tex(text, takes_dollars=False) == pieces


def test_dollar_signs_on_a_page_that_enables_them() -> None:
    assert split_tex("a $x$ b", takes_dollars=True) == ["a ", Formula("x", is_display=False), " b"]
    assert split_tex("a $x + 1$ b", takes_dollars=False) == ["a $x + 1$ b"]


HOSTILE: dict[str, Callable[[int], str]] = {
    "math in math": lambda n: "<math>" * n + "<mi>x",
    "rows in rows": lambda n: "<math>" + "<mrow style='display:none'>" * n + "<mi>x",
    "katex in katex": lambda n: "<span class=katex><span class=katex-mathml>" * n + "<math><mi>x",
    "many": lambda n: "<math><mi>x</mi></math>" * n,
    "many that are none": lambda n: "<math><mrow></mrow></math>" * n,
    "never closed": lambda n: MATHJAX + "<p>" + r"\( $$ \[ \begin{align} $ " * n,
    "dollars": lambda n: MATHJAX + "<p>" + "$a " * n,
    "closed": lambda n: MATHJAX + "<p>" + r"\(x\) and " * n,
    "in rows": lambda n: MATHJAX + "<math>" + r"<mrow>\(x\)" * n,
    "a long attribute": lambda n: f"<p>so <span data-tex='{'x=1 ' * n}'>x</span></p>",
    "a long annotation": lambda n: (
        f"<math><semantics><mi>x</mi><annotation encoding=TeX>{'x=1 ' * n}</annotation></semantics></math>"
    ),
    "a long address": lambda n: f"<img src='/latex/{'%5Ca%7B' * n}'>",
    "wide cells": lambda n: "<math><mtable><mtr>" + "<mtd columnspan=20>" * n,
    "tables of equations": lambda n: "<table class=ltx_eqn_table>" * (n // 100) + "<tr><td><math><mi>x</mi></math>" * n,
}


def test_only_the_rows_of_a_table_itself_are_equations() -> None:
    inner = "<svg>" + "<tr><math><mi>x</mi></math>" * 3 + "</svg>"
    html = f"{P}<table class=ltx_eqn_table><tr><td>{inner}</td></tr><tbody><tr><td><math><mi>y</mi></math></table>"
    assert extract(html).text.endswith(r"$$\begin{aligned} x & x & x \\ y \end{aligned}$$")


def test_a_formula_in_a_formula_is_written_once() -> None:
    math = "<math><mi>x</mi><mtext><math><mi>y</mi></math></mtext></math>"
    assert extract(f"{P}<table class=ltx_eqn_table><tr><td>{math}</table>").text.count("y") == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_no_page_takes_long(name: str) -> None:
    assert_linear(lambda size: P + HOSTILE[name](size) + P, Page.parse, 16_000)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_output_exceeds_its_limit(name: str) -> None:
    html = P + HOSTILE[name](1_000) + P
    doc = bonmun.extract(html, method="all")
    assert all(len(doc.render(each)) < 20 * len(html) + 50_000 for each in FORMATS)
    assert doc.text.startswith("A paragraph")


def test_a_formula_that_is_too_long_becomes_text() -> None:
    doc = extract(f"<p>so <span data-tex='{'x=1 ' * 10_000}'>x</span></p>")
    assert doc.text == "so " + ("x=1 " * 10_000).strip()
    assert not doc.page.formulas


def test_a_formula_between_kept_paragraphs_is_kept() -> None:
    prose = (
        "The stone falls faster and faster, and in equal times it gains equal speeds, as anyone can see who lets it go."
    )
    html = f"<body><article><h1>Stones</h1><p>{prose}</p><p>So:</p><math display=block><mi>v</mi></math><p>{prose}</p></article>"
    assert "$$v$$" in bonmun.extract(html).text
