"""The labelled sets of ../shared/data, for the scripts beside this one: which are fitted on, which are reported.

No site is in both: a page of a site that is reported is never fitted on.
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bonmun.gold.datasets import read_dataset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.gold.examples import Example

__all__ = ["FITTED", "REPORTED", "examples", "fitted", "reported_sites", "rows"]

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
REPORTED = ("wcxb-dev", "daniel-waddle", "newton-news", "fundus-all", "wwwxmu-zh", "deb-docs")
FITTED = ("dragnet", "metahtml-content", "silver", "hand-ml", "omnivore-tests", "readability", "cleaneval-dev")
A_SET = 250  # pages of a set that are fitted on at most
UNLABELLED = ("unlabelled-ml", "crawl-sample")
COVERED = 0.8  # of the gold must be on the page, else the two disagree


def rows(name: str, kind: str | None = None, least: float = COVERED) -> Iterator[dict[str, Any]]:
    """The pages of a set whose gold is on the page, of one kind or all."""
    with lzma.open(DATA / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            covered = row.get("cov")
            if (covered is None or covered >= least) and kind in (None, row.get("kind")):
                yield row


def examples() -> Iterator[tuple[str, Example]]:
    """All pages with a gold, whatever of it is on them, each with the name of its set."""
    for file in sorted(DATA.glob("*.jsonl.xz")):
        name = file.name.removesuffix(".jsonl.xz")
        if name not in UNLABELLED:
            for example in read_dataset(file):
                yield name, example


def fitted(name: str) -> list[dict[str, Any]]:
    """Pages to fit on, of all sites in the set alike, and of none that is reported."""
    taken = reported_sites()
    found = [row for row in rows(name) if row.get("site") not in taken]
    return found[:: -(-len(found) // A_SET) or 1]


@cache
def reported_sites() -> frozenset[str | None]:
    """The sites that nothing may be fitted on."""
    return frozenset(row.get("site") for name in REPORTED for row in rows(name))
