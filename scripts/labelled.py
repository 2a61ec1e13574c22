"""The labelled sets of ../shared/data: those used for fitting, and those used for reported results.

Pages of a site in a reported set are never used for fitting.
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.gold.examples import Example
from bonmun.lab.gold.folds import FOLDS, model_path
from bonmun.lab.gold.verdicts import apply_verdict, read_verdicts
from bonmun.models.network.labeller import load_network
from bonmun.page.parse.decode import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.models.network.labeller import Network

__all__ = [
    "DATA",
    "ENDING",
    "FITTED",
    "REPORTED",
    "ROOT",
    "TRAINED",
    "UNLABELLED",
    "find_set",
    "list_sets",
    "load_fold_networks",
    "read_examples",
    "read_fitted",
    "read_html",
    "read_reported_sites",
    "read_rows",
]

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
VERDICTS = ROOT / "scripts" / "make" / "verdicts.jsonl"  # of readers on golds
ENDING = ".jsonl.xz"
REPORTED = ("wcxb-dev", "daniel-waddle", "newton-news", "fundus-all", "wwwxmu-zh", "deb-docs")
FITTED = ("dragnet", "metahtml-content", "silver", "hand-ml", "omnivore-tests", "readability", "cleaneval-dev")
UNLABELLED = ("unlabelled-ml", "unlabelled-wide", "crawl-sample")
# The labelled sets that the shipped network was trained on (docs/explanation/model.md).
TRAINED = (
    "cleaneval-dev daniel-waddle deb-docs defuddle-tests dragnet fundus-all hand-hard hand-ml hand-shops hand-wide "
    "harvest-forum leogao-htmltotext metahtml-content newspaper4k-tests newton-news omnivore-tests readability silver "
    "wcxb-dev wwwxmu-zh"
).split()
MAX_SET_PAGES = 250  # maximum number of pages of a set that are used for fitting
MIN_COVERED_SHARE = 0.8  # of the gold that must be on the page; with less, the gold does not belong to the page


def list_sets() -> list[str]:
    """Return the names of all sets."""
    return sorted(file.name.removesuffix(ENDING) for file in DATA.glob(f"*{ENDING}"))


def find_set(name: str) -> Path:
    """Return the file of a set."""
    return DATA / f"{name}{ENDING}"


def read_rows(
    name: str, kind: str | None = None, *, covered: float = MIN_COVERED_SHARE, limit: int | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the records of a set, of one page kind or all, whose gold is on the page to at least `covered`."""
    with lzma.open(find_set(name), "rt", encoding="utf-8") as lines:
        for line in islice(lines, limit):
            row = json.loads(line)
            share = row.get("cov")
            if (share is None or share >= covered) and kind in (None, row.get("kind")):
                yield row


def read_html(row: dict[str, Any]) -> str | None:
    """Return the page of a record, decoded if the set has its bytes; None if the record has none."""
    if "html_latin1" in row:
        return decode(row["html_latin1"].encode("latin-1"), url=row.get("url"))[0]
    html: str | None = row.get("html")
    return html


def read_examples() -> Iterator[tuple[str, Example]]:
    """Yield all pages with a gold of the sets in TRAINED, each with the name of its set; golds are corrected."""
    verdicts = read_verdicts(VERDICTS)
    for name in TRAINED:
        for example in read_dataset(find_set(name)):
            corrected = apply_verdict(example, verdicts.get(example.page_hash))
            if isinstance(corrected, Example) and corrected.text is not None:
                yield name, corrected


def read_fitted(name: str) -> list[dict[str, Any]]:
    """Yield pages for fitting, evenly spread over a set, without sites of reported sets."""
    taken = read_reported_sites()
    found = [row for row in read_rows(name) if row.get("site") not in taken]
    return found[:: -(-len(found) // MAX_SET_PAGES) or 1]


@cache
def read_reported_sites() -> frozenset[str | None]:
    """Return the sites of reported sets, which must not be used for fitting."""
    return frozenset(row.get("site") for name in REPORTED for row in read_rows(name))


def load_fold_networks(folder: Path) -> list[Network]:
    """Load the networks trained without each fold, in order (`bonmun train DATA… --folds FOLDS`)."""
    return [load_network(model_path(folder, fold)) for fold in range(FOLDS)]
