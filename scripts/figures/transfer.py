"""How well the network does in languages that it has never seen labelled pages of.

    .venv/bin/bonmun train DATA… -o MODEL --from nothing --samples SAMPLES
    .venv/bin/python -m scripts.figures.transfer SAMPLES [--device cuda] [--workers 15]

For each language, a network is trained without its pages, and five are trained without the sites of a fold; all are
asked about the language's pages, each page by the network that has not seen its site. Teachers, and pages without gold,
are left out. One network takes some ten minutes on a CPU; on a GPU some twenty share it and all take two. The figures
are word F1 of the blocks with the highest expected F1, before anything is mended.
"""

from __future__ import annotations

import argparse
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from bonmun.gold.folds import FOLDS, fold_of
from bonmun.train.config import Config
from bonmun.train.labeller import predict, train
from bonmun.train.sample_files import load
from bonmun.train.tensors import Page, Store, prepare

if TYPE_CHECKING:
    from bonmun.train.sample_files import Sample

PAGES = 20  # of a language
SAMPLES: list[Sample] = []
PREPARED: list[list[Page]] = []


class Job(NamedTuple):
    """What to leave out: a language or a fold."""

    out: str | int
    device: str


def f1_of(sample: Sample, p: Any) -> float:
    """Word F1 of the blocks down to the probability that promises most."""
    order = np.argsort(-p, kind="stable")
    words, right = sample.sizes[order], np.cumsum((p * sample.sizes)[order])
    kept = order[: int((2 * right / (np.cumsum(words) + right[-1] + 1e-6)).argmax()) + 1]
    _, gold, shared = sample.gold
    mass = np.maximum(sample.keep, 0) * sample.sizes
    found = mass[kept].sum() / max(mass.sum(), 1e-6) * shared
    return float(2 * found / max(sample.sizes[kept].sum() + gold, 1))


def scores_of(job: Job) -> dict[int, float]:
    """Train without a language or a fold, and measure on it."""
    torch.set_num_threads(1)
    out = [row for row, s in enumerate(SAMPLES) if job.out in (s.lang, fold_of(s.site))]
    store = Store([page for pages in PREPARED for page in pages], job.device)
    stops = np.cumsum([0, *map(len, PREPARED)])
    variants = [range(stops[row], stops[row + 1]) for row in range(len(SAMPLES))]
    net = train(store, variants, SAMPLES, Config(), lambda _: None, out=frozenset(out))
    found = predict(net, store, [int(stops[row]) for row in out])
    return {row: f1_of(SAMPLES[row], p) for row, (p, _, _) in zip(out, found, strict=True) if SAMPLES[row].gold[1]}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("samples", type=Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    SAMPLES.extend(sample for sample in load(given.samples) if sample.labelled)
    counts = Counter(sample.lang for sample in SAMPLES if sample.gold[1])
    langs = [lang for lang, count in counts.most_common() if lang and count >= PAGES and lang != "en"]
    PREPARED.extend(prepare(SAMPLES, Config(), given.workers))
    jobs = [Job(out, given.device) for out in (*langs, *range(FOLDS))]
    with get_context("fork").Pool(given.workers, maxtasksperchild=1) as pool:
        found = dict(zip([job.out for job in jobs], pool.map(scores_of, jobs, chunksize=1), strict=True))
    seen = {row: score for fold in range(FOLDS) for row, score in found[fold].items()}
    print("language  pages  sites unseen  language unseen")
    for lang in langs:
        rows = found[lang]
        print(f"{lang:8}{len(rows):7}{np.mean([seen[row] for row in rows]):14.3f}{np.mean(list(rows.values())):17.3f}")


if __name__ == "__main__":
    main()
