"""From probabilities to kept blocks: the best threshold by brute force, and every fix of the selection by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bonmun import Page
from bonmun.models.features.count_page import count_page
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.network.decide import count_letters, count_words, decide, find_best_row
from bonmun.models.network.labeller import Scores, default_network
from bonmun.models.network.thresholds import (
    FAVOURS,
    HOLE_CHANCE,
    LEANS,
    LIKE_CHANCE,
    LINE_NOTHING_CHANCE,
    MEANT_CHANCE,
    NOTHING_CHANCE,
    REASON_TEXTS,
    SMALL_NOTHING_CHANCE,
    SURELY_NOTHING_CHANCE,
    UNSURE_CHANCE,
    UNSURE_F1,
    Decision,
)
from bonmun.models.network.whole_units import number_units
from samples import on_every_page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bonmun.models.features.page_arrays import PageArrays

SENTENCE = "The old lighthouse at the end of the pier was lit again last night. "
P = f"<p>{SENTENCE}</p>"
UNSURE = MEANT_CHANCE - 0.05  # probability of a block that is kept, though the network is not sure of it


def scores_of(keep: Sequence[float], comment: Sequence[float] | None = None, **kinds: float) -> Scores:
    """Return scores of blocks; by default the page has kinds that do not affect its blocks."""
    others = set(PAGE_KINDS) - LEANS.keys() - kinds.keys()
    chances = [kinds.get(kind, (1 - sum(kinds.values())) / len(others) * (kind in others)) for kind in PAGE_KINDS]
    columns = [np.array(column, np.float32) for column in (keep, comment or [0.0] * len(keep), chances)]
    return Scores(columns[0], columns[1], columns[2], np.arange(len(keep)))


def decided(
    markup: str,
    keep: Sequence[float],
    comment: Sequence[float] | None = None,
    favour: str = "balanced",
    **kinds: float,
) -> Decision:
    page = Page.parse(f"<body>{markup}")
    a = count_page(page)
    found = decide(a, scores_of(keep, comment, **kinds), number_units(page), favour)
    check(a, found)
    return found


def check(a: PageArrays, found: Decision) -> None:
    """Check properties that every decision has."""
    n = len(a.owners)
    assert len(found.kept) == len(found.scores) == len(found.reasons) == n
    assert set(found.reasons) <= set(REASON_TEXTS)
    assert found.kept == [score >= 0.5 for score in found.scores]
    assert all(0 <= score <= 1 for score in found.scores)
    assert not any(found.kept[row] for row in found.comments)
    assert not a.hidden[found.comments].any()
    assert all(found.reasons[row] == "comment" for row in found.comments)
    assert 0 <= found.expected <= 1
    assert sorted(kind for kind, _ in found.kinds) == sorted(PAGE_KINDS)
    assert [chance for _, chance in found.kinds] == sorted((chance for _, chance in found.kinds), reverse=True)
    for kept, reason in zip(found.kept, found.reasons, strict=True):
        assert kept == (reason in ("like main text", "rather main text than not", "between main text"))


# --- the best threshold -------------------------------------------------------------------------------------------------

CHANCES = st.integers(0, 10_000).map(lambda each: each / 10_000)


def expected_f(p: list[float], words: list[int], threshold: float, beta: float) -> float:
    right = sum(chance * count for chance, count in zip(p, words, strict=True) if chance >= threshold)
    kept = sum(count for chance, count in zip(p, words, strict=True) if chance >= threshold)
    gold = sum(chance * count for chance, count in zip(p, words, strict=True))
    return (1 + beta**2) * right / (kept + beta**2 * gold) if kept else 0.0


@given(st.lists(st.tuples(CHANCES, st.integers(1, 2000)), min_size=1, max_size=30), st.sampled_from(list(FAVOURS)))
@example([(0.5, 1), (0.5, 100), (0.1, 1)], "balanced")
@example([(1.0, 1)], "recall")
@example([(0.0001, 2000)] * 3, "precision")
def test_the_best_threshold_by_brute_force(rows: list[tuple[float, int]], favour: str) -> None:
    beta = FAVOURS[favour]
    p, words = [chance for chance, _ in rows], [count for _, count in rows]
    columns = np.array(p, np.float32), np.array(words, np.float32)
    row, expected = find_best_row(*columns, beta)
    rounded = columns[0].tolist()
    best = max(expected_f(rounded, words, each, beta) for each in rounded)
    assert expected == pytest.approx(best, abs=1e-5)
    assert expected_f(rounded, words, rounded[row], beta) == pytest.approx(best, abs=1e-5)


def test_the_best_threshold_by_hand() -> None:
    """Of 10, 10 and 10 words, 9, 5 and 1 are expected: F1 is 18/25, then 28/35, then 30/45."""
    row, expected = find_best_row(np.array([0.5, 0.9, 0.1], np.float32), np.full(3, 10, np.float32), 1.0)
    assert row == 0
    assert expected == pytest.approx(28 / 35)


@given(st.lists(st.tuples(CHANCES, st.integers(1, 50)), min_size=1, max_size=20))
def test_favouring_recall_does_not_raise_the_threshold(rows: list[tuple[float, int]]) -> None:
    p, words = np.array(rows, np.float32).T
    thresholds = [p[find_best_row(p, words, FAVOURS[name])[0]] for name in ("precision", "balanced", "recall")]
    assert thresholds == sorted(thresholds, reverse=True)


def test_nothing_is_kept_if_all_probabilities_are_zero() -> None:
    assert not any(decided(P * 3, [0, 0, 0]).kept)


def test_words_by_hand() -> None:
    a = count_page(Page.parse("<p>one two three</p><p>가나 다</p><p>a<br>b</p><p>x</p>"))
    assert count_words(a).tolist() == [3, 5, 2, 1]  # each syllable is one, and one more
    assert count_letters(a).tolist() == [11, 7.5, 2, 1]


# --- what is kept -------------------------------------------------------------------------------------------------------


def test_likely_blocks_are_kept() -> None:
    found = decided(f"{P * 3}<p>Home</p><p><a href=x>Archive of all news</a></p>", [0.9, 0.05, 0.45, 0.01, 0.01])
    assert found.kept == [True, False, True, False, False]
    assert found.reasons == [
        "like main text",
        "not like main text",
        "rather main text than not",
        "short, not like main text",
        "mostly links, not like main text",
    ]


def test_articles_need_a_higher_probability() -> None:
    keep = [0.95, 0.95, 0.0, 0.55]
    assert decided(P * 4, keep, article=0.9).kept == [True, True, False, False]
    assert decided(P * 4, keep, article=0.5).kept == [True, True, False, True]
    assert decided(P * 4, keep, article=0.9, favour="recall").kept == [True, True, False, True]
    keep = [0.95, 0.95, 0.0, 0.8]
    assert decided(P * 4, keep, article=0.9).kept == [True, True, False, True]
    assert decided(P * 4, keep, article=0.9, favour="precision").kept == [True, True, False, False]


def test_the_most_likely_block_of_an_article_is_kept() -> None:
    assert decided(P * 3, [0.1, 0.4, 0.3], article=0.9).kept == [False, True, False]


def test_nothing_is_kept_if_no_block_is_likely() -> None:
    found = decided(P * 3, [0.05, 0.1, 0.02])
    assert not any(found.kept)
    assert found.reasons[1] == "a page without main text"
    assert found.expected < 0.2


def test_hidden_blocks_that_are_dropped_have_the_reason_hidden() -> None:
    found = decided(f"{P}<p hidden>{SENTENCE}</p><p hidden>{SENTENCE}</p>", [0.9, 0.01, 0.9])
    assert found.kept == [True, False, True]  # scripts uncover much
    assert found.reasons[1] == "hidden"


def test_the_headline_is_dropped() -> None:
    markup = f"<title>Light at the pier - News</title><p>Local news</p><h1>Light at the pier</h1>{P}<h2>Light at the pier</h2>{P}"
    found = decided(markup, [0.9] * 5, article=0.9)
    assert found.kept == [True, False, True, True, True]
    assert found.reasons[1] == "the title"


@pytest.mark.parametrize(
    "markup",
    [
        f"<title>Light at the pier</title><p>Light at the pier</p>{P * 2}",  # no heading
        f"<title>Light at the pier</title><h2>Light under the moon</h2>{P * 2}",
        f"<title>Light</title><h2>Light</h2>{P * 2}",  # one word is too little evidence
    ],
)
def test_other_headings_are_kept(markup: str) -> None:
    assert all(decided(markup, [0.9] * 3, article=0.9).kept)


def test_a_heading_late_in_the_text_is_not_the_headline() -> None:
    markup = f"<title>Light at the pier</title>{P * 3}<h2>Light at the pier</h2>{P}"
    assert all(decided(markup, [0.9] * 5, article=0.9).kept)


def test_holes_in_a_run_of_paragraphs_are_filled() -> None:
    found = decided(P * 3, [0.9, 0.25, 0.9])
    assert all(found.kept)
    assert found.reasons[1] == "between main text"
    assert found.scores[1] == 0.5


@pytest.mark.parametrize(
    ("markup", "chance"),
    [
        (P * 3, HOLE_CHANCE - 0.01),
        (f"{P}<section>{P}</section>{P}", 0.25),  # not of their list
        (f"<section>{P}</section>{P}{P}", 0.25),
        (f"{P}{P}<section>{P}</section>", 0.25),
        (f"{P}<div>{SENTENCE}</div>{P}", 0.25),  # not of their tag
        (f"{P}<p hidden>{SENTENCE}</p>{P}", 0.25),
    ],
)
def test_other_holes_stay(markup: str, chance: float) -> None:
    assert decided(markup, [0.9, chance, 0.9]).kept == [True, False, True]


def test_an_unlikely_hole_with_the_path_of_a_neighbour_is_filled() -> None:
    page = Page.parse("<body>" + f"<div class=line><div>{SENTENCE}</div></div>" * 3)
    a = count_page(page)
    alike = scores_of([0.9, LIKE_CHANCE, 0.9])._replace(groups=np.zeros(3, np.int64))
    assert decide(a, alike, number_units(page)).kept == [True, True, True]
    unlike = scores_of([0.9, LIKE_CHANCE / 2, 0.9])._replace(groups=np.zeros(3, np.int64))
    assert decide(a, unlike, number_units(page)).kept == [True, False, True]


def test_a_list_is_kept_or_dropped_whole() -> None:
    items = f"{P}<ul>{f'<li>{SENTENCE}' * 3}</ul>{P}"
    assert all(decided(items, [0.9, 0.9, 0.3, 0.9, 0.9]).kept)
    assert decided(items, [0.9, 0.3, 0.0, 0.0, 0.9]).kept == [True, False, False, False, True]


def test_fixes_do_not_split_lists() -> None:
    items = f"{P}<ul><li>{SENTENCE}{'<li hidden>gone' * 4}<li>Two</ul>"  # the last is a label far from all that is kept
    assert decided(items, [0.9, 0.9, 0.0, 0.0, 0.0, 0.0, 0.9]).kept == [True, True, *[False] * 4, True]


def test_code_between_kept_paragraphs_is_kept() -> None:
    found = decided(f"{P}<pre>make test</pre>{P}", [0.9, 0.05, 0.9])
    assert all(found.kept)
    assert found.reasons[1] == "between main text"


@pytest.mark.parametrize(("chance", "kept"), [(0.15, True), (0.05, False)])
def test_headings_between_kept_texts_are_kept_if_they_are_not_very_unlikely(chance: float, kept: bool) -> None:
    markup = f"{P}<h2>Of the tower</h2><h3>And its stairs</h3>{P}"
    assert decided(markup, [0.9, chance, chance, 0.9]).kept == [True, kept, kept, True]


def test_a_label_far_from_all_text_is_dropped() -> None:
    found = decided(f"<p>Read more</p>{P * 5}", [0.9, 0, 0, 0, 0.9, 0.9])
    assert found.kept == [False] * 4 + [True] * 2
    assert found.reasons[0] == "a label far from all text"


@pytest.mark.parametrize(
    ("first", "keep"),
    [
        ("<p>Read more</p>", [0.9, 0, 0, 0.9, 0.9, 0]),  # near enough
        ("<p>It is lit.</p>", [0.9, 0, 0, 0, 0.9, 0.9]),  # a sentence
        ("<p>Read more of this here</p>", [0.9, 0, 0, 0, 0.9, 0.9]),  # no label
        ("<p>Read more</p>", [0.9, 0, 0, 0, 0, 0]),  # all there is
    ],
)
def test_other_short_blocks_stay(first: str, keep: list[float]) -> None:
    assert decided(f"{first}{P * 5}", keep).kept == [each > 0 for each in keep]


@pytest.mark.parametrize(("article", "documentation"), [(0.7, 0.1), (0.1, 0.7)])
def test_lone_headings_are_dropped_on_articles(article: float, documentation: float) -> None:
    markup = f"{P}<h2>The next night</h2><h2>See also this</h2>{P}"
    found = decided(markup, [0.9, 0.9, 0.01, 0.01], article=article, documentation=documentation)
    assert found.kept == [True, False, False, False]
    assert found.reasons[1] == "a heading without text"


def test_a_heading_at_the_end_of_an_article_is_dropped() -> None:
    found = decided(f"<h2>The first night</h2>{P}<h2>The next night</h2>", [0.9, 0.9, 0.9], article=0.7)
    assert found.kept == [True, True, False]


def test_a_paragraph_that_is_marked_up_as_a_heading_stays() -> None:
    kept = {count: decided(f"{P}<h2>{'and so on ' * count}</h2>", [0.9, 0.9], article=0.7).kept for count in (13, 14)}
    assert kept == {13: [True, False], 14: [True, True]}


def test_headings_above_headings_with_text_stay() -> None:
    markup = f"<h2>The first night</h2><h3>Before the storm</h3>{P}<h2>Other stories here</h2>"
    assert decided(markup, [0.9, 0.9, 0.9, 0.01], article=0.7).kept == [True, True, True, False]


def test_lone_headings_stay_elsewhere() -> None:
    assert all(decided(f"{P}{'<h2>An item of a list</h2>' * 3}", [0.9] * 4, listing=0.9).kept)


def test_comments_are_not_kept() -> None:
    found = decided(P * 4, [0.9, 0.9, 0.9, 0.01], [0, 0, 0.95, 0.9])
    assert found.kept == [True, True, False, False]
    assert found.comments == [2, 3]
    assert found.reasons[2:] == ["comment"] * 2


def test_blocks_in_elements_named_as_comments_are_comments() -> None:
    found = decided(f"{P}<div class=comments><div><p>{SENTENCE}</p></div></div>{P}", [0.9, 0.01, 0.01])
    assert found.comments == [1]
    assert found.reasons == ["like main text", "comment", "not like main text"]


def test_hidden_comments_are_hidden() -> None:
    found = decided(f"{P}<p hidden>{SENTENCE}</p>", [0.9, 0.01], [0, 0.9])
    assert found.comments == []
    assert found.reasons[1] == "hidden"


def test_posts_of_a_thread_are_not_comments() -> None:
    found = decided(P * 3, [0.9, 0.9, 0.01], [0.1, 0.95, 0.95], forum=0.9)
    assert found.kept == [True, True, False]
    assert found.comments == []


def test_nothing_is_kept_of_a_page_likely_without_text() -> None:
    found = decided(P * 9, [UNSURE] * 8 + [0.01], none=NOTHING_CHANCE + 0.1)
    assert not any(found.kept)
    assert found.reasons == ["a page without main text"] * 8 + ["not like main text"]
    assert found.kind is None
    assert found.expected < 0.4


def test_a_small_page_needs_a_higher_probability_to_be_empty() -> None:
    assert all(decided(P * 2, [UNSURE] * 2, none=NOTHING_CHANCE + 0.1).kept)
    assert not any(decided(P * 2, [UNSURE] * 2, none=SMALL_NOTHING_CHANCE + 0.1).kept)


def test_a_single_line_on_a_larger_page_may_be_dropped() -> None:
    chance = LINE_NOTHING_CHANCE + 0.05
    assert not any(decided(P * 9, [UNSURE] + [0.01] * 8, none=chance).kept)
    assert any(decided(P * 9, [UNSURE] + [0.01] * 8, none=LINE_NOTHING_CHANCE - 0.05).kept)
    assert any(decided(P * 9, [UNSURE] * 3 + [0.01] * 6, none=chance).kept)
    assert any(decided(P, [UNSURE], none=chance).kept)


def test_text_that_is_surely_main_text_is_kept_whatever_the_page_looks_like() -> None:
    found = decided(P * 9, [0.9] * 8 + [0.01], none=SURELY_NOTHING_CHANCE - 0.05)
    assert found.kept == [True] * 8 + [False]
    assert found.expected > 0.8
    assert not any(decided(P * 9, [0.9] * 8 + [0.01], none=SURELY_NOTHING_CHANCE + 0.05).kept)


def test_page_kinds_shift_probabilities() -> None:
    chances = [0.95] * 3 + [0.4]
    assert decided(P * 4, chances, service=0.9).kept == [True, True, True, True]
    assert decided(P * 4, chances, forum=0.9).kept == [True, True, True, False]


def test_confidence_is_low_on_a_page_that_may_be_empty() -> None:
    doubt = (NOTHING_CHANCE + UNSURE_CHANCE) / 2
    found = decided(P * 9, [UNSURE] * 8 + [1.0], none=doubt)
    assert any(found.kept)
    assert found.expected <= UNSURE_F1
    assert decided(P * 9, [0.99] * 9, none=doubt).expected > 0.9


def test_confidence_is_low_for_few_words_on_a_page_that_may_be_empty() -> None:
    assert decided(P, [0.99], none=0.2).expected <= UNSURE_F1
    assert decided(P, [0.99], none=0.01).expected > 0.9
    assert decided(P * 9, [0.99] * 9, none=0.2).expected > 0.9


def test_the_kind_is_only_reported_if_it_is_likely() -> None:
    assert decided(P, [0.9], product=0.8).kind == "product"
    assert decided(P, [0.9], product=0.6).kind is None
    assert decided(P, [0.9], product=0.6).kinds[0][0] == "product"


# --- any scores ---------------------------------------------------------------------------------------------------------

PIECES = [
    "<p>Word",
    P,
    "<h1>A title of it</h1>",
    "<h2>Head",
    "<ul><li>a<li>b c d e</ul>",
    "<p hidden>gone",
    "<p class=comments>x",
]


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12), st.sampled_from(list(FAVOURS)), st.data())
def test_decisions_are_consistent_for_any_scores(pieces: list[str], favour: str, data: st.DataObject) -> None:
    page = Page.parse("<title>A title of it</title>" + "".join(pieces))
    a = count_page(page)
    n = len(a.owners)
    chances = st.lists(CHANCES, min_size=n, max_size=n)
    kind = data.draw(st.sampled_from(PAGE_KINDS))
    scores = scores_of(data.draw(chances), data.draw(chances), **{kind: data.draw(CHANCES)})
    check(a, decide(a, scores, number_units(page), favour))


@on_every_page
def test_favouring_recall_keeps_no_less(path: Path) -> None:
    page = Page.parse(path.read_bytes())
    a, units = count_page(page), number_units(page)
    scores = default_network().scores(a)
    kept = []
    for favour in ("precision", "balanced", "recall"):
        found = decide(a, scores, units, favour)
        check(a, found)
        kept.append(set(np.flatnonzero(found.kept).tolist()))
    assert kept[0] <= kept[1] <= kept[2]
