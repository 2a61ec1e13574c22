"""Text for small screens is left out if the page has the same text for large ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.page.screen_copies import find_screen_copies
from timing import assert_linear

LARGE = "<div class='only-pc'><p>The lamp is lit</p><p><a href=/x>The keeper <i>of 1904</i></a></p></div>"


def find(markup: str) -> list[str]:
    page = Page.parse(f"<!DOCTYPE html><body>{markup}")
    return [page.block_texts[row] for row in find_screen_copies(page, [True] * len(page.starts))]


@pytest.mark.parametrize(
    ("small", "left_out"),
    [
        ("<p class=only-sp>The lamp is lit</p>", ["The lamp is lit"]),
        ("<ul class='list mobile'><li>The lamp is lit</ul>", ["The lamp is lit"]),
        (
            "<div class=MobCont-mobile><p>The lamp is lit</p><a href=/x>The keeper</a></div>",
            ["The lamp is lit", "The keeper"],
        ),
        ("<div class=spView><p>The lamp is lit</p></div>", ["The lamp is lit"]),
        ("<div class='row hidden-md hidden-lg'><p>The lamp is lit</p></div>", ["The lamp is lit"]),
        ("<div class='d-block d-md-none'><p>The lamp is lit</p></div>", ["The lamp is lit"]),
        ("<div class='row hidden-xs hidden-sm'><p>The lamp is lit</p></div>", []),
        ("<div class=hidden-mobile><p>The lamp is lit</p></div>", []),
        # something else is in it, another page, other screens
        ("<div class=sp><p>The lamp is lit</p><p>More of it</p></div>", []),
        ("<div class=sp><p>The lamp is lit</p><p><a href=/y>The keeper</a></p></div>", []),
        ("<div class=sp><a href=/x>The keeper</a></div>", []),
        ("<p class='pc sp'>The lamp is lit</p>", []),
        ("<p class=span>The lamp is lit</p>", []),
        ("<p class=pc>The lamp is lit</p>", []),
        ("<div class=sp><p class=pc>The lamp is lit</p></div>", []),
    ],
)
def test_copies_for_small_screens_are_left_out(small: str, left_out: list[str]) -> None:
    assert find(LARGE + small) == left_out
    assert find(small + LARGE) == left_out


def test_text_for_small_screens_alone_stays() -> None:
    assert find("<p class=sp>The lamp is lit</p><p>The lamp is lit</p>") == []
    page = Page.parse(f"{LARGE}<p class=sp>The lamp is lit")
    assert find_screen_copies(page, [False, False, True]) == []


PARTS = ["<div class=sp>", "<div class=pc>", "</div>", "<p>a", "<p>b", "<a href=/x>a</a>", "<p class=mobile>a", "<p>"]


@given(st.lists(st.sampled_from(PARTS)))
def test_every_text_stays_once(parts: list[str]) -> None:
    page = Page.parse("<!DOCTYPE html><body>" + "".join(parts))
    found = find_screen_copies(page, [True] * len(page.starts))
    left = {text for row, text in enumerate(page.block_texts) if row not in found}
    assert all(any(page.block_texts[row] in text for text in left) for row in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["<p class=pc>a<p class=sp>a", "<div class=pc>a<div class=sp>a", "<div>a<p class=sp>"]
)
def test_copies_are_found_in_linear_time(piece: str) -> None:
    def make(size: int) -> Page:
        return Page.parse(piece * size)

    assert_linear(make, lambda page: find_screen_copies(page, [True] * len(page.starts)), 2_000)


def test_long_linked_texts_take_linear_time() -> None:
    def make(size: int) -> Page:
        long = " ".join(f"word{n}" for n in range(size))
        small = "".join(f"<p><a href=/a>word{size - 1 - n % 9}</a></p>" for n in range(size))
        return Page.parse(f"<div class=pc><p>a<p><a href=/a>{long}</a></div><div class=sp><p>a</p>{small}</div>")

    assert_linear(make, lambda page: find_screen_copies(page, [True] * len(page.starts)), 4_000)
