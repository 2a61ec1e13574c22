"""Images of the items of a listing: which are written, where, and how often."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Options, Page, extract
from bonmun.document import Document
from bonmun.outputs.backgrounds import MAX_BACKGROUNDS, find_backgrounds
from bonmun.page.item_images import Items
from samples import in_one_test
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "https://pier.example/news/"
OPTIONS = Options(links=False, images=True)
IMAGE = re.compile(r"!\[\]\([^)]{1,60}/([^)/]{1,20})\)")


def write(markup: str, kind: str = "listing") -> str:
    """Return the Markdown of a page whose blocks are all kept but "Share" and those that start with "Drop"."""
    doc = extract(f"<body>{markup}", URL, "all", OPTIONS)
    kept = [not block.text.startswith(("Share", "Drop")) for block in doc.page.blocks]
    return Document(doc.page, replace(doc.labels, kept=kept, kinds={kind: 0.9}), OPTIONS).markdown


def list_lines(markdown: str) -> list[str]:
    """Return the lines of Markdown without list marks, and its images as lines of their file names."""
    lines = IMAGE.sub(r"\n\1\n", markdown).splitlines()
    return [line.strip(" -*") for line in lines if line.strip(" -*")]


ITEMS = {
    "link": "<article><a href=/{n}><p>Share</p><figure><img src={n}.jpg></figure><p>Lamp {n}</p></a><p>Share</p></article>",
    "same link": "<div><p>Share</p><a href=/{n}><img src={n}.jpg></a><p>Share</p><p><a href=/{n}>Lamp {n}</a></p><p>Share</p></div>",
    "list item": "<li><p>Share</p><div><img src={n}.jpg></div><p>Share</p><p>Lamp {n}</p><p>Share</p></li>",
    "article": "<article><p>Share</p><div><img src={n}.jpg></div><p>Share</p><p>Lamp {n}</p><p>Share</p></article>",
}


@in_one_test("item", ITEMS.values(), ITEMS)
def test_images_stand_with_their_items(item: str) -> None:
    lines = list_lines(write("".join(item.format(n=n) for n in range(1, 4))))
    assert lines == ["1.jpg", "Lamp 1", "2.jpg", "Lamp 2", "3.jpg", "Lamp 3"]


def test_images_stand_below_the_headings_of_their_items() -> None:
    item = "<div><a href=/{n}><img src={n}.jpg></a><h4><a href=/{n}>New</a></h4><h2><a href=/{n}>Lamp {n}</a></h2><p>Text {n}</p></div>"
    lines = list_lines(write(item.format(n=1) + item.format(n=2)))
    assert lines == ["New", "## Lamp 1", "1.jpg", "Text 1", "New", "## Lamp 2", "2.jpg", "Text 2"]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("<img src=a.jpg><a href=x>Herons are back</a>", "![](a) [Herons are back](x)"),
        ("<a href=x>왜가리가 돌아왔다</a><img src=a.jpg>", "[왜가리가 돌아왔다](x) ![](a)"),
        ("Herons <img src=a.jpg> <img src=b.jpg>", "Herons ![](a) ![](b)"),
        ("<b>Herons</b><img src=a.jpg>", "**Herons** ![](a)"),
        ("<img src=a.jpg><p>Herons</p><p>are back</p>", "![](a)\n\n  Herons\n\n  are back"),
    ],
)
def test_a_space_separates_image_and_text_of_an_item(item: str, expected: str) -> None:
    markup = re.sub(r"src=(\w)\.jpg", r"src=/\1.jpg width=300 height=200", item)
    doc = extract(f"<ul><li>{markup}<li>Other news of the pier</ul>", URL, "all", Options(links=True, images=True))
    written = re.sub(r"\(https://pier\.example/(?:news/)?(\w)(?:\.jpg)?\)", r"(\1)", doc.markdown)
    assert written.split("\n\n- Other")[0].split("\n- Other")[0] == f"- {expected}"


def test_an_image_stays_above_its_caption() -> None:
    item = "<article><figure><img src={n}.jpg><figcaption>Caption {n}</figcaption></figure><h2>Lamp {n}</h2></article>"
    lines = list_lines(write(item.format(n=1) + item.format(n=2)).replace("*", ""))
    assert lines == ["1.jpg", "Caption 1", "## Lamp 1", "2.jpg", "Caption 2", "## Lamp 2"]


def test_images_in_another_box_move_to_the_text_with_the_same_link() -> None:
    photos = "".join(f"<a href=/{n}><img src={n}.jpg></a>" for n in (1, 2))
    texts = "".join(f"<li><a href=/{n}>Lamp {n}</a></li>" for n in (1, 2))
    assert list_lines(write(f"<p>Lamps</p><div>{photos}</div><ul>{texts}</ul>")) == [
        "Lamps",
        "1.jpg",
        "Lamp 1",
        "2.jpg",
        "Lamp 2",
    ]


BACKGROUND = "style=\"background-image: url('/{n}.jpg')\""
BACKGROUNDS = {
    "article": f"<article><div {BACKGROUND}></div><h2><a href=/{{n}}>Lamp {{n}}</a></h2></article>",
    "link": f"<div><a href=/{{n}} {BACKGROUND}></a><p>Share</p><p><a href=/{{n}}>Lamp {{n}}</a></p></div>",
    "around the text": f"<li {BACKGROUND}><a href=/{{n}} {BACKGROUND}><p>Lamp {{n}}</p></a></li>",
}


@in_one_test("item", BACKGROUNDS.values(), BACKGROUNDS)
def test_items_show_their_backgrounds(item: str) -> None:
    items = "".join(item.format(n=n) for n in range(1, 4))
    assert [IMAGE.findall(write(items, kind)) for kind in ("listing", "article")] == [["1.jpg", "2.jpg", "3.jpg"], []]


NO_BACKGROUNDS = {
    "image": "<article><div style='background: url(/b.jpg)'></div><img src=/a.jpg><p>Lamp</p></article>",
    "image inside": "<article><div style='background: url(/b.jpg)'><img src=/a.jpg></div><p>Lamp</p></article>",
    "icon": "<article><div style='background: url(/icons/b.png)'></div><p>Lamp</p></article>",
    "data": "<article><div style='background: url(data:image/png;base64,R0)'></div><p>Lamp</p></article>",
    "other property": "<article><div style='background: red; cursor: url(/b.cur)'></div><p>Lamp</p></article>",
    "no item": "<div style='background: url(/b.jpg)'></div><p>Lamp</p>",
    "dropped": "<article><div style='background: url(/b.jpg)'></div><p>Drop</p></article>",
    "open": "<article><div style='background: url('></div><p>Lamp</p></article>",
}


@in_one_test("item", NO_BACKGROUNDS.values(), NO_BACKGROUNDS)
def test_other_backgrounds_are_left_out(item: str) -> None:
    assert "b." not in "".join(IMAGE.findall(write(f"<p>One</p>{item}<article><p>Two</p></article>")))


LINKED = {
    "title": ("<p><a href=/x>Lamp</a> of brass</p>", 1),
    "space in the address": ("<p><a href='/x '>Lamp</a></p>", 1),
    "link to the whole item": (f"<p>{'A lamp of brass and glass. ' * 3}<a href=/x>More</a></p>", 1),
    "reference": (f"<p>As the <a href=/x>lamp</a> shows, {'brass is better than glass. ' * 3}</p>", 0),
}


@in_one_test("text", LINKED.values(), LINKED)
def test_images_move_to_titles_and_not_to_references(text: tuple[str, int]) -> None:
    markup, shown = text
    image = "<p>Share</p>" * 4 + "<div><a href=/x><img src=a.jpg></a></div>"
    assert write(f"<p>One</p>{markup}{image}<p>Share</p>", "article").count("a.jpg") == shown


def test_the_whole_text_of_a_page_is_no_item() -> None:
    texts = "".join(f"<p>Line {n}</p>" for n in range(20))
    page = Page.parse(f"<ul><li><div><p>Share</p><img src=a.jpg><p>Share</p></div>{texts}</ul>")
    assert Items(page, set(range(2, 22))).find(page.list_rows("img")[0]) is None
    assert Items(page, {2}).find(page.list_rows("img")[0]) is not None


def test_the_only_article_of_a_page_is_no_item() -> None:
    html = "<article><div><p>Share</p><img src=a.jpg><p>Share</p></div><p>Line</p></article>"
    page = Page.parse(html)
    assert Items(page, {2}).find(page.list_rows("img")[0]) is None
    page = Page.parse(html * 2)
    assert Items(page, {2, 5}).find(page.list_rows("img")[0]) is not None


DROPPED = {
    "teaser": "<a href=/x><img src=a.jpg><span>Dropped story</span></a>",
    "item": "<ul><li><img src=a.jpg><p>Dropped story of a lamp</p></li></ul>",
    "label": "<p><img src=a.png><span>Drop</span></p>",
}


@in_one_test("markup", DROPPED.values(), DROPPED)
def test_images_whose_text_is_dropped_are_left_out(markup: str) -> None:
    assert "![" not in write(f"<p>One</p>{markup}<p>Two</p>")


PIECES = st.sampled_from(
    "<a href=/1>|<a href=/2>|<a href=#>|</a>|<li>|<ul>|</ul>|<article>|</article>|<p>|<div>|</div>|<h2>|<td>|<table>|Lamp|"
    "Text of a lamp|<figure>|<div style='background:url(c.jpg)'>|<a href=/1 style=background:url(d.jpg)>|</figure>|<img src=a.jpg>|<img src=b.jpg alt=b>|<img src=/9x9/a.jpg>|<noscript>".split(
        "|"
    )
)


@given(st.lists(PIECES, max_size=16), st.integers(1, 7), st.sampled_from(["listing", "article"]))
def test_any_markup_has_valid_items_and_each_image_once(pieces: list[str], rest: int, kind: str) -> None:
    doc = extract("<body>" + "".join(pieces), URL, "all", OPTIONS)
    page = doc.page
    kept = {row for row in range(len(page.starts)) if row % 8 <= rest}
    items = Items(page, kept)
    for image in page.list_rows("img"):
        item = items.find(image)
        assert item is None or (item.first <= item.last and {item.first, item.last} <= kept)
        assert not (item and item.is_around and items.is_dropped(image) and not items.kept)
    labels = replace(doc.labels, kept=[row in kept for row in range(len(page.starts))], kinds={kind: 0.9})
    images = [*page.list_rows("img"), *page.list_rows("noscript"), *find_backgrounds(page)]
    assert Document(page, labels, OPTIONS).markdown.count("![") <= len(images)


def test_the_number_of_backgrounds_is_limited() -> None:
    page = Page.parse("<div style='background:url(a.jpg)'>" * 5_000)
    assert len(find_backgrounds(page)) <= MAX_BACKGROUNDS


@pytest.mark.slow
def test_backgrounds_are_found_in_linear_time() -> None:
    assert_linear(lambda n: Page.parse("<i style='background:url((;'></i>" * n), find_backgrounds, 4_000)


SHAPES = {
    "one link": lambda n: "<p>x</p>" + "<a href=/1><img src=a.jpg></a><p><a href=/1>x</a></p>" * n,
    "one item": lambda n: "<ul><li>" + "<p>x</p><img src=a.jpg>" * n + "</ul>",
    "nested articles": lambda n: "<article><img src=a.jpg><p>x</p>" * (n // 20),
    "deep": lambda n: "<article>x</article><li>" + "<div><img src=a.jpg>" * (n // 20) + "x",
}


@pytest.mark.slow
@in_one_test("shape", SHAPES.values(), SHAPES)
def test_items_are_found_in_linear_time(shape: Callable[[int], str]) -> None:
    def make(size: int) -> Page:
        return Page.parse(shape(size))

    def run(page: Page) -> None:
        items = Items(page, set(range(len(page.starts))))
        for row in page.list_rows("img"):
            items.find(row)
            items.is_dropped(row)

    assert_linear(make, run, 4_000)
