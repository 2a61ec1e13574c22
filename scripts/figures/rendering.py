"""How fast pages are rendered, how much of that is the pass in the page, and how much memory a long run takes.

.venv/bin/python -m scripts.figures.rendering [--pages 300] [--workers 2]

Pages of wcxb-dev, again from the first when there are no more, without network. Memory is that of this process and of
all that it has started, as the system shares it out (PSS).
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

EVERY = 100  # pages: a line


def read_jobs() -> Iterator[RenderJob]:
    """The pages of the set, without end."""
    for examples in repeat(read_dataset(find_set("wcxb-dev"))):
        yield from (RenderJob(example.id, example.url, example.html) for example in examples)


def main() -> None:
    """Render, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    print("| pages | a second | in the page | lost | without scripts | kB a snapshot | memory, MB |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    lost = stopped = size = 0
    seconds = measuring = 0.0
    with Browser() as browser:
        start = monotonic()
        for count, done in enumerate(browser.render_all(islice(read_jobs(), given.pages), given.workers), 1):
            seconds += done.seconds
            measuring += done.measuring
            if done.snapshot is None:
                lost += 1
                print(f"{done.job.name}: {done.problem}")
            else:
                stopped += done.snapshot.problem is not None
                size += len(pack_snapshot(done.snapshot))
            if count % EVERY == 0 or count == given.pages:
                rate = count / (monotonic() - start)
                memory = sum(map(measure_memory, list_process_tree(os.getpid())))
                print(
                    f"| {count:,} | {rate:.2f} | {measuring / seconds:.1%} | {lost} | {stopped} "
                    f"| {size / count / 1000:.1f} | {memory / 1e6:,.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
