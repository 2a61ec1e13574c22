"""Markdown read back by two parsers, markdown-it and GitHub's: the same words, headings, code, emphasis and tables."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import Any

import pytest
import turbohtml
from hypothesis import example, given, settings
from hypothesis import strategies as st

import bonmun
from bonmun.outputs.markdown.writer import MarkdownWriter
from bonmun.outputs.nodes import Node
from scripts.fuzz.checks import find_words, read_gfm, read_html, read_markdown
from timing import assert_linear

READERS = [read_markdown, read_gfm]


def fold(text: str) -> str:
    return " ".join(text.split())


def find_texts(html: str, selector: str) -> list[str]:
    return [fold(element.text) for element in turbohtml.parse(html).select(selector)]


# Markup characters of Markdown.
MARKS = (
    "* ** *** _ __ ~ ~~ ~~~ ` `` ``` # ## > - + = --- === | |-| [ ] ( ) ]( [x](y) ![x](y) [x]: [^1] [^1]: [ ] [x] < > <b> </b> "
    "<!-- --> <?x <![CDATA[ <http://a.b> & &amp; &#65; \\ \\* $ $$ 1. 1) 27. 0. : :-- --| ! . , “ ” 한 글 😀 € a b 1 c_d"
).split()
PIECES = st.sampled_from([*MARKS, " ", " ", " ", "a", "글"])
TEXTS = st.lists(PIECES, min_size=1, max_size=10).map(lambda pieces: fold("".join(pieces))).filter(bool)
LINES = st.lists(TEXTS, min_size=1, max_size=3)


def paragraph(*lines: str, tag: str = "p") -> Node:
    made = Node(tag)
    for number, line in enumerate(lines):
        if number:
            made.children.append(Node("br"))
        made.children.append(line)
    return made


def write(*elements: Node) -> str:
    return MarkdownWriter().write(Node("article", None, list(elements)))


@settings(max_examples=80, deadline=None)
@given(LINES)
@example(["~~~a~~"])
@example(["[a\\]: b", "]: c"])
@example(["a", "--|"])
@example(["***", "* * *"])
def test_any_text_is_read_back_as_one_paragraph(lines: list[str]) -> None:
    markdown = write(paragraph(*lines))
    for read in READERS:
        html = read(markdown)
        tree = turbohtml.parse(html)
        assert fold(tree.text) == fold(" ".join(lines)), read.__name__
        assert {element.tag for element in tree.select("body *")} <= {"p", "br"}, (read.__name__, markdown)


@settings(max_examples=80, deadline=None)
@given(TEXTS, st.sampled_from(["h1", "h3", "h6"]))
@example("a #", "h1")
@example("#", "h3")
def test_any_heading_is_read_back(text: str, tag: str) -> None:
    markdown = write(paragraph(text, tag=tag), paragraph("b"))
    for read in READERS:
        assert find_texts(read(markdown), tag) == [text], read.__name__


@settings(max_examples=80, deadline=None)
@given(st.lists(TEXTS, min_size=4, max_size=4))
def test_any_table_is_read_back(texts: list[str]) -> None:
    head = Node("tr", None, [paragraph(text, tag="th") for text in texts[:2]])
    body = Node("tr", None, [paragraph(text, tag="td") for text in texts[2:]])
    markdown = write(paragraph("a"), Node("table", None, [head, body]), paragraph("b"))
    for read in READERS:
        assert find_texts(read(markdown), "th,td") == texts, read.__name__


@settings(max_examples=80, deadline=None)
@given(st.lists(TEXTS, min_size=2, max_size=3), st.sampled_from(["ul", "ol"]))
def test_any_list_is_read_back(texts: list[str], tag: str) -> None:
    items = [paragraph(text, tag="li") for text in texts]
    nested = Node("ul", None, [paragraph(texts[0], tag="li")])
    items[0].children.append(nested)
    markdown = write(Node(tag, None, [*items]), Node("blockquote", None, [paragraph(texts[1])]))
    for read in READERS:
        html = read(markdown)
        found = [fold(" ".join(each.text.split())) for each in turbohtml.parse(html).select("li")]
        assert found == [fold(f"{texts[0]} {texts[0]}"), texts[0], *texts[1:]], read.__name__
        assert find_texts(html, "blockquote") == [texts[1]], read.__name__


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="`~ a\n-#*|<&\\", min_size=1, max_size=30))
def test_any_code_is_read_back(code: str) -> None:
    code = code.strip("\n")
    pre = Node("pre", None, [Node("code", {"class": "language-c"}, [code])])
    for markdown in (write(paragraph("a"), pre), write(Node("ul", None, [Node("li", None, ["a", pre])]))):
        pre = Node("pre", None, [Node("code", {"class": "language-c"}, [code])])
        for read in READERS:
            (found,) = turbohtml.parse(read(markdown)).select("pre")
            assert found.text.strip("\n") == code, read.__name__


SPANS = st.recursive(
    TEXTS.map(lambda text: ("", text)),
    lambda inner: st.tuples(st.sampled_from(["strong", "em", "del", "code"]), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=4,
)


def put_together(span: Any, around: frozenset[str] = frozenset()) -> str:
    tag, inside = span
    if not tag:
        return escape(inside)
    held = " ".join(put_together(each, around | {tag}) for each in inside)
    return held if tag in around or around & {"code"} else f"<{tag}>{held}</{tag}>"


def drop_punctuation(text: str) -> str:
    return "".join(character for character in text if unicodedata.category(character)[0] not in "PS")


def test_nested_emphasis_closes_only_itself() -> None:
    doc = bonmun.extract("<p><b><i>a</i> (b)<i>,</i> c <i>d</i></b>", method="all")
    assert doc.markdown == "***a* (b)<em>,</em> c *d***"
    for read in READERS:
        assert find_texts(read(doc.markdown), "strong") == ["a (b), c d"]
        assert find_texts(read(doc.markdown), "em") == ["a", ",", "d"]


@pytest.mark.parametrize("sign", ["😨", "€", "→", "+", "。"])
def test_emphasis_beside_a_symbol_is_read_back(sign: str) -> None:
    """Beyond ASCII, some parsers treat symbols as punctuation, and some as letters. Those that they touch may move."""
    doc = bonmun.extract(f"<p>a<b>b...</b>{sign} c{sign}<i>(d)</i> e<b>{sign}f</b></p>", method="all")
    for read in READERS:
        found = find_texts(read(doc.markdown), "strong,em")
        assert [drop_punctuation(text) for text in found] == ["b", "d", "f"], (read.__name__, doc.markdown)
        assert "<" not in doc.markdown


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(SPANS, st.sampled_from(["", " ", "글", ", "])), min_size=1, max_size=4))
def test_any_emphasis_is_read_back(spans: list[tuple[object, str]]) -> None:
    """The same letters are emphasised, with or without punctuation beside them, and adjacent emphasis may be joined."""
    markup = "".join(put_together(span) + between for span, between in spans)
    doc = bonmun.extract(f"<p>{markup}</p>", method="all")
    for read in READERS:
        html = read(doc.markdown)
        assert find_words(read_html(html)) == find_words(doc.text), read.__name__
        for selector in ("strong", "em", "del,s", "code"):
            expected, found = ("".join(find_texts(each, selector)).replace(" ", "") for each in (doc.html, html))
            if selector != "code":
                expected, found = drop_punctuation(expected), drop_punctuation(found)
            assert found == expected, (read.__name__, doc.markdown)


@pytest.mark.parametrize(
    "href",
    [
        "/a b",
        "/a(b",
        "/a(b)c",
        "/a)b",
        "/a<b>c",
        "/a`b",
        "/a*b*",
        "/a_b_c",
        "/a&copy;b",
        "/a\\b",
        "/a|b",
        "/a'b\"c",
        "/ü",
    ],
)
def test_any_url_is_read_back(href: str) -> None:
    markup = f'<p>x ` <a href="{escape(href)}">link</a> ` y</p><table><tr><th><a href="{escape(href)}">cell</a></table>'
    doc = bonmun.extract(markup, "https://site.example/", "all", bonmun.Options(links=True))
    assert len(doc.tables) == 1
    for read in READERS:
        assert find_texts(read(doc.markdown), "a") == ["link", "cell"], read.__name__
        assert find_words(read_html(read(doc.markdown))) == find_words(doc.text)


def formula(tex: str, display: str | None = None) -> Node:
    return Node("math", {"display": display} if display else None, [tex])


def test_formulas_are_not_escaped() -> None:
    inline = Node("p", None, ["If *x* is ", formula(r"a_1 * b_2 * \{c\}"), ", $5 and 5$ more."])
    assert write(inline) == r"If \*x\* is $a_1 * b_2 * \{c\}$, \$5 and 5\$ more."
    block = Node("p", None, ["So", formula("a\n\\\\ b", "block"), "holds."])
    assert write(block, Node("p", None, [formula("x", "block")])) == "So\n$$a \\\\ b$$\nholds.\n\n$$x$$"
    assert write(Node("p", None, [formula("a\n= b\n- c", "block")])) == "$$a = b - c$$"
    assert write(Node("h2", None, ["On ", formula("x", "block")])) == "## On $$x$$"
    cell = Node("tr", None, [Node("th", None, [formula("|x|")])])
    assert write(Node("table", None, [cell])) == "| $\\|x\\|$ |\n| --- |"


@pytest.mark.parametrize(
    ("tex", "written"),
    [
        ("[c](javascript:x)", "$[c] (javascript:x)$"),
        ("[a, b](t)", "$[a, b] (t)$"),
        (r"\text{``so''}", r"$\text{“so''}$"),
        ("`", "$‘$"),
        (r"\sqrt[3]{x} [y] (z)", r"$\sqrt[3]{x} [y] (z)$"),
    ],
)
def test_a_formula_is_neither_a_link_nor_code(tex: str, written: str) -> None:
    code = Node("code", None, ["[c](javascript:x)"])
    markdown = write(Node("p", None, [formula(tex), " ", code]))
    assert markdown == f"{written} `[c](javascript:x)`"
    for read in READERS:
        assert find_texts(read(markdown), "a") == []
        assert find_texts(read(markdown), "code") == ["[c](javascript:x)"]


@pytest.mark.parametrize("tag", ["b", "span", "u", "strong"])
@pytest.mark.parametrize("inside", ["[c]<{0}>(javascript:x)</{0}>", "&lt;<{0}>img src=x onerror=y&gt;</{0}>"])
def test_markup_that_is_split_by_elements_stays_text(inside: str, tag: str) -> None:
    """A bold term is written without the marks of the bold words in it."""
    inner = inside.format(tag)
    html = f"<p>{inner}</p><dl><dt>{inner}<dd>{inner}</dl><h2>{inner}</h2><table><tr><th>{inner}<td>{inner}</table>"
    doc = bonmun.extract(html, method="all")
    for read in READERS:
        tree = turbohtml.parse(read(doc.markdown))
        assert not tree.select("a,img"), doc.markdown
        assert find_words(read_html(read(doc.markdown))) == find_words(doc.text)


@pytest.mark.parametrize(
    ("note", "written"),
    [
        ("javascript:x", "javascript:x \u200c"),
        ("Ibid.", "Ibid. \u200c"),
        ("javascript:x (title)", "javascript:x \u200c (title)"),
        ('javascript:x "title"', 'javascript:x \u200c "title"'),
        ("javascript:x<br>'title<br>more'", "javascript:x \u200c  \n    'title  \n    more'"),
        ("javascript:x<br>more", "javascript:x \u200c  \n    more"),
        ("<pre>x</pre><p>y", "\u200c \u200c\n\n    ```\n    x\n    ```\n\n    y"),
        ("See (Smith).", "See (Smith)."),
        ("Two words", "Two words"),
        ('In "A", and "B".', 'In "A", and "B".'),
    ],
)
def test_a_note_is_not_the_definition_of_a_link(note: str, written: str) -> None:
    """Readers without footnotes know `[^1]: URL` as the definition of the link `[^1]`."""
    html = f"<p>Words<sup><a href=#n1>1</a></sup> and more.</p><p>More.</p><div id=n1>{note}</div>"
    markdown = bonmun.extract(html, method="all").markdown
    assert markdown == f"Words[^1] and more.\n\nMore.\n\n[^1]: {written}"
    for read in READERS:
        assert find_texts(read(markdown), "a") == []


def test_brackets_after_the_reference_to_a_note_are_text() -> None:
    html = "<p>Words<sup><a href=#n1>1</a></sup>(javascript:x) more.</p><p>More.</p><p id=n1>The note."
    markdown = bonmun.extract(html, method="all").markdown
    assert markdown.startswith("Words[^1]\\(javascript:x) more.\n")
    for read in READERS:
        assert find_texts(read(markdown), "a") == []


def test_formulas_and_notes_in_tables_as_html() -> None:
    html = "<p>Words<sup><a href=#n1>1</a></sup>.</p><table><tr><th>a<th>b<tr><td><math><mi>x</mi></math><td>c"
    doc = bonmun.extract(
        f"{html}<sup><a href=#n1>1</a></sup></table><p id=n1>The note.</p>",
        method="all",
        options=bonmun.Options(tables="html"),
    )
    assert '<td><code class="math">x</code></td><td>c<sup>[1]</sup></td>' in doc.markdown


HARD = [
    "*a ",
    "_a_ ",
    "`a``",
    "[",
    "](",
    "[a]: ",
    "[a\\",
    "<a ",
    "&amp;",
    "\\",
    "~a~",
    "$a$ ",
    "--|",
    "\\`*",
    "- ",
    "1. ",
]


@pytest.mark.slow
@pytest.mark.parametrize("marks", HARD)
def test_time_is_linear_in_marks(marks: str) -> None:
    written = assert_linear(lambda size: paragraph(marks * size), write, 60_000, 0.05)
    assert len(written) <= 2 * len(marks) * 60_000 + 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["strong", "code", "a", "math"])
def test_time_is_linear_in_phrases(name: str) -> None:
    def make(size: int) -> Node:
        return Node("p", None, [Node(name, {"href": "x("}, ["`*]"]) for _ in range(size)])

    written = assert_linear(make, write, 20_000, 0.05)
    assert len(written) <= 40 * 20_000


@pytest.mark.parametrize(("tex", "written"), [("a\\", "$a$"), ("a\\ ", "$a$"), ("a\\\\", "$a\\\\$"), ("\\", "")])
def test_a_backslash_at_the_end_of_a_formula_does_not_escape_its_dollar_sign(tex: str, written: str) -> None:
    formula = f"<math><semantics><annotation encoding=tex>{tex}</annotation></semantics></math>"
    markdown = bonmun.extract(f"<p>Some words {formula} more", method="all").markdown
    assert markdown.split() == f"Some words {written} more".split()
