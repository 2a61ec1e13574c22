"""Values that several groups of features need, computed once per page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.models.features.character_arrays import WEIGHTS
from bonmun.models.features.element_tree import read_tree
from bonmun.models.features.page_arrays import LINK_CHARACTERS
from bonmun.models.features.tag_arrays import IS_HEADING

if TYPE_CHECKING:
    from bonmun.models.features.page_arrays import PageArrays

__all__ = ["LABEL_LETTERS", "Measures", "Sums"]

LABEL_LETTERS = 40.0  # a block with fewer letters is a label, not a sentence
TINY = 1e-6  # avoids division by zero on a page without text


class Sums(NamedTuple):
    """Sums over the blocks that are not hidden, in each element or on the whole page."""

    text: Any  # letters
    plain: Any  # letters outside of links
    shown: Any  # blocks
    sentences: Any
    labels: Any  # blocks of a few letters
    linked: Any  # blocks that are mostly links
    headings: Any


class Measures:
    """Intermediate values of a page, which must have a block; n blocks, m elements."""

    def __init__(self, a: PageArrays) -> None:
        self.arrays = a
        # blocks: (n,) except `counts`
        self.counts = a.counts.astype(np.float32)  # (n, CLASSES) characters by class
        self.chars = np.maximum(self.counts.sum(1), 1)  # characters, 1 or more
        self.letters = self.counts @ WEIGHTS  # weighted length
        self.link_share = np.minimum(a.links[:, LINK_CHARACTERS] / self.chars, 1)  # of its characters
        self.shown = 1 - a.hidden.astype(np.float32)  # 1, or 0 if it is hidden
        self.text = self.letters * self.shown  # letters, 0 if it is hidden
        self.plain = self.text * (1 - self.link_share)  # letters outside of links, 0 if it is hidden
        self.tags = a.tags[a.owners]  # of the element that holds it
        self.headings = IS_HEADING[self.tags].astype(np.float32)  # 1 in <h1> to <h6>
        self.index = np.arange(len(a.owners), dtype=np.float32)  # 0, 1, 2, …
        # elements
        self.tree = read_tree(a)
        # blocks in the tree: (n,)
        self.depths = self.tree.depths[a.owners]  # ancestors of the element that holds it
        _, self.groups = np.unique(self.tree.paths[a.owners], return_inverse=True)  # equal for the same path
        # sums over blocks
        running = self._sum_up()
        self.plain_before = Sums(*running.T).plain  # (n + 1,) the sum of `plain` before each block, and over all
        self.total = Sums(*(running[-1].astype(np.float32) + TINY))  # numbers
        held = running[self.tree.spans[:, 1]] - running[self.tree.spans[:, 0]]
        self.held = Sums(*held.astype(np.float32).T)  # (m,) each

    def _sum_up(self) -> Any:
        """Return the running sums before each block, and over all blocks: (n + 1, len(Sums))."""
        summed = Sums(
            self.text,
            self.plain,
            self.shown,
            sentences=self.arrays.sentences * self.shown,
            labels=(self.letters < LABEL_LETTERS) * self.shown,
            linked=(self.link_share > 0.5) * self.shown,
            headings=self.headings * self.shown,
        )
        running = np.zeros((len(self.index) + 1, len(summed)), np.float64)
        np.cumsum(np.stack(summed, 1), axis=0, out=running[1:])
        return running
