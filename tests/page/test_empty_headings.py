"""Kept headings whose text was dropped are found; headings that are items, paragraphs or leads are not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.page.empty_headings import find_empty_headings
from samples import in_one_test
from timing import assert_linear

TEXT = "<p>The keeper had cleaned the lenses for weeks, and half of the village came up to help.</p>"
DROPPED = "<p class=x>Dropped</p>"
IMAGE = "<img src=/lamp.jpg width=600 height=400>"
EMPTY = {
    "before a heading": f"{TEXT}<h2>Contents</h2>{DROPPED}<h2>The lamp</h2>{TEXT}",
    "before a higher heading": f"{TEXT}<h3>Contents</h3>{DROPPED}<h2>The lamp</h2>{TEXT}",
    "at the end": f"{TEXT}<h2>Contents</h2>{DROPPED}",
    "in a box": f"{TEXT}<h2><div><span>Contents</span></div></h2>{DROPPED}<h2>The lamp</h2>{TEXT}",
}
NOT_EMPTY = {
    "text": f"{TEXT}<h2>Contents</h2>{DROPPED}{TEXT}",
    "lower heading": f"{TEXT}<h2>Contents</h2>{DROPPED}<h3>The lamp</h3>{TEXT}",
    "nothing was dropped": f"{TEXT}<h2>Contents</h2><h2>The lamp</h2>{TEXT}",
    "only hidden text": f"{TEXT}<h2>Contents</h2><p class=x hidden>Dropped</p><h2>The lamp</h2>{TEXT}",
    "a link": f"{TEXT}<h2><a href=/a>Contents</a></h2>{DROPPED}<h2>The lamp</h2>{TEXT}",
    "a long heading": f"{TEXT}<h2>Contents {'and more ' * 12}</h2>{DROPPED}<h2>The lamp</h2>{TEXT}",
    "items": f"{TEXT}{f'<h2>Contents</h2>{DROPPED}' * 3}<h2>The lamp</h2>{TEXT}",
    "an image": f"{TEXT}<h2>Contents</h2>{IMAGE}{DROPPED}<h2>The lamp</h2>{TEXT}",
    "a lead": f"<h2>Contents</h2>{DROPPED}<h2>The lamp</h2>{TEXT}",
    "the headline": f"{TEXT}<h1>Contents</h1>{DROPPED}<h1>The lamp</h1>{TEXT}",
}


def find(html: str, score: float = 0.5) -> list[str]:
    page = Page.parse(f"<body>{html}")
    kept = [text != "Dropped" for text in page.block_texts]
    return [page.block_texts[row] for row in find_empty_headings(page, kept, [score] * len(kept))]


@in_one_test("html", EMPTY.values(), EMPTY)
def test_a_heading_without_text_is_found(html: str) -> None:
    assert find(html) == ["Contents"]


@in_one_test("html", NOT_EMPTY.values(), NOT_EMPTY)
def test_other_headings_are_not_found(html: str) -> None:
    assert find(html) == []


def test_a_heading_that_is_surely_main_text_is_not_found() -> None:
    assert find(EMPTY["at the end"], 0.8) == []


def test_a_heading_above_an_empty_heading_is_empty() -> None:
    assert sorted(find(f"{TEXT}<h2>More</h2>{DROPPED}<h3>Contents</h3>{DROPPED}")) == ["Contents", "More"]


@given(st.lists(st.sampled_from(["<h2>", "</h2>", "The lamp", TEXT, DROPPED, "<div>", "</div>", IMAGE, "<h3>x"])))
def test_only_kept_headings_are_found(parts: list[str]) -> None:
    page = Page.parse("<body>" + "".join(parts))
    kept = [text != "Dropped" for text in page.block_texts]
    assert all(kept[row] for row in find_empty_headings(page, kept, [0.5] * len(kept)))


def test_the_time_is_linear() -> None:
    def make(size: int) -> Page:
        return Page.parse(f"<body>{f'{TEXT}<h2>Contents</h2>{DROPPED}{IMAGE}' * size}")

    def run(page: Page) -> list[int]:
        kept = [text != "Dropped" for text in page.block_texts]
        return find_empty_headings(page, kept, [0.5] * len(kept))

    assert_linear(make, run, 4_000)
