"""Labelling priority of a page: the uncertainty of the default, and the disagreement between methods."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms import make_method
from bonmun.document import Document
from bonmun.options import DEFAULTS
from bonmun.page import Page
from bonmun.text.words import compare_counts, count_words

if TYPE_CHECKING:
    from bonmun.lab.annotate.page_sources import PageSource

__all__ = ["Priority", "measure_priority"]

METHODS = ("auto", "rules", "density", "xpath+")  # fast methods that work in different ways


class Priority(NamedTuple):
    """Labelling priority of a page, 0 to 1 each."""

    doubt: float  # uncertainty of the default
    disagreement: float  # 1 minus the mean word F1 between two methods

    @property
    def both(self) -> float:
        """Return the mean of doubt and disagreement."""
        return (self.doubt + self.disagreement) / 2


def measure_priority(source: PageSource) -> Priority:
    """For a child process: measure the priority of a page."""
    page = Page.parse(source.body, source.url, source.encoding, max_bytes=source.max_bytes)
    documents = [Document(page, make_method(name).label(page), DEFAULTS) for name in METHODS]
    words = [count_words(doc.text) for doc in documents]
    likeness = [compare_counts(one, other).f1 for one, other in combinations(words, 2)]
    return Priority(round(1 - documents[0].confidence, 4), round(1 - sum(likeness) / len(likeness), 4))
