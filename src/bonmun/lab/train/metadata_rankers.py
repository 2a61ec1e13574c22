"""Train the rankers that choose titles, authors and dates, from labelled pages.

Every page is labelled by the network that was trained without its site, so that the start of the main text and the page
kind are guesses, as in use. Titles come first, because the headline's position is a feature for authors and dates; the
headline of a page is chosen by a ranker trained without its site. Each page counts twice: with its main text known and
without.
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
from bonmun.metadata.authors.names import split_names
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
    from bonmun.metadata.page_reading import PageReading

__all__ = ["COMPLETE", "FieldCandidates", "FittedRankers", "find_candidates", "fit_rankers", "read_examples"]

# Sets whose dates are not used: these few made the ranker find dates on more pages that have none.
NO_DATES = ("hand-hard",)
# Sets that are not used: their metadata was found by machines, has only dates, or has not been tried yet.
LEFT_OUT = ("deb-docs", "silver", "daniel-waddle", "recipes", "defuddle-tests")
# Sets whose gold is complete; in other sets a field that the gold lacks may still be on the page.
COMPLETE = ("wcxb-dev", "hand-ml", "hand-wide")
# Sets whose gold titles may contain the site name.
NO_TITLES = ("readability", "metahtml-content")
# Amount subtracted from the score of "none": more fields are found, at the cost of false ones on pages without them.
NONE_PENALTIES = {"title": 30.0, "author": 1.6, "date": 1.75}
LATEST_DAY = date(2026, 12, 31)  # the latest day on a page of the sets
CHUNK = 16  # pages per task of a child process


class FieldCandidates(NamedTuple):
    """The candidates for one metadata field of a page, and which of them are right."""

    source: str
    lang: str | None
    fold: int
    has_gold: bool
    candidates: list[Candidate]
    right: list[bool]


class FittedRankers(NamedTuple):
    """Fitted rankers, and the pages by field, with their main text known, for measuring."""

    rankers: dict[int | None, Rankers]  # by the fold left out; None: trained on all pages
    pages: dict[str, list[FieldCandidates]]


def read_examples(paths: Iterable[Path]) -> list[tuple[str, Example]]:
    """Return the pages of the sets that are used, each with the name of its set."""
    sets = [read_dataset(path) for path in paths]
    return [(each.name, example) for each in sets if each.name not in LEFT_OUT for example in each]


def fit_rankers(
    examples: Sequence[tuple[str, Example]],
    models: Sequence[Path],
    left_out: Sequence[int | None],
    *,
    workers: int = 1,
    log: Callable[[str], None] = print,
) -> FittedRankers:
    """Fit rankers for every fold in `left_out`, to all pages except those of its sites; for None, to all pages.

    `models` are the files of the networks trained without a fold, in the order of folds.
    """
    for model in models:
        load_network(model)  # fail here: a pool restarts children that fail to start forever
    made: dict[str, dict[int | None, Ranker]] = {}
    pages: dict[str, list[FieldCandidates]] = {}
    titles: list[Ranker] = []
    with open_pool(workers, "spawn", _load_methods, models) as pool:  # torch does not work after a fork
        for fields in (("title",), ("author", "date")):
            log(f"{' and '.join(fields)}: looking for candidates on {len(examples):,} pages")
            jobs = [(source, example, titles) for source, example in examples]
            found = [each for each in pool.map(_find_candidates, jobs, chunksize=CHUNK) if each]
            for field in fields:
                wanted = [each for each in found if field != "title" or _has_clean_title(each[0][field])]
                pages[field], bare = ([each[way][field] for each in wanted] for way in (0, 1))
                outs = list(dict.fromkeys([*range(FOLDS), *left_out])) if field == "title" else list(left_out)
                log(f"{field}: fitting {len(outs)} rankers to {len(wanted):,} pages")
                made[field] = _fit_field(field, pages[field] + bare, outs, pool)
            titles = [made["title"][fold] for fold in range(FOLDS)]
    rankers = {out: Rankers(*(made[field][out] for field in Rankers._fields)) for out in left_out}
    return FittedRankers(rankers, pages)


def find_candidates(
    page: Page, labels: Labels | None, source: str, example: Example, titles: Sequence[Ranker] = ()
) -> dict[str, FieldCandidates]:
    """Return the candidates for a page's title or, given title rankers by fold, for its author and date."""
    fold = find_fold(find_site(example))
    reading = prepare_reading(page, labels)
    found = find_title_candidates(reading)
    if not titles:
        right = [is_same_title(each.value, example.title) for each in found]
        return {"title": FieldCandidates(source, example.lang, fold, bool(example.title), found, right)}
    best = titles[fold].best(found)
    reading.headline = find_headline(reading, best.value if best else None)
    authors, author = find_author_candidates(reading), example.author or ""
    wrote = [bool(author) and _is_author(each.value, author, reading) for each in authors]
    days, gold_day = find_date_candidates(reading, LATEST_DAY), read_day(example.date)
    return {
        "author": FieldCandidates(source, example.lang, fold, bool(author), authors, wrote),
        "date": FieldCandidates(
            source, example.lang, fold, bool(gold_day), days, [each.value == gold_day for each in days]
        ),
    }


def _is_author(value: str, gold: str, reading: PageReading) -> bool:
    """Whether a candidate is right, as it is written or split into names."""
    names = split_names(value, reading.author_groups, reading.site_names)
    return any(Author()(given, gold)["exact"] > 0 for given in (value, "; ".join(names)))


def _fit_field(
    field: str, pages: Sequence[FieldCandidates], outs: Sequence[int | None], pool: Pool
) -> dict[int | None, Ranker]:
    """Fit the rankers of one field."""
    features = {name: column for column, name in enumerate(_list_features(pages))}
    parts = [[page for page in pages if page.fold != out and _is_usable(field, page)] for out in outs]
    if not all(any(any(page.right) for page in part) for part in parts):
        raise TooFewPages(f"No pages to learn the {field} from: no gold {field} was found on its page.")
    rankers = pool.starmap(_fit_part, [(field, part, features) for part in parts], chunksize=1)
    return dict(zip(outs, rankers, strict=True))


def _list_features(pages: Sequence[FieldCandidates]) -> list[str]:
    return sorted({feature for page in pages for candidate in page.candidates for feature in candidate.features})


def _is_usable(field: str, page: FieldCandidates) -> bool:
    """Return whether a page has a right candidate, or is known to have none (which a title never is)."""
    if field == "date" and page.source in NO_DATES:
        return False
    return any(page.right) or (field != "title" and not page.has_gold and page.source in COMPLETE)


def _has_clean_title(page: FieldCandidates) -> bool:
    return page.has_gold and page.source not in NO_TITLES


# State and functions of the child processes.
_methods: list[Auto] = []


def _load_methods(models: Sequence[Path]) -> None:
    _methods.extend(Auto(model=load_network(model)) for model in models)


def _find_candidates(job: tuple[str, Example, list[Ranker]]) -> list[dict[str, FieldCandidates]] | None:
    """Return the candidates of a page with and without its main text known; None if it cannot be read.

    For titles, the second is also without its URL, which reveals the site's name. Dates are often read from the URL.
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
    import torch  # only child processes need it, so that this module can be imported without torch

    from bonmun.lab.train.ranking import Contest, fit_ranker

    torch.set_num_threads(1)
    contests = [
        Contest(_make_table(page.candidates, features), np.array([not page.has_gold, *page.right], bool))
        for page in pages
    ]
    return fit_ranker(contests, features, none=field != "title", none_penalty=NONE_PENALTIES[field])


def _make_table(candidates: Sequence[Candidate], features: dict[str, int]) -> NDArray[np.float32]:
    """Make a table of features: one row per candidate, one column per feature."""
    table = np.zeros((len(candidates), len(features)), np.float32)
    for row, candidate in enumerate(candidates):
        for feature, value in candidate.features.items():
            if feature in features:
                table[row, features[feature]] = value
    return table
