"""Decide which blocks of a page are template, from the texts and places that repeat on its site.

A leaf is template if two shares add up to 0.65 or more: the share of pages that have its text, and the share of text at
its place that repeats. So menus are dropped, and so are dates and related titles that are new but stand where texts
repeat. A greeting at the start of every third post is kept, because the text at its place differs on every page. The
share of pages is relative to the site or, if that gives more, to the pages that have the place: the blogs of a platform
may use different skins.

Running text must be on at least three pages: a paragraph on two of six pages is a reprint, and if the crawl has a copy
of the article, everything at its place repeats. Text that a reliable method keeps is only dropped if it is surely
template, that is, if most pages have it. losses.py limits how much may be dropped in that way.

A page with almost no new text is a copy of another page, or a front page. On it, only what most pages have is template.
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

# Chosen by word F1 on half of the sites of five labelled sets, and on the same sites with every page counted three
# times; docs/decisions/template-threshold.md lists the alternatives that were tried.
MIN_SHARE_SUM = 0.65  # sum of the two shares of a leaf that is template
MIN_COMMON_SHARE = 0.7  # of a site's pages; a text on this share of them is always template
MIN_NEW_SHARE = 0.2  # of the text outside of links that is not common; a page with less new text is a copy
# Running text: blocks of at least MIN_PROSE_BYTES with a sentence mark, or of MIN_LONG_BYTES, of which at most half is
# links. It must be on MIN_PROSE_PAGES, because an article may have a copy or be reprinted. It is surely template if
# most pages of the site have it, or most of at least MIN_SURE_PAGES that have its place.
MIN_PROSE_BYTES, MIN_LONG_BYTES = 60, 200
MIN_PROSE_PAGES, MIN_SURE_PAGES = 3, 5
# A shorter text (a label) is surely template if most pages of the site have it, at least this many, and both its shares
# are this large: the items of a list are also on every translation of the page.
MIN_LABEL_PAGES, MIN_LABEL_SHARE = 8, 0.9
# Smaller shares are no evidence. They are not stored, so a site stays small however many pages were counted.
MIN_SHARE = 0.05
MIN_PAGES = 3  # of a site; fewer are no evidence


class Verdicts(NamedTuple):
    """Evidence of a site on the blocks of a page, by block; shares are means over leaves, weighted by length."""

    site: Site
    counts: list[int]  # pages that have the text of its longest leaf that other pages have
    of: list[int]  # the pages that `counts` is relative to: the site's, or those that have its place
    shares: list[float]  # of the other pages
    repeated: list[float]  # share of the text at this place that repeats
    template: list[bool]
    sure: list[bool]  # template even if a method keeps it
    common: list[bool]  # on most pages of the site

    @property
    def rows(self) -> list[int]:
        """The blocks that are template."""
        return [row for row, template in enumerate(self.template) if template]

    def explain(self, row: int) -> str:
        """Say why a block is template."""
        pages, of = self.counts[row], self.of[row]
        if not pages:
            return "where the site repeats itself"
        return f"on {pages} of {of} pages {'of the site' if of == self.site.pages else 'of its kind'}"


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """The texts and places that repeat on one site; keys are ascending."""

    name: str
    pages: int
    texts: KeyArray
    counts: CountArray  # pages that have the text
    of: CountArray  # the pages that `counts` is relative to: the site's, or those that have its place
    places: KeyArray
    sizes: CountArray  # bytes of text at the place, over all pages
    repeated: CountArray  # bytes of repeated text at the place

    def judge(self, page: Page, normal: Normalisation) -> Verdicts:
        """Decide for every block whether it is template: at least half of its bytes are."""
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
        template = np.add.reduceat(sizes * (shares + repeated >= MIN_SHARE_SUM), starts) * 2 >= total
        common = np.add.reduceat(sizes * (counts >= MIN_COMMON_SHARE * self.pages), starts) * 2 >= total
        prose, weights = _find_prose(page)
        template = template & (~prose | (pages >= MIN_PROSE_PAGES))
        if weights[~template].sum() < MIN_NEW_SHARE * weights[~common].sum():  # a copy
            template = common
        strong = (share >= MIN_COMMON_SHARE) & (common | (pages >= MIN_SURE_PAGES))
        stronger = common & (pages >= MIN_LABEL_PAGES) & (share >= MIN_LABEL_SHARE) & (again >= MIN_LABEL_SHARE)
        sure = template & np.where(prose, strong, stronger)
        columns = pages, of[longest], share, again, template, sure, common
        return Verdicts(self, *(column.tolist() for column in columns))

    def __add__(self, other: Site) -> Site:
        pages = self.pages + other.pages
        # a text that only one of them knows is on no page of the other, however many of those have its place
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
    """Return for each block whether it is running text, and its bytes outside of links."""
    sizes, links = (np.array(column, np.int64) for column in page.block_sizes)
    sentences = np.array(find_sentences(page.block_texts)[0])
    long = (sizes >= MIN_LONG_BYTES) | ((sizes >= MIN_PROSE_BYTES) & (sentences > 0))
    return long & (links * 2 <= sizes), sizes - links
