"""Markdown as plain text: every marker, text that only looks like one, hostile texts, and random texts."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bonmun import Options, extract
from bonmun.lab.gold.markdown import read_markdown
from bonmun.lab.gold.markdown_spans import read_spans
from bonmun.page import Page
from bonmun.text.words import count_words
from samples import FOLDERS, in_one_test
from timing import assert_linear

COMMONMARK = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# Light", "Light"),
        ("### Light ##", "Light"),
        ("####### Light", "####### Light"),
        ("#Light", "#Light"),
        ("C #", "C #"),
        ("Light\n===\nSea\n---\nLamp", "Light\nSea\nLamp"),
        ("One\n\n---\n\n* * *\n\n___\n\nTwo", "One\nTwo"),
        ("One\ntwo  \nthree\\\nfour", "One two\nthree\nfour"),
        ("- one\n- two\n  - three\n* four\n+ five", "one\ntwo\nthree\nfour\nfive"),
        ("1. one\n2) two\n10. ten", "one\ntwo\nten"),
        ("It was lit in\n1986. Then it was dark.", "It was lit in 1986. Then it was dark."),
        ("1986\\. A year", "1986. A year"),
        ("- [ ] to do\n- [x] done", "to do\ndone"),
        ("-no list\n1.no list", "-no list 1.no list"),
        ("> one\n> > two\n>three\n\nfour", "one\ntwo three\nfour"),
        ("> [!note] Mind\n> the gap", "Mind the gap"),
        ("- > quoted in an item", "quoted in an item"),
        ("| a | b |\n| --- | :-: |\n| *c* | d \\| e |\n\nafter", "a\tb\nc\td | e\nafter"),
        ("a | b\n-|-\nc | d", "a\tb\nc\td"),
        ("a | b\nc | d", "a | b c | d"),
        ("| |\n|---|\n| |", ""),
        ("[^1]: A *note*.\n\n    More of it.", "A note.\nMore of it."),
        ("Lit.[^1] Dark.[^2]\n\n[^1]: At six.", "Lit. Dark.[^2]\nAt six."),
        ("---\ntitle: Light\ntags: [a]\n---\nText", "Text"),
        ("---\ntitle: no end\n\nText", "title: no end\nText"),
        ("---\n\nText\n\n---", "Text"),
        ("one\r\n\r\n# two\rthree", "one\ntwo\nthree"),
        ("", ""),
        (" \n\n\t\n", ""),
    ],
)
def test_blocks(markdown: str, text: str) -> None:
    assert read_markdown(markdown) == text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("```py\na = *b*  \n\n# [c](d)\n```\n*e*", "a = *b*\n\n# [c](d)\ne"),
        ("~~~\n```\n~~~~\nafter", "```\nafter"),
        ("> ```\n> - a\n> ```\n> *b*", " - a\nb"),
        ("> ```\n> code\n*text*", " code\ntext"),
        ("```\nnever *closed*", "never *closed*"),
        ("- item\n\n  ```sh\n  ls -l\n  ```", "item\n  ls -l"),
        ("``` not `a` fence", "``` not a fence"),
        ("$$\nx_1 * y_2 * z\n- 3\n$$\n*a*", "$$\nx_1 * y_2 * z\n- 3\n$$\na"),
        ("$$x_1$$ and *a*", "$$x_1$$ and a"),
        ("$$ is *dear*", "$$ is dear"),
        (r"$\mathbf{x}_1 * \_ [a](b) *$ *c*", r"$\mathbf{x}_1 * \_ [a](b) *$ c"),
        ("It costs $5 or [$6](a).", "It costs $5 or $6."),
    ],
)
def test_code_and_formulas_stay_unchanged(markdown: str, text: str) -> None:
    assert read_markdown(markdown) == text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("*a* **b** ***c*** _d_ __e__ ~~f~~ ==g==", "a b c d e f g"),
        ("un*believ*able, snake_case_name, a * b, 2*3", "unbelievable, snake_case_name, a * b, 2*3"),
        ("a==b and c==d", "a==b and c==d"),
        ("**불을** *켰다*", "불을 켰다"),
        ("*a **b* c", "*a *b c"),
        ("[a](b) [c](<d e> 'f') [g](h \"i (j)\") [k](l_(m)_n) [o]( p )", "a c g k o"),
        ("[a *b*](c) [[d]](e) [f](g h)", "a b [d] [f](g h)"),
        ("![a *b*](c) [![d](e)](f) ![](g)*h*", "h"),
        ("[*a ![b _c](d) e*](f) g_", "a e g_"),
        ("[a][b] [c][] [d] [e][f]\n\n[b]: x\n[C]: <y> 'z'\n[d]: w", "a c d [e][f]"),
        ("`a*b*` ``c ` d`` `e", "a*b* c ` d `e"),
        ("a<br>b <sub>2</sub> x<b>y</b>z <td>a</td><td>b</td>", "a\nb 2 xyz \na\n\nb"),
        ("a <!-- b *c* --> d <!-- e", "a  d <!-- e"),
        ("<https://a.b/> <a@b.c> a < b > c, if x <y", "https://a.b/ a@b.c a < b > c, if x <y"),
        (r"\*a\* \[b\](c) \\ \q &amp; &#65; &nosuch;", r"*a* [b](c) \ \q & A &nosuch;"),
        ("[^a-z] is no note", "[^a-z] is no note"),
    ],
)
def test_spans(markdown: str, text: str) -> None:
    lines = [" ".join(line.split()) for line in text.split("\n")]
    found = [" ".join(line.split()) for line in read_markdown(markdown).split("\n")]
    assert found == [line for line in lines if line]


def test_our_own_markdown_has_the_words_of_our_text() -> None:
    """The Markdown of a document has, without images, the same words as its text."""
    for folder in FOLDERS:
        doc = extract((folder / "source.html").read_bytes(), method="all", options=Options(posts=False))
        assert count_words(read_markdown(doc.markdown)) == count_words(doc.text), folder.name


# --- hostile texts ---------------------------------------------------------------------------------------------------

PIECES = [
    *("[", "]", "![", "[a", "[a](", "](", "](a ", "](a 'b", '](a "', "](a(", "](\\", "[a](b)", "![a](b", "[]["),
    *("*", "*a", "a*", "**a_", "_a ", "~~a", "==a ", "*a**b", "`", "`a", "``a`", "$", "$a", "$$a", "$1", "\\", "\\\n"),
    *("<", "<a", "<a ", "</a", "<!--", "-->", "<a:", "<a@", "&", "&a", "&#1", "[^a", "[^a]", "[a]: b\n", "[^a]: b\n"),
    *(
        "|",
        "a|b\n-|-\n",
        "|a",
        "|-",
        "> ",
        ">",
        "- ",
        "-",
        "1. ",
        "- > ",
        "#",
        "# a #",
        "=",
        "a\n=\n",
        "~~~\n",
        "```\n",
    ),
    *("\n", " ", "\t", " \n", "\r", "$$\n", "> ```\n", "[ ] ", "> [!a] "),
]


@pytest.mark.slow
@in_one_test("piece", PIECES)
@in_one_test("before", ["", "[a]: b\n\n"], ids=["", "with a label"])
def test_repeated_pieces_take_linear_time(piece: str, before: str) -> None:
    found = assert_linear(lambda size: before + piece * (size // len(piece)) + "end", read_markdown, 20_000)
    assert "end" in found or piece == "`"  # "end" is then the language of a code block


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("[", "](a)"),
        ("![", "](a)"),
        ("[![a](b) ", "](c)"),
        ("*", "*"),
        ("*_", "_*"),
        ("[", "]"),
        ("> ", "\n"),
        ("(", ")"),
    ],
)
def test_nested_markers_take_linear_time(opening: str, closing: str) -> None:
    def nest(size: int) -> str:
        return f"[x]: y\n\nstart {opening * size}a{closing * size}"

    assert read_markdown(nest(3)).startswith("start")
    assert assert_linear(nest, read_markdown, 12_000).startswith("start")


def test_runs_of_backticks_of_all_lengths_take_linear_time() -> None:
    def make(size: int) -> str:
        return " a ".join("`" * n for n in range(1, int(size**0.5)))

    assert assert_linear(make, read_markdown, 400_000).count("a") == int(400_000**0.5) - 2


# --- random texts ----------------------------------------------------------------------------------------------------

MARKS = "*_#>-+=|$\\[]\n\n \t.!a b가1"


@given(st.text(MARKS))
@example("a|b\n-|-\n\\|a")
@example("![a]\n[a]")
def test_markers_do_not_remove_words(markdown: str) -> None:
    """Only numbers may disappear, as list markers."""
    assert re.findall("[ab가]", read_markdown(markdown)) == re.findall("[ab가]", markdown)


@pytest.mark.slow
@given(st.lists(st.sampled_from([*PIECES, "a", "b ", "end\n\n"]), max_size=40).map("".join) | st.text())
def test_no_letters_are_added(markdown: str) -> None:
    """Every letter comes from the input, except those of `&amp;` and other entities."""
    found = Counter(filter(str.isalnum, read_markdown(markdown)))
    assert found <= Counter(filter(str.isalnum, markdown)) or "&" in markdown


WORD = st.sampled_from("lamp sea 등대 light's a1 one.two élan (six) 漢字".split())
SPANS: st.SearchStrategy[tuple[str, str]] = st.deferred(
    lambda: st.one_of(
        WORD.map(lambda word: (word, word)),
        st.tuples(SPANS, st.sampled_from(["*{}*", "**{}**", "[{}](https://x.example/y_z)", "~~{}~~", "<b>{}</b>"])).map(
            lambda made: (made[1].format(made[0][0]), made[0][1])
        ),
        WORD.map(lambda word: (f"`{word}`", word)),
        WORD.map(lambda word: (f"![{word}](https://x.example/y.png)", "")),
        WORD.map(lambda word: (f"${word}_x$", f"${word}_x$")),
    )
)
LINES = st.lists(SPANS, min_size=1, max_size=4).map(lambda made: tuple(map(" ".join, zip(*made, strict=True))))
BLOCKS = st.lists(
    st.tuples(LINES, st.sampled_from(["{}", "# {}", "- {}", "> {}", "7. {}", "> - {}", "| {0} | {0} |\n|---|---|"])),
    max_size=6,
)


@given(BLOCKS)
def test_marked_words_stay_and_markers_go(blocks: list[tuple[tuple[str, str], str]]) -> None:
    markdown = "\n\n".join(form.format(line) for (line, _), form in blocks)
    texts = [f"{text} {text}" if "|" in form else text for (_, text), form in blocks]
    assert read_markdown(markdown).split() == " ".join(texts).split()


def draw_block(draw: random.Random) -> str:
    starts = ["", "# ", "- ", "> ", "1. ", "\n", "---\n", "```\nx *y*\n```\n"]
    marks = [
        "*",
        "**",
        "_",
        "`",
        "[",
        "](u)",
        "](u 't')",
        "![",
        "](i.png)",
        "~~",
        "\\*",
        "&amp;",
        "<b>",
        "</b>",
        " ",
        "\n",
    ]
    return draw.choice(starts) + "".join(draw.choice([*marks, "lamp ", "sea", " light "]) for _ in range(6))


def test_words_match_markdown_it() -> None:
    """A few may differ: emphasis that begins before a link and ends in it, and nested links."""
    draw = random.Random(1)
    blocks = [draw_block(draw) for _ in range(1000)]
    other = []
    for markdown in blocks:
        html = re.sub("<img[^>]*>", "", COMMONMARK.render(markdown))
        if count_words(read_markdown(markdown)) != count_words("\n".join(Page.parse(f"<body>{html}").block_texts)):
            other.append(markdown)
    assert len(other) <= 5, other


def test_spans_only_know_the_given_labels() -> None:
    assert (read_spans("[a][b] *c*"), read_spans("[a][b] *c*", frozenset({"b"}))) == ("[a][b] c", "a c")
