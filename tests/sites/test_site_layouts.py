"""Layouts of a site."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bonmun.page import Page
from bonmun.sites import layouts as layouts_module
from bonmun.sites.layouts import MAX_LAYOUTS, MAX_SAMPLE, MAX_SKELETON_KEYS, find_layouts, read_skeleton
from timing import assert_linear

if TYPE_CHECKING:
    from bonmun.sites.key_arrays import KeyArray

MENU = "<nav class=menu><ul class=links><li class=item><a class=link>Home</a></ul></nav>"
FOOTER = "<footer class=foot><div class=legal><p>Imprint</p></div></footer>"


def make_article(number: int) -> Page:
    paragraphs = "".join(f"<p class=text>Sentence {each} of article {number}.</p>" for each in range(number % 4 + 2))
    picture = "<figure class=photo><img><figcaption>A picture</figcaption></figure>" * (number % 2)
    return Page.parse(
        f"<body class='page post-{number}'>{MENU}<article class='post id{number}'><h1 class=headline>Title {number}</h1>"
        f"<div class=byline><span class=author>Kim</span><time>today</time></div>"
        f"<div class=body>{picture}{paragraphs}</div></article>{FOOTER}"
    )


def make_listing(number: int) -> Page:
    cards = "<div class=card><h2 class=name><a>An item</a></h2><span class=price>5</span></div>" * (number % 5 + 3)
    return Page.parse(
        f"<body class=page>{MENU}<main class=results><div class=filters><form class=search><label>Find</label></form></div>"
        f"<section class=grid>{cards}</section><div class=pager><b>1</b></div></main>{FOOTER}"
    )


def number_pages(pages: list[Page]) -> list[int]:
    skeletons = [read_skeleton(page) for page in pages]
    layouts = find_layouts(skeletons)
    return [layouts.find(skeleton) for skeleton in skeletons]


def test_pages_are_grouped_by_markup_and_the_largest_layout_comes_first() -> None:
    pages = [*map(make_article, range(7)), *map(make_listing, range(4))]
    assert number_pages(pages) == [0] * 7 + [1] * 4


def test_numbers_in_names_do_not_count() -> None:
    one, other = (Page.parse(f"<div class='box box{n}'><p class=p{n}>Text</p></div>") for n in (17, 4))
    assert read_skeleton(one).tolist() == read_skeleton(other).tolist()


def test_layouts_do_not_depend_on_the_order_of_the_pages() -> None:
    pages = [*map(make_article, range(9)), *map(make_listing, range(9)), Page.parse("<pre>Log</pre>")]
    expected = dict(zip(map(id, pages), number_pages(pages), strict=True))
    for seed in range(5):
        random.Random(seed).shuffle(pages)
        assert dict(zip(map(id, pages), number_pages(pages), strict=True)) == expected


def test_a_new_page_gets_the_layout_of_its_like_and_a_strange_one_none() -> None:
    layouts = find_layouts(map(read_skeleton, [*map(make_article, range(5)), *map(make_listing, range(3))]))
    assert [layouts.find(read_skeleton(make(20))) for make in (make_article, make_listing)] == [0, 1]
    strange = Page.parse("<table class=log><tr><td class=cell>A<td>B</table><dl><dt>C<dd>D</dl>")
    assert layouts.find(read_skeleton(strange)) == -1
    number, similarity = layouts.find_nearest(read_skeleton(make_article(2)))
    assert number == 0
    assert 0.9 < similarity <= 1


def test_no_pages_and_empty_pages_have_no_layouts() -> None:
    none: KeyArray = np.empty(0, np.uint64)
    assert len(find_layouts([])) == 0
    assert find_layouts([]).find(none) == -1
    assert len(find_layouts([none, none])) == 0
    assert find_layouts([read_skeleton(make_article(1))]).find(none) == -1


def test_each_page_of_a_sample_has_a_layout() -> None:
    rng = random.Random(4)
    names = [f"<i class={chr(97 + n)}x>A</i>" for n in range(26)]
    skeletons = [read_skeleton(Page.parse("".join(rng.sample(names, 18)))) for _ in range(60)]
    layouts = find_layouts(skeletons)
    assert all(layouts.find(each) >= 0 for each in skeletons)


def test_a_large_site_is_sampled_whatever_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts_module, "MAX_SAMPLE", 8)
    rng = np.random.default_rng(1)
    kinds = [rng.integers(1, 1 << 60, 50, np.uint64) for _ in range(2)]
    skeletons = [np.unique(np.append(kinds[n % 2], rng.integers(1, 1 << 60, 4, np.uint64))) for n in range(90)]
    numbers = []
    for some in (skeletons, skeletons[::-1]):
        layouts = find_layouts(iter(some))
        assert len(layouts) == 2
        numbers.append([layouts.find(each) for each in skeletons])
    assert numbers[0] == numbers[1]
    assert len({*numbers[0][::2]}) == len({*numbers[0][1::2]}) == 1


def test_hostile_skeletons_are_bounded() -> None:
    wide = Page.parse(
        "".join(f"<x{n}y class='{' '.join(chr(97 + n % 26) * k for k in range(40))}'>A</x{n}y>" for n in range(5000))
    )
    assert len(read_skeleton(wide)) == MAX_SKELETON_KEYS
    rng = np.random.default_rng(2)
    strangers = (np.unique(rng.integers(1, 1 << 60, 64, np.uint64)) for _ in range(2 * MAX_SAMPLE))
    assert len(find_layouts(strangers)) == MAX_LAYOUTS


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["<div class='a b c'>", "<div class='a b c'>x</div>"])
def test_skeletons_take_linear_time_on_deep_and_wide_pages(unit: str) -> None:
    def make(size: int) -> Page:
        return Page.parse(unit * size + "text")

    assert_linear(make, read_skeleton, 20_000)
