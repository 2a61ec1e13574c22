"""Sections of a listing below a dropped heading are found if they are hardly kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.algorithms.doubtful_sections import MAX_HEADING_SCORE, MAX_ITEM_SCORE, find_doubtful_sections
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.network.thresholds import Decision
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Sequence

NEWS = "<div>" + "".join(f"<h3>News {n}</h3><p>A lamp was lit in the {n}. house of the village.</p>" for n in range(4))
NEWS_SCORES = [0.95] * 8
READ = "<div><h2>Most read</h2><ol><li>An old lamp</li><li>A boat in the fog</li></ol></div>"
SURE, HARDLY = MAX_ITEM_SCORE + 0.1, MAX_ITEM_SCORE - 0.2
DROPPED = MAX_HEADING_SCORE / 2
PARTS = [
    "<div>",
    "</div>",
    "<h2>Most read</h2>",
    "<h3>A lamp</h3>",
    "<p>A boat</p>",
    "<ul><li>One<li>Two</ul>",
    "</body>",
]


def decide(page: Page, scores: Sequence[float], reason: str = "not like main text") -> Decision:
    """Return a decision that keeps the blocks with a score of .5 or more."""
    kept = [score >= 0.5 for score in scores]
    kinds = [(kind, float(kind == "listing")) for kind in PAGE_KINDS]
    reasons = ["like main text" if keep else reason for keep in kept]
    return Decision(kept, list(scores), reasons, [], "listing", kinds, 0.9, [])


def find(
    html: str, scores: Sequence[float], reason: str = "not like main text", template: frozenset[int] = frozenset()
) -> list[int]:
    page = Page.parse(f"<body>{html}")
    assert len(page.starts) == len(scores)
    return find_doubtful_sections(page, decide(page, scores, reason), template)


def test_items_that_are_hardly_kept_go_with_their_heading() -> None:
    assert find(f"{NEWS}</div>{READ}", [*NEWS_SCORES, DROPPED, HARDLY, HARDLY]) == [9, 10]


@pytest.mark.parametrize(
    "scores", [(DROPPED, SURE, SURE), (MAX_HEADING_SCORE + 0.1, HARDLY, HARDLY), (0.6, HARDLY, HARDLY), (DROPPED, 0, 0)]
)
def test_other_sections_stay(scores: tuple[float, ...]) -> None:
    assert not find(f"{NEWS}</div>{READ}", [*NEWS_SCORES, *scores])


def test_a_heading_that_was_dropped_for_what_it_says_has_no_say() -> None:
    assert not find(f"{NEWS}</div>{READ}", [*NEWS_SCORES, DROPPED, HARDLY, HARDLY], "the title")


def test_a_heading_that_is_template_of_the_site_has_a_say() -> None:
    scores = [*NEWS_SCORES, DROPPED, HARDLY, HARDLY]
    assert find(f"{NEWS}</div>{READ}", scores, "on 9 of 9 pages of the site", frozenset({8})) == [9, 10]


def test_items_that_are_template_of_the_site_count_as_items() -> None:
    scores = [*NEWS_SCORES, DROPPED, SURE, 0.4]
    assert not find(f"{NEWS}</div>{READ}", scores)
    assert find(f"{NEWS}</div>{READ}", scores, template=frozenset({10})) == [9]


def test_the_next_heading_of_its_level_ends_a_section() -> None:
    two = READ.removesuffix("</div>") + "<h2>News from the islands</h2><p>A ship came in.</p></div>"
    assert find(f"{NEWS}</div>{two}", [*NEWS_SCORES, DROPPED, HARDLY, HARDLY, 0.9, HARDLY]) == [9, 10]


def test_the_whole_page_is_no_section() -> None:
    assert not find("<main><h1>Lamps</h1><p>An old lamp</p><p>A boat</p></main>", [DROPPED, HARDLY, HARDLY])
    assert not find(f"<div>{READ}</div>", [DROPPED, HARDLY, HARDLY])  # most of what is kept


@given(st.lists(st.sampled_from(PARTS), max_size=30), st.lists(st.floats(0, 1), min_size=1))
def test_only_kept_blocks_are_found(parts: list[str], scores: list[float]) -> None:
    page = Page.parse("<html>" + "".join(parts))
    found = decide(page, [scores[row % len(scores)] for row in range(len(page.starts))])
    rows = find_doubtful_sections(page, found, frozenset())
    assert all(found.kept[row] for row in rows)
    assert 2 * len(rows) <= max(1, sum(found.kept))


def test_many_headings_take_linear_time() -> None:
    def make(count: int) -> tuple[Page, Decision]:
        page = Page.parse("<body><div>" + "<h2>A</h2>" * count + "<div>" * 20 + "<p>B</p>" * count)
        return page, decide(page, [DROPPED] * (len(page.starts) - count) + [HARDLY] * count)

    assert_linear(make, lambda made: find_doubtful_sections(*made, frozenset()), 2_000)
