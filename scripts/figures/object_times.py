"""Print how long `doc.objects` takes after text and metadata, in multiples of the time of resiliparse's main content.

    python -m scripts.figures.object_times

Uses 30 pages with JSON-LD of each of five sets of ../shared/data: web pages, shops, products, recipes and news. The
best of three runs of each page counts, in processor time; only ratios are meaningful.
"""

from __future__ import annotations

from random import Random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING

from resiliparse.extract.html2text import extract_plain_text

import bonmun
from scripts.figures.objects import read_rows

if TYPE_CHECKING:
    from collections.abc import Callable

SETS = ("wcxb-dev", "hand-shops", "products-objects", "recipes", "newton-news")
PAGES = 30  # of each set
RUNS = 3
SEED = 43


def time_objects(html: str, url: str | None) -> float:
    """Return the seconds that the objects of a page take, once it has text and metadata."""
    doc = bonmun.extract(html, url)
    _ = doc.text, doc.metadata
    return time_call(lambda: doc.objects)


def time_call(call: Callable[[], object]) -> float:
    """Return the seconds that a call takes."""
    start = process_time()
    call()
    return process_time() - start


def measure_page(html: str, url: str | None) -> tuple[float, float]:
    """Return the least time of the objects, and of resiliparse."""
    peer = [time_call(lambda: extract_plain_text(html, main_content=True)) for _ in range(RUNS)]
    return min(time_objects(html, url) for _ in range(RUNS)), min(peer)


def main() -> None:
    """Print a line for each set and one for all."""
    times: dict[str, list[tuple[float, float]]] = {}
    for name in SETS:
        rows = [row for row in read_rows(name) if "ld+json" in (row["html"] or "")]
        chosen = Random(SEED).sample(rows, min(PAGES, len(rows)))
        measure_page(chosen[0]["html"], chosen[0].get("url"))  # loads modules
        times[name] = [measure_page(row["html"], row.get("url")) for row in chosen]
    for name, found in [*times.items(), ("all", [each for some in times.values() for each in some])]:
        ours, peers = zip(*found, strict=True)
        ratios = [own / peer for own, peer in found]
        print(f"{name:20}{len(found):>5} pages   mean {sum(ours) / sum(peers):.2f}   median {median(ratios):.2f}")


if __name__ == "__main__":
    main()
