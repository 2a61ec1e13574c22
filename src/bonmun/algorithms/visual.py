"""`visual`: TabNet over the elements of a rendered page: paper 2's TabNet_1 and TabNet_2, and an improved TabNet_2.

Paper 2 (Korean, 2023, on visual features of rendered pages): every element of a page is a row of a table (see
models/baselines/visual_columns.py), and TabNet classifies each row as main text or not.

| variant | columns | keeps |
|---|---|---|
| `basic` | the paper's 16 columns (TabNet_1) | elements with a probability over .5 |
| `centre` | plus the distances to the centres of the window and the page (TabNet_2) | the same |
| `centre+` | the same, relative to the page, balanced in training | elements over a threshold chosen on other pages |

A leaf is kept if it is shown, and if its element or any ancestor of it is main text. docs/reference/methods/visual.md
lists our other decisions where the paper is silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms.sizes import ARTICLE_SIZE
from bonmun.errors import NoBoxes
from bonmun.labels import Labels
from bonmun.models.baselines.tabnet import TabNet, load_tabnet, shipped_tabnet
from bonmun.models.baselines.visual_columns import combine_with_ancestors, make_table

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.page import Page

__all__ = ["ColumnShare", "Visual"]

MIN_SHARE = 0.01  # of a column in the decision; columns with less are not reported


class ColumnShare(NamedTuple):
    """Columns: the share of each in the network's decisions on this page's elements."""

    column: str
    share: float


class Visual:
    """TabNet over elements: `basic`, `centre` or `centre+`."""

    def __init__(self, variant: str, *, model: str | Path | TabNet | None = None) -> None:
        self.variant = variant
        if isinstance(model, TabNet):
            self.network = model
        else:
            self.network = shipped_tabnet(variant) if model is None else load_tabnet(model)

    def label(self, page: Page) -> Labels:
        """Label the leaves."""
        if page.boxes is None:
            raise NoBoxes(
                f"The method visual:{self.variant} needs a rendered page: use `bonmun extract --render`, or "
                "Page.from_snapshot."
            )
        network = self.network
        output = network.predict(make_table(page, page.boxes, network.columns))
        best = combine_with_ancestors(page.parents, output.chances.tolist(), network.rule)
        shown = frozenset(page.shown)
        scores = [best[element] if leaf in shown else 0.0 for leaf, element in enumerate(page.leaf_elements)]
        kept = [score > network.threshold for score in scores]
        reasons = [
            "hidden" if leaf not in shown else "in an element that is main" if keep else "in none that is main"
            for leaf, keep in enumerate(kept)
        ]
        sizes = [len(text) for text, keep in zip(page.texts, kept, strict=True) if keep]
        sure = sum(score * len(text) for score, text, keep in zip(scores, page.texts, kept, strict=True) if keep)
        total = sum(sizes)
        shares = sorted(zip(network.columns, output.importances.tolist(), strict=True), key=lambda pair: -pair[1])
        return Labels(
            f"visual:{self.variant}",
            "leaf",
            scores,
            kept,
            reasons,
            min(1.0, total / ARTICLE_SIZE) * sure / (total or 1),
            evidence=[ColumnShare(name, round(share, 3)) for name, share in shares if share >= MIN_SHARE],
        )
