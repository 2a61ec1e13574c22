"""Write src/bonmun/models/features/words.txt: the class and id words that occur on at least 20 sites.

    .venv/bin/python -m scripts.make.class_words

Uses all sets in ../shared/data, labelled or not, without their labels.
"""

from __future__ import annotations

import re
from collections import defaultdict

import bonmun
from scripts.labelled import ROOT, list_sets, read_rows

TARGET = ROOT / "src" / "bonmun" / "models" / "features" / "words.txt"
MIN_SITES = 20  # that a word must occur on
WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")
ATTRIBUTES = ("class", "id", "role", "itemprop")


def find_words(html: str) -> set[str]:
    """Return the words of a page's names with at least three letters, and "ad"."""
    try:
        page = bonmun.Page.parse(html)
    except bonmun.BonmunError:
        return set()
    said = " ".join(value or "" for name in ATTRIBUTES for value in page.attrs(range(len(page.tags)), name))
    return {word.lower() for word in WORD.findall(said) if 2 < len(word) < 20 or word.lower() == "ad"}


def main() -> None:
    """Count the sites of each word, and write the file."""
    sites: defaultdict[str, set[str]] = defaultdict(set)
    for name in list_sets():
        for row in read_rows(name, covered=0):
            for word in find_words(row["html"]):
                sites[word].add(row.get("site") or row["id"])
    words = sorted(word for word, found in sites.items() if len(found) >= MIN_SITES)
    TARGET.write_text("\n".join(words) + "\n", encoding="utf-8")
    print(f"{len(words):,} words: {TARGET}")


if __name__ == "__main__":
    main()
