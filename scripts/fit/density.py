"""Fit the thresholds of the method `density` on the fitting sets (labelled.py).

    .venv/bin/python -m scripts.fit.density

Starting from Kohlschütter's thresholds and from zero, each threshold in turn is moved to the value with the highest
word F1 (mean over pages, then over sets), until none changes. A leaf is content if its text is in the gold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import bonmun
from bonmun.algorithms.density import Densities, Thresholds, decide, measure_densities
from bonmun.text.words import count_words
from scripts.labelled import FITTED, read_fitted

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEPS = (-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 30.0, 50.0, 1000.0)
PUBLISHED = Thresholds(9.0, 10.0, 4.0, 11.0)
MIN_LEAVES = 20  # of a page; fewer are too few for a correlation


@dataclass
class MeasuredPage:
    """The densities of a page's leaves, their words, and the number of those words in the gold."""

    source: str
    rows: list[Densities]
    words: NDArray[np.int64]
    right: NDArray[np.int64]
    gold: int

    def score(self, limits: Thresholds) -> float:
        """Return the word F1 of the kept leaves."""
        kept = np.array(decide(self.rows, limits), bool)
        return float(2 * min(self.right[kept].sum(), self.gold) / max(1, self.words[kept].sum() + self.gold))


def measure_pages(name: str) -> list[MeasuredPage]:
    """Yield the pages of a set."""
    made = []
    for row in read_fitted(name):
        try:
            page = bonmun.Page.parse(row["html"])
        except bonmun.BonmunError:
            continue
        leaves = measure_densities(page)
        gold = " ".join(row["text"].split())
        words = np.array([count_words(page.texts[each.leaf]).total() for each in leaves], np.int64)
        inside = np.array([page.texts[each.leaf] in gold for each in leaves], np.int64)
        made.append(MeasuredPage(name, leaves, words, words * inside, count_words(gold).total()))
    return made


def score_pages(pages: list[MeasuredPage], limits: Thresholds) -> float:
    """Return the word F1 of a rule: the mean over sets of the mean over pages."""
    values: dict[str, list[float]] = {}
    for page in pages:
        values.setdefault(page.source, []).append(page.score(limits))
    return float(np.mean([np.mean(each) for each in values.values()]))


def main() -> None:
    """Print the thresholds and their word F1."""
    pages = [page for name in FITTED for page in measure_pages(name)]
    print(f"{len(pages)} pages; Kohlschütter's thresholds: {score_pages(pages, PUBLISHED):.4f}")
    shares = [np.corrcoef(_list_densities(page), _list_shares(page))[0, 1] for page in pages if _is_varied(page)]
    print(f"correlation of D_word with being content, mean over pages: {np.mean(shares):.3f}")
    for start in (PUBLISHED, Thresholds(0.0, 0.0, 0.0, 0.0)):
        limits, best = start, score_pages(pages, start)
        while True:
            before = best
            for field in limits._fields:
                for value in STEPS:
                    tried = limits._replace(**{field: value})
                    if (reached := score_pages(pages, tried)) > best:
                        limits, best = tried, reached
            if best == before:
                break
        print(f"from {tuple(start)}: {limits}, {best:.4f}", flush=True)


def _list_densities(page: MeasuredPage) -> NDArray[np.float64]:
    return np.array([row.word_density for row in page.rows])


def _list_shares(page: MeasuredPage) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = page.right / page.words.clip(1)
    return shares


def _is_varied(page: MeasuredPage) -> bool:
    """Whether a correlation can be computed."""
    return len(page.rows) > MIN_LEAVES and bool(np.ptp(_list_densities(page))) and bool(np.ptp(_list_shares(page)))


if __name__ == "__main__":
    main()
