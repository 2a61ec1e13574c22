"""Print a confusion matrix of page kinds: people against `doc.kind`, with networks that have not seen the site.

    .venv/bin/python -m scripts.figures.kinds FOLDS

FOLDS has fold-0.npz to fold-4.npz (`bonmun train DATA… --from nothing --folds FOLDS`). Uses the sets of ../shared/data
whose golds name page kinds in our terms: wcxb-dev and hand-hard. Rows are kinds by people, columns kinds by bonmun.
"""

from __future__ import annotations

import sys
from collections import Counter
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import bonmun
from bonmun.algorithms.auto import Auto
from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import find_fold, find_site
from bonmun.text.terminal import format_table
from scripts.labelled import find_set, load_fold_networks

if TYPE_CHECKING:
    from bonmun.lab.gold.examples import Example
    from bonmun.models.network.labeller import Network

SETS = ("wcxb-dev", "hand-hard")
EMPTY = "empty"  # the kind of a page without main text
SAME_KINDS = {"none": EMPTY, "collection": "listing"}  # kinds of golds by other names


class JudgedPage(NamedTuple):
    """A page, its kind by a person and by bonmun, and the evidence for the latter."""

    source: str
    id: str
    gold: str
    said: str
    chances: dict[str, float]  # by the network
    declared: str | None  # by the page itself


NETWORKS: list[Network] = []


def load_networks(folder: Path) -> None:
    """Load the networks of all folds, in each process."""
    NETWORKS.extend(load_fold_networks(folder))


def judge_page(job: tuple[str, Example]) -> JudgedPage:
    """Return the result of the network that has not seen the page's site."""
    source, example = job
    method = Auto(model=NETWORKS[find_fold(find_site(example))])
    doc = bonmun.extract(example.html, example.url, method=method)
    gold = SAME_KINDS.get(example.kind or "?", example.kind or "?")
    return JudgedPage(source, example.id, gold, doc.kind, dict(doc.labels.kinds), doc.metadata.kind)


def print_table(name: str, rows: list[JudgedPage]) -> None:
    """Print the confusion matrix."""
    pairs = Counter((row.gold, row.said) for row in rows)
    golds = sorted({row.gold for row in rows})
    said = sorted({row.said for row in rows})
    lines: list[list[str | int | float | None]] = []
    for gold in golds:
        counts = [pairs[gold, kind] for kind in said]
        lines.append([gold, sum(counts), *(count or "" for count in counts), pairs[gold, gold] / sum(counts)])
    right = sum(row.gold == row.said for row in rows)
    print(f"{name}: {right / len(rows):.3f} of {len(rows):,} pages right\n")
    print(format_table(["kind by people", "pages", *said, "right"], lines), "\n")


def main() -> None:
    """Print the tables."""
    folder = Path(sys.argv[1])
    load_fold_networks(folder)  # fail early: child processes that fail at start would be restarted forever
    jobs = [(name, example) for name in SETS for example in read_dataset(find_set(name))]
    with Pool(initializer=load_networks, initargs=(folder,)) as pool:
        rows = pool.map(judge_page, jobs, 16)
    for name in SETS:
        print_table(name, [row for row in rows if row.source == name])
    if len(sys.argv) > 2:  # write the evidence, for developing a better choice
        import json

        Path(sys.argv[2]).write_text("".join(f"{json.dumps(row._asdict())}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
