"""Word F1 of the default method beside resiliparse, on parts of the labelled sets in ../shared/data.

    .venv/bin/python examples/quality.py

Words are counted as multisets, each CJK or Thai character as a word; F1 is averaged over pages. Pages whose gold is not
on the page (cov under 0.8) are left out. These are development sets: the rule's numbers were set on them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labelled import rows
from resiliparse.extract.html2text import extract_plain_text

import bonmun
from bonmun.words import count_words, overlap

if TYPE_CHECKING:
    from collections.abc import Callable

# The sets, and how many pages of each at most: every n-th page, so that all sites have their share.
SETS = {
    "hand-ml": 200,
    "wcxb-dev": 300,
    "daniel-waddle": 140,
    "newton-news": 200,
    "fundus-all": 200,
    "deb-docs": 100,
    "wwwxmu-zh": 70,
    "harvest-forum": 200,
}
SYSTEMS: dict[str, Callable[[str], str]] = {
    "auto": lambda html: bonmun.extract(html).text,
    "resiliparse": lambda html: extract_plain_text(html, main_content=True),
}


def score(run: Callable[[str], str], row: dict[str, Any]) -> float:
    """The word F1 of what a system finds on a page."""
    return overlap(count_words(run(row["html"])), count_words(row["text"])).f1


def main() -> None:
    """Print a line a set."""
    print(f"{'set':16}{'pages':>6}" + "".join(f"{name:>14}" for name in SYSTEMS))
    for name, most in SETS.items():
        pages = list(rows(name))
        pages = pages[:: max(1, len(pages) // most)][:most]
        means = [sum(score(run, row) for row in pages) / len(pages) for run in SYSTEMS.values()]
        print(f"{name:16}{len(pages):>6}" + "".join(f"{mean:>14.3f}" for mean in means), flush=True)


if __name__ == "__main__":
    main()
