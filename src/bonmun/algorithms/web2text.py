"""`web2text`: Web2Text, two convolutional networks over leaves and over pairs of neighbours, decoded together.

Vogels, T., Ganea, O.-E. & Eickhoff, C. (2018), "Web2Text: Deep Structured Boilerplate Removal", ECIR; a baseline of
paper 2. The networks are in models/baselines/web2text.py, their features in models/baselines/web2text_features.py;
docs/reference/methods/web2text.md lists the differences from the publication.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.algorithms.leaf_scores import label_shown_leaves, load_cached
from bonmun.models.baselines.collapsed_tree import collapse
from bonmun.models.baselines.web2text import Web2Text, default_web2text, load_web2text

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.labels import Labels
    from bonmun.page import Page

__all__ = ["Web2TextMethod"]

MIN_OWN_SCORE = 0.5  # a leaf with a higher score is main text by itself
# By the label of a leaf by itself, and among its neighbours.
REASONS = {
    (False, False): "boilerplate",
    (False, True): "boilerplate by itself, but among main text",
    (True, False): "main text by itself, but among boilerplate",
    (True, True): "main text",
}


class Web2TextMethod:
    """Web2Text, with the shipped weights or those of a file."""

    def __init__(self, *, model: str | Path | Web2Text | None = None) -> None:
        self.network = model if isinstance(model, Web2Text | None) else load_cached(model, load_web2text)

    def label(self, page: Page) -> Labels:
        """Label the leaves."""
        network = self.network or default_web2text()
        scores, kept = network.label(collapse(page))
        reasons = [
            REASONS[own, keep] for own, keep in zip((scores > MIN_OWN_SCORE).tolist(), kept.tolist(), strict=True)
        ]
        return label_shown_leaves("web2text", page, scores, kept, reasons)
