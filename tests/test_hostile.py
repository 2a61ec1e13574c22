"""Hostile input: every format is well-formed, has the same words, and takes linear time."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bonmun import Options, Page, extract
from bonmun.bounds import find_max_elements
from bonmun.errors import BadInput, EmptyInput, NotHtml, Undecodable
from bonmun.outputs import FORMATS
from samples import in_one_test
from scripts.fuzz.checks import find_harm, find_malformed, find_other_words, find_words
from scripts.fuzz.shapes import BYTE_SHAPES, SHAPES
from scripts.fuzz.shapes.shape import SENTENCE, P, linked_data
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bonmun import Document
    from scripts.fuzz.shapes import Shape

EVERYTHING = Options(links=True, images=True, comments=True)


def documents(html: str | bytes, url: str = "https://example.org/a/b") -> list[Document]:
    """Return the documents of all methods, with everything shown that can be shown."""
    page = Page.parse(html, url)
    return [extract(page, method=method, options=EVERYTHING) for method in ("all", "auto")]


def check(html: str | bytes, url: str = "https://example.org/a/b") -> Document:
    """Check all documents of a page; return the one that keeps everything."""
    docs = documents(html, url)
    for doc in docs:
        written = {name: doc.render(name) for name in FORMATS}
        assert not list(find_malformed(written))
        assert not list(find_other_words(written))
        assert not list(find_harm(written))
    return docs[0]


# --- size ------------------------------------------------------------------------------------------------------------

TESTED = {name: shape for name, shape in SHAPES.items() if shape.tested}


@pytest.mark.slow
@pytest.mark.parametrize("shape", TESTED.values(), ids=TESTED.keys())
def test_time_is_linear(shape: Shape) -> None:
    """A page of a quarter of the size must take at least a ninth of the time."""

    def write(html: str | bytes) -> dict[str, str]:
        everything, auto = documents(html)
        auto.render("text")
        chunks = everything.chunks()
        assert sum(len(chunk.text) for chunk in chunks) <= len(everything.text)
        assert everything.tables is not None
        assert everything.posts is not None
        return {name: everything.render(name) for name in FORMATS}

    assert not list(find_malformed(assert_linear(shape.make, write, shape.size // 2)))


@pytest.mark.slow
@pytest.mark.parametrize("shape", BYTE_SHAPES.values(), ids=BYTE_SHAPES.keys())
def test_decoding_takes_linear_time(shape: Shape) -> None:
    def read(data: str | bytes) -> list[str]:
        try:
            return Page.parse(data).texts
        except BadInput as problem:
            return [str(problem)]

    assert assert_linear(shape.make, read, shape.size)


@pytest.mark.slow
def test_a_hundred_thousand_paragraphs_are_read() -> None:
    doc = extract("<p>tiny" * 100_000, method="all")
    assert doc.text.count("tiny") == len(doc.blocks) == 100_000


@pytest.mark.parametrize(
    "html",
    [
        "".join(f"<p><b id={i}>text" for i in range(600)),
        "".join(f"<p><font color=#{i:06x}>text" for i in range(600)),
        "".join(f"<b id={i}>" for i in range(400)) + "<p>text" * 400,
        "".join(f"<i class=c{i}>" for i in range(400)) + "<table><tr><td>text</table>" * 400,
    ],
    ids=["bold", "font", "bold around", "cells"],
)
def test_open_emphasis_does_not_exceed_the_element_limit(html: str) -> None:
    """HTML parsers reopen unclosed emphasis in every paragraph (see bombs.py)."""
    page = Page.parse(html)
    assert len(page.tags) <= find_max_elements(len(html))
    assert not page.cut


def test_a_link_to_a_cut_note_is_not_a_reference() -> None:
    doc = check("<div>" * 110 + "<p>w<sup><a href='#n1'>1</a></sup></p>" + "<p>a" * 6_000 + "<p id=n1>Note</p>")
    assert doc.cut
    assert doc.text.startswith("w1\n")
    assert doc.references == frozenset()


# --- truncated pages -------------------------------------------------------------------------------------------------

PAGE = """<!DOCTYPE html>
<html lang="ko"><head><meta charset="{}"><title>바닷가 마을의 등대 - 갈매기 신문</title>
<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "바닷가 마을의 등대"}}</script></head>
<body><nav class="menu"><a href="/">처음</a> <a href="/news">소식</a></nav>
<article><h1>바닷가 마을의 등대</h1>
<p>마을 끝의 낡은 등대가 <b>올봄</b> 다시 불을 밝혔다. 주민들은 <a href="/story?a=1&b=2">삼 년 동안</a> 손수 벽을 고쳤다.</p>
<ul><li>첫 번째 방에는 지도<li>두 번째 방에는 <i>오래된</i> 사진</ul>
<table><tr><th>요일</th><th>시간</th></tr><tr><td>월요일</td><td>아홉 시</td></tr><tr><td>화요일</td><td>열 시</td></tr></table>
<blockquote>불빛이 보이면 집에 다 온 것이다.</blockquote><pre><code class="language-python">print("등대")</code></pre>
<figure><img src="light.png" alt="등대"><figcaption>해 질 녘의 등대</figcaption></figure>
<p>입장은 무료이며, 비가 오는 날에는 문을 닫는다.</p></article>
<div id="comments"><p>어릴 때 놀던 곳이라 반갑습니다.</p></div><footer>갈매기 신문</footer></body></html>"""


@pytest.mark.slow
@pytest.mark.parametrize("start", [50, 51, 52])
@pytest.mark.parametrize("codec", ["utf-8", "cp949", "utf-16"])
def test_a_truncated_page_gives_what_it_contains(codec: str, start: int) -> None:
    data = PAGE.format("euc-kr" if codec == "cp949" else "utf-8").encode(codec)
    whole = find_words(check(data).text)
    cuts = range(start, len(data), 50)
    assert len(cuts) > 15
    for cut in cuts:
        doc = check(data[:cut])
        assert find_words(doc.text)[:-1] == whole[: len(find_words(doc.text)[:-1])]


def test_the_pages_are_truncated_inside_tags_and_characters() -> None:
    data = PAGE.format("utf-8").encode()
    cuts = [cut for start in (50, 51, 52) for cut in range(start, len(data), 50)]
    assert any(data[cut] & 0xC0 == 0x80 for cut in cuts)
    assert any(data.rfind(b"<", 0, cut) > data.rfind(b">", 0, cut) for cut in cuts)


# --- malformed markup ------------------------------------------------------------------------------------------------

MALFORMED = {
    "nothing closed": f"<html><head><style></style><body><div><section><p>{SENTENCE}",
    "title closed only": f"<title>T</title><body><div><section><ul><li><b><i><a href=x>{SENTENCE}",
    "everything closed twice": f"<div><p>{SENTENCE}</p></p></div></div></body></html></html></div>",
    "only end tags before": f"</html></body></div></p></b></table></td>{P}",
    "misnested emphasis": f"<b><i>{SENTENCE}</b> and</i> more",
    "misnested links": f"<a href=x>{SENTENCE}<a href=y>more</a></a>",
    "misnested blocks": f"<p><div>{SENTENCE}</p></div>",
    "headings in headings": f"<h1><h2><h3>{SENTENCE}</h1></h2></h3>",
    "list items alone": f"<li>{SENTENCE}<li>more",
    "terms alone": f"<dd>{SENTENCE}<dt>more",
    "cells alone": f"<td>{SENTENCE}<tr><th>more",
    "cells without rows": f"<table><td>{SENTENCE}<td>more<th>again</table>",
    "text in a table": f"<table>{SENTENCE}<tr>more<td>again",
    "blocks in a row": f"<table><tr><div>{SENTENCE}</div><td>more</table>",
    "captions anywhere": f"<table><tr><td>more<td>less<caption>{SENTENCE}</caption><tr><td>a<td>b</table>",
    "a table in a row": f"<table><tr><td>a<td>b<tr><table><tr><td>{SENTENCE}</table></table>",
    "a form in a table": f"<table><form><tr><td>{SENTENCE}</form></table>",
    "a list in a paragraph in a link": f"<a href=x><p><ul><li>{SENTENCE}</ul></p></a>",
    "text in a list": f"<ul>{SENTENCE}<li>more</li>again</ul>",
    "text in a definition list": f"<dl>{SENTENCE}<dt>more<dd>again</dl>",
    "an item in an item": f"<ul><li>a<li><li>{SENTENCE}</ul>",
    "plaintext": f"{P}<plaintext></p><b>not bold</b>",
    "plaintext first": f"<plaintext>{SENTENCE}</plaintext>",
    "xmp": f"<xmp><b>{SENTENCE}</b></xmp>",
    "textarea": f"{P}<textarea><b>not bold",
    "an open comment": f"{P}<!-- lost words",
    "a strange comment": f"{P}<!--> <!---> <!-- -- --!> <! x> <? y ?>",
    "an open script": f"{P}<script>lost = '</scrip",
    "an open style": f"{P}<style>p {{",
    "an open attribute": f'{P}<p class="lost words</p>',
    "an open tag": f"{P}<p class=a",
    "an open end tag": f"{P}</p",
    "a title that is open": f"{P}<title>lost words",
    "CDATA": f"{P}<![CDATA[ lost <b>words</b> ]]>",
    "attributes without values": f"<p class id style title>{SENTENCE}<a href><img src></a>",
    "attributes twice": f"<p class=a class=b id=c id=d>{SENTENCE}",
    "quotes in attributes": f"<p a='\"' b=\"'\" c=`d` =e f==g>{SENTENCE}",
    "strange tags": f"<o:p><1><a:b><x-y><é>{SENTENCE}</é>",
    "strange attributes": f"<p <a> \"b\" 'c' é=d :e @f #g [h] (i)>{SENTENCE}",
    "a tag in a tag": f"<p<b>{SENTENCE}</b>",
    "entities": f"<p>{SENTENCE} &amp;amp; &lt;b&gt; &notin; &notit; &#0; &#xD800; &#x110000; &#99999999; &; &#; &#x;",
    "a long entity": f"<p>{SENTENCE} &{'a' * 1000};",
    "an svg with text": f"{P}<svg><text>not shown</text><foreignObject><p>nor this</p></foreignObject></svg>",
    "math": f"<p>{SENTENCE} <math><mi>x</mi><mo>=</mo><mn>1</mn><annotation>x=1</annotation></math></p>",
    "html in svg": f"<main><svg><p>{SENTENCE}</svg>",
    "a select": f"{P}<select><option>a<option>b<div>c</select>",
    "frames": "<frameset><frame src=a></frameset><noframes>lost words</noframes>",
    "ruby": f"<p>{SENTENCE} <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</ruby>",
    "a picture": f"{P}<picture><source srcset=a><img src=b alt='c d'></picture>{P}",
    "an object": f"{P}<object data=a><param name=b>instead</object>",
    "a dialog": f"{P}<dialog open>open words</dialog><dialog>closed words</dialog>",
    "details": f"<details><summary>more</summary>{SENTENCE}</details>",
    "templates": f"{P}<template><p>lost words</template>",
    "shadow roots": f"<div><template shadowrootmode=open><p>before <slot></slot> after</template>{SENTENCE}</div>",
    "a shadow root in a shadow root": f"<p><template shadowrootmode=open><span><template shadowrootmode=closed>{SENTENCE}",
    "no script": f"<noscript>{P}</noscript>",
    "white space only in pre": f"<pre> \n\t\n </pre>{P}<pre>\n</pre>",
    "pre in everything": f"<ul><li><pre>a\n  b</pre><li><table><tr><td><pre>c</pre><td>{SENTENCE}</table></ul>",
    "base javascript": f"<base href='javascript:alert(1)'><p>{SENTENCE} <a href='b'>more</a><img src='c'></p>",
    "base data": f"<base href='data:text/html,x'><p>{SENTENCE} <a href='b'>more</a></p>",
    "base broken": f"<base href='http://[::1'><p>{SENTENCE} <a href='b'>more</a><a href='http://[x'>again</a></p>",
    "bad URLs": f"<p>{SENTENCE}<a href=' java\nscript:alert(1)'>a</a><a href='JaVaScRiPt:x'>b</a><a href='//['>c</a>",
    "marks in addresses": f"<p>{SENTENCE} <a href='a b)(c<d>\"e\\'>more</a><img src='a b)' alt='] ( [ &lt;'></p>{P}",
    "huge spans": f"{P}<table><tr><td colspan=99999999>a<td rowspan=-1>b<tr><td colspan=x>c<td rowspan=०>d</table>",
    "a huge start": f"<ol start=99999999999999999999><li>{SENTENCE}</ol><ol start=-5><li>more</ol>",
    "broken JSON-LD": linked_data('{"@type": "Article", "name": '),
    "strange JSON-LD": linked_data(
        '{"@type": ["Article", 1, null], "author": [[[]], {"name": {}}], "headline": 5, "datePublished": ["a"], '
        '"publisher": [{}, null], "@graph": {}}'
    ),
    "JSON-LD with numbers": linked_data('{"@type": "Article", "name": 1e999, "headline": NaN}'),
    "strange meta": "<meta content=x><meta name=author><meta name='' content=''><meta property=og:title content=' '>"
    f"<meta name=date content='9999-99-99'><meta name=pubdate content='0000-00-00'>{P}",
    "strange lang": f"<html lang='!'><p lang='x'>{SENTENCE}",
    "Windows lines": f"<p>{SENTENCE}\r\nmore\rwords</p>\r\n<pre>a\r\nb\rc</pre>",
    "tabs and form feeds": f"<p\tclass=a\f>{SENTENCE}\t\f\vmore",
    "hidden by itself": f"<body style='display:none'><div hidden>{SENTENCE}",
    "marks of Markdown": "<p># a</p><p>- b</p><p>1. c</p><p>&gt; d</p><p>    e</p><p>***</p><p>a | b</p><p>| - |</p><p>~~~</p>"
    "<p>=====</p><p>[a]: b</p><p>&lt;!-- c</p><p>&amp;amp; \\ `a` *b* __c__ ~~d~~ ![e](f) &lt;g&gt; http://h.example</p>",
    "marks in cells": "<table><tr><th>a|b<th>`c|d`<tr><td>\\|<td><code>e|f</code><tr><td>g<br>h<td><p>i<p>j</table>",
    "marks in code": "<pre>```\na\n~~~~\n</pre><p><code>``a`</code> <code> </code> <code>`</code> b</p>",
    "emphasis next to letters": "<p>a<b>b</b>c<i>『d』</i>e<b>.f.</b>g<s>h</s>i<sub>j</sub><sup>k</sup><code>l</code>m</p>",
    "emphasis in emphasis": "<p><b>a<i>b<b>c</b>d</i>e</b><i><b>f</b></i><b><i>g</i></b><b>h</b><b>i</b><i>j</i></p>",
    "code with a bracket in a link": "<p><a href=y><code>d]:</code></a></p><p><a href=y><tt>]:x</tt></a></p>",
    "a table of spans before a heading in an item": "<li><figure><table><th rowspan=2>x</table><h3>y<i>z</i></h3></figure>",
    "a table of spans before a quote in an item": "<li><blockquote><table><th>x<td colspan=2>y</table></blockquote>"
    "<blockquote>a_b*c</blockquote>",
    "a table of spans before a list in an item": "<ul><figure><table><caption><td colspan=2>;</table><li>&lt!x_y",
    "two quotes in an item": "<ul><li><blockquote>1</blockquote><blockquote><ol start=3><li>d</ol></blockquote></ul>",
    "a comment in a row": "<table><tr><td><div class=comment>d</div><th>1<tr><td>a<td>b</table>",
    "emphasis in struck-out text": "<p><b><i>c</i><del><i>-</i><b>:x</b>o</del></b></p>",
    "blanks around emphasis": "<p>a <b> b </b> c<i> d</i>e<i>f </i>g <b><br>h<br></b> i<b></b><i> </i>j</p>",
}


@in_one_test("html", MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_markup_is_read(html: str) -> None:
    doc = check(html)
    check(html.encode())
    if SENTENCE in html and "<body style" not in html:
        assert SENTENCE in doc.text
    assert "lost words" not in doc.text
    for name in ("markdown", "html", "xml"):
        assert not re.search(r"(?:href|src|target|url)=.\s*javascript|\(<?javascript", doc.render(name), re.I)


def test_malformed_markup_all_at_once() -> None:
    harmless = (html for name, html in MALFORMED.items() if not re.search("open|plaintext|frames|textarea", name))
    doc = check("\n".join(harmless))
    assert doc.text.count(SENTENCE) > 40


@pytest.mark.parametrize("code", ["&lt;table>", "&lt;/table>", "&lt;tablet", "a &lt; b", "&lt;b>"])
def test_text_about_tables_does_not_change_the_markdown(code: str) -> None:
    html = f"<p>Write <code>{code}</code> here.</p><pre>{code}</pre><p>Or {code} there.</p><p>It is <b>good</b>.</p>"
    assert extract(html, method="all").markdown.endswith("It is **good**.")


@pytest.mark.slow
@pytest.mark.parametrize("tag", ["del", "s", "b", "i", "sub", "code"])
def test_markup_next_to_letters_in_a_cell_loses_no_letters(tag: str) -> None:
    """turbohtml 1.15.4 drops some when it falls back to HTML, depending on the memory layout."""
    table = f"<table><tr><td>{'a' * 50}<th>{'b' * 17}<tr><th>{'c' * 27}<td>{'d' * 33}"
    for before in range(50, 130):
        for inside in range(24, 34):
            cell = f"{'e' * inside}<{tag}>.struckout.</{tag}>"
            html = f"<p>{'f' * 38}<br>{'g' * before}</p>{table}<tr><td>{cell}<th>1</table>"
            assert "struckout." in extract(html, method="all").markdown


# --- characters ------------------------------------------------------------------------------------------------------

CHARACTERS = {
    "NUL": "\0",
    "a control": "\x01",
    "a bell": "\x07",
    "escape": "\x1b",
    "a unit separator": "\x1f",
    "delete": "\x7f",
    "a C1 control": "\x85",
    "another C1 control": "\x9f",
    "a soft hyphen": "\xad",
    "a zero-width space": "\u200b",
    "a zero-width joiner": "\u200d",
    "a right-to-left override": "\u202e",
    "a line separator": "\u2028",
    "a paragraph separator": "\u2029",
    "a half character": "\ud800",
    "another half": "\udfff",
    "halves the wrong way round": "\udc00\ud800",
    "two halves": "\ud83d\ude00",
    "a noncharacter": "\ufdd0",
    "U+FFFE": "\ufffe",
    "U+FFFF": "\uffff",
    "U+1FFFE": "\U0001fffe",
    "U+10FFFF": "\U0010ffff",
    "a byte-order mark": "\ufeff",
    "a replacement character": "\ufffd",
    "private use": "\ue000",
    "a tag character": "\U000e0001",
    "a combining mark": "\u0301",
    "a variation selector": "\ufe0f",
}
EVERYWHERE = """<html lang="k@o"><head><base href="http://a.example/@/"><title>Ti@tle @ of the page</title>
<meta property="og:title" content="Ti@tle @"><meta name="author" content="Au@thor @"><meta name=date content="2024-01-0@1">
<meta name="description" content="@A de@scription"><meta property="og:site_name" content="Si@te"><meta name="@" content="@">
<script type="application/ld+json">{"@type": "Article@", "headline": "He@ad", "author": {"name": "Na@me"}, "@": "@"}</script>
</head><body class="@ @a"><h1 id="@">Head@ing</h1>
<p class="a@b" title="@" style="@">Some wo@rds that @ are <b>lo@ng</b> enough to be read@, @<i>as</i> a paragraph of text.
<a href="http://b.example/@?@=@#@" title="@">A li@nk</a> <a href="@">another</a> <a href="java@script:x">third</a></p>
<p>Text<img src="a@b.png" alt="An @ image@">text</p><p><img src="@" alt="@"></p><p>@</p>
<pre class="lang-py@thon">co@de
@more</pre><p>In <code>co@de</code> and <a href="x@y"><b>bo@ld</b></a>.</p>
<ol start="@1"><li value="@">it@em<li>@</ol><dl><dt>te@rm<dd>@sense</dl>
<table summary="@"><tr><th colspan="@2">he@ad<th>@<tr><td rowspan="1@">ce@ll<td>x@</table><@>un@known</@>
<div id="comments@"><p>A com@ment</p></div><!-- @ --></body></html>"""


@pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS.keys())
def test_every_character_may_occur_anywhere(character: str) -> None:
    doc = check(EVERYWHERE.replace("@", character))
    assert "enough to be read" in doc.text
    assert "A li" in doc.text


@pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS.keys())
def test_every_character_may_occur_in_escapes(character: str) -> None:
    points = [ord(each) for each in character]
    entities = "".join(f"&#{point};" for point in points)
    escapes = "".join(json.dumps(each)[1:-1] for each in character)
    head, _, body = EVERYWHERE.partition("</head>")
    data = head.replace("@type", "%type").replace("@", escapes).replace("%", "@")
    doc = check(data + "</head>" + body.replace("@", entities))
    assert "enough to be read" in doc.text


@pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS.keys())
def test_every_character_may_occur_in_the_url(character: str) -> None:
    doc = check(f"{P}<p>A <a href='b'>link</a>.</p>", f"http://exa{character}mple.org/{character}")
    assert "link" in doc.text


@pytest.mark.parametrize(
    "url", ["", "x", "http://[", "//", "javascript:alert(1)", "http://a.example:b/", "a" * 100_000]
)
def test_every_url_is_accepted(url: str) -> None:
    assert "A link." in check(f"{P}<p>A <a href='b'>link</a><img src='c'>.</p>{P}", url).text


# --- anything at all -------------------------------------------------------------------------------------------------

TAGS = (
    "a abbr article aside b blockquote body br button caption center code col dd del details dialog div dl dt em fieldset "
    "figcaption figure font footer form frameset h1 h2 h6 head header hr html i iframe img input kbd label legend li main "
    "math menu nav noscript object ol optgroup option p plaintext pre ruby rt s script section select slot span strike "
    "strong style sub summary sup svg table tbody td template textarea tfoot th thead title tr tt u ul video x-y xmp"
).split()
COMMON = (
    "p br ul ol li dl dt dd table caption tr td th blockquote pre code figure figcaption h2 b i s sub a img div".split()
)
ATTRIBUTES = (
    "class id style href src alt title hidden role lang colspan rowspan start open name slot shadowrootmode data-src"
).split()
VALUES = (
    "a", "display:none", "display:block", "display:inline", "white-space:pre", "http://a.example/b?c=(d)#e", "javascript:f",
    "../g h", "language-python", "comments", "menu", "presentation", "3", "0", "open", "", "a\"b'c<d>e&f", "]()[`*", "|\\",
)  # fmt: skip
PIECES = (
    "word", "Two words.", " ", "\n", "  \n\n ", "\t", "가나다", "漢字", "。", "「", "—", "a_b", "__c__", "*d*", "**", "`", "``", "```\n",
    "~~", "~~~", "#", "# e", "- ", "+ ", "1. ", "2) ", "> ", "| ", "|-|-|", "=", "===", "---", "[f](g)", "![", "]: ", "<", ">", "&",
    "&amp;", "&lt;p>", "&amp;lt;", "&nbsp;", "&#8203;", "&copy", "\\", "\\*", "http://h.example/", "<!-- i -->", "<!--", "-->",
    "<![CDATA[", "]]>", "\u00a0", "\u3000", "\u200b", "\u2028", "\x0c", "\0", "\ud800", "\ufffe", "é", "e\u0301", "👩‍👩‍👧", "¶", "^j", ":k:", "$l$", "!",
)  # fmt: skip

tags = st.sampled_from(COMMON * 4 + TAGS)
attributes = st.lists(st.tuples(st.sampled_from(ATTRIBUTES), st.sampled_from(VALUES)), max_size=2)


def start_tag(tag: str, given: list[tuple[str, str]]) -> str:
    values = ((name, value.replace('"', "&quot;")) for name, value in given)
    return f"<{tag}" + "".join(f' {name}="{value}"' for name, value in values) + ">"


starts = st.builds(start_tag, tags, attributes)
ends = tags.map("</{}>".format)
pieces = st.sampled_from(PIECES) | st.sampled_from(PIECES) | st.text(st.characters(exclude_categories=()), max_size=5)
soups = st.lists(starts | ends | pieces, max_size=40).map("".join)


def wrapped(inner: Iterable[str], start: str) -> str:
    return f"{start}{''.join(inner)}</{start[1:-1].split()[0]}>"


trees = st.recursive(
    pieces | st.just("word") | st.sampled_from(["<br>", "<img src=a alt=b>", "x<hr>y"]),
    lambda inner: st.builds(wrapped, st.lists(inner, max_size=4), starts),
    max_leaves=30,
)


def check_anything(html: str) -> None:
    try:
        check(html)
    except EmptyInput:
        assert not html.strip("\ufeff").strip()
    except NotHtml:
        assert html.lstrip("\ufeff").lstrip().startswith(("<svg", "<!", "<?", "{", "[", "http"))
    except BadInput as problem:
        pytest.fail(f"refused: {problem}")


@pytest.mark.slow
@given(st.text(st.characters(exclude_categories=())))
@settings(deadline=None, derandomize=True)
def test_any_text_gives_the_same_words_in_all_formats(text: str) -> None:
    check_anything(text)
    check_anything(f"<p>{text}</p>")


@pytest.mark.slow
@given(soups)
@settings(deadline=None, derandomize=True, max_examples=80)
@example("<ul><li>a<p>b</p><pre>c</pre>d</ul>")
def test_any_soup_of_tags_gives_the_same_words_in_all_formats(html: str) -> None:
    check_anything(html)


@pytest.mark.slow
@given(trees)
@settings(deadline=None, derandomize=True, max_examples=80)
@example("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td><ul><li>d</li></ul></td></tr></table>")
def test_any_tree_gives_the_same_words_in_all_formats(html: str) -> None:
    check_anything(html)


@given(st.binary(max_size=300))
@settings(deadline=None, derandomize=True)
def test_any_bytes_are_a_page_or_are_rejected(data: bytes) -> None:
    try:
        doc = extract(data, method="all", options=EVERYTHING)
    except (EmptyInput, NotHtml, Undecodable):
        return
    assert not list(find_malformed({name: doc.render(name) for name in FORMATS}))
