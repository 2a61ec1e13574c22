"""What repeats on one site, and what that says of a page: which of its blocks are template.

A leaf is template if the share of pages that have its text, and the share of the text at its place that repeats, add
up to 0.65. So a menu goes, and so do a date and a related title that never stood there before; a greeting that every
third post begins with stays, since what stands at its place is new on every page. The pages are those of the site or,
if that share is larger, those that have the place: a blog may have one of many skins.

Running text must stand on three pages at least: a paragraph on two of six is a reprint, and all that stands at its
place repeats if the crawl has a copy of the article. What looks like main text to a method that is mostly right alone
is only template if that is sure: most pages have the paragraph. How much may be lost so is in losses.py.

A page on which next to nothing is new is a copy of another, or a front page; then only what most pages have is
template.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.sites.key_arrays import look_up, merge_counts
from bonmun.sites.keys import hash_places, hash_texts
from bonmun.text.sentences import find_sentences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.page import Page
    from bonmun.sites.key_arrays import CountArray, KeyArray
    from bonmun.sites.keys import Normalisation

__all__ = ["MIN_PAGES", "MIN_SHARE", "Site", "Verdicts"]

# Chosen by word F1 on half of the sites of five labelled sets, and on the same with every page counted three times;
# ARCHITECTURE.md says what else was tried.
TEMPLATE_SHARES = 0.65  # what the two shares of a leaf must add up to
COMMON_SHARE = 0.7  # of a site's pages: a text that as many have is template in any case
NEW_SHARE = 0.2  # of the text outside of links that is not common: as much is new on a page that is no copy
# Running text: blocks of so many bytes, at most half of it links, with the end of a sentence in it or so long. It must
# stand on so many pages, since an article may have a copy or be printed again. It is sure to be template if most pages
# have it: of the site, or of its kind, which then are so many.
PROSE_SIZE, LONG_SIZE = 60, 200
PROSE_PAGES, SURE_PAGES = 3, 5
# A label is sure to be, if most pages of the site have it, with so many pages, such a share, and so much that repeats
# at its place: the items of a list stand on all its pages in other languages.
LABEL_PAGES, LABEL_SHARE = 8, 0.9
# Smaller shares say nothing and are not kept, so a site stays small however many pages it was made from.
MIN_SHARE = 0.05
MIN_PAGES = 3  # fewer pages say nothing of a site


class Verdicts(NamedTuple):
    """What a site says of the blocks of a page; shares are means over their leaves, by length."""

    site: Site
    counts: list[int]  # pages that have its text: that of the longest leaf that others have
    of: list[int]  # of so many: the site's, or those that have its place
    shares: list[float]  # of the other pages
    repeated: list[float]  # the share of the text at this place that repeats
    template: list[bool]
    sure: list[bool]  # template even if it looks like main text
    common: list[bool]  # most pages of the site have it

    @property
    def rows(self) -> list[int]:
        """The blocks that are template."""
        return [row for row, template in enumerate(self.template) if template]

    def explain(self, row: int) -> str:
        """Why a block is template."""
        pages, of = self.counts[row], self.of[row]
        if not pages:
            return "where the site repeats itself"
        return f"on {pages} of {of} pages {'of the site' if of == self.site.pages else 'of its kind'}"


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """What repeats on one site; keys are ascending."""

    name: str
    pages: int
    texts: KeyArray
    counts: CountArray  # pages that have the text
    of: CountArray  # of so many: the site's, or those that have its place
    places: KeyArray
    sizes: CountArray  # bytes of text at the place, over all pages
    repeated: CountArray  # of them, in texts that repeat

    def judge(self, page: Page, normal: Normalisation) -> Verdicts:
        """Say of every block whether it is template: at least half of it."""
        if not page.starts:
            return Verdicts(self, [], [], [], [], [], [], [])
        # by leaf
        texts = np.array(hash_texts(page, normal), np.uint64)
        counts, of = (look_up(texts, self.texts, column) for column in (self.counts, self.of))
        shares = np.maximum(counts - 1, 0) / np.maximum(of - 1, 1)  # of the other pages
        places = np.array(hash_places(page), np.uint64)
        repeated = look_up(places, self.places, self.repeated) / np.maximum(look_up(places, self.places, self.sizes), 1)
        sizes = np.array([len(text) if text.isascii() else len(text.encode()) for text in page.texts], np.float64)
        # by block
        starts = np.array(page.starts)
        total = np.add.reduceat(sizes, starts)
        share, again = (np.add.reduceat(sizes * each, starts) / total for each in (shares, repeated))
        order = np.lexsort((sizes * (counts > 0), np.repeat(np.arange(len(starts)), np.diff([*starts, len(sizes)]))))
        longest = order[np.array(page.stops) - 1]  # of the leaves that other pages have
        pages = counts[longest]
        template = np.add.reduceat(sizes * (shares + repeated >= TEMPLATE_SHARES), starts) * 2 >= total
        common = np.add.reduceat(sizes * (counts >= COMMON_SHARE * self.pages), starts) * 2 >= total
        prose, weights = _find_prose(page)
        template = template & (~prose | (pages >= PROSE_PAGES))
        if weights[~template].sum() < NEW_SHARE * weights[~common].sum():  # a copy
            template = common
        strong = (share >= COMMON_SHARE) & (common | (pages >= SURE_PAGES))
        stronger = common & (pages >= LABEL_PAGES) & (share >= LABEL_SHARE) & (again >= LABEL_SHARE)
        sure = template & np.where(prose, strong, stronger)
        columns = pages, of[longest], share, again, template, sure, common
        return Verdicts(self, *(column.tolist() for column in columns))

    def __add__(self, other: Site) -> Site:
        pages = self.pages + other.pages
        # a text that only one of them knows stands on none of the other's pages, as many as of its kind may be
        mine, theirs = (
            np.where(np.isin(a.texts, b.texts), a.of, np.round(a.of * pages / a.pages)).astype(np.int64)
            for a, b in ((self, other), (other, self))
        )
        texts, (counts, of) = merge_counts(self.texts, [self.counts, mine], other.texts, [other.counts, theirs])
        often = counts >= MIN_SHARE * of
        columns = [(site.sizes, site.repeated) for site in (self, other)]
        places, (sizes, repeated) = merge_counts(self.places, columns[0], other.places, columns[1])
        return Site(self.name, pages, texts[often], counts[often], of[often], places, sizes, repeated)


def _find_prose(page: Page) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Which blocks are running text, and how long each is without its links."""
    sizes, links = (np.array(column, np.int64) for column in page.block_sizes)
    sentences = np.array(find_sentences(page.block_texts)[0])
    long = (sizes >= LONG_SIZE) | ((sizes >= PROSE_SIZE) & (sentences > 0))
    return long & (links * 2 <= sizes), sizes - links
