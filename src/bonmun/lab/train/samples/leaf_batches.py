"""What the trainers of networks over leaves share: which pages are drawn, how answers are rated. Needs only numpy."""

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
WEIGHTS = {"silver": 0.3}  # of sets whose labels are weak; those are never measured on
POOL = 20  # batches that are drawn at a time


class Span(NamedTuple):
    """A piece of a page: long ones are cut."""

    page: int
    start: int
    stop: int


def is_measured(page: LeafSample) -> bool:
    """Whether people made the labels of a page, so that answers may be compared with them."""
    return page.source not in WEIGHTS


def cut_pages(pages: Sequence[LeafSample], longest: int) -> list[Span]:
    """All pages in pieces of no more than so many leaves."""
    return [
        Span(row, start, min(start + longest, len(page.labels)))
        for row, page in enumerate(pages)
        for start in range(0, len(page.labels), longest)
    ]


def draw_batches(pages: Sequence[LeafSample], spans: Sequence[Span], size: int, seed: int) -> Iterator[list[Span]]:
    """Batches without end; pieces of about the same length go together."""
    chance = np.random.default_rng(seed)
    counts = Counter(page.site for page in pages)
    of_page = np.array([WEIGHTS.get(page.source, 1.0) / counts[page.site] ** SITE_POWER for page in pages])
    weight = of_page[[span.page for span in spans]]
    weight /= weight.sum()
    lengths = np.array([span.stop - span.start for span in spans])
    while True:
        drawn = chance.choice(len(spans), size * POOL, p=weight)
        drawn = drawn[np.argsort(lengths[drawn], kind="stable")]
        for batch in chance.permutation(drawn.reshape(POOL, size)):
            yield [spans[row] for row in batch]


def rate(page: LeafSample, kept: NDArray[np.bool_]) -> float:
    """The word F1 of the leaves that are kept, counted by labels."""
    words = page.sizes * kept
    right = min(int(words[page.labels != 0].sum()), page.gold)
    total = int(words.sum()) + page.gold
    return 2 * right / total if total else 1.0
