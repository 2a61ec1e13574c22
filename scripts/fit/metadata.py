"""Fits the weights that titles, authors and dates are ranked by: src/bonmun/metadata/weights.npz.

    .venv/bin/python -m scripts.fit.metadata FOLDS

FOLDS holds fold-0.npz to fold-4.npz (`bonmun train … --fold N`), so that where the main text starts, and what kind of
page it is, are guesses on unseen sites here, too. For each field, candidates of a page compete with each other and with
"none": the mean of four networks with one hidden layer, trained on all sets with that fact. What it prints is
cross-validated by site; the weights of each fold go into FOLDS as facts-0.npz to facts-4.npz, for `bonmun bench
--folds`. Titles come first, since a headline's place is a sign for authors and dates. Needs torch.
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
from torch.nn import functional

import bonmun
from bonmun.evaluate.fact_metrics import Author, day
from bonmun.gold.datasets import read_dataset
from bonmun.gold.folds import FOLDS, fold_of, site_of
from bonmun.metadata.authors import author_candidates
from bonmun.metadata.dates import date_candidates
from bonmun.metadata.ranking import Candidate, Ranker, Rankers, table_of
from bonmun.metadata.reading import reading_of
from bonmun.metadata.titles import headline_of, title_candidates
from bonmun.methods.auto import Auto
from bonmun.models.network import load_network
from bonmun.text.words import same_title
from bonmun.work.array_files import save_arrays
from scripts.labelled import DATA

if TYPE_CHECKING:
    from bonmun.gold.examples import Example

# Pages of other sets have such facts, too, but where a fact is missing from their gold, the page may still have it; and
# some golds of titles have the site's name in them.
COMPLETE = ("wcxb-dev", "hand-ml")
NO_TITLES = ("readability", "metahtml-content")
SETS = ("wcxb-dev", "fundus-all", "newton-news", "hand-ml", "omnivore-tests", "readability", "metahtml-content")
TARGET = Path(__file__).parents[2] / "src" / "bonmun" / "metadata" / "weights.npz"
NETS, HIDDEN, EPOCHS, BATCH, RATE, DECAY, DROP = 4, 8, 25, 64, 1e-2, 1e-2, 0.2
LAST = date(2026, 12, 31)
# How much less "none" counts than it is likely: a wrong author or date on a page without is worth this to find more.
READY = {"title": 30.0, "author": 0.9, "date": 1.25}
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


def rows_of(job: tuple[str, Example, list[Ranker]]) -> list[dict[str, Row]]:
    """The candidates of a page: with its main text known, and without; for author and date once titles are ranked."""
    source, example, titles = job
    page = bonmun.Page.parse(example.html, example.url)
    labels = METHODS[fold_of(site_of(example))].label(page)
    return [found_on(page, each, source, example, titles) for each in (labels, None)]


def found_on(
    page: bonmun.Page, labels: bonmun.Labels | None, source: str, example: Example, titles: list[Ranker]
) -> dict[str, Row]:
    """The candidates of a page; the headline is that of the weights that have not seen its site."""
    fold = fold_of(site_of(example))
    reading = reading_of(page, labels)
    found = title_candidates(reading)
    if not titles:
        right = [same_title(each.value, example.title) for each in found]
        return {"title": Row(source, example.lang, fold, bool(example.title), found, right)}
    best = titles[fold].best(found)
    reading.headline = headline_of(reading, best.value if best else None)
    authors, gold = author_candidates(reading), example.author or ""
    wrote = [bool(gold) and Author()(each.value, gold)["exact"] > 0 for each in authors]
    days, when = date_candidates(reading, LAST), day(example.date)
    return {
        "author": Row(source, example.lang, fold, bool(gold), authors, wrote),
        "date": Row(source, example.lang, fold, bool(when), days, [each.value == when for each in days]),
    }


def fitted(field: str, rows: list[Row], signs: dict[str, int]) -> Ranker:
    """Train on pages where a candidate is right, or none is to be given."""
    torch.manual_seed(0)
    none = field != "title"
    rows = [row for row in rows if any(row.right) or (none and not row.gold and row.source in COMPLETE)]
    tables = [torch.from_numpy(table_of(row.candidates, signs)) for row in rows]
    rights = [torch.tensor([float(not row.gold), *map(float, row.right)]) for row in rows]  # the first is "none"
    first = (torch.randn(NETS, len(signs), HIDDEN) / len(signs) ** 0.5).requires_grad_()
    bias = torch.zeros(NETS, 1, HIDDEN, requires_grad=True)
    second = (torch.randn(NETS, HIDDEN, 1) / HIDDEN**0.5).requires_grad_()
    nothing = torch.full((NETS, 1), 0.0 if none else -1e9, requires_grad=none)
    optimiser = torch.optim.AdamW([first, bias, second, nothing], lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, EPOCHS * -(-len(rows) // BATCH))
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(rows)).split(BATCH):
            table = torch.cat([tables[row] for row in batch]).expand(NETS, -1, -1)
            hidden = torch.tanh(functional.dropout(table, DROP) @ first + bias)
            parts = (hidden @ second)[:, :, 0].split([len(tables[row]) for row in batch], 1)
            losses = []
            for row, part in zip(batch, parts, strict=True):
                chances = torch.log_softmax(torch.cat([nothing, part], 1), 1)
                losses.append(-torch.logsumexp(chances[:, rights[row] > 0], 1).sum())
            optimiser.zero_grad()
            torch.stack(losses).mean().backward()
            optimiser.step()
            schedule.step()
    with torch.no_grad():  # side by side, they are one network that says their mean
        wide = first.permute(1, 0, 2).reshape(len(signs), -1)
        weights = [each.numpy().copy() for each in (wide, bias.flatten(), second.flatten() / NETS)]
    return Ranker(signs, weights[0], weights[1], weights[2], nothing.mean().item() - READY[field])


def measure(field: str, rows: list[Row], folds: list[Ranker]) -> None:
    """Print how often the fact is right on unseen sites, and how often one is given where there is none."""
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for row in rows:
        scores = folds[row.fold].scores(row.candidates) if row.candidates else np.zeros(0)
        given = len(scores) > 0 and float(scores.max()) >= folds[row.fold].none
        right = given and row.right[int(scores.argmax())]
        for name in (row.source, f"{row.source} {row.lang}"):
            found[name if row.gold else f"{name}, without"].append(right if row.gold else given)
    for name, values in found.items():
        if len(values) >= 15:
            print(f"{field:7} {name:28}{len(values):6}{np.mean(values):8.3f}", flush=True)


def save(path: Path, rankers: Rankers) -> None:
    """Write the weights for all fields."""
    arrays: dict[str, Any] = {}
    for field, ranker in rankers._asdict().items():
        arrays[f"{field}.signs"] = np.frombuffer("\n".join(ranker.signs).encode(), np.uint8)
        arrays[f"{field}.first"] = ranker.first.astype(np.float16)
        arrays[f"{field}.bias"], arrays[f"{field}.second"] = ranker.first_bias, ranker.second
        arrays[f"{field}.none"] = np.float32(ranker.none)
    save_arrays(path, arrays)


def main() -> None:
    """Fit all three, for each fold and for all pages."""
    folder = Path(sys.argv[1])
    examples = [(name, example) for name in SETS for example in read_dataset(DATA / f"{name}.jsonl.xz")]
    made: dict[str, list[Ranker]] = {"title": []}
    for fields in (("title",), ("author", "date")):
        with Pool(initializer=load, initargs=(folder,)) as pool:
            pages = pool.map(rows_of, [(*each, made["title"]) for each in examples], chunksize=16)
        for field in fields:
            wanted = [page for page in pages if field != "title" or _titled(page[0][field])]
            used, bare = ([page[way][field] for page in wanted] for way in (0, 1))
            names = sorted({sign for row in used + bare for each in row.candidates for sign in each.signs})
            signs = {name: column for column, name in enumerate(names)}
            with Pool(initializer=torch.set_num_threads, initargs=(1,)) as pool:
                parts = [[row for row in used + bare if row.fold != fold] for fold in range(FOLDS + 1)]
                made[field] = pool.starmap(fitted, [(field, part, signs) for part in parts], chunksize=1)
            measure(field, used, made[field])
    for fold in range(FOLDS + 1):
        target = TARGET if fold == FOLDS else folder / f"facts-{fold}.npz"
        save(target, Rankers(*(made[field][fold] for field in Rankers._fields)))


def _titled(row: Row) -> bool:
    """Whether a page's title can be learnt from."""
    return row.gold and row.source not in NO_TITLES


if __name__ == "__main__":
    main()
