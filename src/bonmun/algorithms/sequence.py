"""`sequence`: BoilerNet, a recurrent network over the words of leaves and the tags around them.

Leonhardt, J., Anand, A. & Khosla, M. (2020), "Boilerplate Removal using a Neural Sequence Labeling Model", WWW; a
baseline of papers 1 and 2. The network is in models/baselines/boilernet.py, its input in models/baselines/leaf_bags.py;
docs/reference/methods/sequence.md lists the differences from the publication.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.algorithms.leaf_scores import label_shown_leaves, load_cached
from bonmun.models.baselines.boilernet import BoilerNet, default_boilernet, load_boilernet
from bonmun.models.baselines.leaf_bags import fill_bags

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.labels import Labels
    from bonmun.page import Page

__all__ = ["Sequence"]


class Sequence:
    """BoilerNet, with the shipped weights or those of a file."""

    def __init__(self, *, model: str | Path | BoilerNet | None = None) -> None:
        self.network = model if isinstance(model, BoilerNet | None) else load_cached(model, load_boilernet)

    def label(self, page: Page) -> Labels:
        """Label the leaves."""
        network = self.network or default_boilernet()
        scores = network.scores(fill_bags(page, network.tags, network.words))
        kept = scores >= network.threshold
        reasons = ["likely main text" if keep else "unlikely main text" for keep in kept.tolist()]
        return label_shown_leaves("sequence", page, scores, kept, reasons)
