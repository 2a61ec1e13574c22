"""Pages of a site as the default method reads them, with weights to compare selectors with its answer.

A selector is compared by the leaves in the elements that it selects. The weight of a leaf is its length; hidden leaves
and the headline weigh nothing, because they are no part of any answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bonmun.rules.find import find_rows
from bonmun.rules.selectors import InvalidSelector, parse_selector
from bonmun.rules.suggest import list_named_selectors, list_names
from bonmun.text.words import count_words, is_same_title
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bonmun.document import Document
    from bonmun.page import Page
    from bonmun.rules.records import Selector

    Marks = NDArray[np.bool_]
    Weights = NDArray[np.int64]

__all__ = ["MAX_CANDIDATE_CHARS", "StudiedPage", "list_candidates", "read_selector"]

MIN_CONFIDENCE = 0.7  # of a page that has a vote; on site-gold, word F1 is .94 on average above it and .62 below
MIN_KEPT_CHARS = 40  # of such a page; shorter answers say little about where the text is
MAX_CANDIDATE_CHARS = 120  # of a selector
MAX_NAMED_ELEMENTS = 20_000  # of a page whose names are read


class StudiedPage:
    """A page with the answer of the method.

    Attributes:
        page: The page.
        doc: The document that the method makes of it.
        name: Where the page is, for the comments of a rule: its URL or the name of its file.
    """

    def __init__(self, page: Page, doc: Document, name: str) -> None:
        self.page = page
        self.doc = doc
        self.name = name
        self._rows: dict[str, list[int]] = {}
        self._marks: dict[str, Marks] = {}

    @cached_property
    def words(self) -> Counter[str]:
        """The words of the text that the method keeps."""
        return count_words(self.doc.text)

    @cached_property
    def is_sure(self) -> bool:
        """Whether the method is confident of the text, and found enough of it."""
        return self.doc.confidence >= MIN_CONFIDENCE and int(self.kept.sum()) >= MIN_KEPT_CHARS

    @cached_property
    def elements(self) -> NDArray[np.int64]:
        """The element of each leaf."""
        return np.array(self.page.leaf_elements, np.int64)

    @cached_property
    def weights(self) -> Weights:
        """The length of each leaf that may be part of the text."""
        page = self.page
        sizes = np.array([len(text) for text in page.texts], np.int64)
        sizes[np.array(list(page.visibility.hidden_leaves), np.bool_)] = 0
        for block in self.find_blocks(self.doc.title):
            sizes[page.starts[block] : page.stops[block]] = 0
        return sizes

    @cached_property
    def kept(self) -> Weights:
        """The length of each leaf that the method keeps; 0 for the others."""
        kept = np.zeros(len(self.page.texts), np.bool_)
        for block in self.doc.blocks:
            kept[list(block.leaves)] = True
        return np.where(kept, self.weights, 0)

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """The row after the last element in each element."""
        parents = self.page.parents
        ends = list(range(1, len(parents) + 1))
        for row in range(len(parents) - 1, 0, -1):
            if parents[row] >= 0 and ends[row] > ends[parents[row]]:
                ends[parents[row]] = ends[row]
        return np.array(ends, np.int64)

    @cached_property
    def names(self) -> dict[str, int]:
        """The ids and class names on the page as selectors, each with how small its largest element is: 0, 1 or 2."""
        found: dict[str, int] = {}
        size = len(self.page.tags)
        for row in range(min(size, MAX_NAMED_ELEMENTS)):
            inside = int(self.ends[row]) - row
            rank = 0 if 2 * inside >= size else 1 if 10 * inside >= size else 2
            for name in list_names(self.page, row):
                selector = f"body{name}" if self.page.tags[row] == "body" else name
                found[selector] = min(rank, found.get(selector, rank))
        return found

    def sum_inside(self, weights: Weights) -> list[int]:
        """Return the weight of the leaves in each element."""
        own = np.bincount(self.elements, weights, len(self.ends)).astype(np.int64)
        sums = np.concatenate([[0], np.cumsum(own)])
        inside: list[int] = (sums[self.ends] - sums[:-1]).tolist()
        return inside

    def find_blocks(self, text: str | None) -> list[int]:
        """Return the blocks whose text is the same as a title."""
        return [row for row, each in enumerate(self.page.block_texts) if is_same_title(each, text)] if text else []

    def select(self, text: str) -> list[int]:
        """Return the rows that a selector selects; none if it is invalid."""
        if text not in self._rows:
            selector = read_selector(text)
            self._rows[text] = find_rows(self.page, [selector]) if selector else []
        return self._rows[text]

    def mark(self, text: str) -> Marks:
        """Return for each leaf whether it is in an element that a selector selects."""
        if text not in self._marks:
            self._marks[text] = self.mark_rows(self.select(text))
        return self._marks[text]

    def mark_all(self, texts: Iterable[str]) -> Marks:
        """Return for each leaf whether it is in an element that any of the selectors selects."""
        marked = np.zeros(len(self.elements), np.bool_)
        for text in texts:
            marked |= self.mark(text)
        return marked

    def mark_rows(self, rows: list[int]) -> Marks:
        """Return for each leaf whether it is in one of the elements."""
        changes = np.zeros(len(self.ends) + 1, np.int64)
        np.add.at(changes, rows, 1)
        np.add.at(changes, self.ends[rows], -1)
        marks: Marks = np.cumsum(changes)[self.elements] > 0
        return marks


def read_selector(text: str) -> Selector | None:
    """Return a selector, or None if rules do not allow it."""
    try:
        return parse_selector(text)
    except InvalidSelector:
        return None


def list_candidates(page: Page, row: int) -> list[str]:
    """Return short selectors of an element."""
    return [text for text in dict.fromkeys(list_named_selectors(page, row)) if len(text) <= MAX_CANDIDATE_CHARS]
