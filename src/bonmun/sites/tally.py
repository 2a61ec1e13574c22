"""Count the pages of a site in memory. For large sites, scale/corpus/counts.py counts on disk."""

from __future__ import annotations

from math import sqrt
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from bonmun.sites.key_arrays import sum_by_number
from bonmun.sites.keys import count_leaves
from bonmun.sites.ranks import make_ranks
from bonmun.sites.site import MIN_SHARE, Site

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bonmun.page import Page
    from bonmun.sites.key_arrays import CountArray, KeyArray
    from bonmun.sites.keys import LeafCount, Normalisation
    from bonmun.sites.ranks import Ranks

__all__ = ["MIN_LEAVES", "Tally", "compute_repeat_pages", "rank_texts"]

MIN_LEAVES = 3  # of a place; fewer are no evidence


def compute_repeat_pages(pages: int) -> float:
    """Return from how many pages a text counts as repeated: more on a large site, where pages may have copies."""
    return max(2.0, sqrt(pages) / 2)


class Tally:
    """Running counts of one site."""

    def __init__(self) -> None:
        self.pages: set[int] = set()  # keys of their whole texts
        # By text and place, over all pages: first, placed, pages, occurrences, plain and size (see LeafCount). Lists,
        # not records, because there can be as many rows as leaves.
        self.rows: dict[tuple[int, int], list[int]] = {}

    def add(self, page: Page, normal: Normalisation) -> None:
        """Count a page, unless a page with the same text was counted before."""
        self.add_counts(*count_leaves(page, normal))

    def add_counts(self, known: int, leaves: Iterable[LeafCount]) -> bool:
        """Add the counts of a page, with the key of its whole text; return False if that text was counted before."""
        if known in self.pages:
            return False
        self.pages.add(known)
        for leaf in leaves:
            new = [leaf.first, leaf.placed, 1, leaf.occurrences, leaf.plain, leaf.size]
            old = self.rows.get((leaf.text, leaf.place))
            self.rows[leaf.text, leaf.place] = new if old is None else [*map(add, old, new[:-1]), leaf.size]
        return True

    def count_texts(self) -> tuple[KeyArray, CountArray, NDArray[np.intp]]:
        """Return the texts that are on more than one page, their pages, and where each was first counted."""
        keys = np.fromiter((text for text, _ in self.rows), np.uint64, len(self.rows))
        pages = np.fromiter((row[0] for row in self.rows.values()), np.int64, len(self.rows))
        texts, first, which = np.unique(keys, return_index=True, return_inverse=True)
        counts = sum_by_number(which, pages, len(texts))
        return texts[counts > 1], counts[counts > 1], first[counts > 1]

    def make_site(self, name: str) -> Site:
        """Keep only what repeats. scale/corpus/sql.py does the same in SQL; a test compares the two."""
        pages = len(self.pages)
        keys = np.array(list(self.rows), np.uint64).reshape(-1, 2)
        rows = np.array(list(self.rows.values()), np.int64).reshape(-1, 6)
        first, placed, here, occurrences, _, size = rows.T
        texts, which = np.unique(keys[:, 0], return_inverse=True)
        places, where = np.unique(keys[:, 1], return_inverse=True)
        on_pages = sum_by_number(which, first, len(texts))
        with_place = sum_by_number(where, placed, len(places))
        # the text's largest share: of the site's pages, or of the pages that have one of its places
        common = with_place[where] >= max(MIN_LEAVES, compute_repeat_pages(pages))
        shares = np.where(common, here / np.maximum(with_place[where], 1), 0.0)
        order = np.lexsort((with_place[where], shares, which))
        last = order[np.append(np.flatnonzero(np.diff(which[order])), len(order) - 1)] if len(order) else order
        site_wide = on_pages / max(pages, 1) >= shares[last]
        counts = np.where(site_wide, on_pages, here[last])
        of = np.where(site_wide, pages, with_place[where[last]])
        often = (counts > 1) & (counts >= MIN_SHARE * of)
        # the repeated text at each place
        repeats = on_pages[which] >= compute_repeat_pages(pages)
        sizes = sum_by_number(where, occurrences * size, len(places))
        repeated = sum_by_number(where, occurrences * size * repeats, len(places))
        leaves = sum_by_number(where, occurrences, len(places))
        kept = (leaves >= MIN_LEAVES) & (repeated >= MIN_SHARE * sizes) & (repeated > 0)
        chosen = texts[often], counts[often], of[often]
        return Site(name, pages, *chosen, places[kept], sizes[kept], repeated[kept])


def rank_texts(tallies: Iterable[Tally]) -> Ranks:
    """Rank the texts of all sites by how often each occurs."""
    frequencies: dict[int, int] = {}
    for tally in tallies:
        for (text, _), (_, _, _, _, plain, _) in tally.rows.items():
            frequencies[text] = frequencies.get(text, 0) + plain
    texts = np.array(sorted(text for text, count in frequencies.items() if count), np.uint64)
    counts = np.array([frequencies[int(text)] for text in texts], np.int64)
    return make_ranks(np.unique(counts), texts, counts)
