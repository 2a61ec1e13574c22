"""Fits the weights that titles, authors and dates are ranked by: src/bonmun/metadata/weights.npz.

    .venv/bin/python examples/fit_metadata.py FOLDS

FOLDS holds fold-0.npz to fold-4.npz (`bonmun train … --fold N`), so that where the main text starts, and what kind of
page it is, are guesses on unseen sites here, too. For each field, candidates of a page compete with each other and with
"none": a network with one hidden layer, trained on all sets with that fact. What it prints is cross-validated by site.
Titles come first, since a headline's place is a sign for authors and dates. Needs torch.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from datetime import date
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from labelled import DATA
from torch.nn import functional

import bonmun
from bonmun.evaluate.datasets import read_dataset
from bonmun.evaluate.folds import FOLDS, fold_of, site_of
from bonmun.evaluate.metrics import Author, day
from bonmun.metadata import first_row, kinds_of
from bonmun.metadata.authors import author_candidates
from bonmun.metadata.dates import date_candidates
from bonmun.metadata.declared import declared_by
from bonmun.metadata.ranking import Candidate, Ranker, table_of
from bonmun.metadata.titles import plain, site_names, title_candidates, title_row
from bonmun.methods.auto import Auto
from bonmun.model.network import load_network
from bonmun.npz import save_arrays
from bonmun.words import same_title

if TYPE_CHECKING:
    from bonmun.evaluate.forms import Example

# Pages of other sets have such facts, too, but where a fact is missing from their gold, the page may still have it; and
# some golds of titles have the site's name in them.
COMPLETE = ("wcxb-dev", "hand-ml")
NO_TITLES = ("readability", "metahtml-content")
SETS = ("wcxb-dev", "fundus-all", "newton-news", "hand-ml", "omnivore-tests", "readability", "metahtml-content")
TARGET = Path(__file__).parent.parent / "src" / "bonmun" / "metadata" / "weights.npz"
HIDDEN, EPOCHS, RATE, DECAY, DROP = 16, 40, 1e-2, 1e-2, 0.1
LAST = date(2026, 12, 31)
# How much less "none" counts than it is likely: a wrong author or date on a page without is worth this to find more.
READY = {"title": 30.0, "author": 0.9, "date": 1.05}
METHODS: list[Auto] = []


class Row(NamedTuple):
    """A page: what may be the fact, and which of it is right."""

    source: str
    lang: str | None
    fold: int
    gold: bool
    candidates: list[Candidate]
    right: list[bool]


def load(folder: Path) -> None:
    """The networks, in each process."""
    METHODS.extend(Auto(model=load_network(folder / f"fold-{fold}.npz")) for fold in range(FOLDS))


def rows_of(job: tuple[str, Example, Ranker | None]) -> list[dict[str, Row]]:
    """The candidates of a page: with its main text known, and without; for author and date once titles are ranked."""
    source, example, titles = job
    page = bonmun.Page.parse(example.html, example.url)
    labels = METHODS[fold_of(site_of(example))].label(page)
    return [found_on(page, each, source, example, titles) for each in (labels, None)]


def found_on(
    page: bonmun.Page, labels: bonmun.Labels | None, source: str, example: Example, titles: Ranker | None
) -> dict[str, Row]:
    """The candidates of a page."""
    fold = fold_of(site_of(example))
    declared = declared_by(page)
    kinds, first = kinds_of(declared, labels), first_row(page, labels)
    sites = {plain(name) for name in site_names(declared)} - {""}
    found = title_candidates(page, declared, first, kinds, sites)
    right = [same_title(each.value, example.title) for each in found]
    if titles is None:
        return {"title": Row(source, example.lang, fold, bool(example.title), found, right)}
    best = found[int(titles.scores(table_of(found, titles.signs)).argmax())].value if found else None
    row = title_row(page, best)
    authors = author_candidates(page, declared, first, row, kinds, sites)
    gold = example.author or ""
    wrote = [bool(gold) and Author()(each.value, gold)["exact"] > 0 for each in authors]
    days = date_candidates(page, declared, first, row, kinds, LAST)
    when = day(example.date)
    return {
        "author": Row(source, example.lang, fold, bool(gold), authors, wrote),
        "date": Row(source, example.lang, fold, bool(when), days, [each.value == when for each in days]),
    }


def fitted(rows: list[Row], signs: dict[str, int], none: bool) -> Ranker:
    """Train on pages where a candidate is right, or none is to be given."""
    torch.manual_seed(0)
    rows = [row for row in rows if any(row.right) or (none and not row.gold and row.source in COMPLETE)]
    longest = max(len(row.candidates) for row in rows)
    table = torch.zeros(len(rows), longest + 1, len(signs))
    mask, right = torch.zeros(len(rows), longest + 1), torch.zeros(len(rows), longest + 1)
    for number, row in enumerate(rows):
        count = len(row.candidates)
        table[number, :count] = torch.from_numpy(table_of(row.candidates, signs))
        mask[number, :count] = 1
        right[number, :count] = torch.tensor([float(each) for each in row.right])
        mask[number, -1], right[number, -1] = float(none), float(not row.gold)
    net = torch.nn.Sequential(
        torch.nn.Linear(len(signs), HIDDEN), torch.nn.Tanh(), torch.nn.Linear(HIDDEN, 1, bias=False)
    )
    nothing = torch.nn.Parameter(torch.zeros(1))
    weights = [*net.parameters(), nothing]
    optimiser = torch.optim.AdamW(weights, lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(rows) // 64)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, steps)
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(rows)).split(64):
            scores = net(functional.dropout(table[batch], DROP))[:, :, 0]
            scores = torch.cat([scores[:, :-1], nothing.expand(len(batch), 1)], 1).masked_fill(mask[batch] == 0, -1e9)
            chances = torch.log_softmax(scores, 1).masked_fill(right[batch] == 0, -1e9)
            loss = -torch.logsumexp(chances, 1).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    first, bias, second = (value.detach().numpy() for value in net.parameters())
    return Ranker(signs, first.T.copy(), bias, second[0], nothing.item() if none else -1e9)


def titled(row: Row) -> bool:
    """Whether a page's title can be learnt from."""
    return row.gold and row.source not in NO_TITLES


def measure(field: str, rows: list[Row], bare: list[Row], signs: dict[str, int]) -> None:
    """Cross-validate, and print how often the fact is right, and how often one is given where there is none."""
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for fold in range(FOLDS):
        model = fitted([row for row in rows + bare if row.fold != fold], signs, field != "title")
        for row in rows:
            if row.fold == fold:
                scores = model.scores(table_of(row.candidates, signs)) if row.candidates else np.zeros(0)
                given = len(scores) > 0 and float(scores.max()) > model.none - READY[field]
                right = given and row.right[int(scores.argmax())]
                for name in (row.source, f"{row.source} {row.lang}"):
                    found[name if row.gold else f"{name}, without"].append(right if row.gold else given)
    for name, values in found.items():
        if len(values) >= 15:
            print(f"{field:7} {name:28}{len(values):6}{np.mean(values):8.3f}")


def main() -> None:
    """Fit all three."""
    examples = [(name, example) for name in SETS for example in read_dataset(DATA / f"{name}.jsonl.xz")]
    arrays: dict[str, Any] = {}
    titles: Ranker | None = None
    for fields in (("title",), ("author", "date")):
        with Pool(initializer=load, initargs=(Path(sys.argv[1]),)) as pool:
            pages = pool.map(rows_of, [(name, example, titles) for name, example in examples], chunksize=16)
        for field in fields:
            used, bare = (
                [page[way][field] for page in pages if field != "title" or titled(page[way][field])] for way in (0, 1)
            )
            signs = sorted({sign for row in used + bare for each in row.candidates for sign in each.signs})
            columns = {sign: column for column, sign in enumerate(signs)}
            measure(field, used, bare, columns)
            model = fitted(used + bare, columns, field != "title")
            titles = model if field == "title" else titles
            arrays[f"{field}.signs"] = np.frombuffer("\n".join(signs).encode(), np.uint8)
            arrays[f"{field}.first"], arrays[f"{field}.bias"] = model.first.astype(np.float16), model.first_bias
            arrays[f"{field}.second"] = model.second
            arrays[f"{field}.none"] = np.float32(model.none - READY[field])
    save_arrays(TARGET, arrays)


if __name__ == "__main__":
    main()
