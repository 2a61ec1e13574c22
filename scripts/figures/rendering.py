"""Measure rendering: pages per second, the share of our script in the page, and the memory of a long run.

.venv/bin/python -m scripts.figures.rendering [--pages 300] [--workers 2]

Renders the pages of wcxb-dev, repeatedly, without network access. Memory is that of the whole process tree (PSS).
"""

from __future__ import annotations

import argparse
import os
from itertools import islice, repeat
from time import monotonic
from typing import TYPE_CHECKING

from bonmun.lab.gold.datasets import read_dataset
from bonmun.scale.browser import Browser, RenderJob
from bonmun.snapshots import pack_snapshot
from scripts.labelled import find_set
from scripts.watching import list_process_tree, measure_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRESS_PAGES = 100  # between two lines of progress


def read_jobs() -> Iterator[RenderJob]:
    """Yield the pages of the set, in an endless loop."""
    for examples in repeat(read_dataset(find_set("wcxb-dev"))):
        yield from (RenderJob(example.id, example.url, example.html) for example in examples)


def main() -> None:
    """Render pages, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    print("| pages | a second | in the page | lost | without scripts | kB a snapshot | memory, MB |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    lost = stopped = size = 0
    seconds = measuring_seconds = 0.0
    with Browser() as browser:
        start = monotonic()
        for count, done in enumerate(browser.render_all(islice(read_jobs(), given.pages), given.workers), 1):
            seconds += done.seconds
            measuring_seconds += done.measuring_seconds
            if done.snapshot is None:
                lost += 1
                print(f"{done.job.name}: {done.problem}")
            else:
                stopped += done.snapshot.problem is not None
                size += len(pack_snapshot(done.snapshot))
            if count % PROGRESS_PAGES == 0 or count == given.pages:
                rate = count / (monotonic() - start)
                memory = sum(map(measure_memory, list_process_tree(os.getpid())))
                print(
                    f"| {count:,} | {rate:.2f} | {measuring_seconds / seconds:.1%} | {lost} | {stopped} "
                    f"| {size / count / 1000:.1f} | {memory / 1e6:,.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
