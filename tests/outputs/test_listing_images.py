"""Images of listings that are no part of an item: second photos, portraits, strips, links to sections, copies."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Options, extract
from bonmun.document import Document
from samples import in_one_test
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "https://pier.example/news/"
OPTIONS = Options(links=False, images=True)
IMAGE = re.compile(r"!\[[^\]]{0,80}\]\([^)]{1,80}?/([^)/]{1,40})\)")


def list_images(markup: str, kind: str = "listing") -> list[str]:
    """Return the files of the images of a page, whose blocks are kept but for those that start with "Drop"."""
    doc = extract(f"<body>{markup}", URL, "all", OPTIONS)
    kept = [not block.text.startswith("Drop") for block in doc.page.blocks]
    return IMAGE.findall(Document(doc.page, replace(doc.labels, kept=kept, kinds={kind: 0.9}), OPTIONS).markdown)


def repeat(item: str, times: int = 3) -> str:
    """Return an item several times, with a number in each."""
    return "".join(item.replace("#", str(number)) for number in range(1, times + 1))


LAMPS = [f"lamp{number}.jpg" for number in range(1, 4)]
SECONDS = {
    "under the pointer": "<li><a href=/#><img src=/lamp#.jpg><img src=/room#.jpg></a><p><a href=/#>Lampe Nummer #</a></p></li>",
    "portrait": "<article><a href=/#><img src=/lamp#.jpg><h2>Lámpara número #</h2><div><img src=/ana#.jpg></div></a></article>",
    "larger one last": "<li><a href=/#><img src=/s#.jpg width=16 height=9><img src=/lamp#.jpg width=360 height=203></a><p><a href=/#>ランプ #</a></p></li>",
}


@in_one_test("item", SECONDS.values(), SECONDS)
def test_items_show_one_image(item: str) -> None:
    assert list_images(repeat(item)) == LAMPS


def test_a_copy_for_loading_gives_way_to_the_photo() -> None:
    item = "<li><a href=/#><img src=/p/lamp-#_16x9.jpg><img src=/p/lamp-#_360x203.jpg></a><p><a href=/#>Lamp #</a></p></li>"
    assert list_images(repeat(item)) == [f"lamp-{n}_360x203.jpg" for n in (1, 2, 3)]
    same_box = item.replace(".jpg>", ".jpg width=279 height=157>")
    assert list_images(repeat(same_box)) == [f"lamp-{n}_360x203.jpg" for n in (1, 2, 3)]


def test_two_images_in_few_links_are_written() -> None:
    assert len(list_images(repeat(SECONDS["under the pointer"], 2))) == 4


OTHERS = {
    "strip": "<p><img src=/sale.png width=930 height=80></p>",
    "strip by its file": "<div><a href=/sale><img src=/sale-1420x244-15.jpg></a></div>",
    "section": "<div><a href=/jobs><img src=/jobs.jpg></a></div>",
    "campaign with a dropped label": "<div><p>Drop: ad</p><a href=/jobs><img src=/jobs.jpg></a></div>",
    "portrait": "<div class=box__byline><div><img src=/ana.jpg></div></div>",
    "avatar": "<div><img src=/profile_images/12/x_normal.jpg></div>",
    "no image": "<article><a href=/9><img src=/no-image-640x480.jpg><p>Lamp 9</p></a></article>",
    "slide": "<div data-href=/8><div><img src=/8.jpg></div></div><div data-href=/9><div><img src=/9.jpg></div></div>",
    "script": "<div><a href='javascript:go(9)'><img src=/last.gif></a></div>",
    "arrow": "<div><a href='#'><img src=/up.jpg></a></div>",
    "icon by its folder": "<article><a href=/9><img src=/level1-41x41/lamp.gif><p>Lamp 9</p></a></article>",
    "icon in a cell": "<table><tr><th>A<th>B<tr><td>One<td><img src=/ana.gif><tr><td>Two<td>2</table>",
    "type of a file": "<table><tr><th>A<th>B<tr><td><img src=/icons/text.gif alt='[TXT]'><td>One<tr><td>x<td>Two</table>",
}
ITEMS = repeat("<article><a href=/#><img src=/lamp#.jpg><p>Lamp number #</p></a><p>Text #</p></article>", 8)


@in_one_test("markup", OTHERS.values(), OTHERS)
def test_what_is_between_items_is_left_out(markup: str) -> None:
    html = f"<main><p>One</p>{ITEMS}{markup}{ITEMS.replace('lamp', 'lantern')}</main>"
    assert list_images(html) == [f"{name}{n}.jpg" for name in ("lamp", "lantern") for n in range(1, 9)]


KEPT = {
    "below a heading": "<h2>Summer courses</h2><p><a href=/8><img src=/kept.jpg></a></p>",
    "text of its own": "<section><a href=/8><img src=/kept.jpg></a><p>A lamp of brass</p></section>",
    "dropped date": "<section><div><a href=/8><img src=/kept.jpg></a><i>Drop 8:30</i></div><p>A lamp of brass</p></section>",
    "link with a query": "<div><a href='/8?from=image'><img src=/kept.jpg></a></div><div><h3><a href=/8>Lamp 8</a></h3></div>",
    "small copy": "<article><a href=/9><img src=/30x20/a.jpg data-lazy-src=/kept.jpg><p>Lamp 9</p></a></article>",
    "size of a print": "<article><a href=/9><img src=/a-40x40/kept.jpg><p>Lamp 9</p></a></article>",
    "anchor": "<a name=top><p><img src=/kept.jpg></p></a>",
    "link to an image": "<div><a href=/kept-large.jpg><img src=/kept.jpg></a></div>",
    "photo that is named as a logo": "<article><h2><a href=/8>Lamp 8</a></h2><div class=item-logo><a href=/8>"
    "<img class=cms_logo src=/kept.jpg width=350 height=197></a></div></article>",
    "cell with a photo": "<table><tr><th>A<th>B<tr><td>One<td><img src=/kept.jpg><tr><td>Two<td>2</table>",
    "sign in a cell": "<table><tr><th>A<th>B<tr><td>One<td><img src=/icons/kept.jpg alt=Sunny width=16 height=16><tr><td>Two<td>2</table>",
}


@in_one_test("markup", KEPT.values(), KEPT)
def test_other_images_between_items_are_written(markup: str) -> None:
    assert "kept.jpg" in list_images(f"<main><p>One</p>{ITEMS}{markup}{ITEMS.replace('lamp', 'lantern')}</main>")


def test_thumbnails_that_repeat_the_photos_of_items_are_left_out() -> None:
    alt = "alt='The lamp of the old lighthouse #'"
    items = repeat(f"<article><a href=/#><img src=/lamp#.jpg {alt}><p>Lamp #</p></a></article>")
    thumbnails = repeat(f"<i><img src=/small/# {alt}></i>")
    assert list_images(f"<main>{items}<div>{thumbnails}</div><p>Two</p></main>") == LAMPS


def test_links_that_differ_in_their_query_are_not_those_of_an_image() -> None:
    items = "".join(f"<div><h3><a href='/show?id={n}'>Lamp number {n}</a></h3></div>" for n in (1, 2))
    assert not list_images(f"<main>{ITEMS}<div><a href='/show?id=3'><img src=/a.jpg></a></div>{items}</main>")[8:]


DROPPED = {
    "heading": "<div class=item><div><img src=/a.jpg></div><h3>Drop: a story of lamps</h3></div>",
    "link": "<div class=item><figure><img src=/a.jpg></figure><p><a href=/1>Drop: a story of lamps</a></p></div>",
}


@in_one_test("markup", DROPPED.values(), DROPPED)
def test_images_of_dropped_items_in_any_box_are_left_out(markup: str) -> None:
    assert not list_images(f"<p>One</p><div>{markup * 2}</div><p>Two</p>")
    assert "a.jpg" in list_images(f"<p>One</p><div>{markup * 2}</div><p>Two</p>", "article")


def test_a_dropped_label_leaves_the_image_of_its_item() -> None:
    item = "<div><div><img src=/lamp#.jpg><a href=/c>Drop: lamps and lanterns</a></div><h3>Lamp #</h3></div>"
    assert list_images(repeat(item)) == LAMPS


def test_an_item_for_each_screen_has_one_image() -> None:
    texts = ("Drop: lamp number #", "Lamp number # of brass", "Lamp number # of brass")
    boxes = [f"<div><img src=/{name}#.jpg><h3>{text}</h3></div>" for name, text in zip("slx", texts, strict=True)]
    doc = extract(f"<body>{repeat('<article>' + ''.join(boxes) + '</article>')}", URL, "all", OPTIONS)
    kept = [row % 3 == 1 for row in range(len(doc.page.blocks))]
    written = Document(doc.page, replace(doc.labels, kept=kept, kinds={"listing": 0.9}), OPTIONS).markdown
    assert set(IMAGE.findall(written)).isdisjoint(["x1.jpg", "x2.jpg", "x3.jpg"])
    assert "l1.jpg" in written


PIECES = st.sampled_from(
    "<a href=/1>|<a href=/2>|</a>|<div data-href=/3>|<div class=byline>|</div>|<li>|<ul>|</ul>|<article>|</article>|<td>|<table>|"
    "<h2>Drop of a lamp and lantern</h2>|Lamp|<p>Drop|<figure>|</figure>|<img src=a.gif>|<img src=/x/a-lamp-of-brass-and-glass-1_16x9.jpg>|"
    "<img src=b.jpg width=900 height=0>|<img src=c.jpg alt='A lamp of brass and of glass'>".split("|")
)


@given(st.lists(PIECES, max_size=24))
def test_any_markup_has_each_image_once(pieces: list[str]) -> None:
    markup = "".join(pieces)
    assert len(list_images(markup)) <= markup.count("<img")


SHAPES = {
    "one link": lambda n: "<a href=/1>" + "<img src=a.jpg><p>x</p>" * n,
    "pairs": lambda n: "<li><a href=/1><img src=a.jpg><img src=b.jpg>x</a></li>" * n,
    "lone links": lambda n: "<p>x</p>" + "<div><a href=/1><img src=a.jpg></a></div>" * n + "<p>y</p>",
    "dropped": lambda n: "<p>x</p>" + "<div><img src=a.jpg><h2>Drop of a lamp and lantern</h2></div>" * n + "<p>y</p>",
    "deep": lambda n: "<p>x</p>" + "<div><img src=a.jpg>" * (n // 20) + "<h2>Drop of a lamp and lantern</h2>",
    "cells": lambda n: "<table><tr>" + "<td><img src=a.gif>" * n + "<td>x<tr><td>y</table>",
    "long names": lambda n: f"<p>x</p><img src=/{'a-1x1' * n}.jpg alt='{'a' * n}'><p>y</p>",
}


@pytest.mark.slow
@in_one_test("shape", SHAPES.values(), SHAPES)
def test_listings_are_written_in_linear_time(shape: Callable[[int], str]) -> None:
    assert_linear(shape, list_images, 2_000)
