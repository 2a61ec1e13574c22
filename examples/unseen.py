"""What `bonmun bench --folds` does not show of the default: precision, confidence, and what it owes to class words.

    .venv/bin/python examples/unseen.py FOLDS

FOLDS holds fold-0.npz to fold-4.npz (`bonmun train … --fold N`); every page of ../shared/data with a gold is labelled
by the network that has not seen its site.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from labelled import DATA

import bonmun
from bonmun.evaluate.datasets import read_dataset
from bonmun.evaluate.folds import FOLDS, fold_of, site_of
from bonmun.methods.auto import Auto
from bonmun.model.network import Network, load_network
from bonmun.words import Overlap, count_words, overlap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.evaluate.forms import Example
    from bonmun.model.features import Arrays
    from bonmun.model.network import Scores

UNLABELLED = ("unlabelled-ml", "crawl-sample")


class Wordless(Network):
    """A network that is not told class and id words."""

    def scores(self, a: Arrays) -> Scores:
        """Label the blocks of a page."""
        return super().scores(replace(a, words=a.words[:0], word_stops=np.zeros_like(a.word_stops)))


class Row(NamedTuple):
    """A page."""

    source: str
    kind: str | None
    gold: bool  # whether there is a main text
    confidence: float
    found: Overlap
    wordless: Overlap


NETWORKS: list[tuple[Network, Network]] = []


def load(folder: Path) -> None:
    """The networks, in each process."""
    for fold in range(FOLDS):
        network = load_network(folder / f"fold-{fold}.npz")
        other = Wordless.__new__(Wordless)
        other.__dict__.update(network.__dict__)
        NETWORKS.append((network, other))


def row_of(job: tuple[str, Example]) -> Row:
    """Label a page twice."""
    source, example = job
    page, gold = bonmun.Page.parse(example.html, example.url), count_words(example.text or "")
    docs = [bonmun.extract(page, method=Auto(model=network)) for network in NETWORKS[fold_of(site_of(example))]]
    found, wordless = (overlap(count_words(doc.text), gold) for doc in docs)
    return Row(source, example.kind, bool(gold), docs[0].confidence, found, wordless)


def examples() -> Iterator[tuple[str, Example]]:
    """All pages with a gold."""
    for file in sorted(DATA.glob("*.jsonl.xz")):
        name = file.name.removesuffix(".jsonl.xz")
        if name not in UNLABELLED:
            for example in read_dataset(file):
                yield name, example


def ranks(values: list[float]) -> Any:
    """Ranks, the mean of those that are tied."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[where]


def main() -> None:
    """Print it."""
    with Pool(initializer=load, initargs=(Path(sys.argv[1]),)) as pool:
        rows = list(pool.imap_unordered(row_of, examples(), 16))
    articles = [row.found.precision for row in rows if row.source == "wcxb-dev" and row.kind == "article"]
    print(f"precision on the {len(articles)} articles of wcxb-dev: {np.mean(articles):.3f}")
    tied = np.corrcoef(ranks([row.confidence for row in rows]), ranks([row.found.f1 for row in rows]))[0, 1]
    print(f"Spearman's rank correlation of confidence and F1, {len(rows):,} pages: {tied:.3f}")
    low = [row.confidence < 0.3 or not row.found.found for row in rows if row.gold]
    print(f"pages with a gold that come out empty or under .3: {np.mean(low):.2%}")
    sets: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        sets[row.source].append((row.found.f1, row.wordless.f1))
    print("word F1, and without class and id words:")
    for name, values in (*sets.items(), ("mean of sets", [tuple(np.mean(each, 0)) for each in sets.values()])):
        print(f"{name:20}" + "".join(f"{value:8.3f}" for value in np.mean(values, 0)))


if __name__ == "__main__":
    main()
