"""Threads in every format: the author of each post above it, replies below what they reply to."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from bonmun import Document, Options, extract
from bonmun.outputs import FORMATS
from bonmun.outputs.markdown.escape import escape_line_starts
from bonmun.outputs.posts import MAX_DEPTH

WORDS = "The lamp was lit again at six, and whoever stood at the harbour saw it, as on every evening of that year."
NAMES = ["Sol", "Mira", "Jun", "Ada"]
TEI = "{http://www.tei-c.org/ns/1.0}"


def make_post(number: int, inside: str = "", name: str = "") -> str:
    return (
        f"<li class=post><div><a class=user href=/u/{number}>{name or NAMES[number % 4]}</a> "
        f"<time datetime=2024-05-0{number % 9 + 1}T10:20>x</time></div><p>{number} {WORDS}</p>{inside}</li>"
    )


REPLIES = make_post(1, f"<ul>{make_post(2)}</ul>")
NESTED = f"<h1>Lamps</h1><ul>{make_post(0, f'<ul>{REPLIES}</ul>')}{make_post(3)}</ul>"


def write(html: str, *, posts: bool = True) -> Document:
    return extract(html, method="all", options=Options(posts=posts))


def test_markdown_quotes_replies() -> None:
    assert write(NESTED).markdown.split("\n\n")[1:] == [
        "**Sol** · 2024-05-01 10:20",
        f"0 {WORDS}",
        f"> **Mira** · 2024-05-02 10:20\n>\n> 1 {WORDS}\n>\n> > **Jun** · 2024-05-03 10:20\n> >\n> > 2 {WORDS}",
        "**Ada** · 2024-05-04 10:20",
        f"3 {WORDS}",
    ]


def test_text_has_a_line_before_each_post() -> None:
    lines = write(NESTED).text.split("\n\n")[1:]
    assert lines == [f"{name} · 2024-05-0{number + 1} 10:20\n{number} {WORDS}" for number, name in enumerate(NAMES)]


def test_no_line_above_a_post_that_names_author_and_moment() -> None:
    rows = "".join(
        f"<li class=post><h3>Board {number}</h3><p>{WORDS}</p><p>Last post by <a class=user href=/u/{number}>{name}</a> in "
        f"<b>lamp {number}</b>, <span class=date>4 May 2024, 10:2{number}</span></p></li>"
        for number, name in enumerate(NAMES)
    )
    doc = write(f"<ul>{rows}</ul>")
    assert [post.author for post in doc.posts] == NAMES
    assert doc.text.count("Sol") == 1
    assert "Last post by Sol" in doc.text


def test_html_nests_articles() -> None:
    tree = write(NESTED).tree
    posts = tree.select("article > article")
    assert [name.text for name in tree.select("article > header > strong")] == NAMES
    assert [post.attr("data-depth") for post in posts] == [None, "1", "2", None]
    assert tree.select("header time")[0].attr("datetime") == "2024-05-01T10:20"
    assert not tree.select("li")


def test_tei_nests_divisions() -> None:
    root = ET.fromstring(write(NESTED).render("xml"))
    names = [each.text for each in root.iterfind(f".//{TEI}div[@type='post']/{TEI}byline/{TEI}docAuthor")]
    assert names == NAMES
    inner = root.findall(f".//{TEI}div[@type='post']/{TEI}div[@type='post']/{TEI}div[@type='post']")
    assert [each.findtext(f"{TEI}byline/{TEI}docAuthor") for each in inner] == ["Jun"]


def test_json_lists_posts_with_depth_and_parent() -> None:
    doc = write(NESTED)
    doc = replace(doc, labels=replace(doc.labels, kind="forum"))
    posts = json.loads(doc.render("json"))["posts"]
    assert [(post["depth"], post["parent"], post["opening"]) for post in posts] == [
        (0, None, True),
        (1, 0, False),
        (2, 1, False),
        (0, None, False),
    ]
    assert {"author", "date", "time", "shown_time", "url", "score", "accepted", "blocks", "head", "xpath"} < set(
        posts[0]
    )


def test_chunks_keep_the_author_with_the_post() -> None:
    long = "".join(make_post(number).replace(WORDS, WORDS * (1 + number % 5)) for number in range(12))
    doc = write(f"<h1>Lamps</h1><ul>{long}</ul>")
    for size in (12, 30, 60, 100):
        chunks = doc.chunks(size, 0)
        assert all(chunk.size <= size for chunk in chunks)
        assert "".join(chunk.text.replace("\n", "").replace(" ", "") for chunk in chunks) == "".join(doc.text.split())
        assert not [chunk.text for chunk in chunks if chunk.text.endswith("10:20")]
        assert {chunk.post for chunk in chunks} >= {None, "Jun · 2024-05-03 10:20"}


def test_posts_can_be_written_without_authors() -> None:
    doc = write(NESTED, posts=False)
    assert doc.text.count("10:20") == 0
    assert "<article>" not in doc.html.replace("<article>", "", 1)


def test_other_pages_stay_as_they_are() -> None:
    html = f"<h1>Lamps</h1><p>{WORDS}</p><p>{WORDS} Again.</p>"
    for name in FORMATS:
        assert extract(html, options=Options()).render(name) == extract(html, options=Options(posts=False)).render(name)


def test_threads_are_written_with_authors_by_default() -> None:
    posts = "".join(make_post(number) for number in range(8))
    html = f"<title>Lamps</title><body class=forum><h1>Lamps</h1><ul class=thread>{posts}</ul>"
    doc = extract(html, url="https://forum.example.org/viewtopic.php?t=1")
    assert doc.kind == "forum"
    assert "**Sol** · 2024-05-01 10:20" in doc.markdown
    assert " · " not in doc.text  # only what was said
    assert "Mira · 2024-05-02 10:20\n1 " in extract(html, url=doc.url, options=Options(posts=True)).text
    assert " · " not in extract(html, url=doc.url, options=Options(posts=False)).markdown


def test_comments_have_authors_if_they_are_written() -> None:
    doc = write(NESTED)
    rows = range(1, len(doc.page.starts))
    labels = replace(doc.labels, kept=[row == 0 for row in range(len(doc.page.starts))], comments=frozenset(rows))
    shown = Document(doc.page, labels, Options(comments=True))
    assert "> **Mira** · 2024-05-02 10:20" in shown.markdown
    assert "Mira" not in Document(doc.page, labels, Options()).markdown


def test_deep_threads_are_nested_to_a_limit() -> None:
    inside = ""
    for number in reversed(range(300)):
        inside = make_post(number, f"<ul>{inside}</ul>")
    doc = write(f"<ul>{inside}</ul>")
    assert len(doc.posts) > 100
    assert "> " * MAX_DEPTH + "**" in doc.markdown
    assert "> " * (MAX_DEPTH + 1) not in doc.markdown
    ET.fromstring(doc.render("xml"))


@pytest.mark.parametrize("name", ["<i>*a*", "1. a", "- a", "# a", "a|b", "&lt;b&gt;", "[a](b)"])
def test_names_with_markup_are_escaped(name: str) -> None:
    doc = write(f"<h1>Lamps</h1><ul>{make_post(0, name=name)}{make_post(1)}</ul>")
    author = doc.posts[0].author
    assert author is not None
    assert f"{author} · 2024-05-01 10:20" in doc.text
    head = next(line for line in doc.markdown.split("\n") if "2024-05-01" in line)
    assert head == escape_line_starts(head)


def test_a_post_in_a_table_row() -> None:
    rows = "".join(
        f"<tr class=post><td><a class=user href=/u/{name}>{name}</a> 2024-05-0{number + 1} 10:20</td>"
        f"<td>{number} {WORDS}</td></tr>"
        for number, name in enumerate(NAMES)
    )
    doc = write(f"<table><tr><th>Name<th>Text</tr>{rows}</table>")
    for name in FORMATS:
        assert all(f"{number} {WORDS}" in doc.render(name) for number in range(4))
