"""Posts that JSON-LD declares: where the page shows no repetition, and where it shows no names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bonmun import Page, extract
from bonmun.document import Document
from bonmun.labels import Labels
from bonmun.metadata.posts import find_posts
from bonmun.options import DEFAULTS
from bonmun.rules.rule_set import load_rules
from samples import save

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

ASKED = "How is the lamp of the old lighthouse lit when the harbour is frozen and nobody can row there?"
FIRST = "With a rope from the pier, as the keeper's daughter told me when I asked her the same last winter."
SECOND = "You walk. The ice holds a grown man from January on, and in some years even a horse with a sledge."
REPLY = "Not every year, though; in 1986 two of us broke in half a mile out and had to be pulled from the water."


def write_page(data: object, *texts: str) -> str:
    return f"<title>Q</title><script type=application/ld+json>{json.dumps(data)}</script>" + "".join(
        f"<p>{text}</p>" for text in texts
    )


def make_answer(text: str, name: str, day: int, **more: Any) -> dict[str, Any]:
    return {
        "@type": "Answer",
        "text": f"<p>{text}</p>",
        "author": {"@type": "Person", "name": name},
        "dateCreated": f"2024-05-0{day}T10:0{day}:00Z",
    } | more


QUESTION = {
    "@context": "https://schema.org",
    "@type": "QAPage",
    "mainEntity": make_answer(ASKED, "Sol", 1, **{"@type": "Question"})
    | {
        "acceptedAnswer": make_answer(
            SECOND, "Jun", 3, upvoteCount=7, url="/q#2", comment=[make_answer(REPLY, "Ada", 4, **{"@type": "Comment"})]
        ),
        "suggestedAnswer": [make_answer(FIRST, "Mira", 2)],
    },
}


def keep_all(html: str) -> Document:
    page = Page.parse(html, "https://example.org/q")
    count = len(page.starts)
    return Document(page, Labels("all", "block", [1.0] * count, [True] * count, ["kept"] * count, 1.0), DEFAULTS)


def test_posts_are_located_by_their_texts() -> None:
    doc = keep_all(write_page(QUESTION, ASKED, FIRST, SECOND, REPLY))
    found = [(post.author, post.date, post.time, post.depth, post.accepted) for post in doc.posts]
    assert found == [
        ("Sol", "2024-05-01", "10:01:00", 0, False),
        ("Mira", "2024-05-02", "10:02:00", 1, False),
        ("Jun", "2024-05-03", "10:03:00", 1, True),
        ("Ada", "2024-05-04", "10:04:00", 2, False),
    ]
    assert (doc.posts[2].score, doc.posts[2].url) == (7, "https://example.org/q#2")
    assert [post.text for post in doc.posts] == [ASKED, FIRST, SECOND, REPLY]


def test_one_declared_post_on_the_page_is_no_thread() -> None:
    assert keep_all(write_page(QUESTION, ASKED, "Something else that is not declared by the page at all.")).posts == ()


def test_names_that_the_page_does_not_show() -> None:
    shown = "".join(
        f"<article class=comment itemscope itemtype=https://schema.org/Comment><time datetime=2024-05-0{day}>May {day}</time>"
        f"<p>{text}</p></article>"
        for day, text in enumerate((FIRST, SECOND, REPLY), 1)
    )
    doc = keep_all(write_page(QUESTION) + shown)
    assert [post.author for post in doc.posts] == ["Mira", "Jun", "Ada"]
    assert [post.author for post in keep_all(shown).posts] == [None, None, None]


def test_damaged_and_hostile_json_is_ignored() -> None:
    damaged: list[object] = [
        {"@type": "Question", "text": 5, "author": [[]], "suggestedAnswer": [1, None, "x"]},
        [[[{}]]],
        "x",
    ]
    for data in damaged:
        assert keep_all(write_page(data, ASKED, FIRST)).posts == ()
    loop = {"@type": "Question", "text": ASKED, "comment": [make_answer(ASKED, "Sol", 1)] * 50}
    assert len(keep_all(write_page(loop, ASKED, FIRST)).posts) <= 1


def test_json_has_posts_nested_as_well_as_flat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["Sol", "Mira", "Jun", "Ada"]
    body = "".join(
        f"<div class='comment' id=c{n} data-depth={n % 3}><b class=user>{name}</b><div class=body><p>{ASKED} {n}</p></div></div>"
        for n, name in enumerate(names)
    )
    posts = 'posts={each=".comment",author=".user",text=".body",depth="@data-depth"}'
    monkeypatch.chdir(tmp_path)
    save("rules.toml", f'[[rule]]\nname="f"\nhas=".comment"\nmain=".body"\n{posts}')
    doc = extract(f"<title>T</title>{body}", rules=load_rules("rules.toml"))
    values = json.loads(doc.render("json"))
    assert values == doc.to_dict()
    assert [post["author"] for post in values["posts"]] == names
    one = {"post": 2, "replies": []}
    assert values["thread"] == [{"post": 0, "replies": [{"post": 1, "replies": [one]}]}, {"post": 3, "replies": []}]


def test_find_posts_of_an_article_stays_empty() -> None:
    doc = extract(write_page({"@type": "NewsArticle", "text": ASKED}, ASKED, FIRST))
    assert find_posts(doc.page, doc.blocks) == ()
