"""A network in, its scores out: with which threshold and rule it is best on the valid part of the English pages.

By the F1 of characters between the leaves that are kept and those of the gold, averaged over pages: as good as LCS to
choose by, and a thousand times as fast. The paper's own networks keep .5 and `any`.
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
    from scripts.visual.pages import LaidOut

__all__ = ["Choice", "Held", "hold", "score"]

THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(1, 20))


@dataclass(frozen=True)
class Held:
    """What a page of the valid part comes down to."""

    table: NDArray[np.float32]  # (n, 18)
    parents: list[int]
    elements: list[int]  # of the leaves that are shown
    sizes: NDArray[np.int64]  # their characters
    gold: NDArray[np.bool_]


class Choice(NamedTuple):
    """How good a network is with a threshold and a rule."""

    f1: float
    threshold: float
    rule: Rule


def hold(one: LaidOut) -> Held:
    """Keep of a page what is needed to choose by it."""
    page = one.page
    return Held(
        count_columns(page, one.boxes),
        list(page.parents),
        [page.leaf_elements[leaf] for leaf in page.shown],
        np.array([len(page.texts[leaf]) for leaf in page.shown], np.int64),
        np.array([one.gold[leaf] for leaf in page.shown], bool),
    )


def score(network: TabNet, pages: Sequence[Held], *, visible: bool = False) -> list[Choice]:
    """The F1 of a network, perhaps on visible elements alone, with every threshold and rule, averaged over pages."""
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
