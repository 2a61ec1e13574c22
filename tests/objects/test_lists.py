"""The items of a listing are found by repetition."""

from __future__ import annotations

from typing import Any

import pytest

from bonmun import Page
from bonmun.kept import KeptBlock
from bonmun.metadata import Metadata
from bonmun.metadata.declared import read_declared
from bonmun.objects.lists.find import find_lists
from bonmun.objects.reading import ObjectReading
from timing import assert_linear

MENU = "<nav><ul>" + "".join(f"<li><a href=/menu/{n}>Section {n}</a></li>" for n in range(30)) + "</ul></nav>"
SNIPPET = "Boats came back to the harbour late, and the market opened only after noon."
NUMBERS = range(1, 9)
CARDS = "".join(
    f"""<div class="card"><a href="/news/{n}"><img src="/img/{n}.jpg"></a><h3><a href="/news/{n}">Harbour news {n}</a></h3>
    <time datetime="2024-05-{n:02}">May {n}</time><p>{SNIPPET}</p><a href="/news/{n}">Read more</a></div>"""
    for n in NUMBERS
)
HEADERS = "".join(f"<h3><a href=/news/{n}>Harbour news {n}</a></h3><p>{SNIPPET}</p>" for n in NUMBERS)
ROWS = "".join(
    f"<tr><td><a href=/p/{n}>Rope of {n} metres</a></td><td><del>9,00 €</del> <b>{n},50 €</b></td></tr>"
    for n in NUMBERS
)
MARKED = """<script type="application/ld+json">{"@type": "ItemList", "itemListElement": [
{"@type": "ListItem", "position": 1, "url": "/a", "name": "First"},
{"@type": "ListItem", "position": 2, "item": {"@type": "Product", "name": "Second", "url": "/b"}}]}</script>"""


def make_reading(body: str, kind: str = "listing") -> ObjectReading:
    """Return a page whose main text is the content of <main>."""
    page = Page.parse(f"<html lang=en><body>{MENU}<main>{body}</main></body></html>", "https://harbour.example/")
    inside = set(page.select_rows("main, main *"))
    kept = [
        KeptBlock(page, block.index, range(block.start, block.stop), 1.0, "", {})
        for block in page.blocks
        if block.element in inside
    ]
    return ObjectReading(page, read_declared(page), Metadata(title="News"), kept, kind)


def read_items(body: str, kind: str = "listing") -> list[dict[str, Any]]:
    found = find_lists(make_reading(body, kind))
    return found[0].values["itemListElement"] if found else []


def test_cards_are_items_with_date_snippet_and_image() -> None:
    items = read_items(CARDS)
    assert [item["name"] for item in items] == [f"Harbour news {n}" for n in NUMBERS]
    assert items[0] == {
        "name": "Harbour news 1",
        "url": "https://harbour.example/news/1",
        "datePublished": "2024-05-01",
        "description": SNIPPET,
        "image": "https://harbour.example/img/1.jpg",
    }


def test_items_may_be_headings_followed_by_their_text() -> None:
    items = read_items(HEADERS)
    assert [(item["name"], item["description"]) for item in items] == [(f"Harbour news {n}", SNIPPET) for n in NUMBERS]


def test_cards_of_several_sizes_share_a_class() -> None:
    """The first cards are larger, in an element and with a class of their own."""
    sizes = ["large"] * 2 + ["small"] * 6
    cards = [
        f'<div class="teaser {size}"><h3 class="title-{size}"><a href="/news/{n}">Harbour news {n}</a></h3><p>{SNIPPET}</p></div>'
        for n, size in zip(NUMBERS, sizes, strict=True)
    ]
    items = read_items(f"<section>{''.join(cards[:2])}</section><section>{''.join(cards[2:])}</section>")
    assert [item["url"] for item in items] == [f"https://harbour.example/news/{n}" for n in NUMBERS]


def test_the_heading_of_a_list_is_no_item() -> None:
    items = read_items(f"<h3>All news of the harbour</h3>{HEADERS}")
    assert [item["name"] for item in items] == [f"Harbour news {n}" for n in NUMBERS]


def test_rows_of_a_table_are_items_with_their_current_price() -> None:
    items = read_items(f"<table>{ROWS}</table>")
    assert [(item["name"], item["price"]) for item in items] == [(f"Rope of {n} metres", f"{n}.50") for n in NUMBERS]


def test_marked_items_are_used_if_the_page_shows_none() -> None:
    items = read_items(MARKED)
    assert items == [
        {"name": "First", "url": "https://harbour.example/a"},
        {"name": "Second", "url": "https://harbour.example/b"},
    ]


@pytest.mark.parametrize(
    ("body", "kind"),
    [(CARDS, "article"), (f"<p>{SNIPPET}</p>" * 9, "listing"), ("", "listing")],
    ids=["another kind of page", "no links", "empty"],
)
def test_menus_and_texts_are_no_lists(body: str, kind: str) -> None:
    assert read_items(body, kind) == []


HOSTILE = {
    "classes": "".join(f'<div class="{" ".join(f"a{n % 7}b{k}" for k in range(12))}">' for n in range(7))
    + "<a href=/1>One",
    "cards": "<div class=card><h3><a href=/{n}>Title {n}</a></h3><p>Some text {n}</p><b>{n} €</b><img src=/{n}.jpg></div>",
    "one item": "<a href=/{n}>Title {n}</a> ",
    "nested": "<div class=card><a href=/{n}>Title {n}</a>",
    "headings": "<h3><a href=/{n}>Title {n}</a></h3>",
    "rows": "<tr><td><a href=/{n}>Title {n}</a><td>{n} €",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_lists_are_found_in_linear_time(name: str) -> None:
    assert_linear(
        lambda size: make_reading("".join(HOSTILE[name].replace("{n}", str(n)) for n in range(size))),
        find_lists,
        16_000,
    )
