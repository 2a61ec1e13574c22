"""Check for memory leaks: extract many pages in one process, and measure its memory at intervals.

    python -m scripts.figures.leaks                    # 200,000 pages, in five minutes
    python -m scripts.figures.leaks --pages 20000

Repeats the pages of tests/pages and examples/pages and all small shapes of scripts/fuzz, so that caches are filled
after the first round. Linux only.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from itertools import cycle, islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import bonmun
from bonmun import BonmunError
from scripts.fuzz.pages import make_small_shapes
from scripts.watching import measure_own_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parent.parent.parent
PARTS = 10  # memory is measured after each of this many parts
MAX_GROWTH_BYTES = 4_000_000  # after the first part; noise of the allocator
OPTIONS = bonmun.Options(links=True, images=True, comments=True)


def read_pages() -> list[str | bytes]:
    """Return all pages."""
    files = [*ROOT.glob("tests/pages/*/source.html"), *ROOT.glob("examples/pages/*.html")]
    return [*(path.read_bytes() for path in sorted(files)), *(html for _, html in make_small_shapes())]


def extract(html: str | bytes) -> None:
    """Extract text, metadata and Markdown; rejected inputs raise, which must not leak either."""
    try:
        doc = bonmun.extract(html, options=OPTIONS)
        _ = doc.text, doc.metadata, doc.markdown
    except BonmunError:
        pass


def main(given: Sequence[str] | None = None) -> int:
    """Extract the pages, print the memory, and return 1 if it grows."""
    arguments = argparse.ArgumentParser(prog="python -m scripts.figures.leaks", description="Check for memory leaks.")
    arguments.add_argument("--pages", type=int, default=200_000)
    count = arguments.parse_args(given).pages
    pages = read_pages()
    rest, start, held = cycle(pages), monotonic(), []
    print(f"{len(pages):,} pages, {'with' if bonmun.accelerated else 'without'} the compiled kernel")
    for number in range(1, PARTS + 1):
        for html in islice(rest, max(count // PARTS, len(pages))):
            extract(html)
        gc.collect()
        held.append(measure_own_memory(os.getpid()))
        done = number * max(count // PARTS, len(pages))
        print(f"{done:>9,} extracted  {held[-1] / 1e6:7.1f} MB  {monotonic() - start:5.0f} s", flush=True)
    growth = held[-1] - held[0]
    print(f"{growth / 1e6:+.1f} MB since the first tenth; {MAX_GROWTH_BYTES / 1e6:.0f} are allowed")
    return 1 if growth > MAX_GROWTH_BYTES else 0


if __name__ == "__main__":
    sys.exit(main())
