"""BoilerNet's input: each leaf as a bag of the tags around it and a bag of its words.

Leonhardt, J., Anand, A. & Khosla, M. (2020), "Boilerplate Removal using a Neural Sequence Labeling Model", WWW. Tags
and words that are not among those that a model knows count as one that stands for all of them. Only leaves that are
shown count. A bag is kept as the numbers of what is in it, with a count each.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from bonmun.page import Page

__all__ = ["UNKNOWN", "Bags", "LeafBags", "count_tags", "count_words", "fill_bags"]

UNKNOWN = 0  # the number of all tags and words that are not known


@dataclass(frozen=True, slots=True)
class Bags:
    """Bags one after the other: numbers and how often each is in its bag, and where bags end."""

    numbers: NDArray[np.int32]
    counts: NDArray[np.int32]
    stops: NDArray[np.int64]  # one past the last number of each bag

    def __len__(self) -> int:
        return len(self.stops)


@dataclass(frozen=True, slots=True)
class LeafBags:
    """A page: leaves in elements with the same path share a bag of tags."""

    words: Bags  # of each leaf
    tags: Bags  # of each path
    paths: NDArray[np.int32]  # the path of each leaf


def fill_bags(page: Page, tags: Mapping[str, int], words: Mapping[str, int]) -> LeafBags:
    """The bags of the leaves that are shown."""
    bags, paths = count_tags(page, tags)
    return LeafBags(count_words((page.texts[leaf] for leaf in page.shown), words), bags, paths)


def count_words(texts: Iterable[str], words: Mapping[str, int]) -> Bags:
    """The bags of words of some texts."""
    find = words.get
    return _join([Counter([find(word, UNKNOWN) for word in WORD.findall(text.lower())]) for text in texts])


def count_tags(page: Page, tags: Mapping[str, int]) -> tuple[Bags, NDArray[np.int32]]:
    """The bags of tags of the paths on which leaves are shown, and the path of each of these leaves."""
    elements = [page.leaf_elements[leaf] for leaf in page.shown]
    known: dict[tuple[int, int], int] = {}  # a path by the one above it and the tag at its end
    above: list[tuple[int, int]] = []
    paths: dict[int, int] = {-1: -1}
    for element in page.with_ancestors(elements):
        key = (paths[page.parents[element]], tags.get(page.tags[element], UNKNOWN))
        path = known.setdefault(key, len(above))
        if path == len(above):
            above.append(key)
        paths[element] = path
    used: dict[int, int] = {}
    of_leaf = [used.setdefault(paths[element], len(used)) for element in elements]
    return _count_paths(above, list(used), len(tags) + 1), np.array(of_leaf, np.int32)


def _count_paths(above: Sequence[tuple[int, int]], used: Sequence[int], size: int) -> Bags:
    """The bags of some paths; each path is the one above it, which stands before it, with one tag more."""
    rows = np.zeros((len(above) + 1, size), np.uint16)  # a tree is at most 512 deep
    for row, (parent, tag) in enumerate(above):
        rows[row] = rows[parent]  # the last row is the empty path
        rows[row, tag] += 1
    rows = rows[list(used)] if used else rows[:0]
    where, numbers = np.nonzero(rows)
    stops = np.cumsum(np.bincount(where, minlength=len(rows)))
    return Bags(numbers.astype(np.int32), rows[where, numbers].astype(np.int32), stops)


def _join(bags: Sequence[Counter[int]]) -> Bags:
    total = sum(map(len, bags))
    return Bags(
        np.fromiter((number for bag in bags for number in bag), np.int32, total),
        np.fromiter((count for bag in bags for count in bag.values()), np.int32, total),
        np.cumsum(np.fromiter(map(len, bags), np.int64, len(bags))),
    )
