"""Rankers of titles, authors and dates: their training pages, left-out folds, and that they learn."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.util import find_spec
from itertools import starmap
from typing import TYPE_CHECKING, Any, cast

import pytest

from bonmun.errors import TooFewPages
from bonmun.lab.gold.examples import Example
from bonmun.lab.gold.folds import FOLDS, find_fold
from bonmun.lab.train import metadata_rankers as facts
from bonmun.lab.train.metadata_rankers import FieldCandidates, find_candidates, fit_rankers, read_examples
from bonmun.metadata.ranking import Candidate, Rankers, load_default_rankers, load_rankers, save_rankers
from bonmun.page import Page

if TYPE_CHECKING:
    from multiprocessing.pool import Pool
    from pathlib import Path

    from bonmun.metadata.ranking import Ranker

needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
SITES = ("h.example", "g.example", "a.example", "e.example", "b.example")  # one of each fold
TITLE, AUTHOR = "The old lighthouse is lit again", "Jane Keeper"
BODY = "".join(f"<p>Sentence {n} of a story that goes on and on, as stories do, for a while.</p>" for n in range(9))
HTML = (
    f"<title>{TITLE} - Coast News</title><meta name=author content='{AUTHOR}'>"
    f"<meta property=article:published_time content=2026-03-04><h1>{TITLE}</h1><p>By {AUTHOR}, 4 March 2026</p>{BODY}"
)
PAGE = Example("p", HTML, BODY, title=TITLE, author=AUTHOR, date="2026-03-04", site=SITES[1], lang="en")


class Here:
    """A pool that runs everything in this process."""

    starmap = staticmethod(lambda function, jobs, chunksize: list(starmap(function, jobs)))


HERE = cast("Pool", Here())


def equal(one: Ranker, other: Ranker) -> bool:
    ours, theirs = ([each.first, each.first_bias, each.second, each.none] for each in (one, other))
    return ours == theirs


# --- what they are fitted to -----------------------------------------------------------------------------------------


def test_title_candidates() -> None:
    (found,) = find_candidates(Page.parse(HTML), None, "set", PAGE).values()
    assert (found.source, found.lang, found.fold, found.has_gold) == ("set", "en", 1, True)
    right = [each.value for each, is_right in zip(found.candidates, found.right, strict=True) if is_right]
    assert right == [TITLE]
    assert len(found.candidates) > 1


def test_author_and_date_candidates_need_ranked_titles() -> None:
    found = find_candidates(Page.parse(HTML), None, "set", PAGE, [load_default_rankers().title] * FOLDS)
    assert list(found) == ["author", "date"]
    for field, value in (("author", AUTHOR), ("date", "2026-03-04")):
        page = found[field]
        assert page.has_gold
        assert {each.value for each, is_right in zip(page.candidates, page.right, strict=True) if is_right} == {value}


def test_page_without_gold_has_no_right_candidate() -> None:
    bare = replace(PAGE, title=None, author=None, date=None)
    for titles in ([], [load_default_rankers().title] * FOLDS):
        for page in find_candidates(Page.parse(HTML), None, "set", bare, titles).values():
            assert not page.has_gold
            assert not any(page.right)


def test_sets_with_weak_metadata_are_not_read(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.jsonl" for name in ("silver", "mine", "deb-docs")]
    for path in paths:
        path.write_text(json.dumps({"id": path.stem, "html": HTML, "text": "Sentence"}), encoding="utf-8")
    assert [(source, example.id) for source, example in read_examples(paths)] == [("mine", "mine")]


# --- what they learn -------------------------------------------------------------------------------------------------


def contest(number: int, source: str = "set", gold: bool = True) -> FieldCandidates:
    """A page of its own site: of three candidates the one with the feature `good` is right, or the only one is bad."""
    features: list[dict[str, float]] = [{"bad": 1.0}]
    if gold:
        features += [{"good": 1.0, "long": number / 100}, {"long": 0.5}]
    candidates = [Candidate(f"{number}-{row}", ["here"], each) for row, each in enumerate(features)]
    return FieldCandidates(
        source, "en", find_fold(f"{number}.example"), gold, candidates, [row == 1 for row in range(len(features))]
    )


@pytest.mark.extras
@needs_torch
@pytest.mark.parametrize("field", ["title", "author"])
def test_ranker_learns_features(field: str) -> None:
    (ranker,) = facts._fit_field(field, [contest(number) for number in range(40)], [None], HERE).values()
    assert list(ranker.features) == ["bad", "good", "long"]
    scores = ranker.scores(contest(50).candidates)
    assert scores[1] > scores[2] > scores[0]


@pytest.mark.extras
@needs_torch
def test_ranker_learns_none_from_complete_sets() -> None:
    """In incomplete sets, a page without gold says nothing; and a title always exists."""
    pages = [contest(number, "hand-ml", gold=number % 2 == 0) for number in range(64)]
    with_gold = [page for page in pages if page.has_gold]
    incomplete = [page._replace(source="other") for page in pages]
    complete, other, alone = (
        facts._fit_field("author", each, [None], HERE)[None] for each in (pages, incomplete, with_gold)
    )
    assert complete.none > other.none
    assert equal(other, alone)
    title = facts._fit_field("title", pages[:20], [None], HERE)[None]
    assert title.best(contest(50, gold=False).candidates) is not None


@pytest.mark.extras
@needs_torch
def test_fold_is_left_out() -> None:
    pages = [contest(number) for number in range(40)]
    turned = [page._replace(right=[True, False, False]) if page.fold == 2 else page for page in pages]
    ours, theirs = (facts._fit_field("title", each, [1, 2, None], HERE) for each in (pages, turned))
    assert [equal(ours[out], theirs[out]) for out in (1, 2, None)] == [False, True, False]


def test_no_usable_pages_is_an_error() -> None:
    with pytest.raises(TooFewPages, match="No pages to learn the author from"):
        facts._fit_field("author", [contest(1, "hand-ml", gold=False)], [None], HERE)
    alone = contest(1)
    with pytest.raises(TooFewPages, match="No pages to learn the date from"):
        facts._fit_field("date", [alone], [None, alone.fold], HERE)


# --- all of it -------------------------------------------------------------------------------------------------------


def default_models(folder: Path) -> list[Path]:
    """Return the default network as the model of every fold."""
    from bonmun.models.network.labeller import default_weights, save_weights

    save_weights(default_weights(), folder / "model.npz")
    return [folder / "model.npz"] * FOLDS


@pytest.mark.extras
@needs_torch
def test_rankers_from_examples(tmp_path: Path) -> None:
    examples = [("hand-ml", replace(PAGE, id=f"{n}", site=site)) for n, site in enumerate(SITES * 2)]
    examples.append(("hand-ml", replace(PAGE, html="<?xml version='1.0'?><rss></rss>")))  # not a page
    said: list[str] = []
    fitted = fit_rankers(examples, default_models(tmp_path), [3, None], log=said.append)
    assert list(fitted.rankers) == [3, None]
    assert {field: len(pages) for field, pages in fitted.pages.items()} == {"title": 10, "author": 10, "date": 10}
    assert len(said) == 5
    for rankers in fitted.rankers.values():
        for field, pages in fitted.pages.items():
            best = getattr(rankers, field).best(pages[0].candidates)
            assert best is not None
            assert best.value == getattr(PAGE, field)


def test_rankers_round_trip(tmp_path: Path) -> None:
    before = load_default_rankers()
    save_rankers(before, tmp_path / "facts.npz")
    again = load_rankers(tmp_path / "facts.npz")
    for field in Rankers._fields:
        ours, theirs = cast("Any", getattr(before, field)), getattr(again, field)
        assert ours.features == theirs.features
        assert equal(ours, theirs)
