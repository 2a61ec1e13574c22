"""`frequency` and `frequency+`: over many pages, template repeats and main text does not.

Kim, J.-H. & Kim, E.-G. (2021). HTML Text Extraction Using Frequency Analysis. JKIICE 25(9), 1135-1143. A text's
frequency is how many leaves of all collected pages have it, without those in head, footer, header, script, style, link,
iframe, a and em. The k different frequencies are ranked, the lowest first; a leaf is main text iff its rank is at most
k - 2.

`frequency+` asks by site, not over all; counts pages, not leaves; asks as well whether texts repeat at the leaf's place
(see sites/site.py); and takes what is left to the page's own evidence, as `rules` does: parts by their names, the
region that holds most of the text. A site it knows too little of it leaves to `auto`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms.auto import Auto
from bonmun.algorithms.regions import COMMENT, find_main_region
from bonmun.algorithms.sizes import find_link_blocks
from bonmun.errors import BadConfig, TooFewPages
from bonmun.labels import Labels
from bonmun.sites.keys import find_dropped_leaves, hash_texts

if TYPE_CHECKING:
    from bonmun.algorithms.regions import MainRegion
    from bonmun.page import Page
    from bonmun.sites.model import SiteModel
    from bonmun.sites.site import Verdicts

__all__ = ["Frequency", "FrequencyPlus"]

NO_SITE_MODEL = "This method needs a site model: set site_model in Options, or --site-model on the command line."
LEAST_FREQUENCIES = 3  # fewer different ones leave nothing, since the two highest are no main text
SURE_PAGES = 20  # with so many the counts of a site are as good as they get

RARE = "a rare text"
NEW = "new text in the main region"
COMMENT_REASON = "comment"


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

    def __init__(self, site_model: SiteModel | None = None) -> None:
        if site_model is None:
            raise BadConfig(NO_SITE_MODEL)
        ranks = site_model.ranks
        if ranks.k < LEAST_FREQUENCIES:
            raise TooFewPages(
                f"The texts of the corpus have {ranks.k} different frequencies, and the ranks of two of them are "
                "no main text, so nothing is left: count more pages, or use frequency+."
            )
        self.site_model = site_model
        self.frequent = frozenset(ranks.texts[ranks.counts > ranks.limit].tolist())

    def label(self, page: Page) -> Labels:
        """Label the leaves."""
        shown = set(page.shown)
        reasons = []
        keys = zip(hash_texts(page, self.site_model.normal), find_dropped_leaves(page), strict=True)
        for leaf, (text, dropped) in enumerate(keys):
            if leaf not in shown:
                reason = "hidden"
            elif dropped:
                reason = "in a tag that is dropped"
            else:
                reason = "a frequent text" if text in self.frequent else RARE
            reasons.append(reason)
        kept = [reason is RARE for reason in reasons]
        ranks = self.site_model.ranks
        confidence = 1 - 2 / ranks.k if any(kept) else 0.0
        found = [Counted(ranks.k, ranks.limit)]
        return Labels("frequency", "leaf", [float(keep) for keep in kept], kept, reasons, confidence, evidence=found)


class FrequencyPlus:
    """What is new on the page, by the counts of its site; then the page's own evidence."""

    def __init__(self, site_model: SiteModel | None = None) -> None:
        if site_model is None:
            raise BadConfig(NO_SITE_MODEL)
        self.site_model = site_model

    def label(self, page: Page) -> Labels:
        """Label the blocks."""
        verdicts = self.site_model.judge(page)
        if verdicts is None:
            return replace(Auto().label(page), method="frequency+")
        sizes, hidden, template = page.block_sizes.sizes, page.hidden_blocks, verdicts.template
        weights = [
            0 if gone or repeats or linked else size
            for size, linked, gone, repeats in zip(sizes, find_link_blocks(page), hidden, template, strict=True)
        ]
        reasons = _find_reasons(page, verdicts, find_main_region(page, weights))
        kept = [reason is NEW for reason in reasons]
        scores = [
            0.0 if gone else max(0.0, 1 - share - repeated) * (1.0 if keep else 0.5)
            for gone, keep, share, repeated in zip(hidden, kept, verdicts.shares, verdicts.repeated, strict=True)
        ]
        site = verdicts.site
        size = sum(size for size, keep in zip(sizes, kept, strict=True) if keep)
        new = sum(size for size, repeats in zip(sizes, template, strict=True) if not repeats)
        confidence = min(1.0, site.pages / SURE_PAGES) * size / new if size else 0.0
        return Labels(
            "frequency+",
            "block",
            scores,
            kept,
            reasons,
            confidence,
            comments=frozenset(row for row, reason in enumerate(reasons) if reason is COMMENT_REASON),
            evidence=[OnSite(site.name, site.pages, sum(template), len(template))],
            template=frozenset(verdicts.rows),
        )


def _find_reasons(page: Page, verdicts: Verdicts, region: MainRegion) -> list[str]:
    """Why each block goes, or is kept: it is new in the main region."""
    reasons = []
    for row, owner in enumerate(page.owners):
        part = region.parts[owner]
        if page.hidden_blocks[row]:
            reason = "hidden"
        elif verdicts.template[row]:
            reason = verdicts.explain(row)
        elif part:
            reason = COMMENT_REASON if part == COMMENT else "in a part named as boilerplate"
        elif not region.weights[row]:
            reason = "mostly links"
        else:
            reason = NEW if region.inside[owner] else "new, outside the main region"
        reasons.append(reason)
    return reasons
