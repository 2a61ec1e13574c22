"""Blocks: one for each piece of text that a reader sees as one, with the right spaces and line breaks."""

from __future__ import annotations

import re

import pytest

from bonmun.page import Page
from timing import assert_linear


def blocks(markup: str) -> list[str]:
    return [block.text for block in Page.parse(f"<!DOCTYPE html><body>{markup}").blocks]


def kinds(markup: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in Page.parse(f"<!DOCTYPE html><body>{markup}").blocks]


# --- spaces between inline elements ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("a<b>b</b>c", "abc"),
        ("a <b>b</b> c", "a b c"),
        ("a<b> b </b>c", "a b c"),
        ("a <b> b </b> c", "a b c"),
        ("a\n<b>\nb\n</b>\nc", "a b c"),
        ("<b>a</b> <b>b</b>", "a b"),
        ("<b>a</b><b>b</b>", "ab"),
        ("<b>a </b><b>b</b>", "a b"),
        ("a<b></b>b", "ab"),
        ("a<b> </b>b", "a b"),
        ("a&nbsp;<b>b</b>", "a b"),
        ("a<b>\u3000b</b>", "a b"),
        ("a<!-- x -->b", "ab"),
        ("a <!-- x --> b", "a b"),
        ("a<img>b", "ab"),
        ("a <img> b", "a b"),
        ("a<wbr>b", "ab"),
        ("a<script>1</script>b", "ab"),
        ("a <script>1</script>b", "a b"),
        ("a<svg><text>1</text></svg>b", "ab"),
        ("<a href=x>a</a><a href=y>b</a>", "a b"),
        ("<a href=x>a<b>b</b></a>c", "abc"),
        ("zero\u200bwidth<b>\u200b</b>space", "zerowidthspace"),
        pytest.param("a<b>\xad </b>b", "a b"),
        pytest.param("a<b>\u200b b</b>", "a b"),
        pytest.param("<b>a \u200b</b>b", "a b"),
    ],
)
def test_spaces_between_inline_elements(markup: str, text: str) -> None:
    assert blocks(f"<p>{markup}</p>") == [text]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<a href=x><span class='live-label'>Live</span>Title</a>", "Live Title"),
        ("<span class=badge>new</span>title", "new title"),
        ("<a href=x><span>name</span></a><span class=time>20 min</span>", "name 20 min"),
        ("<a href=x>名前</a><time>20分</time>", "名前 20分"),
        ("<b>Who was it?</b><span>We were.</span>", "Who was it? We were."),
        ("<b>Name:</b><i>value</i>", "Name: value"),
        ("<b>One phrase.</b><i>Two</i>", "One phrase. Two"),
        ("<b>One phrase</b><i>Two words</i>", "One phrase Two words"),
        ("<b>Who?</b>We", "Who? We"),
        ("<i>Sport.</i>Text", "Sport. Text"),
        ("<span>07-23</span><a href=x>Title</a>", "07-23 Title"),
        ("<span>[07-31]</span><a href=x>《제목》</a>", "[07-31] 《제목》"),
        ("<a href=x>题目</a>(2020/7/1)", "题目 (2020/7/1)"),
        ("<a href=x>题目</a><i>2020年7月1日</i>", "题目 2020年7月1日"),
        ("1.2<a href=x>Title</a>", "1.2 Title"),
        # words that markup splits
        ("<span>07-23</span><a href=x>[1]</a>", "07-23[1]"),
        ("12<a href=x>th</a>", "12th"),
        ("<i>07-23</i>題目", "07-23題目"),
        ("<span class=dropcap>T</span>he", "The"),
        ("<span class=first>i</span><b>Phone</b>", "iPhone"),
        ("<i>My</i><b>Book</b>", "MyBook"),
        ("H<sub>2</sub>O", "H2O"),
        ("<i>syl</i><i>la</i><i>ble</i>", "syllable"),
        ("<span class=date>3</span>rd", "3rd"),
        ("<i>10:</i><b>30</b>", "10:30"),
        ("<b>www.site.</b><i>Example</i>", "www.site.Example"),
        ("class <b>org.time.</b><i>Duration</i>", "class org.time.Duration"),
        ("<code>f(a?</code><code>b)</code>", "f(a?b)"),
        ("<i>説明？</i><b>答え</b>", "説明？答え"),
        ("<span class=label>新着</span>記事", "新着記事"),
        ("a<b class=labelled>b</b>", "ab"),
        ("Who<b>?</b>We", "Who?We"),
        ("<b>J.</b>Lee", "J.Lee"),
    ],
)
def test_labels_and_phrases_are_separated_but_no_words_split(markup: str, text: str) -> None:
    page = Page.parse(f"<!DOCTYPE html><body><p>{markup}</p>")
    assert page.block_texts == [text]
    assert page.blocks[0].shown_text == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<a href=x>one wor</a><a href=x>d</a>", "one word"),
        ("<i><a href=x><b>one wor</b></a></i><i><b><a href=x>d</a></b></i>", "one word"),
        ("<a href=x>一</a><a href=x>词</a>", "一词"),
        ("<a href=x>wo</a><a href=x>r</a><a href=x>d</a>", "word"),
        # words of their own
        ("<a href=x>one</a><a href=y>two</a>", "one two"),
        ("<a href=x class=time>one</a><a href=x>two</a>", "one two"),
        ("<a href=x>one </a><a href=x>two</a>", "one two"),
        ("<a href=x>one</a><a href=x> two</a>", "one two"),
        ("<a href=x>one</a><i> </i><a href=x>two</a>", "one two"),
        ("<a href=x>one</a><img><a href=x>two</a>", "one two"),
        ("<a href=x>One</a><a href=x>Two</a>", "One Two"),
        ("<a>one</a><a>two</a>", "one two"),
    ],
)
def test_a_word_in_two_links_to_one_page_is_joined(markup: str, text: str) -> None:
    page = Page.parse(f"<!DOCTYPE html><body><p>{markup}</p>")
    assert page.block_texts == [text]
    assert page.blocks[0].shown_text == text


ROWS = {
    "<li><span class=n>Width{0}</span><span class=v>Sixty</span></li>": "Width{0} Sixty",
    "<a><b>Brand{0}</b><i>tent</i></a>": "Brand{0} tent",
    "<li><span>宽{0}度</span><span class=v>六十</span></li>": "宽{0}度 六十",
    "<li><span>WIDTH{0}in</span><span>60</span></li>": "WIDTH{0}in 60",
    "<p><b>Width{0}A</b>60</p>": "Width{0}A 60",
    "<a><b>Brand{0} (new)</b><i>$12</i></a>": "Brand{0} (new) $12",
    "<li><b>สมบัติ์{0}ิ์</b><i class=date>July</i></li>": "สมบัติ์{0}ิ์ July",
    # words that markup splits
    "<li><b>https://{0}/</b><i>path</i></li>": "https://{0}/path",
    "<li><b>S\u2063</b><i class=v>T{0}</i></li>": "S\u2063T{0}",
    "<li><b>w{0}a</b>ords</li>": "w{0}aords",
    "<li><b>Mac{0}a</b>Donald was here <i>once</i></li>": "Mac{0}aDonald was here once",
    "<li>the <b>Mac{0}a</b><i>Donald</i></li>": "the Mac{0}aDonald",
    "<li><b>Mac{0}a</b><i>Donald</i>s</li>": "Mac{0}aDonalds",
    "<li><span>Wo{0}a</span><span>rd</span></li>": "Wo{0}ard",
    "<li><span>{0}</span><span class=rest>Ord</span></li>": "{0}Ord",
    "<li><span>21{0}</span><span class=cents>99</span></li>": "21{0}99",
    "<li><code>int{0}a</code><b>Type</b></li>": "int{0}aType",
}


@pytest.mark.parametrize(("row", "text"), ROWS.items())
def test_name_and_value_of_several_rows_are_separated(row: str, text: str) -> None:
    def read(numbers: str) -> list[str]:
        page = Page.parse("<body><main>" + "<hr>".join(row.format(number) for number in numbers))
        assert [block.shown_text for block in page.blocks] == page.block_texts
        return page.block_texts

    assert read("123") == [text.format(number) for number in "123"]
    for numbers in ("12", "111"):  # too few rows, or names
        assert read(numbers) == [text.format(each) if " " not in text else row_text(row, each) for each in numbers]


TAGS = (
    "<i>서울</i><i>문화</i>",
    "<i>서울</i><i class=x>경제</i>",
    "<i>부산</i><i>문화</i><i class=y>경제</i>",
    "<i>부산</i>",
    "<i>서울</i><i>경제</i>",
)


def test_tags_of_items_are_separated() -> None:
    rows = "".join(f"<div><p class=tags>{tags}</p><p>제목</p></div>" for tags in TAGS)
    page = Page.parse(f"<body><main>{rows}")
    assert page.block_texts[::2] == ["서울 문화", "서울 경제", "부산 문화 경제", "부산", "서울 경제"]
    assert [block.shown_text for block in page.blocks] == page.block_texts


@pytest.mark.parametrize(
    "rows",
    [
        ["<i>오늘은</i><i>날씨가</i>", "<i>내일은</i><i>비가</i>", "<i>모레는</i><i>눈이</i>"],  # lines, not tags
        ["<i>서울</i><i>문화</i>", "<i>서울</i><i>문화</i>"],  # too few rows
        ["<i>가</i><i>나</i>", "<i>가</i><i>나</i>", "<i>나</i><i>가</i>"],  # letters
        ["<i>Luis V</i><i>élez</i>"] * 3,
        ["<code><i>List</i><i>Map</i></code>"] * 3,
        ["<pre><i>List</i><i>Map</i></pre>"] * 3,
        ["<i>서울</i><b>문화</b>"] * 3,
    ],
)
def test_words_in_several_elements_are_no_tags(rows: list[str]) -> None:
    page = Page.parse("<body><main>" + "".join(f"<div class=tags>{row}</div>" for row in rows))
    assert not any(" " in text.replace("Luis V", "LuisV") for text in page.block_texts)


def row_text(row: str, number: str) -> str:
    """Return the text of a row without markup."""
    return re.sub("<[^>]*>", "", row.format(number))


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "<b>a?</b><i>b</i>",
        "<span class=label>a</span>b",
        "<b>",
        "<a><span class=sr-only>a</span>b",
        "<a href=x>a</a>",
        "<i><a href=x>a</a></i>",
        "<i>1.1<a href=x>ab",
        "<li><b class=n>ab</b><i>b</i>",
        "<p><i>ab</i><i>Ab</i></p>",
        "<b>ab<i>b",
    ],
)
def test_separating_words_takes_linear_time(piece: str) -> None:
    assert_linear(lambda size: "<p>" + piece * (size // len(piece)), Page.parse, 40_000)


@pytest.mark.slow
def test_the_class_of_many_tags_is_read_once() -> None:
    assert_linear(lambda size: f"<p class='{'x' * size}'>{'<i>Ab</i>' * (size // 9)}", Page.parse, 400_000)


@pytest.mark.parametrize(
    "tag", "b i em strong a span sub sup code kbd font u s mark cite abbr time label small x-y o:p".split()
)
def test_inline_markup_never_splits_a_block(tag: str) -> None:
    assert blocks(f"<p>one <{tag}>two</{tag}> three</p>") == ["one two three"]
    assert blocks(f"<p>o<{tag}>n</{tag}>e</p>") == ["one"]


def test_a_long_mix_of_inline_markup_is_one_block() -> None:
    markup = "<p>x<font>a</font><x-y>b</x-y><code>c</code><sub>d</sub><!-- e --><i><b><u>f</u></b></i> g</p>"
    page = Page.parse(markup)
    assert [block.text for block in page.blocks] == ["xabcdf g"]
    assert (page.blocks[0].start, page.blocks[0].stop) == (0, 7)
    assert [leaf.text for leaf in page.blocks[0].leaves] == ["x", "a", "b", "c", "d", "f", "g"]


# --- br -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("a<br>b", ["a\nb"]),
        ("a <br> b", ["a\nb"]),
        ("a<br>\n<b>b</b>", ["a\nb"]),
        ("<b>a<br></b>b", ["a\nb"]),
        ("a<br>b<br>c", ["a\nb\nc"]),
        ("<br>a<br>", ["a"]),
        ("a<br><br>b", ["a", "b"]),
        ("a<br> \n <br>b", ["a", "b"]),
        ("a<br>&nbsp;<br>b", ["a", "b"]),
        ("a<br><!-- x --><br>b", ["a", "b"]),
        ("a<b><br></b><br>b", ["a", "b"]),
        ("a<br><br><br><br>b", ["a", "b"]),
        ("a<br>b<br><br>c<br>d", ["a\nb", "c\nd"]),
        ("a<br><img><br>b", ["a", "b"]),
    ],
)
@pytest.mark.parametrize("tag", ["p", "div", "td", "li", "h2", "blockquote"])
def test_one_br_breaks_the_line_and_two_the_block(tag: str, markup: str, expected: list[str]) -> None:
    around = "<table><tr><th>x</th>{}</tr></table>" if tag == "td" else "{}"
    found = blocks(around.format(f"<{tag}>{markup}</{tag}>"))
    assert found[tag == "td" :] == expected


# --- pre ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<pre>a\nb</pre>", "a\nb"),
        ("<pre>a\r\nb</pre>", "a\nb"),
        ("<pre>\n  one\n    two\n</pre>", "  one\n    two"),
        ("<pre>  one\n  two</pre>", "  one\n  two"),
        ("<pre>\n\n  one\n\n\n  two\n\n</pre>", "  one\n\n\n  two"),
        ("<pre>\tif a:\n\t\tb</pre>", "\tif a:\n\t\tb"),
        ("<pre>a    b</pre>", "a    b"),
        ("<pre><code>a\n  b\n</code></pre>", "a\n  b"),
        ("<pre><span>def</span> <span>f</span>():\n    <span>pass</span></pre>", "def f():\n    pass"),
        ("<pre>  <b>a</b>\n  <b>b</b></pre>", "  a\n  b"),
        ("<pre><b>a</b>\n\n<b>b</b></pre>", "a\n\nb"),
        ("<pre>a<br>b</pre>", "a\nb"),
        ("<pre>a<br><br>  b</pre>", "a\n\n  b"),
        ("<pre><div>a</div><div>  b</div></pre>", "a\n  b"),
        ("<listing>a\n b</listing>", "a\n b"),
        ("<xmp>a\n <b></xmp>", "a\n <b>"),
        ("<textarea>a\n b</textarea>", "a\n b"),
        ("<p style='white-space:pre'>a\n  b</p>", "a\n  b"),
        ("<p style='white-space: pre-wrap'>a\n  b</p>", "a\n  b"),
        ("<p style='white-space:nowrap'>a\n  b</p>", "a b"),
        pytest.param("<pre>a<div>b</div>c</pre>", "a\nb\nc"),
    ],
)
def test_pre_keeps_its_lines_and_indents(markup: str, text: str) -> None:
    assert blocks(markup) == [text]


def test_pre_is_one_block_of_code() -> None:
    page = Page.parse("<p>a</p><pre><span>x</span>\n\n\n<span>y</span></pre><p>b</p>")
    assert [(block.kind, block.text) for block in page.blocks] == [
        ("paragraph", "a"),
        ("code", "x\n\n\ny"),
        ("paragraph", "b"),
    ]
    assert [leaf.text for leaf in page.blocks[1].leaves] == ["x", "y"]


# --- block elements -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div>a<p>b</p>c</div>", ["a", "b", "c"]),
        ("<div>a<p>b</p>c<p>d</p>e</div>", ["a", "b", "c", "d", "e"]),
        ("<p>a<div>b</div>c</p>", ["a", "b", "c"]),
        ("<div><b>a</b><div>b</div> <i>c</i> d</div>", ["a", "b", "c d"]),
        ("<div><div><div>a</div></div></div>b", ["a", "b"]),
        ("<a href=x><p>a</p><p>b</p></a>", ["a", "b"]),
        ("<div>a<hr>b</div>", ["a", "b"]),
        ("<center>a</center>b<address>c<br>d</address>", ["a", "b", "c\nd"]),
        ("<fieldset><legend>a</legend>b</fieldset>", ["a", "b"]),
        ("<details><summary>a</summary>b<p>c</p></details>", ["a", "b", "c"]),
        ("<p>a<button>b</button>c</p>", ["a", "b", "c"]),
        ("<ul><li>a<ul><li>b<ol><li>c</ol></ul>d</ul>", ["a", "b", "c", "d"]),
        ("<dl><dt>a<dd>b<dd>c<dt>d</dl>", ["a", "b", "c", "d"]),
        ("<div>a<span style='display:block'>b</span>c</div>", ["a", "b", "c"]),
        ("<span style='display: flex'>a</span><span style='display:grid'>b</span>", ["a", "b"]),
        ("<div>a <div style='display:inline'>b</div> c</div>", ["a b c"]),
        ("<div>a<p style='display: inline;'>b</p>c</div>", ["abc"]),
        ("<div>a<span style='display:inline-block'>b</span>c</div>", ["abc"]),
        ("a<p></p>b", ["a", "b"]),
        ("a<div hidden></div>b", ["a", "b"]),
        ("<h1>a</h1>b<h2>c<br>d</h2>", ["a", "b", "c\nd"]),
    ],
)
def test_block_elements_separate_text(markup: str, expected: list[str]) -> None:
    assert blocks(markup) == expected


@pytest.mark.parametrize("markup", ["<option>one</option><option>two</option>", "<option>one<option>two"])
def test_options_are_separate_words(markup: str) -> None:
    assert " ".join(blocks(f"<select>{markup}</select>")).split() == ["one", "two"]


# --- kinds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        *((f"<h{n}>x</h{n}>", "heading") for n in range(1, 7)),
        ("<h2><span><b>x</b></span></h2>", "heading"),
        ("<p>x</p>", "paragraph"),
        ("x", "paragraph"),
        ("<ul><li>x</ul>", "item"),
        ("<li>x", "item"),
        ("<ul><li><p>x</p></ul>", "item"),
        ("<ul>x</ul>", "paragraph"),
        ("<dl><dt>x</dl>", "item"),
        ("<dl><dd><div>x</div></dl>", "item"),
        ("<figure><figcaption>x</figcaption></figure>", "caption"),
        ("<figure><figcaption><p>x</p></figcaption></figure>", "caption"),
        ("<blockquote>x</blockquote>", "quote"),
        ("<blockquote><div><p>x</p></div></blockquote>", "quote"),
        ("<blockquote><ul><li>x</ul></blockquote>", "item"),
        ("<blockquote><h3>x</h3></blockquote>", "heading"),
        ("<blockquote><section><p>x</p></section></blockquote>", "paragraph"),
        ("<li><article><p>x</p></article>", "paragraph"),
        ("<pre>x</pre>", "code"),
        ("<details><summary>x</summary></details>", "paragraph"),
        ("<p><code>x</code></p>", "paragraph"),
    ],
)
def test_kind(markup: str, kind: str) -> None:
    assert kinds(markup) == [(kind, "x")]


DATA = [
    ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "abcd"),
    ("<table><tr><th>a<td>b</table>", "ab"),
    ("<table><thead><tr><td>a</thead></table>", "a"),
    ("<table><tr><td>a<td><ul><li></ul>b<tr><td>c<td>d</table>", "abcd"),
    ("<table><tr><td><p>a</p><td>b<tr><td>c<td>d</table>", "abcd"),
    ("<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table></table>", "abcd"),
    ("<table><tr><td><p>a</p><td><p>b</p><tr><td><div>c</div><td>d</table>", "abcd"),  # editors wrap the text of cells
    ("<table><tr><td><div><p>a</div><td><div><p>b</div><tr><td><div><p>c</div><td><div><p>d</div></table>", "abcd"),
    ("<table><tr><td colspan=2><p>a<tr><td><p>b<td><p>c<tr><td><p>d<td><p>e</table>", "abcde"),  # a title row
]
LAYOUT = [
    ("<table><tr><td>a<td>b</table>", "ab"),
    ("<table><tr><td>a<tr><td>b</table>", "ab"),
    ("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>", "abcd"),
    ("<table role=none><tr><th>a<td>b<tr><td>c<td>d</table>", "abcd"),
    ("<table><tr><td><p>a</p><td><p>b</p><tr><td><div>c</div></table>", "abc"),  # rows of different lengths
    ("<table><tr><td><p>a<p>b<td><p>c<p>d<tr><td><p>e<p>f<td>g</table>", "abcdefg"),
    ("<table><tr><td rowspan=2><p>a<td><p>b<tr><td><p>c<tr><td><p>d<td><p>e</table>", "abcde"),
    ("<table><tr><td><p>a<tr><td><p>b<td><p>c<tr><td><p>d<td><p>e</table>", "abcde"),  # no span
]


@pytest.mark.parametrize(("markup", "letters"), DATA)
def test_data_tables_have_cells(markup: str, letters: str) -> None:
    assert kinds(markup) == [("cell", letter) for letter in letters]


@pytest.mark.parametrize(("markup", "letters"), LAYOUT)
def test_layout_tables_have_paragraphs(markup: str, letters: str) -> None:
    assert kinds(markup) == [("paragraph", letter) for letter in letters]
    assert len(Page.parse(markup).layout_tables) == 1


def test_a_table_around_a_table_is_layout() -> None:
    markup = "<table><tr><th>h<td><table><tr><td>a<td>b<tr><td>c<td>d</table><td>e<tr><td>f<td>g</table>"
    expected = [("paragraph", "h"), *(("cell", x) for x in "abcd"), *(("paragraph", x) for x in "efg")]
    assert kinds(markup) == expected


def test_the_caption_of_a_table_is_a_caption_and_makes_it_data() -> None:
    assert kinds("<table><caption>c</caption><tr><td>a</table>") == [("caption", "c"), ("cell", "a")]


def test_cells_are_numbered() -> None:
    page = Page.parse("<table><tr><td>a<td><td><p>b<tr><th>c</table><p>d")
    around = {page.block_texts[i]: page.cells[owner] for i, owner in enumerate(page.owners)}
    assert [page.tags[around[text]] for text in "abc"] == ["td", "td", "th"]
    assert around["d"] == -1
    assert {page.cell_counts[page.parents[around[text]]] for text in "ab"} == {3}
    cells = {page.block_texts[i]: page.cell_numbers.get(page.cells[owner]) for i, owner in enumerate(page.owners)}
    assert cells == {"a": 0, "b": 2, "c": 0, "d": None}


# --- other properties of blocks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("markup", "share"),
    [
        ("<p>abcd</p>", 0.0),
        ("<p><a>abcd</a></p>", 1.0),
        ("<p>ab<a>cd</a></p>", 0.5),
        ("<p>abc <a>d</a></p>", 0.25),
        ("<a><p>abcd</p></a>", 1.0),
    ],
)
def test_link_share(markup: str, share: float) -> None:
    assert Page.parse(markup).blocks[0].link_share == pytest.approx(share)


@pytest.mark.parametrize(
    ("markup", "hidden"),
    [
        ("<p>a<b>b</b></p>", False),
        ("<p hidden>a<b>b</b></p>", True),
        ("<p>a<b hidden>b</b></p>", False),
        ("<p><i hidden>a</i><b hidden>b</b></p>", True),
    ],
)
def test_a_block_is_hidden_if_all_its_leaves_are(markup: str, hidden: bool) -> None:
    block, _ = Page.parse(f"{markup}<p>shown").blocks
    assert (block.text, block.hidden) == ("ab", hidden)


def test_a_block_has_the_path_of_its_element() -> None:
    page = Page.parse("<div><p>a <b>b</b></p><ul><li>c</ul></div>")
    assert [block.xpath for block in page.blocks] == ["/html/body/div[1]/p[1]", "/html/body/div[1]/ul[1]/li[1]"]
    assert [block.tag_path for block in page.blocks] == ["html/body/div/p", "html/body/div/ul/li"]


def test_blocks_in_one_element_have_the_paths_of_their_first_leaves() -> None:
    page = Page.parse("<div>a<p>b</p><i>c</i> d<br><br>e</div>")
    assert [(block.text, block.xpath) for block in page.blocks] == [
        ("a", "/html/body/div[1]/text()[1]"),
        ("b", "/html/body/div[1]/p[1]"),
        ("c d", "/html/body/div[1]/i[1]/text()[1]"),
        ("e", "/html/body/div[1]/text()[3]"),
    ]


def test_blocks_and_leaves_cover_each_other() -> None:
    page = Page.parse("<div>a<p>b<i>c</i></p>d<br>e<br><br>f</div><pre>g\n<b>h</b></pre><table><tr><td>i")
    assert page.starts[0] == 0
    assert page.stops[-1] == len(page.texts)
    assert page.stops[:-1] == page.starts[1:]
    assert [leaf.index for block in page.blocks for leaf in block.leaves] == list(range(len(page.texts)))
    assert [i for i, joint in enumerate(page.joints) if joint is None] == page.starts
    for block in page.blocks:
        assert "".join(block.text.split()) == "".join("".join(leaf.text.split()) for leaf in block.leaves)


def test_preserved_whitespace_does_not_join_paragraphs() -> None:
    page = Page.parse("<div style='white-space: pre-wrap'><p>One  lamp</p><p>Two</p><pre>a\n  b</pre>Three</div>")
    assert page.block_texts == ["One  lamp", "Two", "a\n  b", "Three"]
