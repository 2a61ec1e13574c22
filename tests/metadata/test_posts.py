"""Posts of threads: in the markup of forums, nested, with and without names; none on other pages."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bonmun import extract
from bonmun.document import Document
from bonmun.labels import Labels
from bonmun.metadata.posts import find_posts
from bonmun.options import DEFAULTS
from bonmun.outputs.plain_values import describe_posts
from bonmun.page import Page
from timing import assert_linear

WORDS = "The lamp was lit again at six, and whoever stood at the harbour saw it, as on every evening of that year."
NAMES = ["Sol", "Mira", "Jun", "Ada"]


def phpbb(number: int, name: str) -> str:
    return (
        f"<div id=p{number} class='post bg{number % 2 + 1}'><p class=author>by <a class=username href=./u.php?u={number}>"
        f"{name}</a> » Mon May 0{number + 1}, 2024 9:1{number} am</p><div class=content>{number} {WORDS}</div></div>"
    )


def wordpress(number: int, name: str) -> str:
    return (
        f"<li class='comment even depth-1' id=comment-{number}><article class=comment-body><b class=fn>"
        f"<a href=https://example.org/{number} class='url author'>{name}</a></b> "
        f"<time datetime=2024-05-0{number + 1}T09:00:00+00:00>some time</time>"
        f"<div class=comment-content><p>{number} {WORDS}</p><p>{WORDS}</p></div></article></li>"
    )


def microdata(number: int, name: str) -> str:
    kind = ("Question", "Answer")[number > 0]
    return (
        f"<{('div', 'section')[number > 0]} itemscope itemtype=https://schema.org/{kind}><p>{number} {WORDS}</p>"
        f"<span itemprop=author><a href=/users/{number}/x>{name}</a></span>"
        f"<time datetime='2024-05-0{number + 1} 09:00'></time></{('div', 'section')[number > 0]}>"
    )


def plain(number: int, name: str) -> str:
    return (
        f"<article><header><a href=/members/{name}.{number}/>{name}</a> <time datetime=2024-05-0{number + 1}>x</time>"
        f"</header><p>{number} {WORDS}</p></article>"
    )


SHAPES = {"phpbb": phpbb, "wordpress": wordpress, "microdata": microdata, "plain": plain}


@pytest.mark.parametrize("name", SHAPES)
def test_posts_in_the_markup_of_forums(name: str) -> None:
    made = "".join(SHAPES[name](number, each) for number, each in enumerate(NAMES))
    doc = extract(f"<title>Lamps</title><h1>Lamps</h1><div class=list>{made}</div>", method="all")
    assert [(post.author, post.date) for post in doc.posts] == [
        (each, f"2024-05-0{number + 1}") for number, each in enumerate(NAMES)
    ]
    for number, post in enumerate(doc.posts):
        assert f"{number} {WORDS}" in post.text
        assert post.text == "\n\n".join(doc.blocks[block].text for block in post.blocks)
        assert post.xpath.startswith("/html/body/")
    numbers = [block for post in doc.posts for block in post.blocks]
    assert sorted(set(numbers)) == sorted(numbers)


def test_nested_answers() -> None:
    html = ""
    for number, name in reversed(list(enumerate(NAMES))):
        html = (
            f"<div class=comment><a class=user href=/u/{name}>{name}</a> <p>{number} {WORDS}</p>"
            f"<div class=children>{html}</div></div>"
        )
    posts = extract(html, method="all").posts
    assert [post.author for post in posts] == NAMES
    assert [post.date for post in posts] == [None] * 4
    assert [post.text.count(WORDS) for post in posts] == [1] * 4


@pytest.mark.parametrize(
    "html",
    [
        f"<article><h1>Lamps</h1><p class=author>Sol</p><time datetime=2024-05-01></time>{f'<p>{WORDS}</p>' * 6}</article>",
        f"<div class=card><a class=name href=/x>Lamp</a><p>{WORDS}</p></div>" * 4,
        f"<div class=post><p>{WORDS}</p></div>" * 4,
        f"<p>{WORDS}</p>",
        "<p>",
    ],
)
def test_pages_that_are_not_threads(html: str) -> None:
    assert extract(html, method="all").posts == ()


def test_json_contains_posts_of_forums() -> None:
    made = "".join(phpbb(number, each) for number, each in enumerate(NAMES))
    doc = extract(f"<body>{made}", method="all")
    assert json.loads(doc.render("json")) == json.loads(json.dumps(doc.to_dict()))
    assert describe_posts(doc) == []
    forum = replace(doc, labels=replace(doc.labels, kind="forum", kinds={}))
    posts = forum.to_dict()["posts"]
    assert [post["author"] for post in posts] == [post.author for post in doc.posts] != []
    assert posts == describe_posts(forum)
    assert not any("text" in post for post in posts)


def test_comments_are_posts() -> None:
    comments = "".join(wordpress(number, each) for number, each in enumerate(NAMES))
    page = Page.parse(f"<article><h1>A</h1>{f'<p>{WORDS}</p>' * 4}</article><ol class=comments>{comments}</ol>")
    count = len(page.starts)
    kept = [row < 5 for row in range(count)]
    labels = Labels("made", "block", [1.0] * count, kept, [""] * count, 1.0, frozenset(range(5, count)))
    doc = Document(page, labels, DEFAULTS)
    assert [post.author for post in doc.comment_posts] == NAMES
    assert doc.posts == ()


@pytest.mark.parametrize(
    "piece",
    [
        "<div class=post>a <a href=/user/x>b</a> <time datetime=2024-05-01></time>",
        "<div class=post>a</div>",
        f"<div class='{'post ' * 50}'>2024-05-01 a</div>",
        "<li><a class=author>a</a> 2024-05-01",
    ],
)
def test_posts_are_found_in_linear_time(piece: str) -> None:
    def make(size: int) -> Page:
        return Page.parse(piece * (size // len(piece)))

    def run(page: Page) -> int:
        return len(find_posts(page, extract(page, method="all").blocks))

    assert assert_linear(make, run, 120_000, least=0.2) >= 0
