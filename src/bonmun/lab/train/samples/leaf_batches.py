"""Batches and ratings for training networks over leaves. Needs only numpy."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bonmun.lab.train.samples.leaf_sample_files import LeafSample

__all__ = ["Span", "cut_pages", "draw_batches", "is_measured", "rate"]

SITE_POWER = 0.6  # n pages of one site are drawn n ** (1 - SITE_POWER) times as often as one page
WEIGHTS = {"silver": 0.3}  # of sets with weak labels, which are never measured
POOL = 20  # batches drawn at a time


class Span(NamedTuple):
    """A piece of a page; long pages are cut."""

    page: int
    start: int
    stop: int


def is_measured(page: LeafSample) -> bool:
    """Return whether a page was labelled by people, so that answers may be compared with it."""
    return page.source not in WEIGHTS


def cut_pages(pages: Sequence[LeafSample], longest: int) -> list[Span]:
    """Cut all pages into pieces of at most `longest` leaves."""
    return [
        Span(row, start, min(start + longest, len(page.labels)))
        for row, page in enumerate(pages)
        for start in range(0, len(page.labels), longest)
    ]


def draw_batches(pages: Sequence[LeafSample], spans: Sequence[Span], size: int, seed: int) -> Iterator[list[Span]]:
    """Yield batches forever; each holds pieces of similar length."""
    rng = np.random.default_rng(seed)
    counts = Counter(page.site for page in pages)
    of_page = np.array([WEIGHTS.get(page.source, 1.0) / counts[page.site] ** SITE_POWER for page in pages])
    weight = of_page[[span.page for span in spans]]
    weight /= weight.sum()
    lengths = np.array([span.stop - span.start for span in spans])
    while True:
        drawn = rng.choice(len(spans), size * POOL, p=weight)
        drawn = drawn[np.argsort(lengths[drawn], kind="stable")]
        for batch in rng.permutation(drawn.reshape(POOL, size)):
            yield [spans[row] for row in batch]


def rate(page: LeafSample, kept: NDArray[np.bool_]) -> float:
    """Return the word F1 of the kept leaves, by their labels."""
    words = page.sizes * kept
    right = min(int(words[page.labels != 0].sum()), page.gold)
    total = int(words.sum()) + page.gold
    return 2 * right / total if total else 1.0
