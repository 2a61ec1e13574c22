"""Fit the weights that rank titles, authors and dates: weights.npz and weights.json in src/bonmun/metadata.

    .venv/bin/python -m scripts.fit.metadata FOLDS

FOLDS has fold-0.npz to fold-4.npz (`bonmun train DATA… --from nothing --folds FOLDS`). The method is described in
lab/train/metadata_rankers.py. Prints, cross-validated by site, how often a value is right if the gold has one, and how
often a value is returned if the gold has none. Needs torch.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bonmun.lab.gold.examples import Example
from bonmun.lab.gold.folds import FOLDS, model_path
from bonmun.lab.train.metadata_rankers import COMPLETE, fit_rankers, read_examples
from bonmun.metadata.ranking import MAX_LOG_ODDS, pack_rankers, save_rankers
from scripts.labelled import ROOT, find_set, read_html, read_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.lab.train.metadata_rankers import FieldCandidates
    from bonmun.metadata.ranking import Ranker

SETS = (
    "wcxb-dev",
    "fundus-all",
    "newton-news",
    "hand-ml",
    "hand-hard",
    "hand-wide",
    "hand-shops",
    "omnivore-tests",
    "readability",
    "metahtml-content",
)
CHECKED = "accept-dev"  # pages with readers' checks instead of golds
TARGET = ROOT / "src" / "bonmun" / "metadata" / "weights.npz"
NEWTON_STEPS, MAX_STEP = 60, 0.3  # of a logistic regression with two weights
MIN_PAGES = 15  # of a set, or of a language in it


def print_shares(field: str, pages: Sequence[FieldCandidates], folds: Sequence[Ranker]) -> None:
    """Print how often a value is right on unseen sites, and how often one is returned although there is none."""
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for page in pages:
        ranker = folds[page.fold]
        scores = ranker.scores(page.candidates)
        given = bool(scores) and max(scores) >= ranker.none
        right = given and page.right[scores.index(max(scores))]
        for name in (page.source, f"{page.source} {page.lang}"):
            found[name if page.has_gold else f"{name}, without"].append(right if page.has_gold else given)
    for name, values in found.items():
        if len(values) >= MIN_PAGES:
            print(f"{field:7} {name:28}{len(values):6}{np.mean(values):8.3f}", flush=True)


def fit_log_odds(pages: Sequence[FieldCandidates], folds: Sequence[Ranker]) -> tuple[float, float]:
    """Return slope and offset of the log odds that a chosen value is right, given those of the ranker.

    They are `LOG_ODDS` of bonmun/metadata/ranking.py, where they are copied by hand.
    """
    given, right = [], []
    for page in pages:
        ranker = folds[page.fold]
        scores = np.array([*ranker.scores(page.candidates), ranker.none])
        best = int(scores[:-1].argmax()) if len(scores) > 1 else -1
        if best < 0 or scores[best] < ranker.none or not (page.has_gold or page.source in COMPLETE):
            continue
        rest = np.logaddexp.reduce(np.delete(scores, best))
        given.append(min(scores[best] - rest, MAX_LOG_ODDS))
        right.append(page.right[best])
    table, wanted, weights = np.stack([given, np.ones(len(given))], 1), np.array(right, float), np.zeros(2)
    for _ in range(NEWTON_STEPS):
        shares = 1 / (1 + np.exp(-table @ weights))
        hessian = (table * (shares * (1 - shares))[:, None]).T @ table
        weights += np.clip(np.linalg.solve(hessian, table.T @ (wanted - shares)), -MAX_STEP, MAX_STEP)
    return float(weights[0]), float(weights[1])


def read_checked() -> list[tuple[str, Example]]:
    """Return the pages with readers' checks as examples: title, authors and date are what the readers expect."""
    examples = []
    for row in read_rows(CHECKED):
        html = read_html(row) or ""
        checks = row["checks"]
        author, written = "; ".join(checks.get("authors") or ()), checks.get("date")
        example = Example(row["id"], html, None, row.get("url"), row.get("lang"), checks.get("title"), author, written)
        examples.append((CHECKED, example))
    return examples


def print_line(line: str) -> None:
    """Print a line of progress."""
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    """Fit the weights, measure them, and write the files."""
    models = [model_path(Path(sys.argv[1]), fold) for fold in range(FOLDS)]
    fitted = fit_rankers(
        read_examples(map(find_set, SETS)) + read_checked(),
        models,
        [*range(FOLDS), None],
        workers=os.cpu_count() or 1,
        log=print_line,
    )
    for field, pages in fitted.pages.items():
        folds = [getattr(fitted.rankers[fold], field) for fold in range(FOLDS)]
        print_shares(field, pages, folds)
        print("{} log odds: slope {:.2f}, offset {:.2f}".format(field, *fit_log_odds(pages, folds)), flush=True)
    save_rankers(fitted.rankers[None], TARGET)
    pack_rankers(fitted.rankers[None], TARGET.with_suffix(".json"))


if __name__ == "__main__":
    main()
