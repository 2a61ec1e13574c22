"""Threads are told from articles with comments and from lists, and posts that the network drops are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bonmun import Page, extract
from bonmun.algorithms.completion import complete_text
from bonmun.algorithms.threads import BoardReading, find_filled_profiles, read_board
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.network.thresholds import FILLED, REASON_TEXTS, Decision
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Mapping

LONG = "The keeper had cleaned the lenses for weeks, and half of the village came up to help him"
NAMES = ["Sol", "Mira", "Jun", "Ada"]
ARTICLE = {"article": 0.7, "forum": 0.2, "listing": 0.1}


def make_post(number: int, name: str, text: str, class_: str = "post") -> str:
    return (
        f"<div class={class_}><a class=user href=/u/{name}>{name}</a> <span class=date>2024-05-0{number + 1} 10:00</span>"
        f"<p class=rank>Rank of {name}</p><div class=text><p>{text}</p></div></div>"
    )


def make_decision(page: Page, kinds: Mapping[str, float], *, comments: bool = False) -> Decision:
    """Return a decision that keeps long texts; with `comments`, everything after the first of them is a comment."""
    texts = page.block_texts
    kept = [text.startswith(LONG) for text in texts]
    rows = list(range(kept.index(True) + 1, len(texts))) if comments else []
    kept = [each and row not in rows for row, each in enumerate(kept)]
    return Decision(
        kept,
        [0.9 if each else 0.1 for each in kept],
        [""] * len(kept),
        rows,
        None,
        [(kind, kinds.get(kind, 0.0)) for kind in PAGE_KINDS],
        0.9,
        [],
    )


def read(
    page: Page, kinds: Mapping[str, float], *, comments: bool = False
) -> tuple[BoardReading | None, dict[str, str]]:
    """Return the board, and the reason of every text that was added."""
    found = make_decision(page, kinds, comments=comments)
    before = list(found.kept)
    board = read_board(page, found)
    if board:
        complete_text(page, found._replace(kinds=board.kinds), frozenset(), board.posts)
    added = [row for row, each in enumerate(found.kept) if each and not before[row]]
    return board, {page.block_texts[row]: found.reasons[row] for row in added}


def test_a_dropped_post_among_kept_ones_is_kept() -> None:
    texts = [f"{LONG} once.", f"{LONG} twice.", "Yes, so it was.", f"{LONG} again."]
    posts = "".join(make_post(number, *each) for number, each in enumerate(zip(NAMES, texts, strict=True)))
    board, added = read(Page.parse(f"<h1>Lamps</h1>{posts}"), {"forum": 0.9, "article": 0.1})
    assert board is not None
    assert [post.author for post in board.posts] == NAMES
    assert added == {"Yes, so it was.": "post like the kept ones"}


COMMENTS = "".join(
    make_post(number, name, f"A comment of {name}, which is long enough", "comment")
    for number, name in enumerate(NAMES)
)
WRITER = "<div><a class=user href=/u/w>Writer</a> <span class=date>2024-05-01 09:00</span></div>"
TEXT = f"<div><p>{LONG} once.</p></div>"


def test_profiles_between_posts_are_dropped() -> None:
    profile = "<table class=profile><tr><td>Posts: 97</td></tr></table>"
    data = "<table class=data><tr><td>Lens: 9</td></tr></table>"
    texts = [f"<p>{LONG} 0</p>{data}<p>{LONG} again</p>", f"<p>{LONG} 1</p>", f"<p>{LONG} 2</p>"]
    posts = (
        f"<div class=post><a class=user href=/u/{name}>{name}</a> <span class=date>2024-05-0{number + 1} 10:00</span>"
        f"{profile if number else ''}<div class=text>{text}</div></div>"
        for number, (name, text) in enumerate(zip(NAMES, texts, strict=False))
    )
    page = Page.parse("".join(["<body>", *posts]))
    found = make_decision(page, {"forum": 1.0})
    for row, text in enumerate(page.block_texts):
        if ": 9" in text:
            found.kept[row], found.reasons[row] = True, REASON_TEXTS[FILLED]
    board = read_board(page, found)
    assert board is not None
    dropped = {page.block_texts[row] for row in find_filled_profiles(board.posts, found)}
    assert dropped == {"Posts: 97"}
    complete_text(page, found._replace(kinds=board.kinds), frozenset(), board.posts)
    kept = {text for text, is_kept in zip(page.block_texts, found.kept, strict=True) if is_kept}
    assert "Lens: 9" in kept
    assert "Posts: 97" not in kept


@pytest.mark.parametrize("class_", ["board-article", "bbs view", "thread"])
def test_comments_on_a_board_are_posts_of_the_thread(class_: str) -> None:
    page = Page.parse(f"<div class='{class_}'><h1>Lamps</h1>{WRITER}{TEXT}<div class=list>{COMMENTS}</div></div>")
    board, added = read(page, ARTICLE, comments=True)
    assert board is not None
    assert [post.author for post in board.posts] == ["Writer", *NAMES]
    assert list(added) == [f"A comment of {name}, which is long enough" for name in NAMES]
    assert max(board.kinds, key=lambda each: each[1])[0] == "forum"


@pytest.mark.parametrize("class_", ["article", "skateboard", "dashboard", "story"])
def test_comments_below_an_article_are_no_text(class_: str) -> None:
    page = Page.parse(f"<div class='{class_}'><h1>Lamps</h1>{WRITER}{TEXT}<div class=list>{COMMENTS}</div></div>")
    assert read(page, ARTICLE, comments=True) == (None, {})


def test_comments_below_a_blog_post_that_reads_like_a_thread() -> None:
    page = Page.parse(f"<div class=blog><h1>Lamps</h1>{WRITER}{TEXT}<div class=list>{COMMENTS}</div></div>")
    assert read(page, {"forum": 0.6, "article": 0.4}, comments=True) == (None, {})
    assert read(page, {"forum": 0.9, "article": 0.1}, comments=True)[0] is not None


def test_the_list_of_a_board_is_no_thread() -> None:
    rows = "".join(
        f"<tr class=post><td><a href=/t/{number}>{LONG} {number}</a></td><td><a class=user href=/u/x>{name}</a></td>"
        f"<td>2024-05-0{number + 1}</td></tr>"
        for number, name in enumerate(NAMES)
    )
    page = Page.parse(f"<div class=board><table>{rows}</table></div>", "https://example.org/bbs/1")
    assert read(page, {"listing": 0.9, "forum": 0.05})[0] is None


def test_a_post_without_comments_on_a_board() -> None:
    html = f"<div class='bbs view'><h1>Lamps</h1>{TEXT}</div>"
    kinds = {"article": 0.6, "product": 0.3}
    board, _ = read(Page.parse(html, "https://example.org/new/bbs_view.php?no=1"), kinds)
    assert board is not None
    assert board.posts == ()
    assert read(Page.parse(html, "https://example.org/new/view.php?no=1"), kinds)[0] is None


def test_a_blog_post_with_a_class_name_is_no_thread() -> None:
    page = Page.parse(f"<h1>Lamps</h1>{make_post(0, 'Sol', f'{LONG} once.')}")
    assert read(page, {"article": 0.9, "forum": 0.09})[0] is None


def test_kept_posts_are_no_comments() -> None:
    posts = "".join(make_post(number, name, f"{LONG}, says {name}.", "comment") for number, name in enumerate(NAMES))
    labels = extract(f"<title>Lamps</title><h1>Lamps</h1><div class=thread>{posts * 2}</div>").labels
    assert not any(labels.kept[row] for row in labels.comments)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "<div class=comment><a class=user>b</a> 3 hours ago <div class=text><p>text of a comment</p></div></div>",
        "<div class='thread post'><a class=user>b</a> 2024-05-01 <p>text</p>",
        f"<div class='post {'board ' * 40}'><p>2024-05-01 10:00 <b>Sol</b><p>{LONG}</div>",
    ],
)
def test_hostile_threads_are_labelled_in_linear_time(piece: str) -> None:
    def make(size: int) -> Page:
        return Page.parse(piece * (size // len(piece)))

    def run(page: Page) -> int:
        return len(extract(page).labels.posts)

    assert_linear(make, run, 60_000, least=0.2)
