"""The title of an item is kept with its snippet if both lead to the same page."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.page.items import find_double_titles, find_item_titles
from samples import in_one_test
from timing import assert_linear

SNIPPET = "The keeper had cleaned the lenses for weeks, and half of the village came up to help him."
TITLE = "A lamp is lit again"
ITEMS = {
    "one link each": f"<div><a href=/a>{TITLE}</a></div><p><a href=/a>{SNIPPET}</a></p>",
    "link around the snippet": f"<div><a href=/a><b>{TITLE}</b></a></div><a href=/a><p>{SNIPPET}</p></a>",
    "link around both": f"<a href=/a><div>{TITLE}</div><p>{SNIPPET}</p></a>",
}
OTHERS = {
    "another page": f"<div><a href=/b>{TITLE}</a></div><p><a href=/a>{SNIPPET}</a></p>",
    "no link": f"<div>{TITLE}</div><p><a href=/a>{SNIPPET}</a></p>",
    "snippet without a link": f"<div><a href=/a>{TITLE}</a></div><p>{SNIPPET}</p>",
    "script": f"<div><a href='javascript:open()'>{TITLE}</a></div><p><a href='javascript:open()'>{SNIPPET}</a></p>",
    "place on the page": f"<div><a href=#>{TITLE}</a></div><p><a href=#>{SNIPPET}</a></p>",
    "byline before a title": f"<div><a href=/a>{TITLE}</a></div><p><a href=/a>The next lamp is lit, too</a></p>",
    "label": f"<div><a href=/a>New</a></div><p><a href=/a>{SNIPPET}</a></p>",
    "after the snippet": f"<p><a href=/a>{SNIPPET}</a></p><div><a href=/a>{TITLE}</a></div>",
}


def find(html: str) -> list[str]:
    page = Page.parse(f"<body>{html}")
    kept = [text in (SNIPPET, "The next lamp is lit, too") for text in page.block_texts]
    return [page.block_texts[row] for row in find_item_titles(page, kept)]


@in_one_test("html", ITEMS.values(), ITEMS)
def test_a_title_is_found(html: str) -> None:
    assert find(html) == [TITLE]


@in_one_test("html", OTHERS.values(), OTHERS)
def test_other_links_are_not_titles(html: str) -> None:
    assert find(html) == []


@given(st.lists(st.sampled_from(["<a href=/a>", "<a>", "</a>", "<p>", TITLE, SNIPPET, "<div>", "</div>"])))
def test_any_markup_has_valid_titles(parts: list[str]) -> None:
    page = Page.parse("<html>" + "".join(parts))
    kept = [row % 2 == 1 for row in range(len(page.starts))]
    assert not any(kept[row] for row in find_item_titles(page, kept))


def test_titles_are_found_in_linear_time() -> None:
    def run(page: Page) -> list[int]:
        return find_item_titles(page, [text == SNIPPET for text in page.block_texts])

    def make(size: int) -> Page:
        items = (ITEMS["one link each"].replace(TITLE, f"{TITLE} {n}") for n in range(size))
        return Page.parse("".join(items))

    assert len(assert_linear(make, run, 4_000)) == 4_000
    assert run(Page.parse(ITEMS["one link each"] * 2)) == []  # a label


DOUBLES = {
    "image link before a heading": f"<a href=/a><span class=sr-only>{TITLE}</span></a><h3><a href=/a>{TITLE}</a></h3>",
    "cut title": f"<div><a href=/a>{TITLE[:12]}…</a></div><h3><a href=/a>{TITLE}</a></h3>",
    "after the heading": f"<h3><a href=/a>{TITLE}</a></h3><p><a href=/a>{TITLE}</a></p>",
    "no heading": f"<div><a href=/a>{TITLE}</a></div><p>New</p><div><a href=/a>{TITLE}</a></div>",
}
SINGLES = {
    "another page": f"<div><a href=/b>{TITLE}</a></div><h3><a href=/a>{TITLE}</a></h3>",
    "another title": f"<div><a href=/a>Lamps</a></div><h3><a href=/a>{TITLE}</a></h3>",
    "no link": f"<div>{TITLE}</div><h3><a href=/a>{TITLE}</a></h3>",
    "the start of a title": f"<h3><a href=/a>{TITLE}</a></h3><p><a href=/a>{TITLE[:12]}</a></p>",
    "far away": f"<div><a href=/a>{TITLE}</a></div><p>1<p>2<p>3<h3><a href=/a>{TITLE}</a></h3>",
    "two headings": f"<h2><a href=/a>{TITLE}!</a></h2><h3><a href=/a>{TITLE[:12]}</a></h3>",
}


def find_doubles(html: str) -> list[str]:
    page = Page.parse(f"<body>{html}")
    return [page.block_texts[row] for row in find_double_titles(page, [True] * len(page.starts))]


@in_one_test("html", DOUBLES.values(), DOUBLES)
def test_a_second_copy_of_a_title_is_found(html: str) -> None:
    page = Page.parse(f"<body>{html}")
    rows = find_double_titles(page, [True] * len(page.starts))
    assert len(rows) == 1
    assert page.find_kind(rows[0]) != "heading"


@in_one_test("html", SINGLES.values(), SINGLES)
def test_other_titles_are_no_copies(html: str) -> None:
    assert find_doubles(html) == []


def test_double_titles_are_found_in_linear_time() -> None:
    def make(size: int) -> Page:
        return Page.parse("<body>" + "".join(DOUBLES["cut title"].replace("/a", f"/{n}") for n in range(size)))

    def run(page: Page) -> int:
        return len(find_double_titles(page, [True] * len(page.starts)))

    assert assert_linear(make, run, 2_000) == 2_000
