"""Measure which pages `bonmun crawl --render auto` renders, among pages without text and among others.

.venv/bin/python -m scripts.figures.shells

Pages without scripts are left out, because rendering does not change them.
"""

from __future__ import annotations

from collections import Counter

from bonmun.empty_pages import is_shell
from bonmun.errors import BonmunError
from bonmun.page import Page
from scripts.labelled import read_rows

SETS = ("hand-hard", "hand-ml", "wcxb-dev", "unlabelled-wide")


def main() -> None:
    """Print the counts."""
    print("| set | empty pages | rendered | other pages | rendered |")
    print("|---|---:|---:|---:|---:|")
    for name in SETS:
        counts: Counter[tuple[bool, bool]] = Counter()
        for row in read_rows(name):
            try:
                page = Page.parse(row["html"], row.get("url"))
            except BonmunError:
                continue
            if page.has_tag("script"):
                counts["text" in row and not row["text"].strip(), is_shell(page)] += 1
        cells = [(counts[kind, True] + counts[kind, False], counts[kind, True]) for kind in (True, False)]
        print(f"| {name} | {' | '.join(f'{number:,}' for pair in cells for number in pair)} |", flush=True)


if __name__ == "__main__":
    main()
