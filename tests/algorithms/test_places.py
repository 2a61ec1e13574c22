"""Dropped blocks are found at places where most are main text: the same part of each item of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.algorithms.places import MAX_LABEL_CHARS, find_alike, find_odd_labels, find_unlike, list_groups
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


def find(html: str, scores: Sequence[float], reason: str = "not like main text") -> list[int]:
    page = Page.parse(f"<body>{html}")
    found = decide(page, scores, reason)
    return find_alike(list_groups(page, found), found)


def test_the_mean_of_their_scores_decides() -> None:
    dates = "".join(f"<div class='item item-{n} {'odd' if n % 2 else 'even'}'>March {n}</div>" for n in range(1, 5))
    assert find(dates, [0.7, 0.7, 0.7, 0.4]) == [3]
    assert find(dates, [0.55, 0.3, 0.3, 0.3]) == []
    assert find(dates, [0.7, 0.7, 0.7, 0.7]) == []
    assert find(dates, [0.3, 0.3, 0.3, 0.3]) == []


def test_unlikely_blocks_and_copies_stay_dropped() -> None:
    dates = "".join(f"<p>March {n}</p>" for n in range(1, 6))
    assert find(dates, [1.0, 1.0, 1.0, 0.05, 0.2]) == [4]
    assert find(dates, [1.0, 1.0, 1.0, 0.4, 0.4], REPEATED) == []


def test_other_places_are_decided_apart() -> None:
    items = "".join(f"<li><b class=title>Lamp {n}</b><p class=date>March {n}</p></li>" for n in range(1, 4))
    assert find(f"<ul>{items}</ul>", [0.9, 0.6, 0.9, 0.6, 0.4, 0.4]) == [4, 5]
    assert find("<p class=a>one</p><p class=b>two</p><p class=c>three</p>", [0.9, 0.9, 0.3]) == []
    assert find("<p>one</p><p>two</p>", [0.9, 0.3]) == []  # two are too few


def test_what_is_hardly_kept_goes_with_the_others_at_its_places() -> None:
    def find_rows(markup: str, scores: Sequence[float]) -> list[int]:
        page = Page.parse(f"<body>{markup}")
        found = decide(page, scores)
        return find_unlike(page, list_groups(page, found), found)

    titles = "".join(f"<p>Lamp number {n}</p>" for n in range(4))
    news = [0.9, 0.8, 0.7]
    page = f"{titles}<h2>News</h2><div>One lamp</div><pre>Two lamps</pre>"
    assert find_rows(page, [0.55, 0.3, 0.3, 0.2, *news]) == [0]
    assert find_rows(page, [0.55, 0.55, 0.3, 0.2, *news]) == [0, 1]
    assert find_rows(page, [0.95, 0.3, 0.3, 0.2, *news]) == []
    assert find_rows(page, [0.55, 0.55, 0.55, 0.2, *news]) == []
    assert find_rows(page, [0.3, 0.3, 0.3, 0.2, *news]) == []
    assert find_rows(titles, [0.55, 0.3, 0.3, 0.2]) == []  # nothing else would be left


@given(st.lists(st.sampled_from(PARTS), max_size=40), st.lists(st.floats(0, 1), min_size=1))
def test_only_dropped_blocks_are_found(parts: list[str], scores: list[float]) -> None:
    page = Page.parse("<html>" + "".join(parts))
    found = decide(page, [scores[row % len(scores)] for row in range(len(page.starts))])
    rows = find_alike(list_groups(page, found), found)
    assert len(rows) == len(set(rows))
    assert not any(found.kept[row] for row in rows)


def test_places_are_decided_in_linear_time() -> None:
    def make(size: int) -> Page:
        return Page.parse("".join(f"<div class=c{n % 7}><p class='{'x' * 400}'>{n}</p></div>" for n in range(size)))

    def run(page: Page) -> int:
        found = decide(page, [0.4 if row % 3 == 0 else 0.9 for row in range(len(page.starts))])
        return len(find_alike(list_groups(page, found), found))

    assert assert_linear(make, run, 4_000)


ITEM = "<li><h3>The lamp of pier number #</h3><p class=date># марта</p></li>"


def find_odd(
    scores: Sequence[float], item: str = ITEM, reason: str = "not like main text"
) -> tuple[list[int], list[int]]:
    """Return the labels to keep and to drop of a list of items, the title of each of which is kept."""
    page = Page.parse("<body><ul>" + "".join(item.replace("#", str(n)) for n in range(len(scores))) + "</ul>")
    found = decide(page, [each for score in scores for each in (0.9, score)], reason)
    return find_odd_labels(page, list_groups(page, found), found)


def test_labels_of_items_are_decided_together() -> None:
    assert find_odd([0.6, 0.6, 0.6, 0.3, 0.3]) == ([7, 9], [])
    assert find_odd([0.6, 0.6, 0.3, 0.3, 0.3]) == ([], [1, 3])
    assert find_odd([0.6, 0.6, 0.6, 0.3, 0.05]) == ([7], [])  # surely no text
    assert find_odd([0.9, 0.6, 0.3, 0.3, 0.3]) == ([], [3])  # surely text
    assert find_odd([0.6, 0.6, 0.3, 0.3]) == ([], [])  # too few


def test_only_labels_of_kept_items_are_decided_together() -> None:
    html = "<body><ul>" + "".join(ITEM.replace("#", str(n)) for n in range(5)) + "</ul>"
    page = Page.parse(html)
    found = decide(page, [0.9, 0.6, 0.9, 0.6, 0.9, 0.6, 0.3, 0.3, 0.3, 0.3])
    assert find_odd_labels(page, list_groups(page, found), found) == ([], [])
    assert find_odd([0.6, 0.6, 0.6, 0.3, 0.3], reason=REPEATED) == ([], [])
    headings = ITEM.replace("<p class=date># марта</p>", "<h4># марта</h4>")
    assert find_odd([0.6, 0.6, 0.3, 0.3, 0.3], headings) == ([], [])
    long = ITEM.replace("марта", "марта" * MAX_LABEL_CHARS)
    assert find_odd([0.6, 0.6, 0.3, 0.3, 0.3], long) == ([], [])


@given(st.lists(st.sampled_from(PARTS), max_size=40), st.lists(st.floats(0, 1), min_size=1))
def test_labels_are_kept_or_dropped(parts: list[str], scores: list[float]) -> None:
    page = Page.parse("<html>" + "".join(parts))
    found = decide(page, [scores[row % len(scores)] for row in range(len(page.starts))])
    to_keep, to_drop = find_odd_labels(page, list_groups(page, found), found)
    assert not any(found.kept[row] for row in to_keep)
    assert all(found.kept[row] for row in to_drop)


def test_labels_are_decided_in_linear_time() -> None:
    def make(size: int) -> Page:
        return Page.parse("<div>" + "<p>Dates of lamps</p><b>" * (size // 2) + "<i>x</i>" * (size // 2))

    def run(page: Page) -> int:
        scores = [0.4 if row % 3 else 0.6 for row in range(len(page.starts))]
        found = decide(page, scores)
        return sum(map(len, find_odd_labels(page, list_groups(page, found), found)))

    assert_linear(make, run, 4_000)
