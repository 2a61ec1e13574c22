"""Compare the speed of four threads with that of one, on all cores: `python -m scripts.figures.threads`.

The parser and all code that makes Python objects hold the GIL; the kernel's loops over numbers release it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import bonmun
from scripts.labelled import read_rows

PAGES = 300
THREADS = 4
RUNS = 5


def extract_text(html: str) -> int:
    """Extract a page, and discard the result."""
    return len(bonmun.extract(html).text)


def main() -> None:
    """Print the times and their ratio for each run."""
    pages = [row["html"] for row in read_rows("wcxb-dev", covered=0, limit=PAGES)]
    with ThreadPoolExecutor(THREADS) as threads:
        for _ in range(RUNS):
            start = perf_counter()
            for html in pages:
                extract_text(html)
            alone = perf_counter() - start
            start = perf_counter()
            list(threads.map(extract_text, pages))
            together = perf_counter() - start
            print(f"one thread {alone:.2f} s, {THREADS} threads {together:.2f} s: {alone / together:.2f} times as fast")


if __name__ == "__main__":
    main()
