"""Word F1 of the default method beside resiliparse, on parts of the labelled sets in ../shared/data.

    .venv/bin/python examples/quality.py

Words are counted as multisets, each CJK or Thai character as a word; F1 is averaged over pages. Pages whose gold is not
on the page (cov under 0.8) are left out. These are development sets: the rule's numbers were set on them.
"""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from resiliparse.extract.html2text import extract_plain_text

import bonmun

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(__file__).parent.parent.parent / "shared" / "data"
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
WIDE = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
WORD = re.compile(rf"[{WIDE}]|[^\W_{WIDE}]+")


def words(text: str) -> Counter[str]:
    """The words of a text and how often each occurs."""
    return Counter(WORD.findall(text.lower()))


def f1(found: str, gold: str) -> float:
    """2·common / (found + gold), counted in words; two empty texts agree."""
    ours, theirs = words(found), words(gold)
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 1.0


SYSTEMS: dict[str, Callable[[str], str]] = {
    "auto": lambda html: bonmun.extract(html).text,
    "resiliparse": lambda html: extract_plain_text(html, main_content=True),
}


def rows(name: str, most: int) -> list[dict[str, Any]]:
    """The labelled pages of a set."""
    with lzma.open(DATA / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        read = [json.loads(line) for line in lines]
    read = read[:: max(1, len(read) // most)][:most]
    return [row for row in read if row.get("cov", 1) is None or row.get("cov", 1) >= 0.8]


def main() -> None:
    """Print a line a set."""
    print(f"{'set':16}{'pages':>6}" + "".join(f"{name:>14}" for name in SYSTEMS))
    for name, most in SETS.items():
        pages = rows(name, most)
        means = [sum(f1(run(row["html"]), row["text"]) for row in pages) / len(pages) for run in SYSTEMS.values()]
        print(f"{name:16}{len(pages):>6}" + "".join(f"{mean:>14.3f}" for mean in means), flush=True)


if __name__ == "__main__":
    main()
