"""Elements of a laid-out page, told apart by TabNet: paper 2's TabNet_1 and TabNet_2, and the second, mended.

Paper 2 (Korean, 2023, on visual features of rendered pages): every element of a page is a row of a table (see
models/baselines/visual_columns.py), and TabNet says of each row whether it is main text.

| variant | reads | keeps |
|---|---|---|
| `basic` | the paper's 16 columns (TabNet_1) | what a chance over .5 leads to |
| `centre` | and the distances to the centres of the window and the page (TabNet_2) | the same |
| `centre+` | the same as shares of the page, balanced in training | what a threshold chosen on other pages leads to |

The text of the elements that are main is kept; an element and one in it count once: a leaf is kept if its element or
any around it is main, and if it is shown. docs/reference/methods/visual.md lists
our other decisions where the paper is silent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms.sizes import ARTICLE_SIZE
from bonmun.errors import NoBoxes
from bonmun.labels import Labels
from bonmun.models.baselines.tabnet import TabNet, load_tabnet, shipped_tabnet
from bonmun.models.baselines.visual_columns import read_table, spread_down

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.page import Page

__all__ = ["ColumnShare", "Visual"]

MIN_SHARE = 0.01  # of a column that is worth a word


class ColumnShare(NamedTuple):
    """Columns: how much each had a say in what the network made of this page's elements."""

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
                f"The method visual:{self.variant} needs a page that a browser has laid out: "
                "`bonmun extract --render`, or Page.from_snapshot."
            )
        network = self.network
        reading = network.read(read_table(page, page.boxes, network.columns))
        best = spread_down(page.parents, reading.chances.tolist(), network.rule)
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
        shares = sorted(zip(network.columns, reading.importances.tolist(), strict=True), key=lambda pair: -pair[1])
        return Labels(
            f"visual:{self.variant}",
            "leaf",
            scores,
            kept,
            reasons,
            min(1.0, total / ARTICLE_SIZE) * sure / (total or 1),
            evidence=[ColumnShare(name, round(share, 3)) for name, share in shares if share >= MIN_SHARE],
        )
