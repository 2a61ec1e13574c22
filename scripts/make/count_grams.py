"""Write src/bonmun/text/grams.npz: the number of pages with each 3-gram, over many languages and scripts.

    .venv/bin/python -m scripts.make.count_grams

Uses only the unlabelled sets in ../shared/data, without sites of reported sets (scripts/labelled.py). At most 100 pages
of a language count, and at most 20 of a site in each language. 3-grams that occur on only one page are left out.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import bonmun
from bonmun.text.grams import CorpusGrams
from scripts.labelled import ROOT, read_reported_sites, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

SETS = ("unlabelled-ml", "crawl-sample")
TARGET = ROOT / "src" / "bonmun" / "text" / "grams.npz"
MAX_LANGUAGE_PAGES, MAX_SITE_PAGES = 100, 20  # the latter in each language
MIN_TEXT_CHARACTERS = 500  # of a page
MIN_PAGES = 2  # that a 3-gram must occur on


def read_texts() -> Iterator[str]:
    """Yield the whole texts of the pages that count."""
    languages: Counter[str | None] = Counter()
    sites: Counter[tuple[str, str | None]] = Counter()
    for row in (row for name in SETS for row in read_rows(name)):
        if row["site"] in read_reported_sites():
            continue
        try:
            doc = bonmun.extract(_restore_bytes(row["html"]), method="all")
        except bonmun.BonmunError:
            continue
        site = (row["site"], doc.language)
        if (
            len(doc.text) < MIN_TEXT_CHARACTERS
            or languages[doc.language] >= MAX_LANGUAGE_PAGES
            or sites[site] >= MAX_SITE_PAGES
        ):
            continue
        languages[doc.language] += 1
        sites[site] += 1
        yield doc.text
    print(*(f"{language}: {pages}" for language, pages in languages.most_common()), sep=", ")


def _restore_bytes(html: str) -> str | bytes:
    """Return the original bytes of a page that the set has decoded as Latin-1 instead of EUC-KR, UTF-8 or the like."""
    try:
        return html.encode("latin-1")
    except UnicodeEncodeError:
        return html


def main() -> None:
    """Count the 3-grams, write the file, and print its size."""
    corpus = CorpusGrams.count(read_texts(), MIN_PAGES)
    TARGET.parent.mkdir(exist_ok=True)
    corpus.save(TARGET)
    print(f"{corpus.pages} pages, {len(corpus.keys):,} 3-grams, {TARGET.stat().st_size:,} bytes in {TARGET.name}")


if __name__ == "__main__":
    main()
