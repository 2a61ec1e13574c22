"""Measure fine-tuning: the ten sites with the lowest scores, with networks fine-tuned on a few of their pages.

    .venv/bin/python -m scripts.figures.teaching FOLDS [--workers 2]        # needs torch; an hour; can be resumed

FOLDS has fold-0.npz to fold-4.npz (`bonmun train DATA… --from nothing --folds FOLDS`); each site starts from the
network that has not seen it. Of the sites in ../shared/data with enough labelled pages, the ten with the lowest word F1
are used. Three times, networks are fine-tuned on randomly chosen pages, and measured on pages that were never used for
training, the same for every number of training pages. The ceiling is the best possible choice of leaves. Results are
cached in out/teaching.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

import numpy as np

from bonmun import Page, SiteModel, extract
from bonmun.algorithms.auto import Auto
from bonmun.lab.gold.alignment import align
from bonmun.lab.gold.examples import Example
from bonmun.lab.gold.folds import find_fold, model_path
from bonmun.lab.train.config import choose_config
from bonmun.lab.train.finetune_network import finetune_weights, prepare_finetuning
from bonmun.lab.train.labeller import restore_labeller
from bonmun.lab.train.samples.samples import make_sample
from bonmun.models.network.labeller import Network, Weights, load_weights
from bonmun.text.words import compare_counts, count_words
from bonmun.work.files import write_text
from scripts.labelled import ROOT, UNLABELLED, list_sets, read_rows

CACHE = ROOT / "out" / "teaching"
WEAK = (*UNLABELLED, "silver")  # sets that are not used
DRAWS = 3
LOWEST = 10  # sites per table
UNLABELLED_PAGES = 20  # of a site model
ELSEWHERE_PAGES = 40  # of other sites of the same fold


class Kind(NamedTuple):
    """A table: the page counts of its sites, and the numbers of training pages."""

    name: str
    least: int
    most: int
    learnt: tuple[int, ...]
    unlabelled: int


MANY = Kind("many", 34, 10_000, (10, 20, 30), UNLABELLED_PAGES)
FEW = Kind("few", 12, 33, (5, 10), 10)
SITES: dict[str, list[Example]] = {}
FOLDS = Path()


def main() -> None:
    """Measure what is not cached, and print both tables."""
    global FOLDS
    parser = argparse.ArgumentParser()
    parser.add_argument("folds", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--draws", type=int, default=DRAWS, help="number of random choices of training pages")
    arguments = parser.parse_args()
    FOLDS = arguments.folds
    CACHE.mkdir(parents=True, exist_ok=True)
    SITES.update(read_sites())
    with ProcessPoolExecutor(arguments.workers, get_context("fork")) as pool:  # whose processes may have children
        for kind in (MANY, FEW):
            names = [name for name, pages in SITES.items() if kind.least <= len(pages) <= kind.most]
            rated = dict(zip(names, pool.map(rate_site, names), strict=True))
            lowest = sorted(names, key=lambda name: mean(each[0] for each in rated[name]))[:LOWEST]
            jobs = [(name, draw, kind) for draw, name in product(range(arguments.draws), lowest)]
            done = pool.map(measure_draw, jobs)
            found = {(name, draw): each for (name, draw, _), each in zip(jobs, done, strict=True)}
            print_table(kind, len(names), lowest, found, arguments.draws)


def read_sites() -> dict[str, list[Example]]:
    """Return all labelled pages whose gold is on the page, by site."""
    sites: dict[str, list[Example]] = defaultdict(list)
    for name in list_sets():
        for row in read_rows(name) if name not in WEAK else ():
            if row.get("text") and row.get("site"):
                fields: dict[str, Any] = {key: row.get(key) for key in ("url", "lang", "kind", "site", "comments")}
                sites[row["site"]].append(Example(f"{name}/{row['id']}", row["html"], row["text"], **fields))
    return sites


def keep_result(name: str, make: Any) -> Any:
    """Return a cached result, or measure and cache it."""
    path = CACHE / f"{re.sub(r'[^a-z0-9.]+', '-', name.lower())}.json"
    if not path.is_file():
        value = make()
        write_text(path, json.dumps(value))
    return json.loads(path.read_bytes())


@cache
def load_fold(fold: int) -> Weights:
    """Return the network that has not seen a fold."""
    return load_weights(model_path(FOLDS, fold))


def rate(example: Example, method: Auto) -> float:
    """Return the word F1 of a page."""
    doc = extract(example.html, example.url, method)
    return compare_counts(count_words(doc.text), count_words(example.text or "")).f1


def rate_site(site: str) -> list[tuple[float, float]]:
    """Return the word F1 of each page of a site, by a network that has not seen it and by the best choice of leaves."""
    method = Auto(model=Network(load_fold(find_fold(site))))

    def measure() -> list[tuple[float, float]]:
        pages = SITES[site]
        return [
            (rate(page, method), align(Page.parse(page.html, page.url), page.text or "").words.f1) for page in pages
        ]

    found: list[tuple[float, float]] = keep_result(f"site {site}", measure)
    return found


def measure_draw(job: tuple[str, int, Kind]) -> dict[str, float]:
    """Fine-tune on randomly chosen pages of a site; return the word F1 on the others, by training pages."""
    import torch

    site, draw, kind = job
    torch.set_num_threads(1)
    pages, start = SITES[site], load_fold(find_fold(site))
    order = np.random.default_rng([draw, 7]).permutation(len(pages)).tolist()
    tested = [pages[row] for row in order[max(kind.learnt) :]]
    rated = rate_site(site)

    def measure(learnt: int) -> dict[str, float]:
        taught = train_on([pages[row] for row in order[:learnt]], start)
        found = {"f1": mean(rate(page, Auto(model=Network(taught))) for page in tested)}
        if draw == 0 and learnt == max(kind.learnt):
            others = choose_others(find_fold(site))
            for name, weights in (("elsewhere before", start), ("elsewhere", taught)):
                found[name] = mean(rate(page, Auto(model=Network(weights))) for page in others)
        return found

    def measure_unlabelled() -> dict[str, float]:
        some = [Page.parse(pages[row].html, pages[row].url) for row in order[: kind.unlabelled]]
        method = Auto(model=Network(start), site_model=SiteModel.fit(some, site="site"))
        return {"f1": mean(rate(page, method) for page in tested)}

    found = {"0": mean(rated[row][0] for row in order[max(kind.learnt) :])}
    found["ceiling"] = mean(rated[row][1] for row in order[max(kind.learnt) :])
    found["unlabelled"] = keep_result(f"unlabelled {site} {draw}", measure_unlabelled)["f1"]
    for learnt in kind.learnt:
        value = keep_result(f"taught {site} {draw} {learnt}", lambda learnt=learnt: measure(learnt))
        found[str(learnt)] = value.pop("f1")
        found |= value
    return found


def train_on(examples: list[Example], start: Weights) -> Weights:
    """Fine-tune a network on some pages, as `bonmun train` does."""
    made = [make_sample(example, "taught") for example in examples]
    samples = [sample for sample in made if sample and sample.trusted]
    net = restore_labeller(start)
    config = choose_config(net.config, len(samples), seed=1, teachers=0, pages=None)
    prepared, config = prepare_finetuning(samples, config, start, device="cpu", workers=1)
    return finetune_weights(prepared, config, start, net, frozenset(), lambda _: None)


@cache
def choose_others(fold: int) -> list[Example]:
    """Return pages of other sites of a fold, one per site, evenly spread."""
    names = sorted(name for name, pages in SITES.items() if find_fold(name) == fold and len(pages) < FEW.least)
    step = max(len(names) // ELSEWHERE_PAGES, 1)
    return [SITES[name][0] for name in names[::step]][:ELSEWHERE_PAGES]


def print_table(
    kind: Kind, count: int, lowest: list[str], found: dict[tuple[str, int], dict[str, float]], draws: int
) -> None:
    """Print one row per site, and the mean."""
    learnt = [str(number) for number in kind.learnt]
    names = ["0", *learnt, "unlabelled", "ceiling"]
    print(f"\nThe ten lowest of {count} sites with {kind.least} labelled pages or more; {draws} draws.\n")
    heads = ["site", "pages", "0", *learnt, f"{kind.unlabelled} unlabelled", "ceiling"]
    print(f"| {' | '.join([*heads, f'closed by {learnt[-1]}', f'by {kind.unlabelled} unlabelled'])} |")
    print(f"|---|{'---:|' * (len(heads) + 1)}")
    rows = [[mean(found[site, draw][name] for draw in range(draws)) for name in names] for site in lowest]
    rows.append([mean(column) for column in zip(*rows, strict=True)])
    for site, row in zip([*lowest, "**mean**"], rows, strict=True):
        size = len(SITES[site]) if site in SITES else ""
        gap = row[-1] - row[0]
        shares = [f"{(value - row[0]) / gap:.0%}" if gap > 0 else "–" for value in (row[-3], row[-2])]
        print(f"| {site} | {size} | {' | '.join(f'{value:.3f}' for value in row)} | {' | '.join(shares)} |")
    pairs = [found[site, 0] for site in lowest]
    before, after = (mean(pair[name] for pair in pairs) for name in ("elsewhere before", "elsewhere"))
    print(f"\nOn {ELSEWHERE_PAGES} pages of other sites, if asked about them: {before:.3f} before, {after:.3f} after.")


if __name__ == "__main__":
    main()
