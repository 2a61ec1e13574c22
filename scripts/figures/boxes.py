"""Measure the effect of boxes: word F1 of networks on the same pages, static and rendered.

    .venv/bin/bonmun render SET.jsonl -o SNAPSHOTS/SET        # for each set of ../shared/data
    .venv/bin/python -m scripts.figures.boxes SNAPSHOTS MODEL…

Uses the pages of the test part (`lab/gold/folds.py`) that have a snapshot and whose gold is on the page; the models
must not have been trained on that part. Measures the text of the kept blocks, independent of output formats.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun import Page
from bonmun.algorithms.auto import Auto
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import find_part, find_site
from bonmun.lab.train.samples.samples import find_snapshot
from bonmun.models.network.labeller import load_network
from bonmun.snapshots import load_snapshot
from bonmun.text.words import compare_counts, count_words
from scripts.labelled import MIN_COVERED_SHARE, find_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.models.network.labeller import Network

MIN_PAGES = 5  # of a kind or language
MAX_SCRIPTED_CHARACTERS = 500  # in the HTML of a page that scripts fill


class MeasuredPage(NamedTuple):
    """A page, and the F1 of each network on it, first static, then rendered."""

    groups: Sequence[str]  # its set, kind and language, and "all"
    scores: Sequence[float]
    by_script: bool  # whether its HTML has almost no text


def measure_pages(snapshots: Path, networks: Sequence[Network]) -> Iterator[MeasuredPage]:
    """Yield all pages of the test part that have a snapshot."""
    for folder in sorted(path for path in snapshots.iterdir() if path.is_dir()):
        for example in read_dataset(find_set(folder.name)):
            path = find_snapshot(folder, example.id)
            covered = example.cov is None or example.cov >= MIN_COVERED_SHARE
            if find_part(find_site(example)) != "test" or example.text is None or not path or not covered:
                continue
            written = Page.parse(example.html, example.url)
            shown = Page.from_snapshot(load_snapshot(path), example.url)
            sizes = [sum(map(len, page.texts)) for page in (written, shown)]
            yield MeasuredPage(
                [f"set {folder.name}", f"kind {example.kind}", f"language {example.lang}", "all pages"],
                [score(page, network, example.text) for page in (written, shown) for network in networks],
                sizes[0] < MAX_SCRIPTED_CHARACTERS < sizes[1] - 2 * sizes[0],
            )


def score(page: Page, network: Network, gold: str) -> float:
    """Return the word F1 of the blocks that a network keeps."""
    labels = Auto(model=network).label(page)
    texts = page.block_texts if labels.unit == "block" else page.texts
    text = "\n".join(text for text, kept in zip(texts, labels.kept, strict=True) if kept)
    return compare_counts(count_words(text), count_words(gold)).f1 if text or gold else 1.0


def main() -> None:
    """Print a table."""
    snapshots, *models = map(Path, sys.argv[1:])
    pages = list(measure_pages(snapshots, [load_network(path) for path in models]))
    groups: defaultdict[str, list[Sequence[float]]] = defaultdict(list)
    for page in pages:
        for group in page.groups:
            groups[group].append(page.scores)
    print(f"{'':28}pages " + "".join(f"{f'{path.stem} {how}':>18}" for how in ("written", "shown") for path in models))
    for name, rows in sorted(groups.items()):
        if len(rows) >= MIN_PAGES or name.startswith("set"):
            print(f"{name:28}{len(rows):5} " + "".join(f"{value:18.4f}" for value in np.mean(rows, 0)))
    sets = [np.mean(rows, 0) for name, rows in groups.items() if name.startswith("set")]
    print(f"{'mean of sets':28}{len(sets):5} " + "".join(f"{value:18.4f}" for value in np.mean(sets, 0)))
    print(f"pages filled by scripts: {sum(page.by_script for page in pages)}")


if __name__ == "__main__":
    main()
