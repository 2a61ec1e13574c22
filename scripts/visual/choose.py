"""Score a network with every threshold and rule on the valid part of the English pages.

The score is the F1 of characters of kept leaves and gold leaves, averaged over pages. It ranks like LCS, and is a
thousand times faster. The paper's own networks use .5 and `any`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.models.baselines.visual_columns import (
    CENTRE,
    RELATIVE,
    RULES,
    combine_with_ancestors,
    count_columns,
    make_relative,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bonmun.models.baselines.tabnet import TabNet
    from bonmun.models.baselines.visual_columns import Rule
    from scripts.visual.pages import RenderedPage

__all__ = ["Choice", "ValidPage", "make_valid_page", "score"]

THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(1, 20))


@dataclass(frozen=True)
class ValidPage:
    """The values of a page of the valid part that scoring needs."""

    table: NDArray[np.float32]  # (n, 18)
    parents: list[int]
    elements: list[int]  # of the leaves that are shown
    sizes: NDArray[np.int64]  # their characters
    gold: NDArray[np.bool_]


class Choice(NamedTuple):
    """The score of a network with a threshold and a rule."""

    f1: float
    threshold: float
    rule: Rule


def make_valid_page(one: RenderedPage) -> ValidPage:
    """Return the values of a page that scoring needs."""
    page = one.page
    return ValidPage(
        count_columns(page, one.boxes),
        list(page.parents),
        [page.leaf_elements[leaf] for leaf in page.shown],
        np.array([len(page.texts[leaf]) for leaf in page.shown], np.int64),
        np.array([one.gold[leaf] for leaf in page.shown], bool),
    )


def score(network: TabNet, pages: Sequence[ValidPage], *, visible: bool = False) -> list[Choice]:
    """Return the mean F1 of a network with every threshold and rule, optionally on visible elements only."""
    names = RELATIVE if "text_share" in network.columns else CENTRE
    places = [names.index(name) for name in network.columns]
    sums = np.zeros((len(RULES), len(THRESHOLDS)))
    for page in pages:
        table = make_relative(page.table) if names is RELATIVE else page.table
        said = network.predict(table[:, places]).chances
        if visible:
            said = said * page.table[:, CENTRE.index("visible")]
        chances = said.tolist()
        for number, rule in enumerate(RULES):
            best = np.array(combine_with_ancestors(page.parents, chances, rule))[page.elements]
            for place, threshold in enumerate(THRESHOLDS):
                kept = best > threshold
                total = int(page.sizes[kept].sum() + page.sizes[page.gold].sum())
                sums[number, place] += 2 * page.sizes[kept & page.gold].sum() / total if total else 1
    return [
        Choice(sums[number, place] / max(len(pages), 1), threshold, rule)
        for number, rule in enumerate(RULES)
        for place, threshold in enumerate(THRESHOLDS)
    ]
