"""Selectors suggested for an element: the shortest that works on the other pages of a site."""

from __future__ import annotations

import pytest

from bonmun.page import Page
from bonmun.rules.find import find_rows
from bonmun.rules.selectors import parse_selector
from bonmun.rules.suggest import describe_element, find_element, list_elements, suggest_selectors
from made_up_site import SITE_PAGES
from timing import assert_linear

PAGES = [Page.parse(html) for html in SITE_PAGES.values()]


def suggest(page: Page, text: str, field: str = "drop", others: list[Page] | None = None) -> list[str]:
    block = next(row for row, each in enumerate(page.block_texts) if text in each)
    return suggest_selectors(page, find_element(page, block, None, field), others or [], field)


@pytest.mark.parametrize(
    ("text", "field", "selector"),
    [
        ("Read the whole story", "drop", ".support"),  # not #box-90210, and .box is also that of the facts
        ("At a glance", "keep", ".facts"),
        ("The bridge at Ott", "title", ".headline"),
        ("By Ann Lee", "authors", ".who"),
        ("By Ann Lee", "date", "time@datetime"),
        ("By Ann Lee", "drop", ".signed"),
        ("Home News", "drop", "nav"),
        ("Valley: bridge", "drop", ".box li:first-of-type"),  # no names: by position
    ],
)
def test_the_shortest_selector_that_works_on_all_pages(text: str, field: str, selector: str) -> None:
    assert suggest(PAGES[0], text, field, PAGES[1:])[0] == selector


def test_names_of_the_page_are_not_names_of_the_site() -> None:
    make = '<body><article class="{} post" id="{}"><p>{}</p></article><div class=post>Other</div></body>'.format
    pages = [Page.parse(make(f"topic-{word}", word, word)) for word in ("rivers", "bridges", "clocks")]
    article = pages[0].owners[0] - 1
    assert describe_element(pages[0], article) == "article#rivers.topic-rivers.post"
    assert suggest_selectors(pages[0], article, pages[1:], "drop")[0] == "article"
    pages = [Page.parse(make(f"topic-{word}", word, word).replace("article", "div")) for word in ("rivers", "bridges")]
    assert suggest_selectors(pages[0], article, pages[1:], "drop")[0] in (".post", "div.post")


def test_the_same_text_on_other_pages_is_the_same_role() -> None:
    story = "<div class=story><p>One text of a page that is its own.</p>{}<p>Subscribe to our letter.</p></div>"
    pages = [Page.parse(story.format("<p>More.</p>" * count)) for count in (1, 3, 2)]
    assert suggest(pages[0], "Subscribe", "drop", pages[1:])[0] == ".story > p:last-child"


def test_elements_in_and_around_a_block_can_be_chosen() -> None:
    block = next(row for row, text in enumerate(PAGES[0].block_texts) if "Ann Lee" in text)
    shown = [describe_element(PAGES[0], row) for row in list_elements(PAGES[0], block)]
    assert shown == ["span.who", "time", "p.signed", "div#post-4711.story.even"]


def test_hostile_names_are_not_used() -> None:
    names = ['"]', "a]b", "\\", "{}", "<script>", "한국", "a" * 300, "'", "1", "-", "--", ":is(a)", "\u202e"]
    for name in names:
        page = Page.parse(
            f'<body><div class="x{name.replace(chr(34), "&quot;")}" id="{name.replace(chr(34), "&quot;")}">Text</div>'
        )
        for selector in suggest(page, "Text"):
            assert find_rows(page, [parse_selector(selector)]) == [page.owners[0]]


@pytest.mark.slow
def test_time_grows_with_the_page_only() -> None:
    def make(count: int) -> Page:
        return Page.parse(f"<body>{'<div class=a><div>' * 200}{'<p>text</p><div class=b><i>x</i></div>' * count}")

    assert_linear(make, lambda page: suggest_selectors(page, page.owners[-1], [page], "drop"), 1600)
