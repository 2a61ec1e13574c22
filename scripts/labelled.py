"""The labelled sets of ../shared/data, for the scripts beside this one: which are fitted on, which are reported.

No site is in both: a page of a site that is reported is never fitted on.
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.folds import FOLDS, model_path
from bonmun.models.network.labeller import load_network

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.lab.gold.examples import Example
    from bonmun.models.network.labeller import Network

__all__ = [
    "FITTED",
    "REPORTED",
    "ROOT",
    "UNLABELLED",
    "find_set",
    "list_sets",
    "load_fold_networks",
    "read_examples",
    "read_fitted",
    "read_reported_sites",
    "read_rows",
]

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
ENDING = ".jsonl.xz"
REPORTED = ("wcxb-dev", "daniel-waddle", "newton-news", "fundus-all", "wwwxmu-zh", "deb-docs")
FITTED = ("dragnet", "metahtml-content", "silver", "hand-ml", "omnivore-tests", "readability", "cleaneval-dev")
UNLABELLED = ("unlabelled-ml", "unlabelled-wide", "crawl-sample")
PAGES_OF_A_SET = 250  # that are fitted on at most
COVERED = 0.8  # of the gold must be on the page, else the two disagree


def list_sets() -> list[str]:
    """The names of all sets."""
    return sorted(file.name.removesuffix(ENDING) for file in DATA.glob(f"*{ENDING}"))


def find_set(name: str) -> Path:
    """The file of a set."""
    return DATA / f"{name}{ENDING}"


def read_rows(
    name: str, kind: str | None = None, *, covered: float = COVERED, limit: int | None = None
) -> Iterator[dict[str, Any]]:
    """The pages of a set as they stand there, of one page kind or all, if so much of the gold is on the page."""
    with lzma.open(find_set(name), "rt", encoding="utf-8") as lines:
        for line in islice(lines, limit):
            row = json.loads(line)
            share = row.get("cov")
            if (share is None or share >= covered) and kind in (None, row.get("kind")):
                yield row


def read_examples() -> Iterator[tuple[str, Example]]:
    """All pages with a gold, whatever of it is on them, each with the name of its set."""
    for name in list_sets():
        if name not in UNLABELLED:
            for example in read_dataset(find_set(name)):
                if example.text is not None:
                    yield name, example


def read_fitted(name: str) -> list[dict[str, Any]]:
    """Pages to fit on, evenly from all of a set, and of no site that is reported."""
    taken = read_reported_sites()
    found = [row for row in read_rows(name) if row.get("site") not in taken]
    return found[:: -(-len(found) // PAGES_OF_A_SET) or 1]


@cache
def read_reported_sites() -> frozenset[str | None]:
    """The sites that nothing may be fitted on."""
    return frozenset(row.get("site") for name in REPORTED for row in read_rows(name))


def load_fold_networks(folder: Path) -> list[Network]:
    """The networks that have not seen a fold, in the order of folds (`bonmun train DATA… --folds FOLDS`)."""
    return [load_network(model_path(folder, fold)) for fold in range(FOLDS)]
