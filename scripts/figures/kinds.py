"""What `doc.kind` says, beside what people say: a table of both, with networks that have not seen a page's site.

    .venv/bin/python -m scripts.figures.kinds FOLDS

FOLDS holds fold-0.npz to fold-4.npz (`bonmun train DATA… --from nothing --folds FOLDS`). Asked are the sets of
../shared/data whose golds name the kind of their pages in our words: wcxb-dev and hand-hard. A row is what a person
says, a column what bonmun says.
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
EMPTY = "empty"  # what a page without main text is called


class AskedPage(NamedTuple):
    """A page, what a person says it is, and what bonmun says: what it was made from, too."""

    source: str
    id: str
    gold: str
    said: str
    chances: dict[str, float]  # as the network has them
    declared: str | None  # what the page says of itself


NETWORKS: list[Network] = []


def load_networks(folder: Path) -> None:
    """Load the networks of all folds, in each process."""
    NETWORKS.extend(load_fold_networks(folder))


def ask_page(job: tuple[str, Example]) -> AskedPage:
    """Ask the network that has not seen the page's site."""
    source, example = job
    method = Auto(model=NETWORKS[find_fold(find_site(example))])
    doc = bonmun.extract(example.html, example.url, method=method)
    gold = EMPTY if example.kind == "none" else example.kind or "?"
    return AskedPage(source, example.id, gold, doc.kind, dict(doc.labels.kinds), doc.metadata.kind)


def print_table(name: str, rows: list[AskedPage]) -> None:
    """Print how often each kind is said of each kind."""
    pairs = Counter((row.gold, row.said) for row in rows)
    golds = sorted({row.gold for row in rows})
    said = sorted({row.said for row in rows})
    lines: list[list[str | int | float | None]] = []
    for gold in golds:
        counts = [pairs[gold, kind] for kind in said]
        lines.append([gold, sum(counts), *(count or "" for count in counts), pairs[gold, gold] / sum(counts)])
    right = sum(row.gold == row.said for row in rows)
    print(f"{name}: {right / len(rows):.3f} of {len(rows):,} pages right\n")
    print(format_table(["said by people", "pages", *said, "right"], lines), "\n")


def main() -> None:
    """Print the tables."""
    folder = Path(sys.argv[1])
    load_fold_networks(folder)  # fails here if it must: children that fail to start are started again without end
    jobs = [(name, example) for name in SETS for example in read_dataset(find_set(name))]
    with Pool(initializer=load_networks, initargs=(folder,)) as pool:
        rows = pool.map(ask_page, jobs, 16)
    for name in SETS:
        print_table(name, [row for row in rows if row.source == name])
    if len(sys.argv) > 2:  # all that it was made from, for whoever looks for a better choice
        import json

        Path(sys.argv[2]).write_text("".join(f"{json.dumps(row._asdict())}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
