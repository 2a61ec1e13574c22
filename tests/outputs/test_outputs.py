"""The exact output of the five formats on small pages; and no format changes what is kept."""

from __future__ import annotations

import json
import re
from html import escape
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import bonmun
from bonmun import Document, Labels, Options, Page
from bonmun.errors import BadConfig
from bonmun.outputs import FORMATS
from samples import in_one_test, on_every_page
from scripts.fuzz.checks import drop_marks, read_html, read_tei, repeats_spans
from timing import assert_linear

if TYPE_CHECKING:
    from pathlib import Path


URL = "https://site.example/dir/page"
TEI = "{http://www.tei-c.org/ns/1.0}"
ALL = Options(links=True, images=True, comments=True)


def document(markup: str, **options: Any) -> Document:
    """Extract the whole page, with the method "all"."""
    return bonmun.extract(f"<!DOCTYPE html><body>{markup}", url=URL, method="all", options=Options(**options))


def simple(markup: str) -> str:
    """Return the Markdown of the whole page, with relative links."""
    return bonmun.extract(f"<!DOCTYPE html><body>{markup}", method="all").markdown


def article(doc: Document) -> str:
    """Return the content of the <article> of the HTML output, without added line breaks."""
    found = re.search(r"<article>\n?(.*)</article>", doc.html, re.S)
    assert found
    return re.sub(r"(?<=>)\n", "", found[1])


def body(doc: Document) -> str:
    """Return the content of the <body> of the TEI output, without added line breaks."""
    found = re.search(r"<body>(.*)</body>", doc.render("xml"), re.S)
    assert found
    return re.sub(r"(?<=>)\n|\n(?=<)", "", found[1])


# --- text -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<h1>a</h1><p>b</p>", "a\n\nb"),
        ("<p>a<br>b</p>", "a\nb"),
        ("<p>a<br><br>b</p>", "a\n\nb"),
        ("<ul><li>a<li>b</ul><p>c</p>", "a\nb\n\nc"),
        ("<ul><li>a<ul><li>b</ul><li>c</ul>", "a\nb\nc"),
        ("<p>a</p><ul><li>b</ul>", "a\n\nb"),
        ("<dl><dt>a<dd>b</dl>", "a\nb"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table><p>e", "a\tb\nc\td\n\ne"),
        ("<table><caption>a</caption><tr><td>b<td>c</table>", "a\n\nb\tc"),
        ("<table><tr><td>a<tr><td>b</table>", "a\n\nb"),
        ("<table><tr><th>a</table><table><tr><th>b</table>", "a\nb"),
        ("<pre>a\n  b</pre><p>c", "a\n  b\n\nc"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "a\n\nb"),
        ("<p>* a # b &lt;c&gt; &amp;amp;</p>", "* a # b <c> &amp;"),
        ("<p>a<b> b</b></p><p hidden>c</p>", "a b"),
        ("<img src=x alt=y>", ""),
        pytest.param("<table><tr><th>a<th>b<tr><td><td>c</table>", "a\tb\n\tc"),
        pytest.param("<table><tr><th>a<th>b<tr><td><p>c</p><p>d</p><td>e</table>", "a\tb\nc d\te"),
    ],
)
def test_text(markup: str, expected: str) -> None:
    assert document(markup).text == expected


# --- markdown -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        *((f"<h{n}>a</h{n}>b", f"{'#' * n} a\n\nb") for n in range(1, 7)),
        ("<h2>a<br>b</h2>", "## a b"),
        ("<p>a<br>b</p>", "a  \nb"),
        ("<p><b>a</b> <i>b</i> <s>c</s> <code>d</code></p>", "**a** *b* ~~c~~ `d`"),
        ("<p><b>a <i>b</i></b></p>", "**a *b***"),
        ("<p>H<sub>2</sub>O x<sup>2</sup></p>", "H<sub>2</sub>O x<sup>2</sup>"),
        ("<p><u>a</u><span>b</span><x-y>c</x-y></p>", "abc"),
        ("<hr><p>a", "a"),
        ("<details><summary>a <b>b</b></summary><p>c</p></details>", "**a b**\n\nc"),
        ("<details><summary><h3>a</h3></summary><p>c</p></details>", "### a\n\nc"),
        ("<div class='admonition note'><p class=admonition-title>a</p><p>b</p></div>c", "> **a**\n>\n> b\n\nc"),
        (
            "<ul><li><input type=checkbox checked> a<li><label><input type=checkbox> b</label><li>c</ul>",
            "- [x] a\n- [ ] b\n- c",
        ),
        ("<ul><li><p><input type=checkbox> a</p><p>b</p></ul>", "- [ ] a\n\n  b"),
    ],
)
def test_markdown_of_blocks_and_phrases(markup: str, expected: str) -> None:
    assert document(markup).markdown == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=9><li>a<li>b</ol>", "9. a\n10. b"),
        ("<ol start=-2><li>a</ol>", "1. a"),
        ("<ul><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ul>", "- a\n  - b\n    - c\n- d"),
        ("<ol><li>a<ul><li>b</ul><li>c</ol>", "1. a\n   - b\n2. c"),
        ("<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n\n  b\n\n- c"),
        ("<ul><li>a<br>b</ul>", "- a  \n  b"),
        ("<ul><li>a<li>b</ul><ul><li>c</ul>", "- a\n- b\n\n* c"),
        ("<ul><li>a</ul><ul><li>b</ul>\n<ul><li>c</ul>", "- a\n- b\n- c"),
        ("<ul class=a><li>a</ul><ul class=b><li>b</ul>", "- a\n\n* b"),
        ("<ul><li>a</ul><p hidden>b</p><ul><li>c</ul>", "- a\n\n* c"),
        ("<ul><li>a</ul>b<ul><li>c</ul>", "- a\n\nb\n\n- c"),
        ("<ul><li>a</ul><div><ul><li>b</ul></div>", "- a\n\n* b"),
        ("<dl><dt>a<dd>b</dl><dl><dt>c<dd>d</dl>", "- **a**: b\n- **c**: d"),
        ("<dl><dd>a</dl><ul><li>b</ul>", "- a\n\n* b"),
        ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
        ("<ul><li>a<ol start=7><li>b</ol></ul>", "- a\n\n  7. b"),
        ("<ul><li>a<ul><li>b</ul>c</ul>", "- a\n\n  - b\n\n  c"),
        ("<ul><li>[x] a<li>[ ] b<li>[y] c</ul>", "- \\[x] a\n- \\[ ] b\n- [y] c"),
        ("<ul><li>a</ul><p>b</p>", "- a\n\nb"),
        ("<ul><li>a<pre>b\n c</pre></ul>", "- a\n  ```\n  b\n   c\n  ```"),
        ("<ul><li>a<blockquote>b</blockquote></ul>", "- a\n  > b"),
        ("<ul><li>a<table><tr><th>b<tr><td>c</table></ul>", "- a\n\n  | b |\n  | --- |\n  | c |"),
        ("<ul><li><h2>a</h2><p>b</p></ul>", "## a\n\nb"),
        ("<ul><li><h2>a</h2><p>b</p><li>c</ul>", "## a\n\nb\n\nc"),
        ("<ul><li><h2>a</h2><p>b</p><li>c<li>d</ul>", "- ## a\n  b\n- c\n- d"),
        ("<ul><li><h2>a</h2><ul><li>b<li>c</ul></ul>", "## a\n\n- b\n- c"),
        ("<ul><li><h2>a</h2><li><h2>b</h2></ul>", "- a\n- b"),
        ("<ol><li><h2>a</h2><p>b</p></ol>", "1. ## a\n   b"),
        ("<li>a<li>b", "- a\n- b"),
        ("<ul>a<li>b</ul>", "- a\n- b"),
        ("<ul><p>a</p><li>b</ul>", "- a\n- b"),
        ("<ol><div><li>a</li><li>b</li></div></ol>", "1. a\n2. b"),
        ("<menu><li>a</menu>", "- a"),
        ("<dl><dt>a<dd>b<dd>c</dl>", "**a**\n\n- b\n- c"),
        ("<dl><dt>a<dd>b<dt>c:<dd><b>d</b></dl>", "- **a**: b\n- **c:** **d**"),
        ("<dl><dt>a<dd>b<dt>c<dd>d<br>e</dl>", "**a**\n\n- b\n\n**c**\n\n- d  \n  e"),
        (f"<dl><dt>a<dd>b<dt>c<dd>{'d' * 101}</dl>", f"**a**\n\n- b\n\n**c**\n\n- {'d' * 101}"),
        ("<ol><li>23. a<li>24. b</ol>", "- 23\\. a\n- 24\\. b"),
        ("<ol><li>[1] a<li>[2] b</ol>", "- [1] a\n- [2] b"),
        ("<ol><li>23. a<li>25. b</ol>", "1. 23\\. a\n2. 25\\. b"),
        ("<ol><li>23 a<li>24 b</ol>", "1. 23 a\n2. 24 b"),
        ("<ol><li>1 a<li>2 b</ol>", "- 1 a\n- 2 b"),
        ("<ol start=3><li><p>3</p><p>a</p><li><p>4</p><p>b</p></ol>", "- 3 a\n- 4 b"),
        ("<dl><dt>a<dt><b>b</b> x<dd>c<dt>d<dd><p>e<p>f</dl>", "**a**  \n**b x**\n\n- c\n\n**d**\n\n- e\n\n  f"),
        # tabs that are lists of stories: only the last list is one
        (
            "<ul><li><ul><li><h3>a</h3><p>b</p><li><h3>c</h3></ul><li><ul><li>d<li>e</ul></ul>",
            "### a\n\nb\n\nc\n\n- d\n- e",
        ),
        ("<dl><dt>a<dd><ul><li><h3>b</h3><p>c</p><li><h3>d</h3></ul></dl>", "**a**\n\n- ### b\n\n  c\n\n  d"),
        ("<ul><li>a<ul><li><h3>b</h3><p>c</p></ul><li>d</ul>", "- a\n  - ### b\n    c\n- d"),
    ],
)
def test_markdown_of_lists(markup: str, expected: str) -> None:
    assert document(markup).markdown == expected


def test_many_nested_lists_take_linear_time() -> None:
    story = "<li><ul><li><h3>a</h3><p>b</p></ul>"
    assert_linear(
        lambda size: f"<ul>{story * (size // len(story))}<li>c</ul>", lambda markup: document(markup).markdown, 20_000
    )


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        ("<table><tr><td>a<td>b<tr><td>c<td>5</table>", "| a | b |\n| --- | --- |\n| c | 5 |"),
        ("<table><tr><td>a<td>b<td>c<tr><td>d<td>e<td>f</table>", "| a | b | c |\n| --- | --- | --- |\n| d | e | f |"),
        ("<table><tr><td><b>a</b><td><b>b</b><tr><td>c<td>d</table>", "| **a** | **b** |\n| --- | --- |\n| c | d |"),
        ("<table><thead><tr><td>a<td>b</thead><tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><th>a<th>b<tr><td colspan=2>c</table>", "| a | b |\n| --- | --- |\n| c |  |"),
        ("<table><tr><th>a<th>b<tr><td><td>d</table>", "| a | b |\n| --- | --- |\n|  | d |"),
        ("<table><tr><td>a<td><td>b<tr><td>c<td><td>d</table>", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        ("<table><tr><td>a<br># b | c<td><tr><td><td></table>", "a  \n\\# b | c"),
        ("<table><tr><td>1. a<td><tr><td>b<td></table>", "1\\. a\n\nb"),
        ("<table><tr><th>a<tr><td>b</table>", "| a |\n| --- |\n| b |"),
        ("<table><tr><th><th>b<tr><td>c<td>d</table>", "|  | b |\n| --- | --- |\n| c | d |"),
        ("<table><tr><th>a|b<tr><td><code>c|d</code></table>", "| a\\|b |\n| --- |\n| `c\\|d` |"),
        ("<table><tr><th>a<br>b<tr><td><p>c</p><p>d</p></table>", "| a<br>b |\n| --- |\n| c<br>d |"),
        ("<table><caption>a</caption><tr><th>b<tr><td>c</table>", "a\n\n| b |\n| --- |\n| c |"),
        ("<table><tr><th><b>a</b><tr><td>b<i>c</i></table>", "| **a** |\n| --- |\n| b*c* |"),
        (
            "<table><tr><th colspan=2>a<tr><td>b<td>c</table>",
            "| a | a |\n| --- | --- |\n| b | c |",
        ),
        (
            "<table><tr><th>a<td rowspan=2>b<tr><td>c</table>",
            "|  |  |\n| --- | --- |\n| a | b |\n| c | b |",
        ),
        (
            "<table><tr><th>a<th>b<tr><td>c</table>",
            "| a | b |\n| --- | --- |\n| c |  |",
        ),
        ("<table><tr><td>a<td>b</table>", "a\n\nb"),
        pytest.param("<table><tr><th>a<th>b<tr><td>c<td></td></table>", "| a | b |\n| --- | --- |\n| c |  |"),
        pytest.param("<table><tr><th><b><i>a|b</i></b></table>", "| ***a\\|b*** |\n| --- |"),
    ],
)
def test_markdown_of_tables(markup: str, expected: str) -> None:
    assert document(markup).markdown == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<pre>a\n  b</pre>", "```\na\n  b\n```"),
        ("<pre>  a\nb</pre>", "```\n  a\nb\n```"),
        ("<pre>    a\n      b\n\n    c</pre>", "```\na\n  b\n\nc\n```"),
        ("<pre class='highlight language-python'>a</pre>", "```python\na\n```"),
        ("<pre><code class=lang-js>a</code></pre>", "```js\na\n```"),
        ("<div class='highlight-source-c++'><pre>a</pre></div>", "```c++\na\n```"),
        ("<pre class='brush: ruby'>a</pre>", "```ruby\na\n```"),
        ("<pre>a ` b</pre>", "```\na ` b\n```"),
        ("<pre>```\na\n```</pre>", "````\n```\na\n```\n````"),
        ("<pre>* a\n# b\n&lt;c&gt;</pre>", "```\n* a\n# b\n<c>\n```"),
        ("<pre><b>a</b> <i>b</i></pre>", "```\na b\n```"),
        ("<p>x <code>a`b</code></p>", "x ``a`b``"),
        ("<p>x <code>`</code></p>", "x `` ` ``"),
        ("<p>x <code>a  b*c</code></p>", "x `a b*c`"),
        ("<p><kbd>a</kbd> <samp>b</samp> <tt>c</tt></p>", "`a` `b` `c`"),
        ("<blockquote>a</blockquote>", "> a"),
        ("<blockquote><p>a</p><blockquote><p>b</p></blockquote><p>c</p></blockquote>", "> a\n>\n> > b\n>\n> c"),
        ("<blockquote><ul><li>a</ul></blockquote>", "> - a"),
        ("<figure><img src=/x><figcaption>a <b>b</b></figcaption></figure>", "![](https://site.example/x)\n\na **b**"),
    ],
)
def test_markdown_of_code_quotes_and_figures(markup: str, expected: str) -> None:
    assert document(markup).markdown == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("* _ ~ \\ ` [ ]", "\\* _ ~ \\ ` [ ]"),
        ("2~3배", "2~3배"),
        ("2~3배 4~5배", "2\\~3배 4\\~5배"),
        ("C# and a * b [sic]", "C# and a * b [sic]"),
        ("on 27. September, 1) foo", "on 27. September, 1) foo"),
        ("5* and 4* hotels", "5* and 4* hotels"),
        ("2*3*4", "2\\*3\\*4"),
        ("*x* _x_ **y**", "\\*x\\* \\_x\\_ \\*\\*y\\*\\*"),
        ("~~x~~", "\\~\\~x\\~\\~"),
        ("a `b` c", "a \\`b\\` c"),
        ("it's 5` long", "it's 5` long"),
        ("a <b and c", "a <b and c"),
        ("a <b and c>", "a \\<b and c>"),
        ("C:\\dir \\* x", "C:\\dir \\\\* x"),
        ("&foo; &copy; &#65;", "&foo; \\&copy; \\&#65;"),
        ("$5 and $10", "$5 and $10"),
        ("$x$ and $y$", "\\$x\\$ and \\$y\\$"),
        ("[^1] and [1]", "\\[^1] and [1]"),
        ("foo__bar __init__ _x", "foo__bar \\_\\_init\\_\\_ \\_x"),
        ("a # b | c < d > e", "a # b | c < d > e"),
        ("<b>", "\\<b>"),
        ("&amp; &lt;", "\\&amp; \\&lt;"),
        ("AT&T", "AT&T"),
        ("![a](b)", "![a\\](b)"),
        ("snake_case_name", "snake_case_name"),
        ("1. a", "1\\. a"),
        ("1) a", "1\\) a"),
        ("- a", "\\- a"),
        ("+ a", "\\+ a"),
        ("> a", "\\> a"),
        ("# a", "\\# a"),
        ("###### a", "\\###### a"),
        ("---", "\\---"),
        ("~~~", "\\~\\~\\~"),
        ("```", "\\`\\`\\`"),
        ("a-b + c", "a-b + c"),
        ("#tag", "#tag"),
    ],
)
def test_markdown_escapes_markup(text: str, expected: str) -> None:
    assert document(f"<p>{escape(text)}</p>").markdown == expected
    assert document(f"<p>x<br>{escape(text)}</p>").markdown == f"x  \n{expected}"


def test_markdown_escapes_lines_depending_on_the_line_above() -> None:
    assert document("<p>===</p><p>1986. A year</p><p>[a]: b</p>").markdown == "===\n\n1986\\. A year\n\n\\[a]: b"
    assert document("<p>x<br>===<br>1986. A year<br>[a]: b").markdown == "x  \n\\===  \n1986. A year  \n[a]: b"
    assert document("<p>a | b<br>--|--<br>c | d").markdown == "a | b  \n\\--|--  \nc | d"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("한국어<b>강조</b>입니다", "한국어**강조**입니다"),
        ("これは<em>強調</em>です", "これは*強調*です"),
        ("a<b>b</b>c", "a**b**c"),
        ("그는 <b>“예”</b>라고", "그는 “**예**”라고"),
        ("그는 <b>“예”</b> 하고", "그는 **“예”** 하고"),
        ("<b>강조.</b>입니다", "**강조**.입니다"),
        ("<b><a href=http://a.example/>강조</a></b>입니다", "[**강조**](http://a.example/)입니다"),
        ("<b><a href=http://a.example/>강조.</a></b>입니다", "[**강조.**](http://a.example/)입니다"),
        ("<b>a</b><sup>b</sup> c", "**a**<sup>b</sup> c"),
        ("(<b>a</b>)", "(**a**)"),
        ("a <b> b </b> c", "a **b** c"),
        ("<b>a</b><b>b</b>", "**ab**"),
        ("<b>a</b> <b>b</b>", "**a** **b**"),
        ("第<b>《一》</b>章", "第《**一**》章"),
        ("第<b>「一」、</b>章", "第「**一**」、章"),
        ("a<b>(b</b> c", "a(**b** c"),
        ("a<b>《》</b>b", "a《》b"),
        ("a<i>, </i>b", "a, b"),
        ("a<b>~b</b>", "a<strong>~b</strong>"),
        ("<sup>1</sup><sup>2</sup>", "<sup>1</sup><sup>2</sup>"),
        ("<a href=x><i>10</i> <b>2</b></a>", "[10 2](https://site.example/dir/x)"),
        ("<a href=x>a<i>10</i></a>", "[a*10*](https://site.example/dir/x)"),
        ("<b>a<br>b</b>", "**a**  \n**b**"),
        ("<b>a</b>, <i>b</i>.", "**a**, *b*."),
    ],
)
def test_markdown_emphasis_is_read_back_as_emphasis(markup: str, expected: str) -> None:
    assert document(f"<p>{markup}</p>").markdown == expected
    rendered = MARKDOWN.render(expected)
    assert (
        rendered.count("<strong>") + rendered.count("<em>")
        == expected.count("<strong>") + len(re.findall(r"\*+", expected)) // 2
    )


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<b><i>(a</i></b><b><i>b</i> c)</b>", "***(ab* c)**"),
        ("<b>a</b><i>b</i>", "<strong>a</strong><em>b</em>"),
        ("a<b><i>(b)</i></b>c", "a(***b***)c"),
        ("<a href=http://a.example/><b><i>more ...</i></b></a>", "[***more*** ...](http://a.example/)"),
    ],
)
def test_markdown_of_nested_emphasis(markup: str, expected: str) -> None:
    assert document(f"<p>{markup}</p>").markdown == expected


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["a<b>(b)</b>", "<b>(</b>", "<b>a</b>"])
def test_emphasis_takes_linear_time(piece: str) -> None:
    assert_linear(lambda size: document("<p>" + piece * (size // len(piece))), lambda doc: doc.markdown, 20_000)


@pytest.mark.parametrize("length", range(1, 12))
def test_markdown_emphasis_after_a_line_break(length: int) -> None:
    word = "abcdefghijklmnopqrst"
    for filler in range(40, 60):
        markup = f"<p>{word[:length]}<br>{'word ' * filler}</p><p>a <b>{word[: length + 3]}</b> b</p>"
        assert document(markup).markdown.endswith(f"a **{word[: length + 3]}** b")


# --- links and images -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("https://other.example/x?a=1&amp;b=2#c", "https://other.example/x?a=1&b=2#c"),
        ("other", "https://site.example/dir/other"),
        ("/other", "https://site.example/other"),
        ("../x", "https://site.example/x"),
        ("?q=1", "https://site.example/dir/page?q=1"),
        ("#part", "https://site.example/dir/page#part"),
        ("//cdn.example/x", "https://cdn.example/x"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        (" \n other ", "https://site.example/dir/other"),
        ("javascript:alert(1)", None),
        (" JavaScript:alert(1)", None),
        ("&#1;javascript:alert(1)", None),
        ("vbscript:x", None),
        ("data:text/html,x", None),
        ("", None),
        (" ", None),
        ("http://[broken", None),
    ],
)
def test_links_are_absolute_and_safe(href: str, expected: str | None) -> None:
    doc = document(f'<p>a <a href="{href}">link</a></p>', links=True)
    link = ET.fromstring(doc.html).find(".//a")
    assert (link.get("href") if link is not None else None) == expected
    ref = ET.fromstring(doc.render("xml")).find(f".//{TEI}ref")
    assert (ref.get("target") if ref is not None else None) == expected
    rendered = re.search('<a href="([^"]*)"', MARKDOWN.render(doc.markdown))
    assert (rendered[1].replace("&amp;", "&") if rendered else None) == expected
    assert doc.text == "a link"


@pytest.mark.parametrize(
    ("base", "expected"),
    [("/base/", "https://site.example/base/x"), ("https://b.example/c", "https://b.example/x")],
)
def test_links_follow_the_base(base: str, expected: str) -> None:
    markup = f"<head><base href={base}></head><p>a <a href=x>b</a>"
    doc = bonmun.extract(markup, url=URL, method="all", options=Options(links=True))
    assert doc.markdown == f"a [b]({expected})"


def test_links_stay_relative_if_the_url_of_the_page_is_unknown() -> None:
    doc = bonmun.extract("<p>a <a href=x>b</a>", method="all", options=Options(links=True))
    assert doc.markdown == "a [b](x)"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a href=x><h2>a</h2><p>b <i>c</i></p></a>", "## [a](x)\n\nb *c*"),
        ("<a href=x><p>first</p><p>second</p></a>", "[first](x)\n\nsecond"),
        ("<a href=x>first<br><br>second</a>", "[first](x)\n\nsecond"),
        ("<a href=x><p>12:30</p><p>first</p><p>second</p></a>", "12:30\n\n[first](x)\n\nsecond"),
        ("<a href=x><p>1</p><p>2</p></a>", "[1](x)\n\n2"),
        ("<h2><a href=x>first<br><br>second</a></h2>", "## [first](x) [second](x)"),
        ("<a href=x><p>Sport</p><p><b>first</b></p></a>", "Sport\n\n[**first**](x)"),
        ("<a href=x><p>first</p></a><a href=x><p>second</p></a>", "[first](x)\n\n[second](x)"),
    ],
)
def test_of_the_blocks_in_one_link_the_title_is_written_with_it(markup: str, expected: str) -> None:
    assert simple(markup) == expected


def test_a_label_of_several_items_is_not_their_title() -> None:
    items = [f"<a href={name}><p>Video</p><p>Text {name}</p></a>" for name in "abc"]
    expected = "Video\n\n[Text a](a)\n\nVideo\n\n[Text b](b)"
    assert simple("".join(items)).startswith(expected)
    assert simple("".join(items[:2])).startswith("[Video](a)\n\nText a")
    assert simple(items[0] * 3).startswith("[Video](a)\n\nText a")  # one item, three times


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<h4><a href=x>a</a></h4><h3><a href=x>b</a></h3>", "a\n\n### [b](x)"),
        ("<a href=x><h4>a</h4><h2>b</h2><h3>c</h3></a>", "a\n\n## [b](x)\n\n### c"),
        (f"<a href=x><h2>b</h2><h3>{'long ' * 21}</h3></a>", f"## [b](x)\n\n{('long ' * 21).strip()}"),
        (f"<a href=x><h4>a</h4><h3>{'long ' * 21}</h3></a>", f"a\n\n### [{('long ' * 21).strip()}](x)"),
        ("<ul><li><a href=x><h4>a</h4><h3>b</h3><p>c</p></a></ul>", "a\n\n### [b](x)\n\nc"),
        ("<ul><li><a href=x><h4>a</h4><h3>b</h3></a>c<li>d<li>e</ul>", "- a\n\n  ### [b](x)\n\n  c\n\n- d\n\n- e"),
        ("<a href=x><div><h2>a</h2><h2>b c</h2></div></a>", "a\n\n## [b c](x)"),
        ("<a href=x><h2>a</h2><h2>b</h2></a>", "## [a](x)\n\n## b"),
        (f"<a href=x><h2>{'a' * 41}</h2><h2>{'b' * 42}</h2></a>", f"## [{'a' * 41}](x)\n\n## {'b' * 42}"),
        ("<h4><a href=x>a</a></h4><h3><a href=y>b</a></h3>", "#### [a](x)\n\n### [b](y)"),
        ("<h3><a href=x>a</a></h3><h3><a href=x>b</a></h3>", "### [a](x)\n\n### [b](x)"),
        ("<h2><a href=x>a</a></h2><h3><a href=x>b</a></h3>", "## [a](x)\n\n### [b](x)"),
        ("<h4>a</h4><h3><a href=x>b</a></h3>", "#### a\n\n### [b](x)"),
        ("<a name=x><h4>a</h4><h3>b</h3></a>", "#### a\n\n### b"),
        ("<h4><a href=#>a</a></h4><h3><a href=#>b</a></h3>", "#### a\n\n### b"),
        ("<ul><li><h4><a href=x>a</a></h4></ul><h3><a href=x>b</a></h3>", "- [a](x)\n\n### [b](x)"),
        (f"<h4><a href=x>{'a' * 121}</a></h4><h3><a href=x>b</a></h3>", f"#### [{'a' * 121}](x)\n\n### [b](x)"),
    ],
)
def test_of_the_headings_of_an_item_only_the_title_is_one(markup: str, expected: str) -> None:
    assert simple(markup) == expected


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("<p>a</p><a href=x.pdf><img alt=PDF src=i.gif width=16></a>", "[a](x.pdf)"),
        ("<p><b>a</b> c<br>b</p><div><a href=x.PDF><img src=i.gif width=16></a></div>", "[**a** c](x.PDF)  \n  b"),
        ("<p>a</p><a href=x.pdf><img width=16></a><a href=y.pdf><img width=16></a>", "a"),
        ("<p>a</p><a href=x.html><img width=16></a>", "a"),
        ("<p>a</p><a href=y>b</a><a href=x.pdf><img width=16></a>", "a\n\n  [b](y)"),
        ("<p>a</p><a href=javascript:x.pdf><img width=16></a>", "a"),
    ],
)
def test_an_item_leads_to_the_file_that_its_icon_links(item: str, expected: str) -> None:
    doc = bonmun.extract(f"<ul><li>{item}<li>other</ul>", method="all", options=Options(images=False))
    assert doc.markdown.startswith(f"- {expected}\n")
    assert document(f"<ul><li>{item}<li>other</ul>", links=False, images=False).markdown.count("](") == 0


ICON = "<td rowspan=2><img src=i.png alt='[Note]'></td>"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            f"<div class=note><table><tr>{ICON}<th>Note</th></tr><tr><td><p>a</p><p>b</p></td></tr></table></div>c",
            "> **Note**\n>\n> a\n>\n> b\n\nc",
        ),
        (
            f"<div class='Warning x'><table><tr>{ICON}<th></th></tr><tr><td>a<pre>b</pre></td></tr></table></div>c",
            "> a\n>\n> ```\n> b\n> ```\n\nc",
        ),
        # data tables
        (f"<div class=other><table><tr>{ICON}<th>a</th></tr><tr><td>b</td></tr></table></div>", None),
        (f"<div class=note><table><tr>{ICON}<th>a</th></tr><tr><td>b</td><td>c</td></tr></table></div>", None),
        ("<div class=note><table><tr><td rowspan=2>d<img></td><th>a</th></tr><tr><td>b</td></tr></table></div>", None),
        ("<div class=note><table><tr><td><img></td><th>a</th></tr><tr><td>b</td></tr></table></div>", None),
    ],
)
def test_callouts_that_are_laid_out_as_tables_are_quotes_without_the_icon(markup: str, expected: str | None) -> None:
    doc = document(markup)
    if expected is None:
        assert doc.markdown.startswith("| ")
        assert doc.tables
    else:
        assert doc.markdown == expected
        assert not doc.tables


@pytest.mark.slow
def test_nested_callout_tables_take_linear_time() -> None:
    piece = f"<div class=note><table><tr>{ICON}<th>a</th></tr><tr><td>"
    assert_linear(lambda size: piece * (size // len(piece)), lambda markup: document(markup).markdown, 20_000)


LONG = "a title of at least thirty letters"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (f"<div><a href=x>{LONG}</a> <a href=y>{LONG}</a></div>", f"- [{LONG}](x)\n- [{LONG}](y)"),
        (
            "<div><a href=x>첫째 기사의 아주 길고 긴 신문 제목</a><a href=y>둘째 기사의 아주 길고 긴 신문 제목</a>",
            "- [첫째 기사의 아주 길고 긴 신문 제목](x)\n- [둘째 기사의 아주 길고 긴 신문 제목](y)",
        ),
        (
            "<p><a href=w>a</a><br><a href=x>b</a><br><a href=y>c</a><br><a href=z>d</a></p>",
            "- [a](w)\n- [b](x)\n- [c](y)\n- [d](z)",
        ),
        (f"<blockquote><a href=x>{LONG}</a> <a href=y>{LONG}</a></blockquote>", f"> - [{LONG}](x)\n> - [{LONG}](y)"),
        (
            "<p><a href=x>a title of some length</a> <a href=y>a title of some length</a></p>",
            "[a title of some length](x) [a title of some length](y)",
        ),
        # a menu, a sentence, an address, two links to one page, an item
        ("<div><a href=x>home</a> <a href=y>news</a></div>", "[home](x) [news](y)"),
        (f"<p>See <a href=x>{LONG}</a> <a href=y>{LONG}</a></p>", f"See [{LONG}](x) [{LONG}](y)"),
        (  # title, artist and label of a song
            "<p><a href=x>a</a><br><a href=y>b</a><br><a href=z>c</a></p>",
            "[a](x)  \n[b](y)  \n[c](z)",
        ),
        (f"<p><a href=x>{LONG}</a> <a href=x>{LONG}</a></p>", f"[{LONG} {LONG}](x)"),
        (f"<ul><li><a href=x>{LONG}</a> <a href=y>{LONG}</a></ul>", f"- [{LONG}](x) [{LONG}](y)"),
    ],
)
def test_titles_one_after_the_other_are_a_list(markup: str, expected: str) -> None:
    assert simple(markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<ul><li><div>1</div><a href=x>a</a><li><div>2.</div><p>b</p></ul>", "- 1 [a](x)\n- 2\\. b"),
        ("<ul><li><div>1</div><p>a</p><p>b</p></ul>", "- 1 a\n\n  b"),
        ("<ul><li><div>1</div><div>2</div><p>a</p></ul>", "- 1 2\n\n  a"),
        ("<ul><li><div>1</div><h3>a</h3></ul>", "- 1\n  ### a"),
        ("<ul><li><div>1</div><li><p>a</p><p>b</p></ul>", "- 1\n\n- a\n\n  b"),
        ("<ul><li><p>a</p><div>1</div><p>b</p></ul>", "- a\n\n  1\n\n  b"),
        ("<ul><li><div>2020</div><p>a</p></ul>", "- 2020\n\n  a"),
        ("<div>1</div><p>a</p>", "1\n\na"),
    ],
)
def test_the_number_of_an_item_is_on_the_line_of_its_text(markup: str, expected: str) -> None:
    assert simple(markup) == expected


@pytest.mark.parametrize("line", ["***", "* * *", "---", "———", "_" * 50, "-*-", "<b>_____</b>"])
def test_a_line_drawn_with_signs_is_a_thematic_break(line: str) -> None:
    doc = document(f"<p>a</p><p>{line}</p><p>b</p>")
    assert doc.markdown == "a\n\n---\n\nb"
    assert "<hr" in MARKDOWN.render(doc.markdown)
    assert article(doc) == "<p>a</p><hr/><p>b</p>"
    assert body(doc) == '<div><p>a</p><milestone unit="section" rend="rule" /><p>b</p></div>'
    assert doc.text.startswith("a\n\n")
    assert document(f"<p>{line}</p><p>b</p>").html.count("<hr") == 0  # Markdown would start like front matter
    assert "---" not in document("<ul><li><p>a</p><p>* * *</p></ul>").markdown


@pytest.mark.parametrize("text", ["*", "--", "- a", "***a", "...", "-1-"])
def test_other_signs_are_text(text: str) -> None:
    assert article(document(f"<p>a</p><p>{text}</p>")) == f"<p>a</p><p>{text}</p>"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p><a href=x class=time>20:50</a><a href=x><b>Title</b></a> <a href=x>c</a> d", "[20:50 **Title** c](x) d"),
        ("<p><a href=x>a</a>, <a href=x>b</a>", "[a](x), [b](x)"),
        ("<p><b><a href=x>a</a></b> <a href=x>b</a>", "**[a](x)** [b](x)"),
        ("<p><a href=x>a<br>(b)</a> c", "[a  \n(b)](x) c"),
        ("<p><a href=x><b>a<br>b</b> c</a>", "[**a**  \n**b** c](x)"),
        ("<p><b><a href=x>a<br>b</a></b>", "**[a](x)**  \n**[b](x)**"),
        ("<p><a href=x>a</a><br><a href=x>b</a>", "[a](x)  \n[b](x)"),
        ("<p><a href=x>a<br># b<br>- c</a>", "[a  \n\\# b  \n\\- c](x)"),
        ("<h2><a href=x>a<br>b</a></h2>", "## [a b](x)"),
        (
            "<table><tr><th>a<th>b<tr><td><a href=x>c<br>d</a><td>e</table>",
            "| a | b |\n| --- | --- |\n| [c<br>d](x) | e |",
        ),
    ],
)
def test_a_link_is_written_once(markup: str, expected: str) -> None:
    assert simple(markup) == expected


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("<a href=x><span class=c-overline>The lamp</span> <span>It is lit</span></a>", "[The lamp: It is lit](x)"),
        ("<span class=kicker>The <b>lamp</b></span><span>It is</span> lit", "The **lamp:** It is lit"),
        ("<small class=dachzeile>The lamp</small>It is lit", "The lamp: It is lit"),
        ("<span class=kicker>The lamp:</span> It is lit", "The lamp: It is lit"),
        ("<span class=kicker>The lamp</span><i> : </i>It is lit", "The lamp *:* It is lit"),
        ("<span class=kicker>The lamp</span> – It is lit", "The lamp – It is lit"),
        ("<span class=kicker>The lamp</span><br>It is lit", "The lamp It is lit"),
        ("<span class=kicker>The lamp is lit</span>", "The lamp is lit"),
        ("<span class=part>The lamp</span> <span>is lit</span>", "The lamp is lit"),
        ("The lamp <span class=kicker>is lit</span>", "The lamp is lit"),
        (f"<span class=kicker>{'lamp ' * 13}</span> is lit", f"{'lamp ' * 13}is lit"),
    ],
)
def test_a_colon_separates_kicker_and_headline(heading: str, expected: str) -> None:
    doc = bonmun.extract(f"<h3>{heading}</h3><p>a</p>", method="all")
    assert doc.markdown == f"### {expected}\n\na"
    if "<br>" not in heading:
        assert doc.text.split("\n")[0] == re.sub(r"\*|\[|\]\(.*?\)", "", expected)
    assert document(f"<p>{heading}</p>").text.count(":") == heading.count(":")


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<code>&lt;<a href=x>a@b.org</a>&gt;</code>", "[`<a@b.org>`](x)"),
        ("<code>(<a href=x>a</a>, <a href=y>b</a>)</code>", "`(`[`a`](x)`, `[`b`](y)`)`"),
        ("<code>f(<a href=x>a</a>)</code>", "`f(`[`a`](x)`)`"),
        ("<code><a href=x>a</a></code>", "[`a`](x)"),
    ],
)
def test_code_around_a_link_is_one_code_span(markup: str, expected: str) -> None:
    assert simple(f"<p>{markup}</p>") == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<dl><dd><ul><li>a<li>b</ul></dl>", "- a\n- b"),
        (
            "<dl><dt>t<dd><ul><li>a<li>b</ul><dt>u<dd><ol><li>c<li>d</ol></dl>",
            "**t**\n\n- a\n- b\n\n**u**\n\n1. c\n2. d",
        ),
        ("<dl><dt>t<dd>c<ul><li>a<li>b</ul></dl>", "**t**\n\n- c\n  - a\n  - b"),
        ("<dl><dt>t<dd>c<dd><ul><li>a<li>b</ul></dl>", "**t**\n\n- c\n- - a\n  - b"),
        ("<ul><li>c</ul><dl><dd><ul><li>a<li>b</ul></dl>", "- c\n\n* - a\n  - b"),
    ],
)
def test_a_definition_that_is_a_list_is_written_as_it(markup: str, expected: str) -> None:
    assert simple(markup) == expected


STORY = "The keeper had cleaned the lenses for weeks, and half of the village came up to help him with the lamp."
BOLD_LINES = {
    "<b>The lamp</b>": "## The lamp",
    "<span><strong>The</strong> <b>lamp</b></span>": "## The lamp",
    "<b>“Lamps” and more</b>": "## “Lamps” and more",
    "<b>등대의 역사</b>": "## 등대의 역사",
    "<b>Who lit it?</b>": "**Who lit it?**",
    "<b>He lit it.</b>": "**He lit it.**",
    "<b>Height: 12 m</b>": "**Height: 12 m**",
    "<b>The lamp</b> again": "**The lamp** again",
    "<b><a href=/a>The lamp</a></b>": "**[The lamp](/a)**",
    "<b>12</b>": "**12**",
    "<b>~ more ~</b>": "<strong>~ more ~</strong>",
    f"<b>{'The lamp ' * 9}x</b>": f"**{'The lamp ' * 9}x**",
}


def write_article(markup: str, kind: str = "article") -> str:
    """Return the Markdown of the whole page as an article."""
    page = Page.parse(f"<!DOCTYPE html><body>{markup}")
    count = len(page.starts)
    labels = Labels("x", "block", [1.0] * count, [True] * count, ["x"] * count, 1.0, kinds={kind: 1.0})
    return Document(page, labels, Options()).markdown


@pytest.mark.parametrize(("line", "expected"), BOLD_LINES.items())
def test_bold_titles_of_sections_are_headings(line: str, expected: str) -> None:
    story = f"<p>{STORY}</p>"
    lines = write_article(f"{story * 2}<p>{line}</p>{story * 2}<div>{line}</div>{story * 2}").split("\n\n")
    assert lines == [STORY] * 2 + [expected] + [STORY] * 2 + [expected] + [STORY] * 2


def test_few_or_many_bold_lines_and_those_elsewhere_are_no_headings() -> None:
    story, line = f"<p>{STORY}</p>", "<p><b>The lamp</b></p>"
    assert "#" not in write_article(f"{story * 2}{line}{story * 3}")  # one
    assert "#" not in write_article(f"{story}{f'{line}{story}' * 4}")  # as many as other paragraphs
    assert "#" not in write_article(f"{story * 2}{line}{story * 2}{line}{story * 2}", "listing")
    assert "#" not in write_article(f"{story * 4}<ul><li>{line}{story}</li><li>{line}{story}</li></ul>")
    assert "#" not in write_article(f"{story * 2}{line}<p>Short</p>{story * 2}{line}<p>Short</p>{story * 2}")
    assert write_article(f"{story}<h3>A</h3>{line}{story * 3}<h3>B</h3>{line}{story * 3}").count("#") == 6  # subtitles
    deep = write_article(f"{story}<h3>A</h3>{story * 2}{line}{story * 2}{line}{story * 2}")
    assert deep.count("\n#### The lamp\n") == 2
    assert (
        write_article(f"{story}<h6>A</h6>{story * 2}{line}{story * 2}{line}{story * 2}").count("\n###### The lamp\n")
        == 2
    )


def test_kickers_are_plain_in_all_formats_and_without_links() -> None:
    markup = "<h4><a href=x>a</a></h4><h3><a href=x>b</a></h3>"
    assert article(document(markup, links=False)) == "<p>a</p><h3>b</h3>"
    assert body(document(markup)) == '<div><p>a</p></div><div><head rend="h3">b</head></div>'


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ("src=a.png alt=An", "![An](https://site.example/dir/a.png)"),
        ("src=a.png", "![](https://site.example/dir/a.png)"),
        ("src='data:image/gif;base64,R0' data-src=/a.png", "![](https://site.example/a.png)"),
        ("src=blank.gif data-original=/a.png", "![](https://site.example/a.png)"),
        ("src=blank.gif data-lazy-src=/a.png", "![](https://site.example/a.png)"),
        ("src=a.png alt='[x](y) *z*'", "![\\[x\\](y) \\*z\\*](https://site.example/dir/a.png)"),
        ("src=a.png alt='<p>A &lt;em&gt;lamp</em>,<br>lit</p>'", "![A lamp, lit](https://site.example/dir/a.png)"),
        ("src=a.png alt='A <br> tag'", "![A \\<br> tag](https://site.example/dir/a.png)"),
        ("src=a.png alt=x", "![](https://site.example/dir/a.png)"),
        ("src=a.png alt=등", "![등](https://site.example/dir/a.png)"),
        ("src=a.png alt=DSC_01.JPG", "![](https://site.example/dir/a.png)"),
        ("src=a.png alt='The file a.jpg'", "![The file a.jpg](https://site.example/dir/a.png)"),
        ("src=a.png alt=f:id:ann:20200101:image", "![](https://site.example/dir/a.png)"),
        ("src=javascript:x", ""),
        ("src='data:image/gif;base64,R0'", ""),
        ("alt=nothing", ""),
        ("src=a.png hidden", ""),
    ],
)
def test_images_between_blocks(attributes: str, expected: str) -> None:
    doc = document(f"<p>a</p><img {attributes}><p>b</p>", images=True)
    assert doc.markdown == (f"a\n\n{expected}\n\nb" if expected else "a\n\nb")
    assert doc.text == "a\n\nb"
    assert doc.html.count("<img") == doc.render("xml").count("<graphic") == (1 if expected else 0)


LINKS_AND_IMAGES = (
    "<p>a <a href=/b>b</a></p><figure><img src=/c.png alt=C><figcaption>d</figcaption></figure><p>e</p>"
    "<div class=comments><p>f</p></div>"
)


def test_markdown_and_html_have_links_and_images_by_default_and_tei_if_asked_for() -> None:
    usual = document(LINKS_AND_IMAGES)
    plain = document(LINKS_AND_IMAGES, links=False, images=False)
    full = document(LINKS_AND_IMAGES, links=True, images=True)
    assert (usual.markdown, usual.html) == (full.markdown, full.html)
    assert body(usual) == body(plain)
    assert plain.markdown == "a b\n\nd\n\ne\n\nf"
    b, c = "https://site.example/b", "https://site.example/c.png"
    assert full.markdown == f"a [b]({b})\n\n![C]({c})\n\nd\n\ne\n\nf"
    assert article(plain) == "<p>a b</p><figure><figcaption>d</figcaption></figure><p>e</p><p>f</p>"
    assert article(full) == (
        f'<p>a <a href="{b}">b</a></p><figure><img src="{c}" alt="C"/><figcaption>d</figcaption></figure>'
        "<p>e</p><p>f</p>"
    )
    assert body(plain) == "<div><p>a b</p><figure><head>d</head></figure><p>e</p><p>f</p></div>"
    assert body(full) == (
        f'<div><p>a <ref target="{b}">b</ref></p><figure><graphic url="{c}" /><head>d</head></figure>'
        "<p>e</p><p>f</p></div>"
    )
    assert full.text == plain.text
    assert full.to_dict() == usual.to_dict()
    assert full.to_dict() | {"markdown": plain.markdown} == plain.to_dict()


def test_links_without_images_and_images_without_links() -> None:
    b, c = "https://site.example/b", "https://site.example/c.png"
    links, images = document(LINKS_AND_IMAGES, images=False), document(LINKS_AND_IMAGES, links=False)
    assert links.markdown == f"a [b]({b})\n\nd\n\ne\n\nf"
    assert images.markdown == f"a b\n\n![C]({c})\n\nd\n\ne\n\nf"
    only = document(LINKS_AND_IMAGES, links=True)
    assert (only.markdown, b in body(only), c in body(only)) == (document(LINKS_AND_IMAGES).markdown, True, False)


@pytest.mark.parametrize(
    ("head", "expected", "own"),
    [
        ("<link rel='Canonical nofollow' href=https://a.example/x/y>", "https://a.example/x/b", "https://a.example/x/y"),
        ("<meta property=og:url content=https://a.example/x/y>", "https://a.example/x/b", "https://a.example/x/y"),
        ("<base href=/z/><link rel=canonical href=https://a.example/x/y>", "https://a.example/z/b", "https://a.example/x/y"),
        ("<base href=https://c.example/z/><meta name=og:url content=http://a.example/>", "https://c.example/z/b", "http://a.example/"),
        ("<link rel=canonical href=/x/y><meta property=og:url content=https://a.example/>", "https://a.example/b", "https://a.example/"),
        ("<link rel=canonical href=/x/y>", "b", None),
        ("<link rel=canonical href=javascript:alert(1)>", "b", None),
        ("<link rel=canonical href='data:text/html,x'><meta property=og:url content=file:///etc/>", "b", None),
        ("<meta property=og:url content='https:///x'>", "b", None),
        (f"<link rel=canonical href=https://a.example/{'x' * 9_000}>", "b", None),
        ("", "b", None),
    ],
)  # fmt: skip
def test_links_of_a_page_without_url_are_relative_to_the_url_it_declares(
    head: str, expected: str, own: str | None
) -> None:
    options = Options(front_matter=True)
    doc = bonmun.extract(f"<head>{head}</head><p>a <a href=b>b</a></p>", method="all", options=options)
    front, _, text = doc.markdown.partition("\n---\n\n")
    assert text == f"a [b]({expected})"
    assert (f'\nurl: "{own}"' in front) if own else "url:" not in front
    assert doc.url is None
    given = bonmun.extract(f"<head>{head}</head><p>a", url=URL, method="all", options=options)
    assert f'\nurl: "{URL}"' in given.markdown


PARAGRAPH = "A paragraph that is long enough to be taken for the main text of this small page by anyone. "


@pytest.mark.parametrize("name", FORMATS)
def test_comments_follow_the_text_if_included(name: str) -> None:
    markup = f"<div class=comments><p>Nice words.</p></div><article>{f'<p>{PARAGRAPH}</p>' * 4}</article>"
    plain, full = bonmun.extract(markup), bonmun.extract(markup, options=Options(comments=True))
    assert [block.text for block in plain.comments] == ["Nice words."]
    assert "Nice words." not in plain.text
    if name != "json":
        assert "Nice words." not in plain.render(name)
        assert full.render(name).rindex("Nice words.") > full.render(name).rindex("by anyone.")
    else:
        assert json.loads(full.render(name))["text"].endswith("by anyone.\n\nNice words.")


# --- html -----------------------------------------------------------------------------------------------------------


def test_exact_html() -> None:
    markup = "<html lang=en><title>T &amp; t</title><h2>a</h2><p>b<br>c &lt; <b>d</b></p><ol start=2><li>e</ol>"
    doc = bonmun.extract(markup, method="all")
    assert doc.html == (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>T &amp; t</title>\n</head>\n<body>\n'
        "<article>\n<h2>a</h2>\n<p>b<br/>\nc &lt; <strong>d</strong></p>\n"
        '<ol start="2"><li>e</li>\n</ol>\n</article>\n</body>\n</html>\n'
    )


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("a<p>b</p>", "<p>a</p><p>b</p>"),
        ("<div><div>a</div><span>b</span></div>", "<p>a</p><p>b</p>"),
        ("<ul><li>a<ul><li>b</ul></ul>", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
        ("<ul><li><p>a</p><li><p>b</p><p>c</p></ul>", "<ul><li>a</li><li><p>b</p><p>c</p></li></ul>"),
        ("<ul>a<p>b</p></ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<li>a", "<ul><li>a</li></ul>"),
        ("<dl><dt>a<dd>b</dl>", "<dl><dt>a</dt><dd>b</dd></dl>"),
        ("<dt>a<dd>b", "<p>a</p><p>b</p>"),
        (
            "<table><caption>a</caption><thead><tr><th>b<th colspan=2>c</thead><tr><td><td rowspan=2>d</table>",
            ('<table><caption>a</caption><tr><th>b</th><th colspan="2">c</th></tr>'
            '<tr><td></td><td rowspan="2">d</td></tr></table>'),
        ),
        ("<table><tr><td>a<td>b</table>", "<p>a</p><p>b</p>"),
        ("<table><tr><th colspan='2\" onload=x'>a</table>", "<table><tr><th>a</th></tr></table>"),
        ("<blockquote>a<p>b</p></blockquote>", "<blockquote><p>a</p><p>b</p></blockquote>"),
        ("<pre>a\n <b>b</b></pre>", "<pre><code>a\n b</code></pre>"),
        ("<pre class=lang-c>a</pre>", '<pre><code class="language-c">a</code></pre>'),
        ("<figure><figcaption>a</figcaption></figure>", "<figure><figcaption>a</figcaption></figure>"),
        ("<figcaption>a</figcaption>", "<p>a</p>"),
        ("<h2><div>a</div><div>b</div></h2>", "<h2>a b</h2>"),
        ("<ul><li><h3>a</h3></ul>", "<ul><li>a</li></ul>"),
        (
            "<p><b>a</b><i>b</i><s>c</s><code>d</code><sub>e</sub><sup>f</sup><u>g</u></p>",
            "<p><strong>a</strong><em>b</em><del>c</del><code>d</code><sub>e</sub><sup>f</sup>g</p>",
        ),
        ("<b><p>a</p></b>", "<p>a</p>"),
        ("<p>&lt;script>x&lt;/script> &amp;amp;</p>", "<p>&lt;script&gt;x&lt;/script&gt; &amp;amp;</p>"),
    ],
)  # fmt: skip
def test_html_of_structures(markup: str, expected: str) -> None:
    assert article(document(markup)) == expected


def test_html_has_title_and_language_if_known() -> None:
    doc = document("<p>a")
    assert doc.html.startswith('<!DOCTYPE html>\n<html><head><meta charset="utf-8"/><title>Untitled</title>')


HOSTILE = (
    "<title></title><script>x</script></title><h1 onclick=x style='x:y' class=c id=i>a<script>evil()</script></h1>"
    "<p onmouseover=x><a href='javascript:x' onclick=y target=t>b</a> <a href='x&quot; onclick=&quot;y'>c</a></p>"
    "<img src=x onerror=y alt='\"&gt;&lt;script&gt;'><p>d</p><iframe src=x></iframe><svg onload=x></svg>"
    "<pre class='language-a\" onclick=x'>e</pre><form action=x><input onfocus=y></form><object data=x></object>"
    "<p>]]&gt; --&gt; &lt;![CDATA[ \x0b\x0c &#1; \ufffe f</p><math><mtext><p>g</p></mtext></math><p style='x'>h"
)


@pytest.mark.parametrize("options", [Options(), ALL])
def test_html_is_safe_and_well_formed_as_html_and_xml(options: Options) -> None:
    doc = bonmun.extract(HOSTILE, url=URL, method="all", options=options)
    tree = turbohtml.parse(doc.html)
    assert tree.errors == []
    names = {element.tag for element in tree.iter_elements()}
    assert names <= set("html head meta title body article h1 p a img pre code".split())
    attributes = {name for element in tree.iter_elements() for name in element.attrs}
    assert attributes <= {"charset", "href", "src", "alt", "class"}
    assert "javascript:" not in doc.html
    root = ET.fromstring(doc.html)  # the same elements and words as XML
    assert [element.tag for element in root.iter()] == [element.tag for element in tree.iter_elements()]
    assert words("".join(root.itertext())) == words(tree.text)


@on_every_page
def test_html_of_a_whole_page_is_well_formed_as_html_and_xml(path: Path) -> None:
    doc = bonmun.extract(path.read_bytes(), url=URL, method="all", options=ALL)
    tree = turbohtml.parse(doc.html)
    assert tree.errors == []
    tags = [element.tag for element in tree.iter_elements() if element.tag != "tbody"]  # added by HTML parsers
    assert [element.tag for element in ET.fromstring(doc.html).iter()] == tags
    assert not re.search(r"<script|<style|\son\w+=|javascript:", doc.html)


# --- json -----------------------------------------------------------------------------------------------------------

KEYS = (
    "url title author authors date language site_name description facts tags modified image canonical publisher licence favicon "
    "categories feeds paywall reading_minutes kind method confidence encoding text markdown cut fingerprint "
    "blocks comments tables posts thread"
)


def test_exact_json() -> None:
    doc = bonmun.extract("<title>T</title><p>a “b”</p>".encode(), url=URL, method="all")
    assert doc.render("json") == (
        '{"url": "https://site.example/dir/page", "title": "T", "author": null, "authors": [], "date": null, "language": null, '
        '"site_name": null, "description": null, "facts": {"title": {"value": "T", "source": "title", '
        '"confidence": 0.991}}, "tags": [], "modified": null, "image": null, "canonical": null, "publisher": null, '
        '"licence": null, "favicon": null, "categories": [], "feeds": [], "paywall": null, "reading_minutes": null, '
        '"kind": "article", "method": "all", "confidence": 0.0, '
        '"encoding": "utf-8", "text": "a “b”", "markdown": "a “b”", "cut": false, "fingerprint": null, "blocks": [{"text": "a “b”", "kind": "paragraph", '
        '"xpath": "/html/body/p[1]", "score": 1.0, "reason": "shown"}], "comments": [], "tables": [], "posts": [], "thread": []}'
    )


@on_every_page
def test_json_is_complete_and_in_a_fixed_order(path: Path) -> None:
    data = path.read_bytes()
    doc = bonmun.extract(data, url=URL)
    read = json.loads(doc.render("json"))
    assert [key for key in read if key != "hint"] == KEYS.split()
    assert ("hint" in read) == (doc.hint is not None)
    assert read == doc.to_dict()
    assert "\n" not in doc.render("json")
    tree = doc.page._tree
    for block, kept in zip(read["blocks"], doc.blocks, strict=True):
        assert list(block) == ["text", "kind", "xpath", "score", "reason"]
        assert block["text"] == kept.text
        assert 0 <= block["score"] <= 1
        assert block["reason"]
        if "/template[" not in block["xpath"]:
            assert len(tree.xpath(block["xpath"])) == 1  # type: ignore[arg-type]


# --- xml ------------------------------------------------------------------------------------------------------------


def test_exact_tei_header() -> None:
    markup = (
        '<html lang=en><meta property=og:title content="A &amp; B"><meta name=author content="Ann Author">'
        '<meta property=article:published_time content="2024-05-06T07:08:09Z"><meta property=og:site_name content=Site>'
    )
    xml = bonmun.extract(markup + "<p>x", url="https://site.example/?a=1&b=2", method="all").render("xml")
    start = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>'
        "<titleStmt><title>A &amp; B</title><author>Ann Author</author></titleStmt>"
        "<publicationStmt><p>Site</p></publicationStmt><sourceDesc><bibl><title>A &amp; B</title>"
        '<author>Ann Author</author><date when="2024-05-06">2024-05-06</date>'
        '<ptr target="https://site.example/?a=1&amp;b=2" /></bibl></sourceDesc></fileDesc>'
        f'<encodingDesc><appInfo><application ident="bonmun" version="{bonmun.__version__}">'
        "<label>bonmun, method all</label></application></appInfo></encodingDesc>"
        '<profileDesc><langUsage><language ident="en">en</language></langUsage></profileDesc></teiHeader>'
    )
    assert xml == start + "<text><body><div><p>x</p>\n</div>\n</body></text></TEI>\n"


def test_tei_header_without_metadata() -> None:
    header = ET.fromstring(bonmun.extract("<p>x", method="all").render("xml"))[0]
    assert [element.tag.removeprefix(TEI) for element in header.iter()] == (
        "teiHeader fileDesc titleStmt title publicationStmt p sourceDesc bibl title "
        "encodingDesc appInfo application label".split()
    )
    assert [title.text for title in header.iter(f"{TEI}title")] == ["Untitled", "Untitled"]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>a</p><p>b</p>", "<div><p>a</p><p>b</p></div>"),
        ("<h1>a</h1><p>b</p>", '<div><head rend="h1">a</head><p>b</p></div>'),
        (
            "<p>a</p><h2>b</h2><p>c</p><h3>d</h3><p>e</p>",
            '<div><p>a</p></div><div><head rend="h2">b</head><p>c</p></div><div><head rend="h3">d</head><p>e</p></div>',
        ),
        ("<ul><li>a<li>b</ul>", '<div><list rend="bulleted"><item>a</item><item>b</item></list></div>'),
        ("<ol start=4><li>a</ol>", '<div><list rend="numbered" n="4"><item>a</item></list></div>'),
        (
            "<ul><li>a<ul><li>b</ul></ul>",
            '<div><list rend="bulleted"><item>a<list rend="bulleted"><item>b</item></list></item></list></div>',
        ),
        ("<dl><dt>a<dd>b</dl>", '<div><list type="gloss"><label>a</label><item>b</item></list></div>'),
        (
            "<dl><dt>a<dd>b<dd>c</dl>",
            "<div><list><item><label>a</label></item><item>b</item><item>c</item></list></div>",
        ),
        (
            "<table><caption>a</caption><tr><th>b<td colspan=2>c<tr><td><td rowspan=3>d</table>",
            (
                '<div><table><head>a</head><row><cell role="label">b</cell><cell cols="2">c</cell></row>'
                '<row><cell /><cell rows="3">d</cell></row></table></div>'
            ),
        ),
        ("<blockquote><p>a</p></blockquote>", "<div><quote><p>a</p></quote></div>"),
        (
            "<pre class=language-c>a\n b</pre>",
            '<div><p xml:space="preserve"><code lang="c">a\n b</code></p></div>',
        ),
        ("<p>a<br>b</p>", "<div><p>a<lb />b</p></div>"),
        (
            "<p><b>a</b><i>b</i><sub>c</sub><sup>d</sup><s>e</s><code>f</code></p>",
            (
                '<div><p><hi rend="bold">a</hi><hi rend="italic">b</hi><hi rend="subscript">c</hi>'
                '<hi rend="superscript">d</hi><del>e</del><code>f</code></p></div>'
            ),
        ),
        ("<figure><figcaption>a</figcaption></figure>", "<div><figure><head>a</head></figure></div>"),
        (
            "<ol><li><h2>a</h2>b</ol>",
            '<div><list rend="numbered"><item><hi rend="h2">a</hi>b</item></list></div>',
        ),
        ("<img src=x>", "<div><p /></div>"),
    ],
)
def test_tei_of_structures(markup: str, expected: str) -> None:
    assert body(document(markup)) == expected


TEI_PARENTS = {
    "div": {"body"},
    "head": {"div", "table", "figure"},
    "p": {"div", "item", "cell", "quote", "figure"},
    "list": {"div", "item", "cell", "quote", "figure"},
    "item": {"list"},
    "label": {"list", "item"},
    "table": {"div", "item", "cell", "quote", "figure"},
    "row": {"table"},
    "cell": {"row"},
    "quote": {"div", "item", "cell", "quote", "figure"},
    "figure": {"div", "item", "cell", "quote", "figure"},
}


@on_every_page
def test_tei_of_a_whole_page_is_well_formed_and_well_nested(path: Path) -> None:
    root = ET.fromstring(bonmun.extract(path.read_bytes(), url=URL, method="all", options=ALL).render("xml"))
    assert root.tag == f"{TEI}TEI"
    assert [child.tag.removeprefix(TEI) for child in root] == ["teiHeader", "text"]
    parents = {child: parent for parent in root[1].iter() for child in parent}
    for element in root[1].iter():
        name = element.tag.removeprefix(TEI)
        if name in TEI_PARENTS:
            assert parents[element].tag.removeprefix(TEI) in TEI_PARENTS[name]
        if name == "head" and parents[element].tag == f"{TEI}div":
            assert parents[element][0] is element
    ids = [ptr.get("target") for ptr in root[0].iter(f"{TEI}ptr")]
    assert ids == [URL]


# --- the formats never change what is kept --------------------------------------------------------------------------

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def renderings(doc: Document) -> dict[str, str]:
    return {
        "text": doc.render("text"),
        "json": json.loads(doc.render("json"))["text"],
        "html": read_html(doc.html),
        "xml": read_tei(doc.render("xml")),
        "markdown": read_html(MARKDOWN.render(drop_marks(doc.markdown, doc.html))),
    }


def check_words(doc: Document) -> None:
    said = {name: words(text) for name, text in renderings(doc).items()}
    for name, found in said.items():
        repeats = name == "markdown" and repeats_spans(said["text"], found, doc.html)
        assert found == said["text"] or repeats, name


@pytest.mark.slow
@on_every_page
@in_one_test("method", ["auto", "all"])
@in_one_test("options", [Options(posts=False), Options(comments=True, links=True, posts=True)], ids=["plain", "full"])
def test_all_formats_of_a_whole_page_have_the_same_words(path: Path, method: str, options: Options) -> None:
    doc = bonmun.extract(path.read_bytes(), method=method, options=options)
    check_words(doc)


WORDS = "alpha beta 한글 日本 x 42 é foo_bar".split()
MARKS = (
    "* _ # | < > [ ] ~ \\ ` ! ( ) + - = . : & ** __ ``` ~~~ 1. 1) === --- &amp; &lt;b> <!-- http://a.b/c a@b.cd ![ ]( "
    "“ ” 。 、 （ ） … — [x] [^1] [a]:b |-| <b> </p> <? <![CDATA[ *** &copy; &#65;"
).split()
TEXT = st.lists(st.sampled_from([*WORDS, *MARKS, " ", " ", "\n"]), min_size=1, max_size=5).map(
    lambda parts: escape("".join(parts))
)
INLINE = st.sampled_from("b i em strong code s sub sup span a kbd x-y".split())


@st.composite
def phrases(draw: st.DrawFn, depth: int = 2) -> str:
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 7))
        if kind < 5 or not depth:
            parts.append(draw(TEXT))
        elif kind == 5:
            parts.append("<br>")
        else:
            tag = draw(INLINE)
            parts.append(f"<{tag}{' href=/x(1)_[2]' if tag == 'a' else ''}>{draw(phrases(depth - 1))}</{tag}>")
    return "".join(parts)


LEAVES = st.sampled_from("p p h1 h3 pre div li blockquote figcaption dt summary".split())
NESTS = st.sampled_from("ul ol ol7 blockquote dl figure div details table table".split())


@st.composite
def structures(draw: st.DrawFn, depth: int = 2) -> str:
    """Return nested block markup."""
    if not depth or draw(st.booleans()):
        tag = draw(LEAVES)
        return f"<{tag}>{draw(phrases())}</{tag}>"

    def inside() -> str:
        parts = st.one_of(phrases(), structures(depth - 1))
        return "".join(draw(st.lists(parts, min_size=1, max_size=2)))

    tag = draw(NESTS)
    many = range(draw(st.integers(1, 3)))
    if tag in ("ul", "ol", "ol7"):
        items = "".join(f"<li>{inside()}</li>" for _ in many)
        return f"<ol start=7>{items}</ol>" if tag == "ol7" else f"<{tag}>{items}</{tag}>"
    if tag == "dl":
        return "<dl>" + "".join(f"<dt>{draw(phrases())}</dt><dd>{inside()}</dd>" for _ in many) + "</dl>"
    if tag == "table":
        width = range(draw(st.integers(1, 3)))
        head = "<tr>" + "".join(f"<th>{draw(phrases())}</th>" for _ in width) + "</tr>"
        rows = ["".join(f"<td>{inside()}</td>" for _ in width) for _ in many]
        return f"<table>{head}" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
    extra = {"figure": "<figcaption>c</figcaption>", "details": "<summary>s</summary>"}.get(tag, "")
    return f"<{tag}>{extra}{inside()}</{tag}>"


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(st.lists(structures(), min_size=1, max_size=3).map("".join), st.booleans())
def test_all_formats_of_any_structure_have_the_same_words(markup: str, links: bool) -> None:
    doc = document(markup, links=links)
    check_words(doc)


@pytest.mark.parametrize(
    "markup",
    [
        pytest.param("<table><tr><th><ol><li>a</ol></table>"),
        pytest.param("<table><tr><th><ul><li>a</ul>b</table>"),
        pytest.param("<ul><li><table><tr><th colspan=2>a</table><h3>b_ &lt;c</h3></ul>"),
    ],
)
def test_markdown_of_blocks_in_cells_and_items_keeps_the_words(markup: str) -> None:
    check_words(document(markup))


# --- partly kept blocks ---------------------------------------------------------------------------------------------


def kept_in_part(markup: str, kept: set[str]) -> Document:
    page = Page.parse(f"<!DOCTYPE html><body>{markup}", url=URL)
    keep = [leaf.text in kept for leaf in page.leaves]
    assert sum(keep) == len(kept)
    labels = Labels("by hand", "leaf", [float(each) for each in keep], keep, ["said so"] * len(keep), 1.0)
    return Document(page, labels, Options())


PARTS = [
    ("<p>a <b>x</b> c</p>", {"a", "c"}, "a c", "a c", "<p>a c</p>"),
    ("<p>a<b>x</b>c</p>", {"a", "c"}, "ac", "ac", "<p>ac</p>"),
    ("<p>x <b>b</b> y</p>", {"b"}, "b", "**b**", "<p><strong>b</strong></p>"),
    ("<p>a<br>x<br>c</p>", {"a", "c"}, "a\nc", "a  \nc", "<p>a<br/>c</p>"),
    ("<p>a<br><b>x</b> c</p>", {"a", "c"}, "a\nc", "a  \nc", "<p>a<br/>c</p>"),
    ("<p>x</p><p>b</p>", {"b"}, "b", "b", "<p>b</p>"),
    (
        "<ul><li>a<i>x</i><li>y<li><i>c</i>z</ul>",
        {"a", "c"},
        "a\nc",
        "- a\n- *c*",
        "<ul><li>a</li><li><em>c</em></li></ul>",
    ),
    (
        "<pre>a\n  <b>x</b>\n    <b>c</b></pre>",
        {"a", "c"},
        "a\n    c",
        "```\na\n    c\n```",
        "<pre><code>a\n    c</code></pre>",
    ),
    (
        "<table><tr><th>a<th>x<th>c<tr><td>y<td>d<td>z</table>",
        {"a", "c", "d"},
        "a\t\tc\n\td",
        None,
        "<table><tr><th>a</th><td></td><th>c</th></tr><tr><td></td><td>d</td><td></td></tr></table>",
    ),
]


@pytest.mark.parametrize(("markup", "kept", "text", "markdown", "expected"), PARTS)
def test_partly_kept_blocks(markup: str, kept: set[str], text: str, markdown: str | None, expected: str) -> None:
    doc = kept_in_part(markup, kept)
    assert doc.text == text
    assert article(doc) == expected
    if markdown is not None:
        assert doc.markdown == markdown
    assert words(" ".join(block["text"] for block in json.loads(doc.render("json"))["blocks"])) == words(text)
    check_words(doc)


def test_a_partly_kept_block_has_the_best_score_of_its_leaves() -> None:
    page = Page.parse("<p>a <b>b</b> c</p><p>d</p>")
    labels = Labels("by hand", "leaf", [0.6, 0.9, 0.1, 0.2], [True, True, False, False], ["r", "s", "t", "u"], 0.5)
    (block,) = Document(page, labels, Options()).blocks
    assert (block.text, block.score, block.reason, block.leaves, block.xpath) == (
        "a b", 0.9, "r", [0, 1], "/html/body/p[1]",
    )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(structures(), min_size=1, max_size=2).map("".join), st.randoms(use_true_random=False))
def test_all_formats_of_partly_kept_blocks_have_the_same_words(markup: str, random: Any) -> None:
    page = Page.parse(f"<!DOCTYPE html><body>{markup}")
    keep = [random.random() < 0.7 for _ in page.leaves]
    labels = Labels("by hand", "leaf", [float(each) for each in keep], keep, ["r"] * len(keep), 1.0)
    doc = Document(page, labels, Options())
    check_words(doc)


# --- formats by name ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "TEXT", "pdf", "tree", "../text"])
def test_unknown_formats_are_refused(name: str) -> None:
    with pytest.raises(BadConfig, match=r"choose one of text, markdown, html, json, xml"):
        document("<p>a").render(name)


@pytest.mark.parametrize("name", FORMATS)
def test_rendering_is_deterministic(name: str) -> None:
    markup = LINKS_AND_IMAGES + HOSTILE
    assert document(markup, links=True).render(name) == document(markup, links=True).render(name)


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_document_renders(name: str) -> None:
    doc = document("<img src=x>")
    assert words(renderings(doc)[name]) == []
    assert doc.kind == "empty"


def test_text_after_an_image_in_a_cell_starts_a_new_line() -> None:
    html = "<table><tr><th>a<th>b<tr><td>c<td><img src=d.png alt=e>f<p>g</table>"
    doc = bonmun.extract(html, URL, "all", Options(images=True))
    assert '<img src="https://site.example/dir/d.png" alt="e"/><br/>\nf<br/>\ng</td>' in doc.html


@pytest.mark.parametrize("href", ["#", " # ", ""])
def test_links_to_the_start_of_the_page_are_plain_text(href: str) -> None:
    page = f"<p>Press <a href='{href}'>this</a> or <a href='#b'>that</a>.</p>"
    assert bonmun.extract(page, "https://site.example/a", "all").markdown == (
        "Press this or [that](https://site.example/a#b)."
    )


def test_code_that_is_a_cell_stays_in_its_row() -> None:
    page = "<div class=syntaxhighlighter><table><td><td class=code><pre>lamp on<tr><td>"
    doc = document(page)
    assert "lamp on" in doc.markdown
    assert "<td><pre><code>lamp on</code></pre>" in doc.html
