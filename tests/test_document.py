"""The class Document, and how extract() makes it."""

from __future__ import annotations

import dataclasses
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import bonmun
from bonmun import Document, Labels, Options, Page
from bonmun.algorithms.everything import Everything
from bonmun.errors import BadConfig, BonmunError, EmptyInput, NotHtml, TooBig
from bonmun.outputs import FORMATS
from bonmun.text.readable import make_readable
from samples import on_every_page

if TYPE_CHECKING:
    from pathlib import Path

SENTENCE = "The old lighthouse at the end of the pier was lit again last night, after thirty dark years. "
MARKUP = (
    '<html lang=en><head><title>Light again | Pier Post</title><meta name=author content="Ann Keeper">'
    '<meta property=og:site_name content="Pier Post"><meta name=date content=2024-05-06>'
    '<meta name=description content="A lighthouse."><meta property=og:type content=article></head>'
    f"<body><nav><a href=/>Home</a></nav><h1>Light again</h1><p>{SENTENCE * 2}</p><ul><li>{SENTENCE}</ul>"
    "<div class=comments><p>How lovely.</p></div></body></html>"
)
URL = "https://pier.example/light"
KEYS = [
    "url", "title", "author", "authors", "date", "language", "site_name", "description", "facts", "tags",
    "modified", "image", "canonical", "publisher", "licence", "favicon", "categories", "feeds", "paywall", "reading_minutes",
    "kind", "method", "confidence",
    "encoding", "text", "markdown", "cut", "fingerprint", "blocks", "comments", "tables", "posts", "thread",
]  # fmt: skip


@pytest.fixture
def doc() -> Document:
    return bonmun.extract(MARKUP, url=URL)


def test_facts(doc: Document) -> None:
    assert doc.title == "Light again"
    assert doc.author == "Ann Keeper"
    assert doc.date == "2024-05-06"
    assert doc.language == "en"
    assert doc.site_name == "Pier Post"
    assert doc.metadata.description == "A lighthouse."
    assert doc.kind == "article"
    assert doc.method == "auto"
    assert doc.url == URL
    assert 0 < doc.confidence <= 1


def test_blocks(doc: Document) -> None:
    assert [(block.kind, block.text) for block in doc.blocks] == [
        ("paragraph", (SENTENCE * 2).strip()),
        ("item", SENTENCE.strip()),
    ]
    assert [block.xpath for block in doc.blocks] == ["/html/body/p[1]", "/html/body/ul[1]/li[1]"]
    assert [block.tag_path for block in doc.blocks] == ["html/body/p", "html/body/ul/li"]
    assert all(block.score >= 0.5 and block.reason for block in doc.blocks)
    assert doc.text == f"{(SENTENCE * 2).strip()}\n\n{SENTENCE.strip()}"


def test_comments_are_separate(doc: Document) -> None:
    assert [block.text for block in doc.comments] == ["How lovely."]
    assert doc.shown == doc.blocks
    full = bonmun.extract(doc.page, options=Options(comments=True))
    assert full.shown == full.blocks + full.comments
    assert [block.text for block in full.blocks] == [block.text for block in doc.blocks]


def test_to_dict_is_the_content_of_json(doc: Document) -> None:
    assert list(doc.to_dict()) == KEYS
    assert json.loads(doc.render("json")) == doc.to_dict()
    assert doc.to_dict()["encoding"] is None
    assert bonmun.extract(MARKUP.encode()).to_dict()["encoding"] == "utf-8"


def test_timings_are_not_part_of_the_output(doc: Document) -> None:
    assert sorted(doc.timings) == ["label", "parse"]
    assert all(value >= 0 for value in doc.timings.values())
    assert "timings" not in doc.to_dict()
    assert "timings" not in doc.render("json")


def test_repr_is_short(doc: Document) -> None:
    assert repr(doc) == f"<Document 'Light again': article, 2 blocks, confidence {doc.confidence:.2f}>"
    block = doc.blocks[1]
    assert repr(block).startswith(f"<item {block.score:.2f} like main text: 'The old")
    assert len(repr(doc.blocks[0])) < 150


def test_properties_are_the_output_formats(doc: Document) -> None:
    assert (doc.text, doc.markdown, doc.html) == (doc.render("text"), doc.render("markdown"), doc.render("html"))
    assert doc.text is doc.text
    assert doc.blocks is doc.blocks


@pytest.mark.parametrize("name", ["docx", "", "Markdown"])
def test_an_unknown_format_is_bad_config(doc: Document, name: str) -> None:
    with pytest.raises(BadConfig, match=f"Unknown format '{name}'"):
        doc.render(name)


def test_a_document_cannot_be_changed(doc: Document) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        doc.labels = doc.labels  # type: ignore[misc]


def test_a_parsed_page_gives_the_same_document() -> None:
    page = Page.parse(MARKUP, url=URL)
    assert bonmun.extract(page).to_dict() == bonmun.extract(MARKUP, url=URL).to_dict()
    assert bonmun.extract(page).page is page


def test_a_document_without_blocks_is_empty() -> None:
    page = Page.parse("<title>T</title><p>x")
    doc = Document(page, Labels("none", "block", [0.0], [False], ["no"], 0.0), Options())
    assert (doc.text, doc.markdown, doc.kind, doc.title) == ("", "", "empty", "T")


def test_the_method_may_set_the_kind() -> None:
    page = Page.parse("<meta property=og:type content=article><p>x")
    doc = Document(page, Labels("m", "block", [1.0], [True], ["r"], 1.0, kind="forum"), Options())
    assert doc.kind == "forum"


def test_leaf_labels_of_comments() -> None:
    page = Page.parse("<p>a <b>b</b></p><p>c</p>")
    labels = Labels("m", "leaf", [1.0, 0.0, 0.0], [True, False, False], ["r", "s", "t"], 1.0, frozenset({2, 1}))
    doc = Document(page, labels, Options(comments=True))
    assert [block.text for block in doc.comments] == ["b", "c"]
    assert doc.text == "a\n\nb\n\nc"


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("", EmptyInput),
        (b" \n", EmptyInput),
        (b"%PDF-1.7 x", NotHtml),
        ('{"a": 1}', NotHtml),
        ("<p>" + "x" * 100, TooBig),
    ],
)
def test_input_that_is_not_a_page_raises(given: str | bytes, error: type[BonmunError]) -> None:
    with pytest.raises(error) as caught:
        bonmun.extract(given, options=Options(max_bytes=50))
    assert str(caught.value).endswith(".") or ";" in str(caught.value)


@pytest.mark.parametrize("options", [{"max_bytes": 0}, {"timeout": 0}, {"timeout": float("nan")}])
def test_options_check_themselves(options: dict[str, float]) -> None:
    with pytest.raises(BadConfig):
        Options(**options)  # type: ignore[arg-type]


UNREADABLE = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u200b\\ufeff\\ud800-\\udfff\\ufffe\\uffff]")


@on_every_page
def test_text_contains_only_visible_characters(path: Path) -> None:
    doc = bonmun.extract(path.read_bytes())
    for line in doc.text.split("\n"):
        assert make_readable(line) == " ".join(line.split())
    for name in FORMATS:
        assert not UNREADABLE.search(doc.render(name))


POST = (
    "<div class=post><a class=username href=/u/{0}>{0}</a> <time datetime=2024-05-0{1}>May {1}</time><p>{2}</p></div>"
)
SAID = "The lamp was lit again at six, and whoever stood at the harbour saw it, as on every evening of that year."


def test_markdown_names_the_author_of_each_post() -> None:
    posts = "".join(
        POST.format(name, day, f"{SAID} {name} saw it *too*.") for day, name in enumerate(("So_l", "Mira"), 1)
    )
    doc = bonmun.extract(f"<h1>Lamps</h1>{posts}", method="all")
    lines = replace(doc, options=bonmun.Options(posts=True)).markdown.split("\n\n")
    assert [line for line in lines if line.startswith("**")] == ["**So_l** · 2024-05-01", "**Mira** · 2024-05-02"]
    assert lines[-1].endswith(r"saw it \*too\*.")
    assert "2024-05-01" not in doc.markdown


def test_markdown_of_a_page_without_posts_is_the_same_with_them() -> None:
    doc = bonmun.extract(f"<h1>Lamps</h1><p>{SAID}</p><p>{SAID} Again.</p>", method="all")
    assert replace(doc, options=bonmun.Options(posts=True)).markdown == doc.markdown


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("where", [0, 22, 200])
def test_hidden_text_in_a_kept_block_is_left_out(place: int, where: int) -> None:
    sentences = [f"{SENTENCE}So said {name}, who came to see it. " for name in ("Ann", "Bea", "Cleo", "Dora")]
    words = " ".join(sentences).split()
    said = sentences[place]
    sentences[place] = f"{said[:where]} <span hidden>Nobody sees it.</span> {said[where:]}"
    doc = bonmun.extract(f"<article>{''.join(f'<p>{each}</p>' for each in sentences)}</article>")
    assert doc.text.split() == doc.markdown.split() == words


def test_pages_that_are_no_threads_have_no_posts() -> None:
    posts = "".join(
        f"<div class=post><b class=author>Sol {day}</b> <time>2024-05-0{day}</time><p>The lamp was lit at six, {day}.</p></div>"
        for day in range(1, 5)
    )
    doc = bonmun.extract(posts, method=Everything())
    assert doc.posts  # by repetition alone
    labels = replace(doc.labels, kinds={"article": 0.99, "forum": 0.01})
    assert dataclasses.replace(doc, labels=labels).posts == ()
