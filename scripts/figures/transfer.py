"""Measure the network on languages and documentation generators that it was not trained on.

    .venv/bin/bonmun train DATA… -o MODEL --from nothing --samples SAMPLES
    .venv/bin/python -m scripts.figures.transfer SAMPLES [--device cuda] [--workers 15]

For each language and generator, a network is trained without its pages. Five more are trained without the sites of a
fold, for comparison: each page is labelled by the network that has not seen its site. Teachers, and pages without a
gold, are left out; synthetic pages are trained on, but not measured. One network takes about ten minutes on a CPU; on a
GPU about twenty run at once and take three minutes in total. The scores are word F1 of the blocks with the highest
expected F1, before the selection is fixed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch

from bonmun.lab.gold.folds import FOLDS, find_fold
from bonmun.lab.train.config import Config
from bonmun.lab.train.fitting import predict, store_variants, train_network
from bonmun.lab.train.samples.sample_files import load_samples
from bonmun.lab.train.samples.variants import Variant, prepare_variants

if TYPE_CHECKING:
    from bonmun.lab.train.samples.sample_files import Sample

MIN_PAGES = 20  # of a language
SYNTHETIC_SETS = ("nothing", "boards", "simple")
# The generators of deb-docs, by parts of the names of their books.
GENERATORS = {
    "debian-handbook": "publican",
    "installation-guide": "docbook",
    "wireshark": "docbook",
    "linux-doc": "sphinx",
    "python-doc": "sphinx",
    "cmake": "sphinx",
    "sqlalchemy": "sphinx",
    "nodejs": "node",
}
# Shared with child processes.
SAMPLES: list[Sample] = []
VARIANTS: list[list[Variant]] = []


class Job(NamedTuple):
    """What to leave out of the training: a language, a generator or a fold."""

    out: str | int
    device: str


def find_generator(sample: Sample) -> str | None:
    """Return the generator of a page of deb-docs; None for other pages."""
    if sample.source != "deb-docs":
        return None
    return next((generator for name, generator in GENERATORS.items() if name in sample.site), None)


def is_measured(sample: Sample) -> bool:
    """Return whether a page has a gold text and is not synthetic."""
    return bool(sample.gold[1]) and sample.source not in SYNTHETIC_SETS


def score_page(sample: Sample, p: Any) -> float:
    """Return the word F1 of the blocks with the highest expected F1."""
    order = np.argsort(-p, kind="stable")
    words, right = sample.sizes[order], np.cumsum((p * sample.sizes)[order])
    kept = order[: int((2 * right / (np.cumsum(words) + right[-1] + 1e-6)).argmax()) + 1]
    _, gold, shared = sample.gold
    mass = np.maximum(sample.keep, 0) * sample.sizes
    found = mass[kept].sum() / max(mass.sum(), 1e-6) * shared
    return float(2 * found / max(sample.sizes[kept].sum() + gold, 1))


def score_without(job: Job) -> dict[int, float]:
    """Train without a language, a generator or a fold; return the word F1 of its pages by row."""
    torch.set_num_threads(1)
    out = [
        row
        for row, sample in enumerate(SAMPLES)
        if job.out in (sample.lang, find_fold(sample.site), find_generator(sample))
    ]
    prepared = store_variants(SAMPLES, VARIANTS, job.device)
    net = train_network(prepared, Config(), lambda _: None, out=frozenset(out))
    found = predict(net, prepared.store, [prepared.variants[row][0] for row in out])
    scores = {row: score_page(SAMPLES[row], keep) for row, (keep, _, _) in zip(out, found, strict=True)}
    return {row: score for row, score in scores.items() if is_measured(SAMPLES[row])}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("samples", type=Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    SAMPLES.extend(sample for sample in load_samples(given.samples) if sample.labelled)
    counts = Counter(sample.lang for sample in SAMPLES if is_measured(sample))
    langs = [lang for lang, count in counts.most_common() if lang and count >= MIN_PAGES and lang != "en"]
    VARIANTS.extend(prepare_variants(SAMPLES, Config(), given.workers))
    names = [*langs, *dict.fromkeys(GENERATORS.values())]
    jobs = [Job(out, given.device) for out in (*names, *range(FOLDS))]
    with get_context("fork").Pool(given.workers, maxtasksperchild=1) as pool:
        found = dict(zip([job.out for job in jobs], pool.map(score_without, jobs, chunksize=1), strict=True))
    seen = {row: score for fold in range(FOLDS) for row, score in found[fold].items()}
    print("pages of      sites unseen  all unseen")
    for name in names:
        rows = found[name]
        print(f"{name:8}{len(rows):7}{np.mean([seen[row] for row in rows]):14.3f}{np.mean(list(rows.values())):12.3f}")


if __name__ == "__main__":
    main()
