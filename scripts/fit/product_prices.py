"""Fit the weights that choose the price of a product among the amounts on its page.

    .venv/bin/python -m scripts.fit.product_prices [FOLDS]

The pages are those of ../shared/data: products-objects, whose prices people checked, once as they are and once without
markup; and the product pages of other sets whose markup declares one price, without their markup. Each shop counts
the same. Writes src/bonmun/objects/products/price_weights.json; with FOLDS, writes fold-0.json to fold-4.json to this
folder instead, each fitted without the shops of a fold, and prints how often they are right on these.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import bonmun
from bonmun.lab.gold.folds import FOLDS, find_fold
from bonmun.objects.products.choose_price import NONE, WEIGHTS, choose_price, list_candidates
from bonmun.objects.products.markup import find_marked_products, read_prices
from bonmun.objects.products.view import ProductView
from bonmun.objects.reading import ObjectReading
from scripts.figures.objects import read_rows, remove_markup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.objects.products.choose_price import DeclaredPrice, PriceCandidate

OTHER_SETS = ("wcxb-dev", "hand-shops", "hand-hard", "unlabelled-wide", "hand-wide")
MAX_PER_SITE = 2  # pages of other sets
DECAY, STEPS, RATE = 0.3, 300, 0.1  # of Adam
# Where the weights of rare features start, and what they are drawn to.
PRIOR = {
    "struck": -2.0,
    "old label": -2.0,
    "was": -2.0,
    "rate": -1.5,
    "signed": -1.5,
    "zero": -3.0,
    "other label": -1.0,
    "near old": -1.0,
    "near other": -1.0,
    "alone": 0.5,
    "near price": 1.0,
    "near current": 0.5,
    "declared": 3.0,
    "not declared": -1.0,
    "script": 1.0,
    "first": 2.0,
}


class Sample(NamedTuple):
    """A page with its price."""

    source: str
    site: str
    url: str
    candidates: list[PriceCandidate]
    amounts: list[float]  # right answers; none if the page has no price


def make_sample(source: str, row: dict[str, Any], amounts: list[float], *, is_marked: bool) -> Sample:
    """Return the candidates of a page."""
    html = row["html"] if is_marked else remove_markup(row["html"])
    view, prices = read_view(html, row.get("url"))
    return Sample(source, row["site"], row.get("url") or "", list_candidates(view, prices), amounts)


def read_view(html: str, url: str | None) -> tuple[ProductView, list[DeclaredPrice]]:
    """Return what prices are found from."""
    doc = bonmun.extract(html, url)
    reading = ObjectReading(doc.page, doc._declared, doc.metadata, doc.blocks, doc.kind)
    view = ProductView(doc.page, doc.metadata.title, reading.declared.meta("og:locale"), doc.metadata.language)
    return view, read_prices(find_marked_products(reading, view.title), reading.declared)


def read_samples() -> Iterator[Sample]:
    """Yield the pages of all sets."""
    for row in read_rows("products-objects"):
        amounts = [float(each) for each in row["product"].get("price", [])]
        yield make_sample("marked", row, amounts, is_marked=True)
        yield make_sample("unmarked", row, amounts, is_marked=False)
    counts: Counter[str] = Counter()
    for name in OTHER_SETS:
        for row in read_rows(name):
            html, site = row["html"], row.get("site") or (row.get("url") or "//").split("/")[2]
            if "rice" not in html or ('"Product' not in html and "schema.org/Product" not in html):
                continue
            _, prices = read_view(html, row.get("url"))
            amounts = list({float(each.amount) for each in prices} - {0.0})
            if len(amounts) == 1 and counts[site] < MAX_PER_SITE:
                sample = make_sample("other", row | {"site": site}, amounts, is_marked=False)
                if any(float(each.amount) in amounts for each in sample.candidates):
                    counts[site] += 1
                    yield sample


def make_table(sample: Sample, names: dict[str, int]) -> tuple[Any, Any]:
    """Return the features of each candidate and of "no price", and which of them are right."""
    table = np.zeros((len(sample.candidates) + 1, len(names)))
    for row, candidate in enumerate(sample.candidates):
        for feature in candidate.features:
            if feature in names:
                table[row, names[feature]] = 1
    table[-1, names[NONE]] = 1
    right = [float(each.amount) in sample.amounts for each in sample.candidates]
    return table, np.array([*right, not sample.amounts])


def fit(samples: Sequence[Sample]) -> dict[str, float]:
    """Return the weights of features: a softmax over the candidates of a page, any of the right ones."""
    names = {
        name: row
        for row, name in enumerate(sorted({f for s in samples for c in s.candidates for f in c.features} | {NONE}))
    }
    tables = [(make_table(sample, names), sample.site) for sample in samples]
    tables = [(table, site) for table, site in tables if table[1].any()]
    counts = Counter(site for _, site in tables)
    prior = np.array([PRIOR.get(name, 0.0) for name in names])
    weights, mean, square = prior.copy(), np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, STEPS + 1):
        gradient = DECAY * (weights - prior) / len(counts)
        for (table, right), site in tables:
            scores = table @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            wanted = chances * right
            gradient -= table.T @ (wanted / max(wanted.sum(), 1e-12) - chances) / counts[site] / len(counts)
        mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
        weights -= RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return {name: round(float(weights[row]), 3) for name, row in names.items()}


def main() -> None:
    """Fit the weights, once or in folds."""
    samples = list(read_samples())
    folder = Path(sys.argv[1]) if sys.argv[1:] else None
    if folder is None:
        WEIGHTS.write_text(json.dumps(fit(samples), indent=0) + "\n", "utf-8")
        return
    folder.mkdir(parents=True, exist_ok=True)
    results: dict[str, list[bool]] = defaultdict(list)
    for fold in range(FOLDS):
        weights = fit([sample for sample in samples if find_fold(sample.site) != fold])
        (folder / f"fold-{fold}.json").write_text(json.dumps(weights), "utf-8")
        for sample in samples:
            if find_fold(sample.site) == fold:
                chosen = choose_price(sample.candidates, weights)
                is_right = float(chosen.candidate.amount) in sample.amounts if chosen else not sample.amounts
                results[sample.source].append(is_right)
                if not is_right:
                    print(sample.source, sample.url[:90], sample.amounts, chosen and chosen.candidate[:4])
    for source, rights in results.items():
        print(f"{source}: {sum(rights) / len(rights):.3f} of {len(rights)} pages")


if __name__ == "__main__":
    main()
