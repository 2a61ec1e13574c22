"""Fit the model that chooses the kind of a page, and print confusion matrices of pages it has not seen.

    .venv/bin/python -m scripts.fit.kinds FOLDS [SET.jsonl…]    # about a minute; writes metadata/kind_weights.json

FOLDS has fold-0.npz to fold-4.npz (`bonmun train DATA… --from nothing --folds FOLDS`): every page is labelled by the
network that has not seen its site. The model is a logistic regression over the signs of metadata/kind_signs.py. The
matrices are those of five models, each fitted without the sites it is measured on; rows are kinds by people, columns
kinds by bonmun. The shipped weights are fitted to all pages. Uses the sets of ../shared/data whose golds name page
kinds, further sets that are given, and synthetic pages with little on them, which the sets lack.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import bonmun
from bonmun.algorithms.auto import Auto
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import FOLDS, find_fold, find_site
from bonmun.lab.train.synthetic.simple_pages import make_simple_pages
from bonmun.metadata.kind_signs import describe_kind
from bonmun.metadata.page_kind import BIAS, KINDS, WEIGHTS, find_best_kind
from bonmun.text.terminal import format_table
from scripts.labelled import find_set, load_fold_networks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.lab.gold.examples import Example
    from bonmun.models.network.labeller import Network

SETS = ("wcxb-dev", "hand-hard", "hand-wide", "hand-shops", "hand-ml", "harvest-forum", "fundus-all", "newton-news")
LARGE_SETS = ("deb-docs", "daniel-waddle", "metahtml-content", "recipes")  # all of one kind: some pages are enough
EVERY = 4  # one page in four of a large set
SIMPLE_PAGES, SEED = 400, 7  # synthetic pages
SAME_KINDS = {"none": "empty", "collection": "listing", "recipe": "article"}  # kinds of golds by other names
FULL_WEIGHT_PAGES = 3  # of a site; more pages of it count for no more than these
PENALTY = 0.002  # of squared weights
STEPS, RATE = 2_000, 0.05  # of the gradient descent
DECIMALS = 4


class KindPage(NamedTuple):
    """A page, its kind by a person, and the evidence for it."""

    source: str
    site: str
    gold: str
    doc_kind: str  # "empty", "forum" if it has posts, or "" if the model decides
    signs: dict[str, float]


NETWORKS: list[Network] = []  # in each child process


def load_networks(folder: Path) -> None:
    """Load the networks of all folds."""
    NETWORKS.extend(load_fold_networks(folder))


def read_jobs(paths: Sequence[Path]) -> Iterator[tuple[str, Example]]:
    """Yield the pages whose gold names a kind, each with its set."""
    for path in paths:
        dataset = read_dataset(path)
        for number, example in enumerate(dataset):
            if example.kind and not (dataset.name in LARGE_SETS and number % EVERY):
                yield dataset.name, example
    for example in make_simple_pages(SIMPLE_PAGES, Random(SEED)):
        yield "simple", example


def describe_page(job: tuple[str, Example]) -> KindPage:
    """Return the evidence about a page, found by the network that has not seen its site."""
    source, example = job
    site = find_site(example)
    doc = bonmun.extract(example.html, example.url, method=Auto(model=NETWORKS[find_fold(site)]))
    gold = SAME_KINDS.get(example.kind or "", example.kind or "")
    if not doc.blocks:
        return KindPage(source, site, gold, doc.kind, {})
    signs = describe_kind(doc.labels.kinds, doc.metadata, doc.page, doc.blocks)
    return KindPage(source, site, gold, doc.kind if doc.labels.posts else "", signs)


def fit_weights(pages: Sequence[KindPage]) -> dict[str, list[float]]:
    """Fit the weights of each sign, for each kind."""
    pages = [page for page in pages if page.signs and page.gold in KINDS]
    names = [BIAS, *sorted({name for page in pages for name in page.signs})]
    columns = {name: column for column, name in enumerate(names)}
    x = np.zeros((len(pages), len(names)))
    for row, page in enumerate(pages):
        for name, value in page.signs.items():
            x[row, columns[name]] = value
    mean, spread = x.mean(0), x.std(0) + 1e-6
    x[:, 0], mean[0], spread[0] = 1.0, 0.0, 1.0
    of_site = Counter(page.site for page in pages)
    weight = np.array([min(1.0, FULL_WEIGHT_PAGES / of_site[page.site]) for page in pages])
    gold = np.eye(len(KINDS))[[KINDS.index(page.gold) for page in pages]]
    found = descend((x - mean) / spread, gold, weight / weight.sum()) / spread[:, None]
    found[0] -= mean @ found
    return {name: [round(float(each), DECIMALS) for each in found[column]] for name, column in columns.items()}


def descend(x: Any, gold: Any, weight: Any) -> Any:
    """Return the weights of a logistic regression, by gradient descent (Adam). The first column is the bias."""
    found = np.zeros((x.shape[1], gold.shape[1]))
    first, second = np.zeros_like(found), np.zeros_like(found)
    for step in range(1, STEPS + 1):
        scores = x @ found
        chances = np.exp(scores - scores.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        penalty = 2 * PENALTY * found
        penalty[0] = 0
        slope = x.T @ ((chances - gold) * weight[:, None]) + penalty
        first = 0.9 * first + 0.1 * slope
        second = 0.999 * second + 0.001 * slope**2
        found -= RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return found


def print_table(name: str, pairs: Counter[tuple[str, str]]) -> None:
    """Print the confusion matrix of a set, of which `pairs` counts kinds by people and by bonmun."""
    said = sorted({kind for _, kind in pairs})
    lines: list[list[str | int | float | None]] = []
    for gold in sorted({kind for kind, _ in pairs}):
        counts = [pairs[gold, kind] for kind in said]
        lines.append([gold, sum(counts), *(count or "" for count in counts), pairs[gold, gold] / sum(counts)])
    right = sum(count for (gold, kind), count in pairs.items() if gold == kind)
    print(f"{name}: {right / pairs.total():.3f} of {pairs.total():,} pages right\n")
    print(format_table(["kind by people", "pages", *said, "right"], lines), "\n")


def write_weights(weights: dict[str, list[float]]) -> None:
    """Write the weights, a line for each sign."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in weights.items())
    temporary = WEIGHTS.with_suffix(".new")
    temporary.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    temporary.replace(WEIGHTS)


def main() -> None:
    """Print the tables and write the weights."""
    folder = Path(sys.argv[1])
    load_fold_networks(folder)  # fail early: child processes that fail at start would be restarted forever
    paths = [*map(find_set, (*SETS, *LARGE_SETS)), *map(Path, sys.argv[2:])]
    with Pool(initializer=load_networks, initargs=(folder,)) as pool:
        pages = pool.map(describe_page, read_jobs(paths), 16)
    models = [fit_weights([page for page in pages if find_fold(page.site) != fold]) for fold in range(FOLDS)]
    tables: dict[str, Counter[tuple[str, str]]] = {}
    for page in pages:
        kind = page.doc_kind or find_best_kind(page.signs, models[find_fold(page.site)])
        tables.setdefault(page.source, Counter())[page.gold, kind] += 1
    for name, pairs in tables.items():
        print_table(name, pairs)
    write_weights(fit_weights(pages))


if __name__ == "__main__":
    main()
