"""Fit the confidence of a network: measured against expected F1, on pages that it has not seen.

    .venv/bin/python -m scripts.fit.confidence FOLDS MODEL…

FOLDS has fold-0.npz to fold-4.npz (`bonmun train DATA… --from nothing --folds FOLDS`). Every page of ../shared/data
with a gold is labelled by the network that has not seen its site. The pages are split by expected F1 into 20 parts of
equal size. The F1 that nine of ten pages of a part reach is a knot; parts that would make the line fall are merged.
(With the mean, a confidence of .7 would include one very bad answer in five.) The knots are written to the folds and to
each MODEL.
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
WORSE_SHARE = 0.1  # of the pages of a part may be worse than the confidence
TOP_CONFIDENCE = 0.99  # minimum confidence of a page whose expected F1 is 1
CHUNK = 16  # pages per task of a child process
NETWORKS: list[Network] = []  # in each child process


def load_networks(folder: Path) -> None:
    """Load the networks of all folds, with the expected F1 itself as their confidence."""
    for network in load_fold_networks(folder):
        network.expected, network.measured = np.array([0, 1]), np.array([0, 1])
        NETWORKS.append(network)


def measure_page(job: tuple[str, Example]) -> tuple[str, float, float]:
    """Return the set of a page, its expected F1, and its F1."""
    source, example = job
    doc = bonmun.extract(example.html, example.url, method=Auto(model=NETWORKS[find_fold(find_site(example))]))
    return source, doc.confidence, compare_counts(count_words(doc.text), count_words(example.text or "")).f1


def find_quantile(values: Any, weights: Any) -> float:
    """Return the value that all but WORSE_SHARE of the weight reach."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(below, WORSE_SHARE * below[-1])])


def fit_knots(expected: Any, measured: Any, weights: Any) -> list[list[float]]:
    """Fit a monotone line by pooling adjacent violators."""
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
    lines = [0.0, *places, 1.0], [0.0, *values, max(values[-1], TOP_CONFIDENCE)]
    return [[round(value, 3) for value in line] for line in lines]


def main() -> None:
    """Fit the confidence, and write it to all models."""
    folder = Path(sys.argv[1])
    load_fold_networks(folder)  # fail early: child processes that fail at start would be restarted forever
    with Pool(initializer=load_networks, initargs=(folder,)) as pool:
        rows = list(pool.imap_unordered(measure_page, read_examples(), CHUNK))
    counts = Counter(source for source, _, _ in rows)
    weights = np.array([counts[source] ** -0.5 for source, _, _ in rows])  # sets count by the square root of their size
    knots = fit_knots(np.array([row[1] for row in rows]), np.array([row[2] for row in rows]), weights)
    print(knots)
    for path in (*(model_path(folder, fold) for fold in range(FOLDS)), *map(Path, sys.argv[2:])):
        model = load_weights(path)
        model.about["confidence"] = knots
        save_weights(model, path)


if __name__ == "__main__":
    main()
