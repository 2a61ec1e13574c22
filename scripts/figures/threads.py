"""How much faster four threads extract than one, on however many cores there are: `python -m scripts.figures.threads`.

The parser holds Python's lock, so does all that makes Python's objects; the kernel's loops over numbers let it go.
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
    """Extract, and forget."""
    return len(bonmun.extract(html).text)


def main() -> None:
    """Print the times and their ratio, run by run."""
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
