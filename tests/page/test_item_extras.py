"""Parts of headings and items that are no text are left out: a second form of a date; category, date and author."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.page.item_extras import find_extras
from timing import assert_linear

CATEGORY = "<span class=post_category><a href=/c>News</a></span>"
TITLE = "<a href=/x>The title</a>"
DATE = "<span class=entry-date>1 May</span>"
AUTHOR = "<span class=post-author><i>by</i> Ann</span>"


def find(markup: str) -> list[str]:
    page = Page.parse(f"<!DOCTYPE html><body>{markup}")
    return [page.texts[leaf] for leaf in sorted(find_extras(page, [True] * len(page.starts)))]


@pytest.mark.parametrize(
    ("heading", "left_out"),
    [
        (f"{CATEGORY} {TITLE} {DATE} {AUTHOR}", ["News", "1 May", "by", "Ann"]),
        (f"{TITLE} <a class=category href=/c>News</a>", ["News"]),
        (f"{TITLE} <time>1 May</time> {AUTHOR}", ["1 May", "by", "Ann"]),
        (f"<a href=/x>The <b>title</b></a> {CATEGORY}", ["News"]),
        # the date of an event, the author of a book
        (f"{TITLE} {DATE}", []),
        (f"{TITLE} {AUTHOR}", []),
        # no title, or no linked one, or two
        (f"{CATEGORY} {DATE}", []),
        (f"{CATEGORY} The title {DATE}", []),
        (f"{TITLE} {CATEGORY} <a href=/y>Another</a>", []),
        (f"{TITLE} <span>News</span>", []),
    ],
)
def test_category_date_and_author_in_the_heading_of_a_post_are_left_out(heading: str, left_out: list[str]) -> None:
    assert find(f"<h2>{heading}</h2>") == left_out
    assert find(f"<div class=category><h2>{heading}</h2></div>") == left_out
    assert find(f"<p>{heading}</p>") == []


@pytest.mark.parametrize(
    ("item", "left_out"),
    [
        ("<b>07-31</b><b>[07-31]</b><b>[2020-07-31]</b> Title", ["07-31", "[07-31]"]),
        ("<b>2020.07.31</b><b>07.31</b>", ["07.31"]),
        ("<b>07-31</b><b>2020年07月31日</b>", ["07-31"]),
        # other days, a score twice, the same day twice, other elements
        ("<b>07-30</b><b>2020-07-31</b>", []),
        ("<b>2-1</b><b>[2-1]</b>", []),
        ("<b>2020-07-31</b><b>2020-07-31</b>", []),
        ("<b>07-31</b><i>2020-07-31</i>", []),
        ("<b>07-31</b> and <b>2020-07-31</b>", []),
        ("07-31<br>2020-07-31", []),
    ],
)
def test_of_two_forms_of_a_date_the_longest_stays(item: str, left_out: list[str]) -> None:
    assert find(f"<ul><li>{item}</ul>") == left_out


PARTS = [CATEGORY, TITLE, DATE, "<h2>", "</h2>", "<b>07-31</b>", "<b>2020-07-31</b>", "<p>", "<span class=date>"]


@given(st.lists(st.sampled_from(PARTS)))
def test_some_text_of_each_block_stays(parts: list[str]) -> None:
    page = Page.parse("<!DOCTYPE html><body>" + "".join(parts))
    found = find_extras(page, [True] * len(page.starts))
    assert all(not found.issuperset(range(*span)) for span in zip(page.starts, page.stops, strict=True))
    assert not find_extras(page, [False] * len(page.starts))


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["<b>07-31</b><b>2020-07-31</b>", f"<h2>{TITLE}{CATEGORY}</h2>", f"<h2>{CATEGORY}"])
def test_extras_are_found_in_linear_time(piece: str) -> None:
    def make(size: int) -> Page:
        return Page.parse("<p>" + piece * size)

    assert_linear(make, lambda page: find_extras(page, [True] * len(page.starts)), 4_000)
