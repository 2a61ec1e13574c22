"""Blocks at equal places are decided alike: the same part of each item of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.algorithms.places import SURE_SCORE, decide_places
from bonmun.algorithms.repeats import REPEATED
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.network.thresholds import Decision
from timing import assert_linear

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTS = ["<ul>", "</ul>", "<li class=a1>", "<li class='b odd'>", "<p>", "text", "<a href=/x>more</a>", "</li>"]


def decide(page: Page, scores: Sequence[float], reason: str = "not like main text") -> Decision:
    """Return a decision that keeps the blocks with a score of .5 or more."""
    kept = [score >= 0.5 for score in scores]
    kinds = [(kind, float(kind == "listing")) for kind in PAGE_KINDS]
    return Decision(kept, list(scores), [reason] * len(kept), [], "listing", kinds, 0.9, [])


def find(html: str, scores: Sequence[float], reason: str = "not like main text") -> tuple[list[int], list[int]]:
    page = Page.parse(f"<body>{html}")
    return tuple(decide_places(page, decide(page, scores, reason)))  # type: ignore[return-value]


def test_the_mean_of_their_scores_decides() -> None:
    dates = "".join(f"<div class='item item-{n} {'odd' if n % 2 else 'even'}'>March {n}</div>" for n in range(1, 5))
    assert find(dates, [0.7, 0.7, 0.7, 0.4]) == ([3], [])
    assert find(dates, [0.55, 0.3, 0.3, 0.3]) == ([], [0])
    assert find(dates, [0.7, 0.7, 0.7, 0.7]) == ([], [])
    assert find(dates, [0.3, 0.3, 0.3, 0.3]) == ([], [])


def test_sure_blocks_stay_kept_and_unlikely_ones_and_copies_dropped() -> None:
    dates = "".join(f"<p>March {n}</p>" for n in range(1, 6))
    assert find(dates, [SURE_SCORE, 0.6, 0.1, 0.1, 0.1]) == ([], [1])
    assert find(dates, [1.0, 1.0, 1.0, 0.05, 0.2]) == ([4], [])
    assert find(dates, [1.0, 1.0, 1.0, 0.4, 0.4], REPEATED) == ([], [])


def test_other_places_are_decided_apart() -> None:
    items = "".join(f"<li><b class=title>Lamp {n}</b><p class=date>March {n}</p></li>" for n in range(1, 4))
    assert find(f"<ul>{items}</ul>", [0.9, 0.6, 0.9, 0.3, 0.9, 0.3]) == ([], [1])
    assert find("<p class=a>one</p><p class=b>two</p><p class=c>three</p>", [0.9, 0.9, 0.3]) == ([], [])
    assert find("<p>one</p><p>two</p>", [0.9, 0.3]) == ([], [])  # two are too few


@given(st.lists(st.sampled_from(PARTS), max_size=40), st.lists(st.floats(0, 1), min_size=1))
def test_any_page_has_a_valid_decision(parts: list[str], scores: list[float]) -> None:
    page = Page.parse("<html>" + "".join(parts))
    found = decide(page, [scores[row % len(scores)] for row in range(len(page.starts))])
    keep, drop = decide_places(page, found)
    assert not any(found.kept[row] for row in keep)
    assert all(found.kept[row] and found.scores[row] < SURE_SCORE for row in drop)


def test_places_are_decided_in_linear_time() -> None:
    def make(size: int) -> Page:
        return Page.parse("".join(f"<div class=c{n % 7}><p class='{'x' * 400}'>{n}</p></div>" for n in range(size)))

    def run(page: Page) -> int:
        return len(
            decide_places(page, decide(page, [0.6 if row % 3 == 0 else 0.3 for row in range(len(page.starts))])).drop
        )

    assert assert_linear(make, run, 4_000)
