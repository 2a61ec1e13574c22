"""Labelled pages in, rankers out: the weights that titles, authors and dates are chosen by.

Every page is labelled by the network that has not seen its site, so that where the main text starts, and what kind of
page it is, are guesses here as they are in use. Titles come first, since a headline's place is a feature for authors
and dates; the headline of a page is the one that a ranker without its site chooses. Each page counts twice: with its
main text known, and without.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.algorithms.auto import Auto
from bonmun.errors import BonmunError, TooFewPages
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import FOLDS, find_fold, find_site
from bonmun.lab.gold.metadata_metrics import Author, read_day
from bonmun.metadata.authors.choose import find_author_candidates
from bonmun.metadata.dates.choose import find_date_candidates
from bonmun.metadata.page_reading import prepare_reading
from bonmun.metadata.ranking import Candidate, Ranker, Rankers
from bonmun.metadata.titles.choose import find_headline, find_title_candidates
from bonmun.models.network.labeller import load_network
from bonmun.page import Page
from bonmun.text.words import is_same_title
from bonmun.work.pools import open_pool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from multiprocessing.pool import Pool
    from pathlib import Path

    from numpy.typing import NDArray

    from bonmun.lab.gold.examples import Example
    from bonmun.labels import Labels

__all__ = ["FieldCandidates", "FittedRankers", "find_candidates", "fit_rankers", "read_examples"]

# Sets of which only the titles are learnt: with its few dates, dates were found on more pages that have none.
ONLY_TITLES = ("hand-hard",)
# Sets whose facts are not learnt from: machines found them, there are only dates, or it has not been tried yet.
LEFT_OUT = ("deb-docs", "silver", "daniel-waddle", "recipes", "defuddle-tests")
# Where a fact is missing from the gold of other sets, the page may still have it.
COMPLETE = ("wcxb-dev", "hand-ml")
# Some golds of titles have the site's name in them.
NO_TITLES = ("readability", "metahtml-content")
# How much less "none" counts than it is likely: a wrong author or date on a page without is worth this to find more.
READY = {"title": 30.0, "author": 1.2, "date": 1.75}
LATEST_DAY = date(2026, 12, 31)  # no page of the sets is younger
CHUNK = 16  # pages that a child process is given at a time


class FieldCandidates(NamedTuple):
    """The candidates for one fact of a page, and which of them are right."""

    source: str
    lang: str | None
    fold: int
    has_gold: bool
    candidates: list[Candidate]
    right: list[bool]


class FittedRankers(NamedTuple):
    """What fitting gives: rankers, and the pages by fact, with their main text known, to measure them on."""

    rankers: dict[int | None, Rankers]  # by the fold they have not seen; None: they have seen all
    pages: dict[str, list[FieldCandidates]]


def read_examples(paths: Iterable[Path]) -> list[tuple[str, Example]]:
    """The pages of some sets, each with the name of its set, but for sets whose facts are not learnt from."""
    sets = [read_dataset(path) for path in paths]
    return [(each.name, example) for each in sets if each.name not in LEFT_OUT for example in each]


def fit_rankers(
    examples: Sequence[tuple[str, Example]],
    models: Sequence[Path],
    left_out: Sequence[int | None],
    *,
    workers: int = 1,
    say: Callable[[str], None] = print,
) -> FittedRankers:
    """Fit rankers for every fold in `left_out` to all pages but those of its sites; for None, to all pages.

    `models` are the files of the networks that have not seen a fold, in the order of folds.
    """
    for model in models:
        load_network(model)  # fails here if it must: children that fail to start are started again without end
    made: dict[str, dict[int | None, Ranker]] = {}
    pages: dict[str, list[FieldCandidates]] = {}
    titles: list[Ranker] = []
    with open_pool(workers, "spawn", _load_methods, models) as pool:  # torch is no friend of forks
        for fields in (("title",), ("author", "date")):
            say(f"{' and '.join(fields)}: looking for candidates on {len(examples):,} pages")
            jobs = [(source, example, titles) for source, example in examples]
            found = [each for each in pool.map(_find_candidates, jobs, chunksize=CHUNK) if each]
            for field in fields:
                wanted = [each for each in found if field != "title" or _has_clean_title(each[0][field])]
                pages[field], bare = ([each[way][field] for each in wanted] for way in (0, 1))
                outs = list(dict.fromkeys([*range(FOLDS), *left_out])) if field == "title" else list(left_out)
                say(f"{field}: fitting {len(outs)} rankers to {len(wanted):,} pages")
                made[field] = _fit_field(field, pages[field] + bare, outs, pool)
            titles = [made["title"][fold] for fold in range(FOLDS)]
    rankers = {out: Rankers(*(made[field][out] for field in Rankers._fields)) for out in left_out}
    return FittedRankers(rankers, pages)


def find_candidates(
    page: Page, labels: Labels | None, source: str, example: Example, titles: Sequence[Ranker] = ()
) -> dict[str, FieldCandidates]:
    """The candidates for a page's title or, given rankers of titles by fold, for its author and date."""
    fold = find_fold(find_site(example))
    reading = prepare_reading(page, labels)
    found = find_title_candidates(reading)
    if not titles:
        right = [is_same_title(each.value, example.title) for each in found]
        return {"title": FieldCandidates(source, example.lang, fold, bool(example.title), found, right)}
    best = titles[fold].best(found)
    reading.headline = find_headline(reading, best.value if best else None)
    authors, author = find_author_candidates(reading), example.author or ""
    wrote = [bool(author) and Author()(each.value, author)["exact"] > 0 for each in authors]
    days, gold_day = find_date_candidates(reading, LATEST_DAY), read_day(example.date)
    return {
        "author": FieldCandidates(source, example.lang, fold, bool(author), authors, wrote),
        "date": FieldCandidates(
            source, example.lang, fold, bool(gold_day), days, [each.value == gold_day for each in days]
        ),
    }


def _fit_field(
    field: str, pages: Sequence[FieldCandidates], outs: Sequence[int | None], pool: Pool
) -> dict[int | None, Ranker]:
    """Fit the rankers of one fact."""
    features = {name: column for column, name in enumerate(_list_features(pages))}
    parts = [[page for page in pages if page.fold != out and _can_teach(field, page)] for out in outs]
    if not all(any(any(page.right) for page in part) for part in parts):
        raise TooFewPages(f"No page is left whose {field} can be learnt: none has a gold for it that is found on it.")
    rankers = pool.starmap(_fit_part, [(field, part, features) for part in parts], chunksize=1)
    return dict(zip(outs, rankers, strict=True))


def _list_features(pages: Sequence[FieldCandidates]) -> list[str]:
    return sorted({feature for page in pages for candidate in page.candidates for feature in candidate.features})


def _can_teach(field: str, page: FieldCandidates) -> bool:
    """Whether a candidate is right, or it is known that none is to be given, which a title always is."""
    if field != "title" and page.source in ONLY_TITLES:
        return False
    return any(page.right) or (field != "title" and not page.has_gold and page.source in COMPLETE)


def _has_clean_title(page: FieldCandidates) -> bool:
    return page.has_gold and page.source not in NO_TITLES


# What a child process does, and what it has for that.
_methods: list[Auto] = []


def _load_methods(models: Sequence[Path]) -> None:
    _methods.extend(Auto(model=load_network(model)) for model in models)


def _find_candidates(job: tuple[str, Example, list[Ranker]]) -> list[dict[str, FieldCandidates]] | None:
    """The candidates of a page as it is, and without its main text known; None if it cannot be read.

    For titles, without its URL, too: that is where the site's name is known from. Dates are rather read in it.
    """
    source, example, titles = job
    try:
        page, bare = Page.parse(example.html, example.url), Page.parse(example.html, example.url if titles else None)
        labels = _methods[find_fold(find_site(example))].label(page)
    except BonmunError:
        return None
    return [
        find_candidates(page, labels, source, example, titles),
        find_candidates(bare, None, source, example, titles),
    ]


def _fit_part(field: str, pages: Sequence[FieldCandidates], features: dict[str, int]) -> Ranker:
    import torch  # only children need it here, so that all else of this file can be read without

    from bonmun.lab.train.ranking import Contest, fit_ranker

    torch.set_num_threads(1)
    contests = [
        Contest(_make_table(page.candidates, features), np.array([not page.has_gold, *page.right], bool))
        for page in pages
    ]
    return fit_ranker(contests, features, none=field != "title", ready=READY[field])


def _make_table(candidates: Sequence[Candidate], features: dict[str, int]) -> NDArray[np.float32]:
    """Make a table of features: one row per candidate, one column per feature."""
    table = np.zeros((len(candidates), len(features)), np.float32)
    for row, candidate in enumerate(candidates):
        for feature, value in candidate.features.items():
            if feature in features:
                table[row, features[feature]] = value
    return table
