"""The main region: parts by tag, role and name, threads, and the smallest element with most weight."""

from __future__ import annotations

import pytest

from bonmun import Page
from bonmun.algorithms.regions import BOILERPLATE, COMMENT, MainRegion, find_main_region

LONG = "x" * 100
SHORT = "y" * 10


def find(page: Page) -> MainRegion:
    return find_main_region(page, page.block_sizes.sizes)


def part_of(markup: str) -> int:
    """Return the part that the short text of a page belongs to."""
    page = Page.parse(f"<p>{LONG}</p>{markup.format(SHORT)}")
    row = page.block_texts.index(SHORT)
    return find(page).parts[page.owners[row]]


@pytest.mark.parametrize(
    ("markup", "part"),
    [
        ("<p>{}</p>", 0),
        ("<div class=post-body>{}</div>", 0),
        ("<nav>{}</nav>", BOILERPLATE),
        ("<div role=banner>{}</div>", BOILERPLATE),
        ("<div class=post_footer>{}</div>", BOILERPLATE),
        ("<div id=sideBar>{}</div>", BOILERPLATE),
        ("<div class=outside>{}</div>", 0),  # words, not parts of them
        ("<div class=comments><p>{}</p></div>", COMMENT),
        ("<div class=reply>{}</div>", COMMENT),
        ("<div class='nav reply'>{}</div>", COMMENT),  # comments before boilerplate
        ("<div class=comments><nav>{}</nav></div>", COMMENT),  # the outermost element decides
        ("<div class=comments><button>{}</button></div>", BOILERPLATE),  # except for controls
        ("<b class=nav>{}</b>", 0),  # not a block element
    ],
)
def test_parts_of_elements(markup: str, part: int) -> None:
    assert part_of(markup) == part


@pytest.mark.parametrize(("sizes", "is_part"), [((30, 70), True), ((60, 40), True), ((61, 39), False)])
def test_most_of_a_page_is_not_boilerplate_by_tag(sizes: tuple[int, int], is_part: bool) -> None:
    page = Page.parse(f"<aside>{'a' * sizes[0]}</aside><p>{'b' * sizes[1]}</p>")
    assert bool(find(page).parts[page.owners[0]]) is is_part


@pytest.mark.parametrize(("sizes", "is_part"), [((20, 80), True), ((21, 79), False)])
def test_a_fifth_of_a_page_is_not_boilerplate_by_name(sizes: tuple[int, int], is_part: bool) -> None:
    page = Page.parse(f"<div class=related>{'a' * sizes[0]}</div><p>{'b' * sizes[1]}</p>")
    assert bool(find(page).parts[page.owners[0]]) is is_part


@pytest.mark.parametrize(("sizes", "is_thread"), [((66, 34), False), ((67, 33), True)])
def test_a_thread_has_twice_as_much_in_comments(sizes: tuple[int, int], is_thread: bool) -> None:
    page = Page.parse(
        f"<div class=comment>{'a' * (sizes[0] // 2)}</div><div class=comment>{'b' * (sizes[0] - sizes[0] // 2)}</div><p>{'c' * sizes[1]}</p>"
    )
    found = find(page)
    assert [found.parts[owner] for owner in page.owners] == ([0, 0, 0] if is_thread else [COMMENT, COMMENT, 0])
    assert found.weights == ([33, 34, 33] if is_thread else [0, 0, 34])


@pytest.mark.parametrize(("sizes", "tag"), [((70, 30), "body"), ((71, 29), "article")])
def test_the_region_has_over_seven_tenths_of_its_parent(sizes: tuple[int, int], tag: str) -> None:
    half = sizes[0] // 2
    page = Page.parse(
        f"<article><p>{'a' * half}</p><p>{'b' * (sizes[0] - half)}</p></article><div>{'c' * sizes[1]}</div>"
    )
    found = find(page)
    assert page.tags[found.element] == tag
    assert found.sums[found.element] == (100 if tag == "body" else 71)
    assert [found.inside[owner] for owner in page.owners] == [True, True, tag == "body"]


def test_a_paragraph_is_not_a_region() -> None:
    page = Page.parse(f"<div><p>{LONG}</p></div>")
    assert page.tags[find(page).element] == "div"


def test_other_weights_are_used_if_all_are_zero() -> None:
    page = Page.parse(f"<div><ul><li>{LONG}</li><li>{LONG}</li></ul></div><nav>{SHORT}</nav>")
    nothing = [0] * len(page.owners)
    found = find_main_region(page, nothing, otherwise=page.block_sizes.sizes)
    assert (page.tags[found.element], found.weights) == ("ul", [100, 100, 0])
    found = find_main_region(page, nothing)
    assert (found.element, found.weights, set(found.sums)) == (0, nothing, {0})
