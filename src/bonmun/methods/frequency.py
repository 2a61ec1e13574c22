"""`frequency` and `frequency+`: over many pages, template repeats and main text does not.

Kim, J.-H. & Kim, E.-G. (2021). HTML Text Extraction Using Frequency Analysis. JKIICE 25(9), 1135-1143. A text's
frequency is how many leaves of all collected pages have it, without those in head, footer, header, script, style, link,
iframe, a and em. The k different frequencies are ranked, the lowest first; a leaf is main text iff its rank is at most
k - 2.

`frequency+` asks by site, not over all; counts pages, not leaves; asks as well whether texts repeat at the leaf's place
(see sites.py); and takes what is left to the page's own evidence, as `auto` does: parts by their names, the region that
holds most of the text. What it knows too little of the site for, it leaves to `auto`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import BadConfig, TooFewPages
from bonmun.labels import Labels
from bonmun.methods.auto import Auto
from bonmun.methods.rules import COMMENT, LINKS, find_parts, find_region, sums_of, without_threads
from bonmun.sites.keys import dropped_leaves, text_keys

if TYPE_CHECKING:
    from bonmun.page import Page
    from bonmun.sites.model import SiteModel

__all__ = ["Frequency", "FrequencyPlus"]

NEEDS = (
    "This method needs a corpus: extract(html, site=SiteModel.fit(pages), …), `bonmun extract --site FILE`, or "
    "`bonmun corpus extract --counts FILE`."
)
SURE = 20  # pages: with so many the counts are as good as they get


class Counted(NamedTuple):
    """The corpus: k different frequencies, and that of rank k - 2, over which nothing is main text."""

    k: int
    limit: int


class OnSite(NamedTuple):
    """The site of the page: how many pages were counted, and how many blocks of this page they made template."""

    site: str
    pages: int
    template: int
    blocks: int


class Frequency:
    """The first paper's method, to the letter."""

    def __init__(self, site: SiteModel | None = None) -> None:
        if site is None:
            raise BadConfig(NEEDS)
        self.model = site
        if site.ranks.k < 3:
            raise TooFewPages(
                f"The texts of the corpus have {site.ranks.k} different frequencies, and the ranks of two of them are "
                "no main text, so nothing is left: count more pages, or use frequency+."
            )
        ranks = site.ranks
        self.frequent = frozenset(ranks.texts[ranks.counts > ranks.limit].tolist())

    def label(self, page: Page) -> Labels:
        """Label the leaves."""
        shown = set(page.shown)
        reasons = []
        keys = zip(text_keys(page, self.model.normal), dropped_leaves(page), strict=True)
        for leaf, (text, dropped) in enumerate(keys):
            if leaf not in shown:
                reason = "hidden"
            elif dropped:
                reason = "in a tag that is dropped"
            else:
                reason = "a frequent text" if text in self.frequent else RARE
            reasons.append(reason)
        kept = [reason is RARE for reason in reasons]
        ranks = self.model.ranks
        confidence = 1 - 2 / ranks.k if any(kept) else 0.0
        found = [Counted(ranks.k, ranks.limit)]
        return Labels("frequency", "leaf", [float(keep) for keep in kept], kept, reasons, confidence, evidence=found)


RARE, NEW = "a rare text", "new text in the main region"


class FrequencyPlus:
    """What is new on the page, by the counts of its site; then the page's own evidence."""

    def __init__(self, site: SiteModel | None = None) -> None:
        if site is None:
            raise BadConfig(NEEDS)
        self.model = site

    def label(self, page: Page) -> Labels:
        """Label the blocks."""
        verdicts = self.model.judge(page)
        if verdicts is None:
            return replace(Auto().label(page), method="frequency+")
        (sizes, links), hidden = page.block_sizes, page.hidden_blocks
        site, template = verdicts.site, verdicts.template
        weights = [
            0 if gone or repeats or link > LINKS * size else size
            for size, link, gone, repeats in zip(sizes, links, hidden, template, strict=True)
        ]
        parts = without_threads(page, find_parts(page, sums_of(page, weights)), weights)
        weights = [0 if parts[owner] else weight for owner, weight in zip(page.owners, weights, strict=True)]
        inside = page.within(find_region(page, sums_of(page, weights)))
        reasons = []
        for row, owner in enumerate(page.owners):
            if hidden[row]:
                reason = "hidden"
            elif template[row]:
                reason = verdicts.reason(row)
            elif parts[owner]:
                reason = "comment" if parts[owner] == COMMENT else "in a part named as boilerplate"
            elif not weights[row]:
                reason = "mostly links"
            else:
                reason = NEW if inside[owner] else "new, outside the main region"
            reasons.append(reason)
        kept = [reason is NEW for reason in reasons]
        scores = [
            0.0 if gone else max(0.0, 1 - share - repeated) * (1.0 if keep else 0.5)
            for gone, keep, share, repeated in zip(hidden, kept, verdicts.shares, verdicts.repeated, strict=True)
        ]
        size = sum(size for size, keep in zip(sizes, kept, strict=True) if keep)
        new = sum(size for size, repeats in zip(sizes, template, strict=True) if not repeats)
        confidence = min(1.0, site.pages / SURE) * size / new if size else 0.0
        comments = frozenset(row for row, reason in enumerate(reasons) if reason == "comment")
        about = [OnSite(site.name, site.pages, sum(template), len(template))]
        rows = frozenset(verdicts.rows)
        return Labels("frequency+", "block", scores, kept, reasons, confidence, comments, evidence=about, template=rows)
