"""Makes src/bonmun/text/grams.npz: on how many pages each 3-gram stands, over pages in many languages and scripts.

    .venv/bin/python -m scripts.make.count_grams

From the unlabelled sets in ../shared/data only, and from no site that is reported on (scripts/labelled.py). No language
has more than 100 pages and no site more than 20 a language; n-grams of one page only are left out.
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
PAGES_OF_A_LANGUAGE, PAGES_OF_A_SITE = 100, 20  # at most; of a site, in each language
SHORT_TEXT = 500  # characters: pages with less are left out
MIN_PAGES = 2  # that a 3-gram stands on


def read_texts() -> Iterator[str]:
    """The whole texts of the pages that count."""
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
            len(doc.text) < SHORT_TEXT
            or languages[doc.language] >= PAGES_OF_A_LANGUAGE
            or sites[site] >= PAGES_OF_A_SITE
        ):
            continue
        languages[doc.language] += 1
        sites[site] += 1
        yield doc.text
    print(*(f"{language}: {pages}" for language, pages in languages.most_common()), sep=", ")


def _restore_bytes(html: str) -> str | bytes:
    """The page as it was sent, where the set has taken each byte of EUC-KR, UTF-8 or the like for a Latin letter."""
    try:
        return html.encode("latin-1")
    except UnicodeEncodeError:
        return html


def main() -> None:
    """Count, save, say how much."""
    corpus = CorpusGrams.count(read_texts(), MIN_PAGES)
    TARGET.parent.mkdir(exist_ok=True)
    corpus.save(TARGET)
    print(f"{corpus.pages} pages, {len(corpus.keys):,} 3-grams, {TARGET.stat().st_size:,} bytes in {TARGET.name}")


if __name__ == "__main__":
    main()
