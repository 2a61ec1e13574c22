"""The link of an item whose title has none."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bonmun import Options, extract
from bonmun.document import Document
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "https://pier.example/news/"
OPTIONS = Options(links=True, images=False)
LINKED = re.compile(r"\[([^\]]+)\]\(https://pier\.example/([^)]*)\)")
COVER = "<div class=card><h3>Boat {0}</h3><p>Built in 19{0}{0}</p><a class=cover href=/boat-{0}></a></div>"
MORE = (
    "<section><div><h2>{0}월의 배</h2></div><div><p>나무로 만든 배</p><a href=/boat-{0}>Drop: more</a></div></section>"
)


def write(markup: str, kind: str = "listing") -> str:
    """Return the Markdown of a page whose blocks are all kept but those that start with "Drop"."""
    doc = extract(f"<body>{markup}", URL, "all", OPTIONS)
    kept = [not block.text.startswith("Drop") for block in doc.page.blocks]
    return Document(doc.page, replace(doc.labels, kept=kept, kinds={kind: 0.9}), OPTIONS).markdown


def repeat(item: str, count: int = 3) -> str:
    """Return items with their numbers."""
    return "".join(item.format(number) for number in range(1, count + 1))


@pytest.mark.parametrize(
    ("item", "title"),
    [
        (COVER, "Boat {0}"),
        (MORE, "{0}월의 배"),
        (COVER.replace("<p>", "<p><a href=/boat-{0}#photos><img src=a.jpg></a>"), "Boat {0}"),
    ],
)
def test_a_title_gets_the_only_link_of_its_item(item: str, title: str) -> None:
    linked = [(title.format(number), f"boat-{number}") for number in (1, 2, 3)]
    assert LINKED.findall(write(repeat(item))) == linked


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        (repeat(COVER), "article"),
        (repeat(COVER, 2), "listing"),
        (repeat(COVER.replace("boat-{0}", "boats")), "listing"),
        (repeat(COVER.replace("<p>", "<p><a href=/crew-{0}>Drop</a>")), "listing"),
        (repeat(COVER.replace("/boat-{0}", "#boat-{0}")), "listing"),
        (repeat(COVER.replace("/boat-{0}", "https://social.example/share?url=boat-{0}")), "listing"),
        (repeat(COVER.replace("/boat-{0}", "/boat-{0}.jpg")), "listing"),
        (repeat("<h3>Boat {0}</h3><p>Old</p><a href=/boat-{0}></a>"), "listing"),
        (repeat("<div><h3>Boat {0}</h3>" + "<br>" * 100 + "<a href=/boat-{0}></a></div>"), "listing"),
    ],
)
def test_other_titles_get_no_link(markup: str, kind: str) -> None:
    assert LINKED.findall(write(markup, kind)) == []


def test_an_item_with_a_written_link_gets_no_other() -> None:
    assert LINKED.findall(write(repeat("<div><h3>Boat</h3><p>See <a href=/boat-{0}>{0}</a></p></div>"))) == [
        (str(number), f"boat-{number}") for number in (1, 2, 3)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape",
    [
        lambda size: repeat(COVER, size),
        lambda size: "<div>" * 200 + repeat("<h3>{0}</h3>", size) + "<a href=x></a>" * size,
        lambda size: repeat("<div><h3>{0}</h3></div>", size) + "<div>" * size,
    ],
)
def test_links_of_items_are_found_in_linear_time(shape: Callable[[int], str]) -> None:
    assert_linear(shape, write, 2_000)
