"""Group the pages of a site by layout: articles, listings and threads differ in their markup.

A skeleton is the set of a page's tag paths and class words, both without numbers. Pages with similar skeletons have the
same layout. Similarity is the weighted Jaccard index: what few pages have counts three times as much as what all pages
have, because menus and footers say nothing about a layout.

The pages with the most similar pages lead the layouts; every other page belongs to the leader that it is most similar
to. On a large site, the leaders are chosen from a sample. Neither the sample nor the layouts depend on the order of the
pages. docs/decisions/layouts.md lists the alternatives that were tried.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from bonmun.sites.keys import DIGITS, hash_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bonmun.page import Page
    from bonmun.sites.key_arrays import CountArray, KeyArray

    IndexArray = NDArray[np.intp]

__all__ = ["Layouts", "find_layouts", "read_skeleton"]

MIN_SIMILARITY = 0.7  # of a page and the leader of its layout; chosen on site-gold, see docs/decisions/layouts.md
MAX_SKELETON_KEYS = 1024  # the smallest are kept, so that two pages keep the same ones; 99 % of pages have fewer
MAX_SAMPLE = 512  # different skeletons among which leaders are chosen
MAX_LAYOUTS = 64  # of a site
MAX_CLASS_CHARS = 1000  # of an element that are read
MAX_CLASSES = 12  # of an element
MAX_PATH_TAGS = 60  # tags of a path; deeper elements count as if they were this deep
KEYS_AT_ONCE = 4096  # columns of a matrix, which limits memory to 32 MB


@dataclass(frozen=True, slots=True, eq=False)
class Layouts:
    """The layouts of a site, numbered from the one with the most pages.

    layouts = find_layouts(map(read_skeleton, pages))
    numbers = [layouts.find(read_skeleton(page)) for page in pages]
    """

    keys: KeyArray  # of the pages of the sample, ascending
    weights: CountArray  # of the keys
    members: NDArray[np.uint8]  # by key and layout: whether the leader has the key
    sums: CountArray  # of the weights of each leader
    new_weight: int  # of a key that none of these pages has

    def __len__(self) -> int:
        return len(self.sums)

    def find(self, skeleton: KeyArray) -> int:
        """Return the number of the layout that a page has, or -1 if it is not like any."""
        number, similarity = self.find_nearest(skeleton)
        return number if similarity >= MIN_SIMILARITY else -1

    def find_nearest(self, skeleton: KeyArray) -> tuple[int, float]:
        """Return the most similar layout, -1 if there is none, and the similarity from 0 to 1."""
        if not len(self):
            return -1, 0.0
        at = np.minimum(np.searchsorted(self.keys, skeleton), len(self.keys) - 1)
        known = at[self.keys[at] == skeleton]
        whole = int(self.weights[known].sum()) + (len(skeleton) - len(known)) * self.new_weight
        shared = self.weights[known] @ self.members[known].astype(np.int64)
        similarities = shared / (self.sums + whole - shared)
        number = int(similarities.argmax())
        return number, float(similarities[number])


def read_skeleton(page: Page) -> KeyArray:
    """Return keys of the tag paths and class words of a page, ascending."""
    keys: set[int] = set()
    paths: dict[int, tuple[int, int]] = {}  # depth and key by path number
    tags, parents, numbers = page.tags, page.parents, page.path_numbers
    for row, number in enumerate(numbers):
        if number not in paths:
            depth, above = paths[numbers[parents[row]]] if parents[row] >= 0 else (0, 0)
            key = above if depth >= MAX_PATH_TAGS else _hash_step(above, tags[row])
            paths[number] = min(depth + 1, MAX_PATH_TAGS), key
            keys.add(key)
    names = set(zip(tags, page.attrs(range(len(tags)), "class"), strict=True))
    for tag, classes in names:
        if classes:
            keys.update(_hash_words(tag, classes[:MAX_CLASS_CHARS]))
    return np.array(sorted(keys)[:MAX_SKELETON_KEYS], np.uint64)


@lru_cache(maxsize=1 << 14)  # the pages of a site repeat their paths
def _hash_step(above: int, tag: str) -> int:
    return hash_bytes(above.to_bytes(8, "little") + tag.encode("utf-8", "replace"))


@lru_cache(maxsize=1 << 14)  # the pages of a site repeat their names
def _hash_words(tag: str, classes: str) -> tuple[int, ...]:
    words = DIGITS.sub("", classes).split()[:MAX_CLASSES]
    return tuple(hash_bytes(f"{tag}.{word}".encode("utf-8", "replace")) for word in words)


def find_layouts(skeletons: Iterable[KeyArray]) -> Layouts:
    """Find the layouts of a site. The skeletons are read once, and at most a sample is held in memory."""
    sample, copies = _choose_sample(skeletons)
    if not sample:
        return Layouts(
            np.empty(0, np.uint64), np.empty(0, np.int64), np.empty((0, 0), np.uint8), np.empty(0, np.int64), 0
        )
    pages = int(copies.sum())
    keys, columns = np.unique(np.concatenate(sample), return_inverse=True)
    rows = np.repeat(np.arange(len(sample)), [len(each) for each in sample])
    having = np.bincount(columns, copies[rows], len(keys)).astype(np.int64)  # pages, by key
    weights = 3 * pages - 2 * having  # in units of 1 / pages: from 1 for what all pages have to almost 3
    leaders = _choose_leaders(_find_similar(rows, columns, weights), copies)
    layouts = _make_layouts([sample[row] for row in leaders], keys, weights, pages)
    numbers = np.array([layouts.find(each) for each in sample])
    counts = [int(copies[numbers == number].sum()) for number in range(len(leaders))]
    order = sorted(range(len(leaders)), key=lambda number: -counts[number])
    return _make_layouts([sample[leaders[number]] for number in order], keys, weights, pages)


def _choose_sample(skeletons: Iterable[KeyArray]) -> tuple[list[KeyArray], CountArray]:
    """Return the different skeletons with the smallest digests, in their order, and the number of pages with each."""
    chosen: dict[int, KeyArray] = {}
    copies: Counter[int] = Counter()
    most = 1 << 64  # a larger digest is not among the smallest
    for skeleton in skeletons:
        digest = hash_bytes(skeleton.tobytes())
        if digest > most or not len(skeleton):
            continue
        chosen[digest] = skeleton
        copies[digest] += 1
        if len(chosen) > 2 * MAX_SAMPLE:
            most = sorted(chosen)[MAX_SAMPLE - 1]
            chosen = {each: chosen[each] for each in chosen if each <= most}
            copies = Counter({each: copies[each] for each in chosen})
    kept = sorted(chosen)[:MAX_SAMPLE]
    return [chosen[each] for each in kept], np.array([copies[each] for each in kept], np.int64)


def _find_similar(rows: IndexArray, columns: IndexArray, weights: CountArray) -> NDArray[np.bool_]:
    """Return for each pair of skeletons whether they are similar; `rows` have the keys in `columns`."""
    size = int(rows[-1]) + 1
    shared = np.zeros((size, size))
    order = np.argsort(columns, kind="stable")
    for start in range(0, len(weights), KEYS_AT_ONCE):
        stop = min(start + KEYS_AT_ONCE, len(weights))
        here = order[slice(*np.searchsorted(columns[order], (start, stop)))]
        has = np.zeros((size, stop - start))
        has[rows[here], columns[here] - start] = 1.0
        shared += (has * weights[start:stop]) @ has.T  # whole numbers below 2^53, so the result is exact
    sums = np.diagonal(shared)
    return shared >= MIN_SIMILARITY * (sums[:, None] + sums[None, :] - shared)


def _choose_leaders(similar: NDArray[np.bool_], copies: CountArray) -> list[int]:
    """Choose the skeletons with the most similar pages, each of which is not similar to the ones before."""
    left = np.ones(len(copies), np.bool_)
    leaders: list[int] = []
    for row in np.argsort(-(similar @ copies), kind="stable").tolist():
        if left[row] and len(leaders) < MAX_LAYOUTS:
            leaders.append(row)
            left &= ~similar[row]
    return leaders


def _make_layouts(leaders: list[KeyArray], keys: KeyArray, weights: CountArray, pages: int) -> Layouts:
    members = np.stack([np.isin(keys, leader) for leader in leaders], axis=1).astype(np.uint8)
    return Layouts(keys, weights, members, weights @ members.astype(np.int64), 3 * pages)
