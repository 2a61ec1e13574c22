"""Headings above kept text, images and videos are kept; others are not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.page.headings import find_heading_lists, find_headings
from samples import in_one_test
from timing import assert_linear

TEXT = "The keeper had cleaned the lenses for weeks, and on the last evening half of the village came up to help."
IMAGE = "<figure><img src=/a.jpg><figcaption>The lamp</figcaption></figure>"
KEPT = {
    "text": f"<section><h2>The lamp</h2><p>{TEXT}</p></section>",
    "box of its own": f"<section><header><h2>The lamp</h2></header><div><p>{TEXT}</p></div></section>",
    "box in the heading": f"<section><h2><div><a href=/x>The lamp</a></div></h2><p>{TEXT}</p></section>",
}
DROPPED = {
    "short text": "<section><h2>The lamp</h2><p>Short.</p></section>",
    "menu": f"<nav><section><h2>The lamp</h2><p>{TEXT}</p></section></nav>",
    "headline": f"<title>Lamp and lights</title><section><h2>Lamp lights</h2><p>{TEXT}</p></section>",
    "repeated": f"<section><h2>The lamp</h2><p>{TEXT}</p></section>" * 2,
    "another section": f"<section><div><div><div><h2>The lamp</h2></div></div></div></section><section><p>{TEXT}</p></section>",
    "paragraph": f"<section><p>The lamp</p><p>{TEXT}</p></section>",
    "hidden": f"<section><h2 hidden>The lamp</h2><p>{TEXT}</p></section>",
}


def find(html: str, score: float = 0.3) -> list[str]:
    page = Page.parse(f"<body>{html}")
    kept = [text == TEXT or text == "Short." for text in page.block_texts]
    count = len(kept)
    return [page.block_texts[row] for row in find_headings(page, kept, [score] * count, [False] * count)]


@in_one_test("html", KEPT.values(), KEPT)
def test_a_heading_of_kept_text_is_found(html: str) -> None:
    assert find(html) == ["The lamp"]
    assert find(html, 0.05) == []


@in_one_test("html", DROPPED.values(), DROPPED)
def test_other_headings_are_not_found(html: str) -> None:
    assert find(html) == []


def test_a_heading_above_an_image_needs_no_text() -> None:
    def find_empty(html: str) -> list[int]:
        page = Page.parse(f"<body><article>{html}<p>{TEXT}</p></article>")
        empty = [text == "The first lamp" for text in page.block_texts]
        return find_headings(page, [False] * len(empty), [0.5] * len(empty), empty)

    assert find_empty(f"<h2>The first lamp</h2>{IMAGE}") == [0]
    assert find_empty("<h2>The first lamp</h2><iframe src=/video></iframe>") == [0]
    assert find_empty("<h2>The first lamp</h2>") == []


@given(st.lists(st.sampled_from(["<h2>", "</h2>", "The lamp", f"<p>{TEXT}</p>", "<div>", "</div>", "<img>", "<h3>x"])))
def test_any_markup_has_valid_headings(parts: list[str]) -> None:
    page = Page.parse("<html>" + "".join(parts))
    count = len(page.starts)
    kept = [row % 2 == 1 for row in range(count)]
    rows = find_headings(page, kept, [0.5] * count, [row % 4 == 0 for row in range(count)])
    assert rows == sorted(set(rows))
    assert not any(kept[row] for row in rows)


def test_headings_are_found_in_linear_time() -> None:
    def make(size: int) -> Page:
        return Page.parse("".join(f"<section><h2>Lamp {n}</h2><p>{TEXT}</p></section>" for n in range(size)))

    def run(page: Page) -> list[int]:
        count = len(page.starts)
        kept = [text == TEXT for text in page.block_texts]
        return find_headings(page, kept, [0.5] * count, [False] * count)

    assert len(assert_linear(make, run, 4_000)) == 4_000


LIST = "<ul><li><a href=/a>Fauna</a><li>Prisma<ul><li>Jest</ul></ul>"


def find_lists(html: str) -> list[str]:
    page = Page.parse(f"<body>{html}")
    kept = [text in (TEXT, "Links") for text in page.block_texts]
    return [page.block_texts[row] for row in find_heading_lists(page, kept)]


def test_a_list_stays_with_its_heading() -> None:
    assert find_lists(f"<div><h2>Links</h2>{LIST}<p>{TEXT}</p></div>") == ["Fauna", "Prisma", "Jest"]
    assert find_lists(f"<div><h2>Links</h2>{LIST}</div>") == []  # the text does not go on
    assert find_lists(f"<div><h2>Links</h2>{LIST}</div><p>{TEXT}</p>") == []  # elsewhere
    assert find_lists(f"<div><p>Links</p>{LIST}<p>{TEXT}</p></div>") == []
    assert find_lists(f"<div><h2>Links</h2>{LIST}<p>Share</p><p>{TEXT}</p></div>") == []


def test_code_and_lists_stay_with_the_text_that_introduces_them() -> None:
    def find_below(html: str) -> list[str]:
        page = Page.parse(f"<body><div>{html}<p>{TEXT}</p></div>")
        kept = [text == TEXT or text.endswith((":", "：")) for text in page.block_texts]
        return [page.block_texts[row] for row in find_heading_lists(page, kept)]

    code = "<div><textarea readonly>lamp on</textarea><pre>lamp on</pre></div>"
    assert find_below(f"<p>An example:</p>{code}") == ["lamp on"]
    assert find_below("<p>需要：</p><ul><li>oil<li>wick</ul>") == ["oil", "wick"]
    assert find_below("<p>Read more:</p><ul><li><a href=/a>Oil</a><li><a href=/b>Wick</a></ul>") == []
    addresses = "<ul><li>Oil: <a href=/a>https://oil.example/lamps</a><li>Wick</ul>"
    assert find_below(f"<p>See:</p>{addresses}") == ["Oil: https://oil.example/lamps", "Wick"]
    assert find_below(f"<p>One</p><p>See:</p>{addresses}</div><div>") == ["Oil: https://oil.example/lamps", "Wick"]
    assert find_below("<p>An example:</p><div><p>Share</p></div>") == []
    assert find_below(f"<p>An example.</p>{code}") == []


def test_lists_are_found_in_linear_time() -> None:
    def run(page: Page) -> list[int]:
        return find_heading_lists(page, [text in (TEXT, "Links") for text in page.block_texts])

    def make(size: int) -> Page:
        return Page.parse(f"<div>{f'<h2>Links</h2>{LIST}' * size}<p>{TEXT}</p></div><h2>Links</h2><ul>{'<li>x' * size}")

    assert_linear(make, run, 4_000)
