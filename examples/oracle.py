"""How good the best possible choice of leaves is: gold and page aligned, on the labelled sets in ../shared/data.

    .venv/bin/python examples/oracle.py

Word F1 over all pages of each set, and over those of which nine tenths of the gold are on the page.
"""

from __future__ import annotations

import json
import lzma
import sys
from multiprocessing import Pool

from labelled import DATA, FITTED, REPORTED

import bonmun
from bonmun.evaluate.align import align


def measure(line: str) -> tuple[float, float]:
    """A page: how much of its gold is on it, and the F1 of the leaves that are in the gold."""
    row = json.loads(line)
    covered = row.get("cov")
    try:
        found = align(bonmun.Page.parse(row["html"]), row["text"]).words.f1
    except bonmun.BonmunError:
        found = 0.0
    return 1.0 if covered is None else covered, found


def main() -> None:
    """Print a line a set."""
    print(f"{'set':20}{'pages':>6}{'F1':>8}{'cov ≥ .9':>10}{'F1':>8}")
    with Pool() as pool:
        for name in sys.argv[1:] or (*REPORTED, *FITTED, "harvest-forum"):
            with lzma.open(DATA / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
                found = pool.map(measure, lines, chunksize=8)
            every = [f1 for _, f1 in found]
            sure = [f1 for covered, f1 in found if covered >= 0.9]
            means = [sum(figures) / len(figures) for figures in (every, sure)]
            print(f"{name:20}{len(every):>6}{means[0]:>8.4f}{len(sure):>10}{means[1]:>8.4f}", flush=True)


if __name__ == "__main__":
    main()
