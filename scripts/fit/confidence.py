"""Fits what a network's expected F1 is worth: the knots of the confidence, from pages that it has not seen.

    .venv/bin/python -m scripts.fit.confidence FOLDS MODEL…

FOLDS holds fold-0.npz to fold-4.npz (`bonmun train DATA… --from nothing --folds FOLDS`); every page of ../shared/data
with a gold is labelled by the network that has not seen its site. The expected F1s are cut into 20 parts with as many
pages each; the F1 that nine of ten pages of a part reach is a knot, and parts that would make the line fall are
joined. (The mean would say .7 of answers of which one in five is a catastrophe.) The knots go into the folds and each
MODEL.
"""

from __future__ import annotations

import sys
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import bonmun
from bonmun.algorithms.auto import Auto
from bonmun.lab.gold.folds import FOLDS, find_fold, find_site, model_path
from bonmun.models.network.labeller import load_weights, save_weights
from bonmun.text.words import compare_counts, count_words
from scripts.labelled import load_fold_networks, read_examples

if TYPE_CHECKING:
    from bonmun.lab.gold.examples import Example
    from bonmun.models.network.labeller import Network

PARTS = 20
REACHED = 0.1  # the share of the pages of a part that may be worse than the confidence says
LEAST_SURE = 0.99  # the confidence of a page whose expected F1 is 1, unless the last part does better
CHUNK = 16  # pages that a child process is given at a time
NETWORKS: list[Network] = []  # in each child process


def load_networks(folder: Path) -> None:
    """Load the networks of all folds; their confidence is the expected F1 as it is."""
    for network in load_fold_networks(folder):
        network.expected, network.measured = np.array([0, 1]), np.array([0, 1])
        NETWORKS.append(network)


def measure_page(job: tuple[str, Example]) -> tuple[str, float, float]:
    """The set of a page, its expected F1, and its F1."""
    source, example = job
    doc = bonmun.extract(example.html, example.url, method=Auto(model=NETWORKS[find_fold(find_site(example))]))
    return source, doc.confidence, compare_counts(count_words(doc.text), count_words(example.text or "")).f1


def find_quantile(values: Any, weights: Any) -> float:
    """The value that all but REACHED of the weight reach."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(below, REACHED * below[-1])])


def fit_knots(expected: Any, measured: Any, weights: Any) -> list[list[float]]:
    """Fit a line that never falls: pooled adjacent violators."""
    parts = np.array_split(np.argsort(expected, kind="stable"), PARTS)
    places = [float(np.average(expected[part], weights=weights[part])) for part in parts]
    pools: list[list[float]] = []  # F1, weight, parts
    for part in parts:
        pools.append([find_quantile(measured[part], weights[part]), float(weights[part].sum()), 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            value, weight, count = pools.pop()
            last = pools[-1]
            last[0] = (last[0] * last[1] + value * weight) / (last[1] + weight)
            last[1:] = [last[1] + weight, last[2] + count]
    values = [value for value, _, count in pools for _ in range(int(count))]
    lines = [0.0, *places, 1.0], [0.0, *values, max(values[-1], LEAST_SURE)]
    return [[round(value, 3) for value in line] for line in lines]


def main() -> None:
    """Fit and write."""
    folder = Path(sys.argv[1])
    load_fold_networks(folder)  # fails here if it must: children that fail to start are started again without end
    with Pool(initializer=load_networks, initargs=(folder,)) as pool:
        rows = list(pool.imap_unordered(measure_page, read_examples(), CHUNK))
    counts = Counter(source for source, _, _ in rows)
    weights = np.array([counts[source] ** -0.5 for source, _, _ in rows])  # a large set counts more, but not by size
    knots = fit_knots(np.array([row[1] for row in rows]), np.array([row[2] for row in rows]), weights)
    print(knots)
    for path in (*(model_path(folder, fold) for fold in range(FOLDS)), *map(Path, sys.argv[2:])):
        model = load_weights(path)
        model.about["confidence"] = knots
        save_weights(model, path)


if __name__ == "__main__":
    main()
