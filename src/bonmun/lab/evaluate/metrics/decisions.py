"""Confusion matrices: leaves that were kept or not, and snippets that are in the text or not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.text.words import Overlap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.page import Page

__all__ = ["Confusion", "check_snippets", "count_decisions", "count_text_elements"]


@dataclass(frozen=True, slots=True)
class Confusion:
    """A confusion matrix, for the `blocks` measure of paper 1 (over leaves) and for snippets.

    >>> round(Confusion(46614, 1352, 95, 36000).f1, 3)  # paper 1, Table 4
    0.985
    """

    tp: int
    fp: int
    fn: int
    tn: int

    def __add__(self, other: Confusion) -> Confusion:
        return Confusion(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn)

    @property
    def counts(self) -> Overlap:
        """Number kept, number in the gold, and number in both."""
        return Overlap(self.tp + self.fp, self.tp + self.fn, self.tp)

    @property
    def precision(self) -> float:
        """TP / (TP + FP)."""
        return self.counts.precision

    @property
    def recall(self) -> float:
        """TP / (TP + FN)."""
        return self.counts.recall

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self.counts.f1

    @property
    def accuracy(self) -> float:
        """The share of decisions that are correct."""
        total = self.tp + self.fp + self.fn + self.tn
        return (self.tp + self.tn) / total if total else 1.0


def count_decisions(kept: Sequence[bool], gold: Sequence[bool]) -> Confusion:
    """Return the confusion matrix over the leaves or blocks of a page: kept or not, in the gold or not.

    This is the `blocks` measure (paper 1, eq. 1-3).
    """
    pairs = Counter(zip(map(bool, kept), map(bool, gold), strict=True))
    return Confusion(pairs[True, True], pairs[True, False], pairs[False, True], pairs[False, False])


def count_text_elements(page: Page, leaves: Iterable[int]) -> Counter[str]:
    """Count the texts of the elements that contain some of these leaves and no other element.

    The Block measure of paper 2 compares these as multisets (`compare_counts`): the leaf nodes of the result and of the
    gold region that contain only text. `metrics.texts.TextBlocks` compares lines instead, where there is no page.

    >>> from bonmun.page import Page
    >>> count_text_elements(Page.parse("<p>one <b>two</b></p><p>three"), [0, 1, 2])
    Counter({'two': 1, 'three': 1})
    """
    parents = set(page.parents)
    texts: dict[int, list[str]] = {}
    for leaf in leaves:
        element = page.leaf_elements[leaf]
        if element not in parents:
            texts.setdefault(element, []).append(page.texts[leaf])
    return Counter(" ".join(parts) for parts in texts.values())


def check_snippets(found: str, wanted: Sequence[str], unwanted: Sequence[str]) -> Confusion:
    """Check which wanted and unwanted strings are in the text, with whitespace collapsed.

    This is the `snippets` measure (trafilatura's evaluation).
    """
    text = " ".join(found.split())
    present = [" ".join(snippet.split()) in text for snippet in (*wanted, *unwanted)]
    right, wrong = present[: len(wanted)], present[len(wanted) :]
    return Confusion(sum(right), sum(wrong), len(right) - sum(right), len(wrong) - sum(wrong))
