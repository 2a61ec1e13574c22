"""Measure the effect of a site model on `auto`: word F1 on labelled sites, and articles of a crawl that lose text.

    .venv/bin/python -m scripts.figures.site_losses

Uses sites with at least five pages, with site models of all their pages and of five. The crawl has no gold: counts the
pages that `auto` alone classifies as articles, with at least 500 characters, and lists those that lose much of their
text with the site model.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import groupby
from statistics import mean
from typing import TYPE_CHECKING, Any

import bonmun
from bonmun.text.words import compare_counts, count_words
from scripts.labelled import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

SETS = (
    "daniel-waddle wwwxmu-zh deb-docs newton-news metahtml-content fundus-all harvest-forum dragnet wcxb-dev"
).split()
CRAWL = "crawl-sample"
MIN_PAGES = 5  # of a site
ARTICLE = 500  # characters
FEW_PAGES = 5  # of the smaller model
MUCH_SHARE, HALF_SHARE = 0.2, 0.5  # of the text of an article


def read_sites(name: str, least: int) -> Iterator[tuple[str, list[tuple[bonmun.Page, dict[str, Any]]]]]:
    """Return the sites of a set that have enough pages, with their pages."""
    rows = sorted((row for row in read_rows(name) if row.get("site")), key=lambda row: str(row["site"]))
    for site, some in groupby(rows, key=lambda row: str(row["site"])):
        pages = [(bonmun.Page.parse(row["html"], row.get("url")), row) for row in some]
        if len(pages) >= least:
            yield site, pages


def score_set(name: str) -> list[list[float]]:
    """Return the word F1 of each page: alone, with a model of all pages, and with a model of few."""
    scores = []
    for site, pages in read_sites(name, MIN_PAGES):
        some = random.Random(FEW_PAGES).sample(pages, FEW_PAGES)
        models = [bonmun.SiteModel.fit((page for page, _ in each), site=site) for each in (pages, some)]
        for page, row in pages:
            texts = [bonmun.extract(page, options=bonmun.Options(site_model=model)).text for model in (None, *models)]
            scores.append([compare_counts(count_words(text), count_words(row["text"])).f1 for text in texts])
    return scores


def count_crawl() -> tuple[Counter[str], list[str]]:
    """Return the number of articles of the crawl, of those that lose text, and their names."""
    found: Counter[str] = Counter()
    named = []
    for site, pages in read_sites(CRAWL, 1):
        model = bonmun.SiteModel.fit((page for page, _ in pages), site=site)
        for page, _ in pages:
            alone, with_model = bonmun.extract(page), bonmun.extract(page, options=bonmun.Options(site_model=model))
            if alone.kind != "article" or len(alone.text) < ARTICLE:
                continue
            before, after = count_words(alone.text), count_words(with_model.text)
            share = (before - after).total() / before.total()
            found.update(
                {"articles": 1, "lose over a fifth": int(share > MUCH_SHARE), "lose over half": int(share > HALF_SHARE)}
            )
            if share > MUCH_SHARE:
                named.append(f"{share:.0%} of {before.total()} words: {page.url}")
    return found, named


def main() -> None:
    """Print both tables."""
    print("| set | pages | alone | with a model | with a model of 5 pages |", "|---|---|---|---|---|", sep="\n")
    for name in SETS:
        scores = score_set(name)
        if scores:
            cells = [f"{mean(column):.4f}" for column in zip(*scores, strict=True)]
            print(f"| {name} | {len(scores)} | {' | '.join(cells)} |", flush=True)
    found, named = count_crawl()
    print()
    print(f"{CRAWL}:", ", ".join(f"{count} {what}" for what, count in found.items()))
    print(*named, sep="\n")


if __name__ == "__main__":
    main()
