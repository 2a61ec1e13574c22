"""Makes src/bonmun/models/words.txt: the class and id words that stand on 20 sites or more.

    .venv/bin/python -m scripts.make.class_words

From all sets in ../shared/data, labelled or not; labels play no part in it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import bonmun
from scripts.labelled import DATA, rows

TARGET = Path(__file__).parents[2] / "src" / "bonmun" / "models" / "words.txt"
SITES = 20
WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")
NAMES = ("class", "id", "role", "itemprop")


def words_of(html: str) -> set[str]:
    """The words of a page's names, of three letters or more, and "ad"."""
    try:
        page = bonmun.Page.parse(html)
    except bonmun.BonmunError:
        return set()
    said = " ".join(value or "" for name in NAMES for value in page.attrs(range(len(page.tags)), name))
    return {word.lower() for word in WORD.findall(said) if 2 < len(word) < 20 or word.lower() == "ad"}


def main() -> None:
    """Count the sites of each word."""
    sites: defaultdict[str, set[str]] = defaultdict(set)
    for file in sorted(DATA.glob("*.jsonl.xz")):
        for row in rows(file.name.removesuffix(".jsonl.xz"), least=0):
            for word in words_of(row["html"]):
                sites[word].add(row.get("site") or row["id"])
    words = sorted(word for word, found in sites.items() if len(found) >= SITES)
    TARGET.write_text("\n".join(words) + "\n", encoding="utf-8")
    print(f"{len(words):,} words: {TARGET}")


if __name__ == "__main__":
    main()
