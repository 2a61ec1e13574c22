"""Lines and boxes within an article that promote other pages are found; its text, notes and containers are not."""

from __future__ import annotations

import pytest

from bonmun import Page
from bonmun.page.promotions import find_promotions, is_promotion_box
from timing import assert_linear

TEXT = "<p>The keeper had cleaned the lenses for weeks, and half of the village came up to help.</p>"
LINK = "<a href=/lamp>How the old lamp came to the island</a>"


def find_texts(html: str) -> list[str]:
    page = Page.parse(f"<body><article>{TEXT * 4}{html}{TEXT * 4}</article>")
    return [page.block_texts[row] for row in find_promotions(page, [True] * len(page.starts))]


@pytest.mark.parametrize(
    "start",
    [
        "Read also: ",
        "RELATED: ",
        "ALSO READ | ",
        ">>> À LIRE – ",
        "Lesen Sie auch:<br>",
        "[Mehr zum Thema: ",
        "Lee también » ",
    ],
)
def test_a_line_that_starts_with_the_words_of_a_control_is_found(start: str) -> None:
    assert len(find_texts(f"<p>{start}{LINK}</p>")) == 1
    assert len(find_texts(f"<p><a href=/lamp>{start}how the old lamp came to the island</a></p>")) == 1


@pytest.mark.parametrize(
    "html",
    [
        "<p>Related: the lamp is as old as the tower, and both were built by the same family.</p>",
        f"<p>Related work on lamps: {LINK}</p>",
        f"<p>Source: {LINK}</p>",
        f"<p>{LINK}</p>",
        f"<h2>Related: {LINK}</h2>",
    ],
)
def test_other_lines_are_not_found(html: str) -> None:
    assert find_texts(html) == []


@pytest.mark.parametrize(
    "name", ["read-more", "lire_aussi", "relatedContent", "inline-related", "newsletter-box signup"]
)
def test_a_small_box_with_such_a_name_is_found(name: str) -> None:
    box = f"<div class='{name}'><p>The light of the north</p></div>"
    assert find_texts(box) == ["The light of the north"]
    page = Page.parse(f"<body>{box}{TEXT}")
    assert [is_promotion_box(page, row) for row in range(2)] == [True, False]


def test_a_container_of_the_text_is_no_box() -> None:
    assert find_texts(f"<div class='post newsletter'>{TEXT * 6}</div>") == []


def test_many_lines_take_linear_time() -> None:
    def make(count: int) -> Page:
        return Page.parse(f"<div class=related-link>{f'<p>Read also: {LINK}</p>' * count}</div>")

    assert_linear(make, lambda page: find_promotions(page, [True] * len(page.starts)), 4000)


def test_text_for_subscribers_is_text() -> None:
    assert (
        find_texts("<p class=paywall>The light of the north was lit again.</p><div class=paywall><p>Half came.</div>")
        == []
    )
