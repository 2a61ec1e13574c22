"""The exact output of footnotes in the five formats; and every reference has its note."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

import bonmun
from bonmun import Document, Options
from scripts.fuzz.checks import TEI, drop_marks, find_words, read_html, read_markdown, read_tei
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Iterable

TEXT = "The lamp was lit"
REFERENCE = re.compile(r"(?<!\\)\[\^([^\]\s]+)\](?!:)")
DEFINITION = re.compile(r"^\[\^([^\]\s]+)\]: (.*)", re.M)


def document(markup: str, **options: Any) -> Document:
    return bonmun.extract(f"<!DOCTYPE html><body>{markup}", method="all", options=Options(**options))


def refer(label: object, name: object) -> str:
    return f"<sup><a href='#fn{name}' id=r{name}>{label}</a></sup>"


def make_page(notes: Iterable[str]) -> str:
    """Return a page with one paragraph per note, and the notes."""
    held = list(enumerate(notes, 1))
    text = "".join(f"<p>{TEXT}{refer(number, number)}.</p>" for number, _ in held)
    items = "".join(f"<li id=fn{number}>{note} <a href='#r{number}'>↩</a></li>" for number, note in held)
    return f"{text}<ol>{items}</ol><p>Words after.</p>"


TWO = make_page(["<p>One <b>note</b>.</p><p>It goes on.</p>", "Two."])


def test_text() -> None:
    said = "The lamp was lit[1].\n\nThe lamp was lit[2].\n\nWords after.\n\n[1] One note.\nIt goes on.\n[2] Two."
    assert document(TWO).text == said


def test_markdown() -> None:
    said = (
        "The lamp was lit[^1].\n\nThe lamp was lit[^2].\n\nWords after.\n\n"
        "[^1]: One **note**.\n\n    It goes on.\n\n[^2]: Two. \u200c"
    )
    assert document(TWO).markdown == said
    assert document(TWO, links=True).markdown == said


def test_html() -> None:
    html = document(TWO).html
    assert '<p>The lamp was lit<sup><a href="#note-2">[2]</a></sup>.</p>' in html
    assert '<aside id="note-1" role="doc-footnote"><p>[1] One <strong>note</strong>.</p>\n<p>It goes on.</p>' in html
    assert html.index("Words after.") < html.index("<aside")


def test_xml() -> None:
    root = ET.fromstring(document(TWO).render("xml"))
    notes = list(root.iter(f"{TEI}note"))
    assert [dict(note.attrib) for note in notes] == [{"place": "end", "n": "1"}, {"place": "end", "n": "2"}]
    assert ["".join(note.itertext()).split() for note in notes] == [["One", "note.", "It", "goes", "on."], ["Two."]]
    assert next((ref.get("type"), ref.get("n"), ref.text) for ref in root.iter(f"{TEI}ref")) == ("note", "1", "[1]")


def test_json() -> None:
    blocks = json.loads(document(TWO).render("json"))["blocks"]
    assert [block.get("note") for block in blocks] == [None, None, None, "1", "1", "2"]
    assert [block["text"] for block in blocks][2:4] == ["Words after.", "One note."]


SHAPES = {
    "paragraphs": TWO,
    "code first": make_page(["<pre>x = 1\n  y</pre><p>Why.</p>"]),
    "a list": make_page(["<ul><li>a<li>b</ul>"]),
    "a quote": make_page(["<blockquote>a</blockquote>"]),
    "a table": make_page(["<table><tr><th>a<th>b<tr><td>c<td>d</table>"]),
    "one word": make_page(["Ibid", "https://a.example/b"]),
    "marks": make_page(["*a* [x]: b # c", "1. a"]),
    "in a cell": f"<table><tr><th>a<th>b<tr><td>{TEXT}{refer(1, 1)}<td>c</table><p id=fn1>A note.</p>",
    "in a heading": f"<h2>Lamps{refer(1, 1)}</h2><p>{TEXT}.</p><p id=fn1>A note.</p>",
    "in a quote": f"<blockquote>{TEXT}{refer('*', 1)}</blockquote><p id=fn1>* A note.</p>",
    "twice": f"<p>{TEXT}{refer(1, 1)}, and{refer(1, 1)}.</p><p id=fn1>A note.</p>",
    "two in a row": f"<p>{TEXT}{refer(1, 1)}{refer(2, 2)}.</p><p id=fn1>A note.</p><p id=fn2>More.</p>",
    "each other": f"<p>{TEXT}{refer(1, 1)}.</p><p id=fn1>A note{refer(2, 2)}.</p><p id=fn2>B note{refer(1, 1)}.</p>",
    "nowhere": f"<p>{TEXT}{refer(1, 9)} and{refer(2, 2)}.</p><p id=fn2>A note.</p>",
    "bold": f"<p>{TEXT}<b> again{refer(1, 1)} and</b> again.</p><p id=fn1>A note.</p>",
    "definitions": f"<p>{TEXT}{refer(1, 1)}.</p><dl><dt id=fn1>[1]<dd>A note.<dt>Lamp<dd>It is lit.</dl>",
    "only the label": f"<p>{TEXT}{refer(1, 1)}.</p><table><tr><td id=fn1>1<td>A note.</table>",
    "Korean": f"<p>등대에 불이 켜졌다{refer(1, 1)}.</p><p id=fn1>각주 하나.</p>",
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("links", [False, True])
def test_all_formats_have_the_same_words(shape: str, links: bool) -> None:
    doc = document(SHAPES[shape], links=links)
    said = find_words(doc.text)
    assert find_words(read_html(doc.html)) == said
    assert find_words(read_tei(doc.render("xml"))) == said
    assert find_words(read_html(read_markdown(drop_marks(doc.markdown, doc.html)))) == said


@pytest.mark.parametrize("shape", SHAPES)
def test_every_reference_has_one_note(shape: str) -> None:
    doc = document(SHAPES[shape], links=True)
    defined = [label for label, _ in DEFINITION.findall(doc.markdown)]
    assert set(REFERENCE.findall(doc.markdown)) == set(defined)
    assert len(defined) == len(set(defined)) == doc.html.count("<aside") == doc.render("xml").count("<note ")
    assert set(re.findall('href="#(note-[0-9]+)"', doc.html)) == set(re.findall('id="(note-[0-9]+)"', doc.html))


def test_text_that_looks_like_a_note_is_escaped() -> None:
    assert document("<p>[^1]: a</p><p>b[^1]</p>").markdown == "\\[^1]: a\n\nb\\[^1]"


def test_a_definition_keeps_its_term_unless_it_is_the_label() -> None:
    assert document(SHAPES["definitions"]).markdown.split("\n\n")[1:] == ["**Lamp**", "- It is lit.", "[^1]: A note."]


def test_a_note_with_only_a_label_loses_no_words() -> None:
    assert document(SHAPES["only the label"]).text.endswith("A note.")


def test_comments_follow_the_notes() -> None:
    text = "".join(
        f"<p>{TEXT} at six, and whoever stood at the harbour saw it, as on every evening.</p>" for _ in "123"
    )
    notes = f"<p>{TEXT}{refer(1, 1)} at six, and the ships that had waited came in, one after another.</p>"
    notes += f"<p id=fn1>{TEXT} by hand until the year in which the keeper retired to the village.</p>"
    comments = "<div class=comments><h3>Comments</h3><div class=comment><p>Nice words, said a reader.</p></div></div>"
    doc = bonmun.extract(f"<article>{text}{notes}</article>{comments}", options=Options(comments=True))
    assert doc.blocks[-1].note == "1"
    assert [name for name in ("text", "markdown", "html", "xml") if _says_comment_last(doc.render(name))] == [
        "text",
        "markdown",
        "html",
        "xml",
    ]


def _says_comment_last(rendering: str) -> bool:
    return 0 < rendering.find("keeper retired") < rendering.find("Nice words")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["text", "markdown", "html", "xml", "json"])
def test_ten_thousand_notes_take_linear_time(name: str) -> None:
    def make(count: int) -> str:
        return make_page(f"Note {number}." for number in range(count))

    written = assert_linear(make, lambda markup: document(markup, links=True).render(name), 10_000, 0.2)
    assert "Note 9999." in written


def test_a_cut_document_has_no_references_to_missing_notes() -> None:
    name = "x-" + "a" * 90
    deep = f"<{name}>" * 90 + "<p>x" * 20_000 + f"</{name}>" * 90
    doc = document(f"<p>{TEXT}{refer(1, 1)}.</p>{deep}<p id=fn1>A note.</p>")
    assert doc.cut
    assert "<aside" not in doc.html
    assert "[^1]" not in doc.markdown


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("1. It had been dark.", "It had been dark."),
        ("[1] It had been dark.", "It had been dark."),
        ("1: It had been dark.", "It had been dark."),
        ("1 lamp was dark.", "1 lamp was dark."),
        ("1.5 lamps were dark.", "1.5 lamps were dark."),
        ("10. It had been dark.", "10. It had been dark."),
    ],
)
def test_the_label_at_the_start_of_a_note_is_not_repeated(written: str, said: str) -> None:
    html = f"<p>The lamp was lit<sup><a href='#fn1'>1</a></sup> again.</p><p id=fn1 class=footnote>{written} So it was.</p>"
    doc = bonmun.extract(html, method="all")
    assert doc.blocks[-1].text == f"{said} So it was."


# --- sidenotes -----------------------------------------------------------------------------------------------------------

SIDE = "<label for=n></label><input type=checkbox id=n><span class=sidenote>It was <b>dark</b> {}.</span>"


def test_a_sidenote_becomes_a_footnote() -> None:
    doc = bonmun.extract(f"<p>The lamp{SIDE.format('once')} was lit{SIDE.format('twice')} again.</p>", method="all")
    assert [(block.note, block.text) for block in doc.blocks] == [
        (None, "The lamp [1] was lit [2] again."),
        ("1", "It was dark once."),
        ("2", "It was dark twice."),
    ]
    assert doc.markdown.endswith("[^1]: It was **dark** once.\n\n[^2]: It was **dark** twice.")
    assert find_words(read_html(doc.html)) == find_words(doc.text) == find_words(read_tei(doc.render("xml")))


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>{SIDE.format('once')}</p>",  # without a reference
        "<p>The lamp <span class=sidenote>It was dark.</span> was lit.</p>",  # without a toggle
        "<p>The lamp</p><label></label><div class=sidenote>It was dark.</div>",  # not within a line
    ],
)
def test_other_elements_are_not_sidenotes(markup: str) -> None:
    assert all(block.note is None for block in bonmun.extract(markup, method="all").blocks)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("a [{}] b", "a [^1] b"),
        ("<i>a</i>[{}].", "*a*[^1]."),
        ("a[{}][{}]", "a[^1][^1]"),
        ("<b>a</b> [{}]<i>b</i>", "**a** [^1]*b*"),
        ("a [{}, {}]", "a [[^1], [^1]]"),
        ("a [{} b]", "a [[^1] b]"),
        ("a ({})", "a ([^1])"),
    ],
)
def test_a_reference_in_brackets_has_only_its_own(markup: str, expected: str) -> None:
    link = "<a href=#n class=footnote>1</a>"
    doc = document(f"<p>{markup.format(link, link)}</p><p id=n>[<a href=#r>1</a>] The note.</p>")
    assert doc.markdown == f"{expected}\n\n[^1]: The note."
    assert doc.text.startswith(re.sub(r"[*^]", "", expected))


def test_many_sidenotes_take_linear_time() -> None:
    def make(count: int) -> str:
        return f"<p>{''.join(f'The lamp{SIDE.format(n)}' for n in range(count))} was lit.</p>"

    def write(html: str) -> Document:
        doc = bonmun.extract(html, method="all")
        assert doc.markdown
        return doc

    assert len(assert_linear(make, write, 2000).blocks) == 2001
