"""BoilerNet's input: each leaf as a bag of the tags around it and a bag of its words.

Leonhardt, J., Anand, A. & Khosla, M. (2020), "Boilerplate Removal using a Neural Sequence Labeling Model", WWW. Tags
and words that a model does not know are counted together as UNKNOWN. Only leaves that are shown count. A bag is stored
as the numbers of its items, with a count for each.
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

UNKNOWN = 0  # the number of all unknown tags and words


@dataclass(frozen=True, slots=True)
class Bags:
    """Concatenated bags: the numbers and counts of their items, and the end of each bag."""

    numbers: NDArray[np.int32]
    counts: NDArray[np.int32]
    stops: NDArray[np.int64]  # one past the last number of each bag

    def __len__(self) -> int:
        return len(self.stops)


@dataclass(frozen=True, slots=True)
class LeafBags:
    """The bags of a page; leaves with the same path share a bag of tags."""

    words: Bags  # of each leaf
    tags: Bags  # of each path
    paths: NDArray[np.int32]  # the path of each leaf


def fill_bags(page: Page, tags: Mapping[str, int], words: Mapping[str, int]) -> LeafBags:
    """Return the bags of the leaves that are shown."""
    bags, paths = count_tags(page, tags)
    return LeafBags(count_words((page.texts[leaf] for leaf in page.shown), words), bags, paths)


def count_words(texts: Iterable[str], words: Mapping[str, int]) -> Bags:
    """Return the bags of words of some texts."""
    find = words.get
    return _join([Counter([find(word, UNKNOWN) for word in WORD.findall(text.lower())]) for text in texts])


def count_tags(page: Page, tags: Mapping[str, int]) -> tuple[Bags, NDArray[np.int32]]:
    """Return the bags of tags of the paths of shown leaves, and the path of each of these leaves."""
    elements = [page.leaf_elements[leaf] for leaf in page.shown]
    known: dict[tuple[int, int], int] = {}  # a path by its parent path and its last tag
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
    """Return the bags of some paths; each path has the tags of its parent path, which comes before it, and one more."""
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
