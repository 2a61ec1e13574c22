"""Threads: posts in the markup of old and new boards, their moments, names, parents, scores and URLs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bonmun import extract
from bonmun.metadata.threads.moments import find_first_date, find_moments, read_clock
from bonmun.metadata.threads.thread import Thread, find_thread
from bonmun.page import Page
from timing import assert_linear

WORDS = "The lamp was lit again at six, and whoever stood at the harbour saw it, as on every evening of that year."
NAMES = ["Sol", "Mira", "Jun", "Ada"]


def find(html: str, *, is_thread: bool = False, url: str | None = None) -> Thread | None:
    page = Page.parse(html, url)
    return find_thread(page, [True] * len(page.starts), is_thread=is_thread)


def spacer_table(number: int, name: str) -> str:
    """A comment in a table within a table, indented by an image."""
    return (
        f"<tr class='athing' id={number}><td><table><tr><td><img src=s.gif height=1 width={40 * (number % 3)}></td>"
        f"<td><div><a href='user?id={name}'>{name}</a> <a href='item?id={number}'>{number + 2} hours ago</a></div>"
        f"<div class=comment>{number} {WORDS}</div><p><a href=reply>reply</a></p></td></tr></table></td></tr>"
    )


def definitions(number: int, name: str) -> str:
    """A post whose text follows its header."""
    return (
        f"<dt>{number} : <b>{name}</b> [] : 2024/05/0{number + 1} 09:1{number}:33 ID:x{number}y</dt>"
        f"<dd>{number} {WORDS}</dd>"
    )


def korean_comment(number: int, name: str) -> str:
    """A comment with an age instead of a date."""
    return (
        f"<li id=comment_{number}11 class='itm {'re ' * (number % 2)}comment-{number}12'><div class=meta>"
        f"<a class=member_{number}77>{name}</a> <span class=date>{number + 3} 분 전</span></div>"
        f"<div class=text>{number} {WORDS}</div></li>"
    )


def unmarked(number: int, name: str) -> str:
    """A post without any class name: name and time are next to each other."""
    return f"<li><p><b>{name}</b> – 4 March 2024, 9:1{number} pm</p><p>{number} {WORDS}</p></li>"


def tables(number: int, name: str) -> str:
    """A post in tables without class names, with a quotation above its text from the second one on."""
    quotation = f"<a href=#q>Quote from: {NAMES[0]} on May 0{number}, 2024, 09:10:33 pm</a><br>" if number else ""
    return (
        f"<tr><td><table><tr><td><table><tr><td><b><a href='index.php?action=profile;u={number}'>{name}</a></b><br>"
        f"<span class=small>Sr. Member<br>Posts: {number}97</span></td><td><b>Re: The lamp</b><br>"
        f"<span class=small>« <b>Reply #{number} on:</b> May 0{number + 1}, 2024, 09:1{number}:33 pm »</span></td></tr>"
        f"<tr><td>{quotation}<div class=post>{number} {WORDS}</div></td></tr></table></td></tr></table></td></tr>"
    )


SHAPES = {
    "spacers": ("<table>{}</table>", spacer_table),
    "definitions": ("<dl>{}</dl>", definitions),
    "ages": ("<ul>{}</ul>", korean_comment),
    "unmarked": ("<ul>{}</ul>", unmarked),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_posts_of_old_and_new_boards(shape: str) -> None:
    around, make = SHAPES[shape]
    thread = find(around.format("".join(make(number, name) for number, name in enumerate(NAMES))))
    assert thread is not None
    assert [post.author for post in thread.posts] == NAMES
    assert [post.is_opening for post in thread.posts] == [True, False, False, False]
    assert all(post.shown_time for post in thread.posts)
    assert all(len(post.body) == 1 for post in thread.posts)


def test_posts_in_tables_with_quotations() -> None:
    thread = find("".join(["<table>", *(tables(number, name) for number, name in enumerate(NAMES)), "</table>"]))
    assert thread is not None
    assert [(post.author, post.date, post.time) for post in thread.posts] == [
        (name, f"2024-05-0{number + 1}", f"21:1{number}:33") for number, name in enumerate(NAMES)
    ]


def test_times_of_posts() -> None:
    made = "".join(definitions(number, name) for number, name in enumerate(NAMES))
    thread = find(f"<dl>{made}</dl>")
    assert thread is not None
    assert [(post.date, post.time) for post in thread.posts][:2] == [
        ("2024-05-01", "09:10:33"),
        ("2024-05-02", "09:11:33"),
    ]


@pytest.mark.parametrize(
    ("text", "date", "time"),
    [
        ("<time datetime=2024-05-01T10:20:30+00:00>May</time>", "2024-05-01", "10:20:30"),
        ("am 26/10/13, 03:48 pm", "2013-10-26", "15:48"),
        ("26.10.13 23:48", "2026-10-13", "23:48"),
        ("3 hours ago", None, None),
        ("<span title='2024-05-01 10:20'>vor 3 Stunden</span>", "2024-05-01", "10:20"),
        ("<relative-time datetime=2024-05-01T10:20Z></relative-time>", "2024-05-01", "10:20"),
        ("3시간 전", None, None),
        ("5分钟前", None, None),
        ("il y a 2 jours", None, None),
        ("12:40", None, "12:40"),
        ("posted on Aug, 15 2010 @ 01:12 AM", "2010-08-15", "01:12"),
    ],
)
def test_moments(text: str, date: str | None, time: str | None) -> None:
    language = "ko" if text.startswith("26.10") else "de"
    found = list(find_moments(Page.parse(f"<html lang={language}><p>{text}</p>")))
    assert [(each.date, each.time) for each in found] == [(date, time)]


@pytest.mark.parametrize(
    "text",
    [
        "reply",
        "12 replies",
        "chapter 3",
        "",
        "x" * 500 + " 2024-05-01",
        "Quote from: Sol on 4 May 2026",
        "Zitat 1.5.2024",
    ],
)
def test_texts_without_a_moment(text: str) -> None:
    assert list(find_moments(Page.parse(f"<p>{text}</p>"))) == []


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>reply</p>", "<p>4 March 2026</p>", "<time datetime=2024-05-01>now</time>", "<p>2 days ago</p>",
                "<p title=2023-02-01>3 hours ago</p>", "<p title=2022-02-01>12:40</p>", "<p>26.10.04</p>",
                "<time>one</time>", "<p title=2020-03-04><time>2 days ago</time>", "<time datetime=2021-01-02><b>yesterday</b></time>", "<p>" + "x " * 50 + "1 May 2020</p>",
            ]
        ),
        max_size=6,
    ),
    st.integers(0, 3),
)  # fmt: skip
@settings(deadline=None)
def test_the_first_date_is_that_of_the_moments(pieces: list[str], start: int) -> None:
    page = Page.parse("<body>" + "".join(pieces))
    dates = (each.date for each in find_moments(page) if each.date and each.leaf >= start)
    assert find_first_date(page, range(start, len(page.texts))) == next(dates, None)


def test_clock_at_midnight_and_noon() -> None:
    assert [read_clock(text) for text in ("12:05 am", "12:05 pm", "오후 3:05", "99:99")] == [
        "00:05",
        "12:05",
        "15:05",
        None,
    ]


def post(number: int, attributes: str = "", inside: str = "", more: str = "") -> str:
    return (
        f"<div class=post {attributes}><a class=user href=/u/{number}>Name {number}x</a> {more}"
        f"<time datetime=2024-05-0{number + 1}>x</time><p>{number} {WORDS}</p>{inside}</div>"
    )


NESTED = {
    "inside": post(0, inside=post(1, inside=post(2)) + post(3)),
    "level": "".join(post(number, f"data-depth={level}") for number, level in enumerate((1, 2, 3, 2))),
    "class": "".join(
        f"<div class='post depth-{level}'>{post(number)[16:]}" for number, level in enumerate((1, 2, 3, 2))
    ),
    "style": "".join(post(number, f"style='margin-left:{level}0px'") for number, level in enumerate((0, 2, 4, 2))),
    "depth": f"{post(0)}<div>{post(1)}<div>{post(2)}</div></div><div>{post(3)}</div>",
    "parent": "".join(
        post(number, f"id=c{number} data-parent-id={parent}") for number, parent in enumerate(("", "c0", "c1", "c0"))
    ),
    "link": "".join(
        post(number, f"id=c{number}", more=f"<a href='?x#{parent}'>^</a>" if parent else "")
        for number, parent in enumerate(("", "c0", "c1", "c0"))
    ),
}


@pytest.mark.parametrize("way", NESTED)
def test_parents_of_posts(way: str) -> None:
    thread = find(f"<main>{NESTED[way]}</main>")
    assert thread is not None
    assert [post.parent for post in thread.posts] == [-1, 0, 1, 0]
    assert [post.depth for post in thread.posts] == [0, 1, 2, 1]


def test_parents_that_refer_to_each_other() -> None:
    made = "".join(
        post(number, f"id=c{number} data-parent-id={parent}") for number, parent in enumerate(("c1", "c0", "c3", "c2"))
    )
    thread = find(made)
    assert thread is not None
    assert [post.parent for post in thread.posts] == [-1, 0, -1, 2]


def test_score_url_and_accepted_answer() -> None:
    made = "".join(
        f"<div class='answer {'accepted-answer' if number == 1 else ''}' id=a{number}><span class=vote-count>{number * 7}"
        f"</span><p>{number} {WORDS}</p><a href=/users/{number}>{name}</a> "
        f"<a href='/a/{number}'><span class=date>2024-05-0{number + 1} 10:00</span></a></div>"
        for number, name in enumerate(NAMES)
    )
    thread = find(made, url="https://example.org/q/1")
    assert thread is not None
    assert [post.score for post in thread.posts] == [0, 7, 14, 21]
    assert [post.is_accepted for post in thread.posts] == [False, True, False, False]
    assert thread.posts[2].url == "https://example.org/a/2"


def test_opening_post_above_the_comments() -> None:
    comments = "".join(korean_comment(number, name) for number, name in enumerate(NAMES))
    html = (
        f"<h1>Lamps</h1><div><a class=member_9>Writer</a> <span class=date>2024.05.01 10:20</span></div><article><p>A {WORDS}"
        f"</p></article><ul>{comments}</ul>"
    )
    page = Page.parse(html)
    texts = page.block_texts
    kept = [text.startswith("A ") for text in texts]
    comments_rows = range(kept.index(True) + 1, len(texts))
    thread = find_thread(page, kept, comments_rows, is_thread=True)
    assert thread is not None
    assert [post.author for post in thread.posts] == ["Writer", *NAMES]
    assert (thread.posts[0].date, thread.posts[0].is_opening) == ("2024-05-01", True)
    assert [post.parent for post in thread.posts] == [-1, -1, 1, -1, 3]


def test_items_of_a_list_are_no_posts() -> None:
    items = "".join(
        f"<tr><td><a href=/t/{number}>{WORDS}</a></td><td><a class=member>{name}</a></td><td>2024-05-0{number + 1}</td></tr>"
        for number, name in enumerate(NAMES)
    )
    assert find(f"<table>{items}</table>", is_thread=True) is None


def test_ranks_and_buttons_are_no_names() -> None:
    made = "".join(
        f"<div class=post><div class=profile><a href=javascript:x><b>{name}</b></a><p>Senior</p><p>Posts: {number}</p></div>"
        f"<p>2024-05-0{number + 1} 10:00</p><p>{number} {WORDS}</p><a href=r>Report</a></div>"
        for number, name in enumerate(NAMES)
    )
    thread = find(made)
    assert thread is not None
    assert [post.author for post in thread.posts] == NAMES


TAGS = ("div class=post", "li", "dl", "dt", "dd", "table", "tr", "td", "div class=comment data-parent-id=1 id=1", "p")
LEAVES = (
    "2024-05-01 10:00",
    "<a class=user href=/u/x>Sol</a>",
    WORDS,
    "3 hours ago",
    "x",
    "<time datetime=2024-05-01>",
)


@settings(max_examples=20)
@given(st.lists(st.one_of(st.sampled_from(TAGS), st.sampled_from(LEAVES), st.just("/")), max_size=60))
def test_any_markup_gives_posts_in_order(pieces: list[str]) -> None:
    html = "".join(
        f"<{piece}>" if piece in TAGS else "</div></li></dd></td>" if piece == "/" else piece for piece in pieces
    )
    doc = extract(html or "<p>", method="all")
    for number, each in enumerate(doc.posts):
        assert each.parent is None or each.parent < number
        assert each.depth == (0 if each.parent is None else doc.posts[each.parent].depth + 1)
        assert each.text
    blocks = [block for each in doc.posts for block in each.blocks + each.head]
    assert len(set(blocks)) == len(blocks)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        "<div class=post>a <a class=user href=/user/x>b</a> <time datetime=2024-05-01></time>",
        "<div class=comment id=c1 data-parent-id=c1><a class=user>b</a> 3 hours ago <p>text</p></div>",
        "<dt>Sol 2024-05-01 10:00<dd>text of the post",
        f"<li><b>{'Sol ' * 20}</b> 12:30 <p>text</p><ul>",
        "<div class=post><a class=user>b</a> 2024-05-01 <a href=#c1>^</a> text</div>",
        f"<div class=post id={'1' * 300}>{'2' * 300} 2024-05-01 text <a class=user>u</a></div>",
    ],
)
def test_hostile_threads_take_linear_time(piece: str) -> None:
    def make(size: int) -> Page:
        return Page.parse(piece * (size // len(piece)))

    def run(page: Page) -> bool:
        return find_thread(page, [True] * len(page.starts), is_thread=True) is not None

    assert_linear(make, run, 120_000, least=0.2)


def names_above(count: int) -> str:
    """Posts without elements of their own: name, time and text one after the other."""
    posts = (
        f"<b class=who><a href=/u{number}>{NAMES[number % 4]}</a></b><br><div class=when>5/{number * 6 + 3}/2024, 9:05 pm</div>"
        f"<div class=said>{number} {WORDS}</div><div class=below><a href=/a{number}><img src=a.png></a></div><br>"
        for number in range(count)
    )
    return f"<article>{''.join(posts)}</article>"


def test_names_above_the_times_are_those_of_the_posts_below() -> None:
    thread = find(names_above(4), is_thread=True)
    assert thread is not None
    assert [post.author for post in thread.posts] == NAMES
    assert [post.body and post.date for post in thread.posts] == [f"2024-05-{day:02}" for day in (3, 9, 15, 21)]


@pytest.mark.parametrize(
    "html",
    [
        names_above(2),
        names_above(4).replace("<b class=who><a href=/u0>Sol</a></b>", ""),
        names_above(4).replace("<b class=who><a href=/u0>Sol</a></b>", "<i>Sol</i>"),
        names_above(4).replace("</article>", "<b class=who><a href=/u0>Sol</a></b></article>"),
    ],
)
def test_names_below_the_texts_stay_with_them(html: str) -> None:
    thread = find(html, is_thread=True)
    assert thread is None or thread.posts[0].author != "Sol"


@pytest.mark.parametrize(
    ("days", "dates"),
    [
        (("5/3/2024", "5/21/2024"), ["2024-05-03", "2024-05-21"]),
        (("5/3/2024", "21/5/2024"), ["2024-03-05", "2024-05-21"]),
        (("5/3/2024", "6/4/2024"), ["2024-03-05", "2024-04-06"]),
        (("5/3/24", "5/21/24"), ["2024-05-03", "2024-05-21"]),
        (("5/3/2024", "5/21/2024", "21/5/2024"), ["2024-03-05", "2024-05-21", "2024-05-21"]),
    ],
)
def test_one_date_tells_the_order_of_day_and_month_in_all(days: tuple[str, ...], dates: list[str]) -> None:
    page = Page.parse("<html lang=en>" + "".join(f"<p>{day}</p>" for day in days))
    assert [moment.date for moment in find_moments(page)] == dates
