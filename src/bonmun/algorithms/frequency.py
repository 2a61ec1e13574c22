"""`frequency` and `frequency+`: over many pages, template repeats and main text does not.

Kim, J.-H. & Kim, E.-G. (2021). HTML Text Extraction Using Frequency Analysis. JKIICE 25(9), 1135-1143. The frequency of
a text is the number of leaves in all collected pages that have it, not counting leaves in head, footer, header, script,
style, link, iframe, a and em. The k distinct frequencies are ranked, the lowest first; a leaf is main text if and only
if its rank is at most k - 2.

`frequency+` counts by site instead of over all pages, and counts pages instead of leaves. It also considers whether
texts repeat at the leaf's place (see sites/site.py), and then applies the page's own evidence as `rules` does: names of
elements, and the region that holds most of the text. If too few pages of the site were counted, it falls back to
`auto`.
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
MIN_FREQUENCIES = 3  # distinct ones; the two highest are not main text, so fewer would leave nothing
FULL_CONFIDENCE_PAGES = 20  # of a site; more pages do not improve its counts much

RARE_REASON = "a rare text"
NEW_REASON = "new text in the main region"
COMMENT_REASON = "comment"


class Counted(NamedTuple):
    """The corpus: the number k of distinct frequencies, and the frequency of rank k - 2, the limit for main text."""

    k: int
    limit: int


class OnSite(NamedTuple):
    """The site of the page: pages counted, and blocks of this page that are template."""

    site: str
    pages: int
    template: int
    blocks: int


class Frequency:
    """The method of paper 1, as published."""

    def __init__(self, site_model: SiteModel | None = None) -> None:
        if site_model is None:
            raise BadConfig(NO_SITE_MODEL)
        ranks = site_model.ranks
        if ranks.k < MIN_FREQUENCIES:
            raise TooFewPages(
                f"The texts of the corpus have only {ranks.k} distinct frequencies, and the two highest are never "
                "main text: count more pages, or use frequency+."
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
                reason = "a frequent text" if text in self.frequent else RARE_REASON
            reasons.append(reason)
        kept = [reason is RARE_REASON for reason in reasons]
        ranks = self.site_model.ranks
        confidence = 1 - 2 / ranks.k if any(kept) else 0.0
        found = [Counted(ranks.k, ranks.limit)]
        return Labels("frequency", "leaf", [float(keep) for keep in kept], kept, reasons, confidence, evidence=found)


class FrequencyPlus:
    """Text that is new on its site, filtered by the page's own evidence."""

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
        kept = [reason is NEW_REASON for reason in reasons]
        scores = [
            0.0 if gone else max(0.0, 1 - share - repeated) * (1.0 if keep else 0.5)
            for gone, keep, share, repeated in zip(hidden, kept, verdicts.shares, verdicts.repeated, strict=True)
        ]
        site = verdicts.site
        size = sum(size for size, keep in zip(sizes, kept, strict=True) if keep)
        new = sum(size for size, repeats in zip(sizes, template, strict=True) if not repeats)
        confidence = min(1.0, site.pages / FULL_CONFIDENCE_PAGES) * size / new if size else 0.0
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
    """Return a reason for each block; NEW_REASON for those that are kept."""
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
            reason = NEW_REASON if region.inside[owner] else "new, outside the main region"
        reasons.append(reason)
    return reasons
