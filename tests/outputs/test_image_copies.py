"""Images that are there twice, stand for missing ones, or are only links."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bonmun import Options, Page, extract
from bonmun.document import Document
from bonmun.outputs.image_copies import PlacedImage, find_copies, find_mere_links
from samples import in_one_test
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "https://pier.example/news/"
OPTIONS = Options(links=False, images=True)


def write(markup: str, kind: str = "listing") -> str:
    """Return the Markdown of a page of a kind, of which all blocks are kept."""
    doc = extract(f"<body>{markup}", URL, "all", OPTIONS)
    return Document(doc.page, replace(doc.labels, kinds={kind: 0.9}), OPTIONS).markdown


OTHERS = {
    "partners": "<div><a href=https://a.example><img src=a.jpg></a><a href=https://b.example><img src=b.jpg></a></div>",
    "shop": "<div><a href=/shop/1><img src=a.jpg></a></div><div><a href=/shop/2><img src=b.jpg></a></div>",
    "banner": "<div><a href=https://shop.example/lamps><img src=a.jpg></a></div>",
    "only an image": "<ul><li><a href=/x><img src=a.jpg alt=''></a></li></ul>",
    "drawing": "<div><img src=dots.svg alt=dots></div>",
    "strip": "<div><a href=/subscribe><img src=bar_980_40.jpg alt='Subscribe to all the news'></a></div>",
    "size of an advertisement": "<div><a href=https://shop.example><img src=a.jpg width=300 height=250></a></div>",
    "name of an advertisement": "<article><a href=https://shop.example><img src=LAMP-AD-2.jpg></a></article>",
    "feed": "<ul><li><p>Lamps</p>"
    + "".join(f"<a href=https://feed.example/{n}><img src={n}.jpg></a>" for n in range(4))
    + "</ul>",
    "portrait": "<figure class=round><img src=a.jpg></figure>",
}


@in_one_test("markup", OTHERS.values(), OTHERS)
def test_other_images_of_listings_are_left_out(markup: str) -> None:
    assert "![" not in write(f"<p>One</p>{markup}<p>Two</p>")


GALLERIES = {
    "gallery": "<div class=gallery><a href=/photo/1><img src=a.jpg></a><a href=/photo/2><img src=b.jpg></a></div>",
    "figures": "<figure><a href=/p/1><img src=a.jpg></a></figure><figure><a href=/p/2><img src=b.jpg></a></figure>",
    "links to images": "<a href=/1.jpg><img src=a.jpg></a><a href=/2.jpg><img src=b.jpg></a>",
    "large photos": "<a href=/p/1><img src=a.jpg width=640></a><a href=/p/2><img src=b.jpg width=640></a>",
    "menu": "<a href=/1><img src=a.jpg alt='Lamps of the north'></a><a href=/2><img src=b.jpg alt='Lamps of the south'></a>",
}


ITEM_IMAGES = {
    "drawing": "<li><a href=/1><img src=a.svg alt='A lamp'><p>Lamp</p></a>",
    "date": "<li><a href=/1><img src=lamp_2020_31.jpg><p>Lamp</p></a>",
    "hash": "<li><a href=https://lamps.example/1><img src=lamp_47fb9ad2a.png><p>Lamp</p></a>",
}


@in_one_test("item", ITEM_IMAGES.values(), ITEM_IMAGES)
def test_images_of_items_are_written(item: str) -> None:
    assert write(f"<p>One</p><ul>{item}</ul><p>Two</p>").count("![") == 1


@in_one_test("markup", GALLERIES.values(), GALLERIES)
def test_galleries_of_a_text_are_written(markup: str) -> None:
    assert write(f"<p>One</p>{markup}<p>Two</p>", "article").count("![") == 2


def test_rows_of_links_are_left_out_on_other_pages_too() -> None:
    assert "![" not in write(f"<p>One</p>{OTHERS['partners']}<p>Two</p>", "article")


COPIES = {
    "two sizes in a figure": (
        "<figure><img src=/109x73/lamp.jpg width=109 height=73><img src=/361x205/lamp.jpg width=361 height=205></figure>",
        "/361x205/lamp.jpg",
    ),
    "two folders": (
        "<a href=/x><img src=/152w/i/lantern.jpg>Lamp</a><p>Two</p><a href=/x><img src=/329w/i/lantern.jpg>Lamp</a>",
        "/152w/i/lantern.jpg",
    ),
    "size in the name": ("<img src=/lamp-375x181.jpg><img src=/lamp.jpg>", "/lamp-375x181.jpg"),
    "for phones": ("<figure><img src=/i/lamp.jpg><img src=/i/lamp_sp.jpg></figure>", "/i/lamp.jpg"),
    "cropped by a script": ("<img src='/i.php?id=1&w100=1'><img src='/i.php?id=1&w100=1'>", "/i.php?id=1&w100=1"),
}


@in_one_test("copy", COPIES.values(), COPIES)
def test_an_image_is_written_once(copy: tuple[str, str]) -> None:
    markup, expected = copy
    written = write(f"<p>One</p>{markup}<p>Three</p>")
    assert written.count("![") == 1
    assert expected in written


REPEATED_LEADS = {
    "path of a server that resizes": (
        "",
        "<img src='/resized/i/old-lighthouse.jpg?width=653'>",
        "/i/old-lighthouse.jpg",
    ),
    "caption": (
        "",
        "<figure><img src=/i/old-lighthouse.jpg><figcaption>By Ann</figcaption></figure>",
        "/i/old-lighthouse.jpg",
    ),
    "other folder": ("", "<img src=/j/old-lighthouse.jpg>", ""),
    "short name": ("", "<img src=/resized/i/tower.jpg>", ""),
    "below the text": ("<p>Two</p>" * 9, "<img src=/resized/i/old-lighthouse.jpg>", ""),
}


@in_one_test("copy", REPEATED_LEADS.values(), REPEATED_LEADS)
def test_a_lead_image_is_not_repeated(copy: tuple[str, str, str]) -> None:
    before, markup, expected = copy
    name = "tower" if "tower" in markup else "old-lighthouse"
    text = "<p>Three</p>" * 6
    written = write(f"<p>One</p>{before}<img src=/i/{name}.jpg>{text}{markup}{text}", "article")
    assert written.count("![") == (1 if expected else 2)
    assert expected in written


def test_the_next_image_with_the_same_file_and_description_is_a_copy() -> None:
    image = "<p><img src={}.jpg alt='The old lighthouse burns at night'></p>"
    written = write(
        f"<p>One</p>{image.format('/i/lantern')}<p>Two</p>{image.format('/i/lantern')}<p>Three</p>", "article"
    )
    assert written.count("![") == 1
    for first, second in [("/i/lamp", "/j/lamp"), ("/image?file=1&a=", "/image?file=2&a="), ("/i/1", "/i/2")]:
        written = write(f"<p>One</p>{image.format(first)}<p>Two</p>{image.format(second)}<p>Three</p>", "article")
        assert written.count("![") == 2


def test_other_images_with_relative_addresses_are_no_copies() -> None:
    image = "<p><img src=i/{}.jpg alt='The old lighthouse burns at night'></p>"
    markup = f"<p>One</p>{image.format('old-lighthouse-1')}<p>Two</p>{image.format('old-lighthouse-2')}<p>Three</p>"
    assert extract(f"<body>{markup}", None, "all", OPTIONS).markdown.count("![") == 2


def test_logos_of_a_header_are_left_out() -> None:
    logos = "".join(f"<div><img src={n}.png alt='A library'></div>" for n in range(3))
    assert write(f"{logos}<p>One</p>").count("![") == 0
    assert write(f"<p>One</p>{logos}<p>Two</p>").count("![") == write(f"{logos}<p>One</p>", "article").count("![") == 3


def test_different_images_are_no_copies() -> None:
    markup = "<img src='/i.php?id=1'><img src='/i.php?id=2'><img src=/a/1.jpg><img src=/b/1.jpg>"
    assert write(f"<p>One</p>{markup}<p>Two</p>").count("![") == 4


@pytest.mark.parametrize(("width", "shown"), [("", 0), ("width=200", 0), ("width=770", 3)])
def test_an_image_at_many_items_stands_for_missing_ones(width: str, shown: int) -> None:
    items = "".join(f"<li><a href=/{n}><img src=none.jpg {width}><p>Lamp {n}</p></a></li>" for n in range(3))
    assert write(f"<ul>{items}</ul>").count("![") == shown


def test_ticks_in_cells_are_written_as_often_as_they_are_there() -> None:
    rows = "".join(f"<tr><td>Lamp {n}<td><img src=sun.svg width=20 alt='Very sunny'>" for n in range(4))
    assert write(f"<table><tr><th>Lamp<th>Sky{rows}</table><p>Two</p>").count("sun.svg") == 4
    linked = rows.replace("<img", "<a href=/x><img").replace("sunny'>", "sunny'></a>")
    assert "sun.svg" not in write(f"<table><tr><th>Lamp<th>Sky{linked}</table><p>Two</p>")


def test_images_that_a_rule_keeps_are_written() -> None:
    doc = extract(f"<body><p>One</p>{OTHERS['partners']}<p>Two</p>", URL, "all", OPTIONS)
    images = frozenset(doc.page.list_rows("img"))
    labels = replace(doc.labels, kinds={"listing": 0.9}, rule_images=images)
    assert Document(doc.page, labels, OPTIONS).markdown.count("![") == 2


SHAPES = {
    "copies": lambda n: "<a href=/1><img src=/a.jpg></a>" * n,
    "links": lambda n: "".join(f"<a href=/{number}><img src=/{number}.jpg></a>" for number in range(n)),
    "lead": lambda n: "".join(f"<img src=/{number}/i/old-lighthouse.jpg>" for number in range(n)),
    "sizes": lambda n: "<img src=/a-1x1.jpg>" * n,
}


@pytest.mark.slow
@in_one_test("shape", SHAPES.values(), SHAPES)
def test_copies_are_found_in_linear_time(shape: Callable[[int], str]) -> None:
    def make(size: int) -> tuple[Page, list[PlacedImage]]:
        page = Page.parse(shape(size))
        rows = page.list_rows("img")
        return page, [PlacedImage(row, 0, page.attr(row, "src") or "", has_item=False) for row in rows]

    def run(given: tuple[Page, list[PlacedImage]]) -> None:
        find_copies(*given, lead_stop=1)
        find_mere_links(*given, is_listing=True)

    assert_linear(make, run, 2_000)
