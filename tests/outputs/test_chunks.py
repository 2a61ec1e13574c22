"""Chunks: where texts are split, the attributes of chunks, properties that hold for any page, and hostile pages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun import extract
from bonmun.errors import BadConfig
from bonmun.options import Options
from bonmun.outputs.chunks.chunking import HEADING_CHARS, Chunk
from bonmun.outputs.chunks.json_lines import write_chunks
from bonmun.outputs.chunks.pieces import SYMBOLS_PER_WORD
from bonmun.text.words import WORD
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.document import Document


def read(html: str) -> Document:
    return extract(html, "https://example.org/", method="all")


def words(count: int, name: str = "w") -> str:
    return " ".join(f"{name}{number}" for number in range(count))


def texts(doc: Document, max_words: int) -> list[str]:
    return [chunk.text for chunk in doc.chunks(max_words)]


def check(doc: Document, chunks: list[Chunk], max_words: int) -> None:
    """Check the properties of chunks without overlap."""
    place = 0
    for number, chunk in enumerate(chunks):
        assert chunk.number == number
        assert doc.text[chunk.start : chunk.end] == chunk.text
        assert chunk.text.strip()
        assert not doc.text[place : chunk.start].strip()
        assert chunk.start >= place
        assert chunk.size == (len(WORD.findall(chunk.text)) or 1) <= max_words
        place = chunk.end
    assert not doc.text[place:].strip()


# --- splitting -----------------------------------------------------------------------------------------------------------


def test_a_text_that_fits_is_one_chunk() -> None:
    doc = read("<h1>A</h1><p>One two.</p><h2>B</h2><p>Three.</p>")
    [chunk] = doc.chunks(5)
    assert chunk.text == doc.text
    assert (chunk.headings, chunk.kinds, chunk.size) == (("A",), ("heading", "paragraph"), 5)
    assert (chunk.first, chunk.last) == ("/html/body/h1[1]", "/html/body/p[2]")
    assert read("<p>").chunks() == []


def test_texts_are_split_at_headings_first() -> None:
    doc = read(f"<h1>A</h1><p>{words(3)}</p><h2>B</h2><p>{words(4)}</p><p>{words(4)}</p><h2>C</h2><p>{words(2)}</p>")
    chunks = doc.chunks(10)
    assert [chunk.headings for chunk in chunks] == [("A",), ("A", "B"), ("A", "C")]
    assert [chunk.size for chunk in chunks] == [4, 9, 3]


def test_short_sections_share_a_chunk() -> None:
    doc = read("<h1>A</h1>" + "".join(f"<h2>B{number}</h2><p>{words(3)}</p>" for number in range(4)))
    assert [(chunk.size, chunk.headings) for chunk in doc.chunks(9)] == [(9, ("A",)), (8, ("A",))]
    assert [chunk.headings for chunk in doc.chunks(5)] == [("A", f"B{number}") for number in range(4)]


def test_headings_of_irregular_levels() -> None:
    doc = read(f"<h3>A</h3><p>{words(5)}</p><h1>B</h1><p>{words(5)}</p><h4>C</h4><p>{words(5)}</p><h2>D</h2><p>x</p>")
    assert [chunk.headings for chunk in doc.chunks(6)] == [("A",), ("B",), ("B", "C"), ("B", "D")]


def test_texts_are_split_between_paragraphs_then_sentences() -> None:
    doc = read(f"<p>{words(4)}</p><p>{words(4)}</p><p>One two three. Four five six seven! Eight nine ten.</p>")
    assert texts(doc, 8) == [f"{words(4)}\n\n{words(4)}", "One two three. Four five six seven!", "Eight nine ten."]
    assert texts(doc, 5)[2:] == ["One two three.", "Four five six seven!", "Eight nine ten."]
    assert texts(doc, 2)[4:] == ["One two", "three. Four", "five six", "seven! Eight", "nine ten."]


def test_tables_code_and_items_that_fit_are_not_split() -> None:
    table = "<table><tr><th>a<th>b<tr><td>c<td>d<tr><td>e<td>f</table>"
    doc = read(f"<p>{words(3)}</p>{table}<p>x</p><pre>one\n  two\n\nthree</pre><ul><li>a b<p>c</p><li>d e</ul>")
    assert texts(doc, 6) == [words(3), "a\tb\nc\td\ne\tf", "x\n\none\n  two\n\nthree", "a b\nc\nd e"]
    assert texts(doc, 4)[:4] == [words(3), "a\tb\nc\td", "e\tf\n\nx", "one\n  two\n\nthree"]
    assert texts(doc, 3)[-2:] == ["a b\nc", "d e"]
    assert texts(doc, 2)[4:] == ["e\tf", "x\n\none", "  two\n\nthree", "a b", "c", "d e"]
    assert [chunk.kinds for chunk in doc.chunks(6)] == [("paragraph",), ("cell",), ("paragraph", "code"), ("item",)]


def test_two_tables_are_two_units() -> None:
    table = "<table><tr><th>a<th>b<tr><td>c<td>d</table>"
    assert texts(read(table + table), 7) == ["a\tb\nc\td"] * 2


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("등대는 여섯 시에 켜졌다. 바다는 어두웠다.", ["등대는 여섯 시에 켜졌다.", "바다는 어두웠다."]),
        ("등대는 여섯 시에 켜졌다.바다는 어두웠다.", ["등대는 여섯 시에 켜졌다.", "바다는 어두웠다."]),
        ("灯台は六時に点いた。「海は暗い。」と言った！", ["灯台は六時に点いた。", "「海は暗い。」と言った！"]),
        (
            "Dr. Kim lit it at 6.30 p.m. sharp. Then it burned.",
            ["Dr. Kim lit it at 6.30 p.m. sharp.", "Then it burned."],
        ),
        (
            "“It is now lit again.” Then (so they say.) It burned…",
            ["“It is now lit again.” Then (so they say.)", "It burned…"],
        ),
    ],
)
def test_sentences_in_many_languages(text: str, chunks: list[str]) -> None:
    assert texts(read(f"<p>{text}</p>"), 10) == chunks


def test_scripts_without_spaces_are_split_between_characters() -> None:
    assert texts(read("<p>灯台は六時に点いた</p>"), 4) == ["灯台は六", "時に点い", "た"]
    assert texts(read("<p>a.b(c),d</p>"), 2) == ["a.b(", "c),d"]


def test_words_are_never_split() -> None:
    doc = read(f"<p>{'x' * 1000} b</p>")
    assert [(len(chunk.text), chunk.size) for chunk in doc.chunks(1)] == [(1000, 1), (1, 1)]


@pytest.mark.parametrize(
    "text", ["😀" * 9_000, "👩\u200d👧 " * 3_000, ". " * 9_000, "{" * 9_000, "_ " * 9_000, "a" + "–" * 9_000]
)
@pytest.mark.parametrize("tag", ["p", "pre", "li", "td"])
def test_texts_of_symbols_are_split(text: str, tag: str) -> None:
    doc = read(f"<table><tr><td>a</td><{tag}>{text}</{tag}></table>")
    chunks = doc.chunks(10)
    assert len(chunks) > 5
    assert all(chunk.size <= 10 and len(chunk.text) <= 4 * 10 * SYMBOLS_PER_WORD for chunk in chunks)
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(doc.text.split())
    assert all(len(chunk.text) <= 1_000 for chunk in doc.chunks(1_000, 0, len))


def test_formulas_that_fit_are_not_split() -> None:
    tex = "a + b = c. d = e! f + g"
    html = f"<p>{words(8)}</p><math display=block alttext='{tex}'><mi>a</mi></math><p>{words(8, 'v')}</p>"
    doc = read(html)
    assert [block.kind for block in doc.blocks] == ["paragraph", "formula", "paragraph"]
    assert texts(doc, 10) == [words(8), f"$${tex}$$", words(8, "v")]
    assert texts(doc, 15) == [f"{words(8)}\n\n$${tex}$$", words(8, "v")]
    assert len(texts(doc, 3)) > 6


def test_comments_are_included_if_the_options_say_so() -> None:
    page = f"<article><p>{words(60)}.</p></article><div class=comments><p>{words(30, 'c')}.</p></div>"
    doc = extract(page, method="rules", options=Options(comments=True))
    check(doc, doc.chunks(20), 20)


# --- sizes, overlap ------------------------------------------------------------------------------------------------------


def test_custom_sizes() -> None:
    doc = read(f"<h1>A</h1><p>{words(300)}</p><p>One two. Three four.</p><h2>B</h2><p>{words(9)}</p>")
    for size in (40, 100, 700):
        chunks = doc.chunks(size, size=len)
        assert all(chunk.size == len(chunk.text) <= size for chunk in chunks)
        assert re.sub(r"\s", "", "".join(chunk.text for chunk in chunks)) == re.sub(r"\s", "", doc.text)
    assert len(doc.chunks(700, size=len)) == 4


def test_a_size_that_is_more_than_the_sum_of_its_parts() -> None:
    doc = read(f"<p>{words(60)}</p>")
    assert {chunk.size for chunk in doc.chunks(100, size=lambda text: len(text.split()) ** 2)} == {100}


def test_overlap() -> None:
    doc = read(f"<p>{words(10)}. One two. Three.</p><p>{words(9)}.</p><h2>B</h2><p>{words(12)}</p>")
    one, two, three = doc.chunks(20, chunk_overlap=4)
    assert (one.text[-16:], two.text[:16]) == ("One two. Three.", "One two. Three.\n") or two.text.startswith(
        "One two."
    )
    assert two.start < one.end <= two.end
    assert three.text.startswith("B\n")
    assert three.start >= two.end
    long = read(f"<p>{words(40)}</p>").chunks(10, chunk_overlap=3)
    assert [chunk.text.split()[0] for chunk in long] == ["w0", "w4", "w11", "w18", "w25", "w32"]
    assert all(chunk.size <= 10 for chunk in long)
    han = read(f"<p>{'灯台' * 20}</p>").chunks(10, chunk_overlap=3)
    assert [chunk.start for chunk in han[:3]] == [0, 4, 11]


@pytest.mark.parametrize(
    ("chunk_words", "chunk_overlap"), [(0, 0), (-1, 0), (10, 6), (10, -1), (1, 1), ("10", 0), (10, 1.5)]
)
def test_invalid_chunk_sizes_are_refused(chunk_words: int, chunk_overlap: int) -> None:
    with pytest.raises(BadConfig):
        read("<p>a").chunks(chunk_words, chunk_overlap)


# --- any page ------------------------------------------------------------------------------------------------------------

PIECES = [
    *("<h1>A b</h1>", "<h2>B</h2>", "<h6>C c c</h6>", "<p>One two. Three four five! Six</p>", "<p>漢字。仮名</p>"),
    *(
        "<table><tr><th>a<th>b<tr><td>c d<td>e</table>",
        "<pre>a b\n\n  c d\n</pre>",
        "<ul><li>a<li>b c<ul><li>d</ul></ul>",
    ),
    *("<p>***</p>", "<p>a-b_c.d</p>", "<p>하나이다.둘</p>", "<p>a<br>b<br><br>c</p>", "<blockquote>a b</blockquote>"),
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=20), st.integers(1, 30))
def test_chunks_are_the_text(pieces: list[str], max_words: int) -> None:
    doc = read("<hr>" + "".join(pieces))
    check(doc, doc.chunks(max_words), max_words)


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=20), st.integers(2, 30), st.data())
def test_overlapping_chunks_cover_the_text(pieces: list[str], max_words: int, data: st.DataObject) -> None:
    doc = read("<hr>" + "".join(pieces))
    place = last = 0
    for chunk in doc.chunks(max_words, data.draw(st.integers(0, max_words // 2))):
        assert chunk.size <= max_words
        assert last <= chunk.start
        assert not doc.text[place : chunk.start].strip()
        assert chunk.end > place
        last, place = chunk.start, chunk.end
    assert not doc.text[place:].strip()


@settings(deadline=None)
@given(st.text("ab.。! \n漢가다", max_size=80), st.integers(1, 9))
def test_any_text_is_split(text: str, max_words: int) -> None:
    doc = read(f"<pre>{text}</pre><p>{text}</p>")
    check(doc, doc.chunks(max_words), max_words)


# --- as JSON lines -------------------------------------------------------------------------------------------------------


def test_json_lines_name_their_document() -> None:
    doc = read("<title>Lamps</title><h1>A</h1><p>One.</p>")
    [line] = write_chunks(doc, doc.chunks(), {"input": "a"}).splitlines()
    row = json.loads(line)
    assert (row["input"], row["url"], row["headings"], row["kinds"]) == (
        "a",
        "https://example.org/",
        [doc.chunks()[0].headings[0]],
        ["heading", "paragraph"],
    )
    assert row["text"] == doc.text


# --- hostile pages -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        lambda size: f"<pre>{'a=b;' * size}</pre>",
        lambda size: f"<p>{'a b ' * size}</p>",
        lambda size: f"<p>{'Aa. Bb ' * size}</p>",
        lambda size: f"<p>{'漢字' * size}</p>",
        lambda size: f"<p>{'. ' * size}</p>",
        lambda size: f"<p>{'💡' * size}</p>",
        lambda size: f"<pre>{'a b' + chr(10) * size}</pre>",
        lambda size: "<p>one two</p>" * (size // 8),
        lambda size: "<h2>one</h2><p>two</p>" * (size // 16),
        lambda size: "".join(f"<h{n % 6 + 1}>a</h{n % 6 + 1}><p>b" for n in range(size // 16)),
        lambda size: f"<table>{'<tr><td>a<td>b' * (size // 16)}</table>",
        lambda size: f"<ul>{'<li>a b' * (size // 16)}</ul>",
    ],
)
@pytest.mark.parametrize("overlap", [0, 40])
def test_chunks_are_made_in_linear_time(make: Callable[[int], str], overlap: int) -> None:
    chunks = assert_linear(lambda size: read(make(size)), lambda doc: doc.chunks(200, overlap), 40_000, least=0.1)
    assert all(chunk.size <= 200 for chunk in chunks)


def test_long_headings_are_cut_in_chunks() -> None:
    doc = read(f"<h1>{'heading ' * 5_000}</h1>" + f"<p>{words(100)}</p>" * 50)
    chunks = doc.chunks(50)
    assert max(len(heading) for chunk in chunks for heading in chunk.headings) <= HEADING_CHARS
    assert len(write_chunks(doc, chunks)) < 8 * len(doc.text)
