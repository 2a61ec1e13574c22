"""What "hidden" means: one definition for leaves, blocks, methods, metadata, images and the network."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bonmun
from bonmun import Page
from bonmun.metadata.page_reading import is_hidden
from bonmun.models.features.count_page import count_page
from bonmun.page.parse.columns import PageColumns
from samples import SOURCES, in_one_test

if TYPE_CHECKING:
    from collections.abc import Callable

COVERED = "<body style='display:none'><p>All of it</p><p>waits for <b>a script</b></p><img src=a.png>"
MIXED = "<p>shown</p><p hidden>not <b>shown</b></p><p>in <i hidden>small</i> part</p><div hidden><img src=a.png></div>"
WAYS: dict[str, Callable[[Page], list[bool]]] = {
    "blocks": lambda page: [block.hidden for block in page.blocks],
    "all of their leaves": lambda page: [all(leaf.hidden for leaf in block.leaves) for block in page.blocks],
    "none of them shown": lambda page: [
        not set(page.shown) & set(range(block.start, block.stop)) for block in page.blocks
    ],
    "the network": lambda page: [bool(hidden) for hidden in count_page(page).hidden],
    "a method": lambda page: [reason == "hidden" for reason in bonmun.extract(page, method="all").labels.reasons],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("html", "removed", "hidden"),
    [
        (MIXED, [], [False, True, False]),
        (MIXED, [0], [True, True, False]),
        (MIXED, [0, 2], [True, True, True]),
        (COVERED, [], [False, False]),
        (COVERED, [1], [False, True]),
        (COVERED, [0, 1], [True, True]),
    ],
)
def test_all_packages_agree_on_which_blocks_are_hidden(
    html: str, removed: list[int], hidden: list[bool], way: str
) -> None:
    assert WAYS[way](Page.parse(html).without(removed)) == hidden


@in_one_test("way", WAYS)
@in_one_test("name", SOURCES)
def test_all_packages_agree_on_whole_pages(name: str, way: str) -> None:
    page = Page.parse(SOURCES[name].read_bytes())
    assert WAYS[way](page) == page.hidden_blocks


def test_metadata_is_read_from_text_that_a_script_will_show() -> None:
    assert [is_hidden(Page.parse(COVERED), row) for row in range(2)] == [False, False]
    assert [is_hidden(Page.parse(MIXED), row) for row in range(3)] == [False, True, False]


def test_an_image_is_hidden_as_text_is() -> None:
    for html, hidden in ((MIXED, True), (COVERED, False)):
        page = Page.parse(html)
        assert page.visibility.hides(page.tags.index("img")) is hidden


def test_a_block_without_visible_leaves_returns_all_of_them() -> None:
    page = Page.parse(MIXED)
    assert [block.shown_text for block in page.blocks] == ["shown", "not shown", "in part"]


def worked_out(page: Page) -> dict[str, Any]:
    """Return all cached values of a page."""
    names = [
        name for each in (Page, PageColumns) for name, value in vars(each).items() if isinstance(value, cached_property)
    ]
    return {name: getattr(page, name) for name in names if name not in ("places", "_known_kinds", "_rows_by_node")}


@given(st.sampled_from(sorted(SOURCES)), st.sets(st.integers(0, 20)))
def test_no_cached_value_of_a_page_becomes_stale(name: str, rows: set[int]) -> None:
    page = Page.parse(SOURCES[name].read_bytes())
    rows = {row for row in rows if row < len(page.starts)}
    before = worked_out(page)
    assert worked_out(page.without(rows)) == worked_out(Page.parse(SOURCES[name].read_bytes()).without(rows)) == before
    _ = page.shown, page.hidden_blocks
    assert page.without(rows).hidden_blocks == [hidden or row in rows for row, hidden in enumerate(page.hidden_blocks)]


def test_pages_without_text_hide_only_what_their_markup_hides() -> None:
    page = Page.parse("<div hidden><img src=a.png></div><img src=b.png>")
    assert (page.shown, page.hidden_blocks) == ([], [])
    assert [page.visibility.hides(row) for row, tag in enumerate(page.tags) if tag == "img"] == [True, False]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<a href=x>Text<span class=sr-only>opens in a new window</span></a>", "Text"),
        ("<a href=x>Text <span class='x visually-hidden'>(<b>new</b>)</span></a> more", "Text more"),
        ("<a href=x>Text<span><span class=show-for-sr>new</span></span></a>", "Text"),
        ("<a href=x><span class=screen-reader-text>Title</span></a><p><a href=x>Title</a></p>", "Title"),
        # what only screen readers say may be the only text
        ("<a href=x><span class=sr-only>Text</span></a>", "Text"),
        ("<a href=x><span class=sr-only>News:</span> Text</a>", "News: Text"),
        ("<a href=x><span aria-hidden=true>x</span><span class=sr-only>Close</span></a>", "Close"),
        ("<a href=x>1</a><a href=y><span class=sr-only>Page</span></a>", "1 Page"),
        ("<a href=x>»<span class=sr-only>Next</span></a>", "»Next"),
        ("Text <span class=sr-only>more</span>", "Text more"),
    ],
)
def test_text_for_screen_readers_in_links_is_hidden_after_other_text(markup: str, text: str) -> None:
    assert bonmun.extract(f"<!DOCTYPE html><body>{markup}", method="all").text == text


@pytest.mark.parametrize(
    ("style", "hidden"),
    [
        ("position:absolute;top:0;left:-9999px", True),
        ("POSITION: absolute; LEFT: -99999PX", True),
        ("position:fixed;right:-5000px", True),
        ("top:-10000px;position:absolute", True),
        ("position:absolute;left:-999em", True),
        ("left:-1920px", False),  # a slide
        ("left:-400px", False),
        ("margin-left:-9999px", False),
        ("left:9999px", False),
        ("width:5000px", False),
    ],
)
def test_text_far_off_the_screen_is_hidden(style: str, hidden: bool) -> None:
    page = Page.parse(f"<p>Herons are back.<div style='{style}'>Buy cheap lamps</div><p>They nest on the pier.")
    assert page.hidden_blocks == [False, hidden, False]
