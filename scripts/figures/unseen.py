"""Measure what `bonmun bench --folds` does not show: very bad pages, confidence, class words, site models.

    .venv/bin/python -m scripts.figures.unseen FOLDS

FOLDS has fold-0.npz to fold-4.npz (`bonmun train DATA… --from nothing --folds FOLDS`). Every page with a gold of the
sets in TRAINED (scripts/labelled.py) is labelled by the network that has not seen its site: unchanged, without class
and id words, and, if the set has at least five pages of the site, with a site model of those pages.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import bonmun
from bonmun.algorithms.auto import Auto
from bonmun.lab.evaluate.metrics.units import choose_by_leaves, count_verdicts, judge_units, list_units
from bonmun.lab.gold.folds import FOLDS, find_fold, find_site, model_path
from bonmun.models.network.labeller import Network, load_weights
from bonmun.text.words import Overlap, compare_counts, count_words
from scripts.labelled import load_fold_networks, read_examples

if TYPE_CHECKING:
    from bonmun.lab.gold.examples import Example
    from bonmun.models.network.labeller import Weights

MIN_PAGES = 5  # of a site with a site model
MIN_LANGUAGE_PAGES = 15  # of a language that is listed
LOW_CONFIDENCE = 0.3
COUNTED = ("_kept", "_torn", "_between", "_skipped")  # suffixes of counts of units
BAD_F1, DOUBT = 0.5, 0.6  # a page below the first is very bad; its confidence should be below the second


class MeasuredPage(NamedTuple):
    """A page, and its word scores: unchanged, without class and id words, with a site model."""

    source: str
    page_kind: str | None
    language: str
    has_text: bool  # whether there is a main text
    confidence: float
    found: Overlap
    wordless: Overlap
    sited: Overlap | None
    whole: Counter[str]  # counts of kept and split tables, lists and code, and of code dropped between kept blocks


NETWORKS: list[tuple[Network, Network]] = []


def load_networks(folder: Path) -> None:
    """Load the networks of all folds, in each process, with and without class and id words."""
    for fold in range(FOLDS):
        weights = load_weights(model_path(folder, fold))
        NETWORKS.append((Network(weights), Network(remove_words(weights))))


def remove_words(weights: Weights) -> Weights:
    """Return weights that ignore class and id words: the vectors of all words are zero."""
    return replace(weights, arrays=weights.arrays | {"word.weight": np.zeros_like(weights.arrays["word.weight"])})


def label_site(job: tuple[str, list[Example]]) -> list[MeasuredPage]:
    """Label the pages of a site, each in two or three ways."""
    source, pages = job
    parsed = [bonmun.Page.parse(example.html, example.url) for example in pages]
    network, wordless = NETWORKS[find_fold(find_site(pages[0]))]
    methods = [Auto(model=network), Auto(model=wordless)]
    if len(pages) >= MIN_PAGES:
        methods.append(Auto(model=network, site_model=bonmun.SiteModel.fit(parsed, site="site")))
    rows = []
    for example, page in zip(pages, parsed, strict=True):
        gold = count_words(example.text or "")
        docs = [bonmun.extract(page, method=method) for method in methods]
        found, bare, *sited = (compare_counts(count_words(doc.text), gold) for doc in docs)
        sure, with_model = docs[0].confidence, sited[0] if sited else None
        whole = count_whole(page, docs[0])
        language = example.lang or "unknown"
        rows.append(MeasuredPage(source, example.kind, language, bool(gold), sure, found, bare, with_model, whole))
    return rows


def count_whole(page: bonmun.Page, doc: bonmun.Document) -> Counter[str]:
    """Count the units that are kept, and those that are split, as `bonmun bench` does."""
    choice = choose_by_leaves(page, [leaf for block in doc.blocks for leaf in block.leaves])
    figures = count_verdicts(judge_units(list_units(page), choice))
    return Counter({name: int(count) for name, count in figures.items() if name.endswith(COUNTED)})


def group_by_site() -> list[tuple[str, list[Example]]]:
    """Return the pages of each site in each set."""
    found: defaultdict[tuple[str, str], list[Example]] = defaultdict(list)
    for source, example in read_examples():
        found[source, find_site(example)].append(example)
    return [(source, pages) for (source, _), pages in found.items()]


def rank(values: list[float]) -> Any:
    """Return the ranks of some values, with the mean rank for ties."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[where]


def main() -> None:
    """Print all measurements."""
    folder = Path(sys.argv[1])
    load_fold_networks(folder)  # fail early: child processes that fail at start would be restarted forever
    with Pool(initializer=load_networks, initargs=(folder,)) as pool:
        rows = [row for some in pool.imap_unordered(label_site, group_by_site(), 4) for row in some]
    articles = [row.found.precision for row in rows if row.source == "wcxb-dev" and row.page_kind == "article"]
    print(f"precision on the {len(articles)} articles of wcxb-dev: {np.mean(articles):.3f}")
    tied = np.corrcoef(rank([row.confidence for row in rows]), rank([row.found.f1 for row in rows]))[0, 1]
    print(f"Spearman's rank correlation of confidence and F1, {len(rows):,} pages: {tied:.3f}")
    low = [row.confidence < LOW_CONFIDENCE or not row.found.found for row in rows if row.has_text]
    print(f"pages with a gold that come out empty or under {LOW_CONFIDENCE}: {np.mean(low):.2%}")
    doubted = [(row.confidence < DOUBT, row.found.f1 < BAD_F1) for row in rows]
    bad = [is_doubted for is_doubted, is_bad in doubted if is_bad]
    print(
        f"pages under {BAD_F1}: {len(bad)} ({len(bad) / len(rows):.2%}), of them with a confidence under {DOUBT}: "
        f"{np.mean(bad):.0%}; of all pages: {np.mean([is_doubted for is_doubted, _ in doubted]):.0%}"
    )
    whole = sum((row.whole for row in rows), Counter[str]())
    print("units:", ", ".join(f"{name} {count:,}" for name, count in sorted(whole.items())))
    textless = [not row.found.found for row in rows if not row.has_text]
    print(f"pages without a gold that come out empty: {np.mean(textless):.0%} of {len(textless)}")
    kinds: defaultdict[str, list[float]] = defaultdict(list)
    languages: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        languages[row.language].append(row.found.f1)
        if row.source in ("wcxb-dev", "hand-hard"):
            kinds[f"{row.source}, {row.page_kind}"].append(row.found.f1)
    print(f"word F1 by kind, and the share of pages under {BAD_F1}:")
    for name, each in sorted(kinds.items()):
        print(f"{name:28}{len(each):6}{np.mean(each):8.3f}{np.mean([f1 < BAD_F1 for f1 in each]):10.1%}")
    print(f"word F1 by language with {MIN_LANGUAGE_PAGES} pages or more:")
    for name, each in sorted(languages.items(), key=lambda item: -len(item[1])):
        if len(each) >= MIN_LANGUAGE_PAGES:
            print(f"{name:28}{len(each):6}{np.mean(each):8.3f}")
    sets: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        sets[row.source].append((row.found.f1, row.wordless.f1))
    print(f"word F1, without class and id words, and the share of pages under {BAD_F1}:")
    every = [pair for values in sets.values() for pair in values]
    means = [(float(found), float(bare)) for found, bare in (np.mean(values, 0) for values in sets.values())]
    for name, values in (*sets.items(), ("all pages", every), ("mean of sets", means)):
        under = "" if values is means else f"{np.mean([value < BAD_F1 for value, _ in values]):10.1%}"
        print(f"{name:20}{len(values):6}" + "".join(f"{value:8.3f}" for value in np.mean(values, 0)) + under)
    pairs = [(row.found.f1, row.sited.f1) for row in rows if row.sited]
    print(f"word F1 on {len(pairs):,} pages of sites with {MIN_PAGES} pages or more, and with a site model:")
    print("".join(f"{value:8.3f}" for value in np.mean(pairs, 0)))


if __name__ == "__main__":
    main()
