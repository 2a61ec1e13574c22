"""Two convolutional networks over the leaves of a page and over neighbours, decoded together: Web2Text.

Vogels, T., Ganea, O.-E. & Eickhoff, C. (2018), "Web2Text: Deep Structured Boilerplate Removal", ECIR; a baseline of
paper 2. The networks are in models/baselines/web2text.py, their features in models/baselines/web2text_features.py;
docs/reference/methods/web2text.md
says what differs from the publication.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.algorithms.leaf_scores import label_shown_leaves, read_once
from bonmun.models.baselines.collapsed_tree import collapse
from bonmun.models.baselines.web2text import Web2Text, default_web2text, load_web2text

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.labels import Labels
    from bonmun.page import Page

__all__ = ["Web2TextMethod"]

EVEN = 0.5  # a leaf that is more likely than this is main text by itself
# By what a leaf is by itself, and with its neighbours.
REASONS = {
    (False, False): "boilerplate",
    (False, True): "boilerplate by itself, but among main text",
    (True, False): "main text by itself, but among boilerplate",
    (True, True): "main text",
}


class Web2TextMethod:
    """Web2Text, with the weights of the package or those of a file."""

    def __init__(self, *, model: str | Path | Web2Text | None = None) -> None:
        self.network = model if isinstance(model, Web2Text | None) else read_once(model, load_web2text)

    def label(self, page: Page) -> Labels:
        """Label the leaves."""
        network = self.network or default_web2text()
        scores, kept = network.label(collapse(page))
        reasons = [REASONS[own, keep] for own, keep in zip((scores > EVEN).tolist(), kept.tolist(), strict=True)]
        return label_shown_leaves("web2text", page, scores, kept, reasons)
