"""Any method with a site model: it labels the page as if what repeats on the page's site were hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bonmun.sites.losses import count_kept_words, explain_spared, loses_too_much

if TYPE_CHECKING:
    from bonmun.algorithms.method import Method
    from bonmun.labels import Labels
    from bonmun.page import Page
    from bonmun.sites.model import SiteModel

__all__ = ["WithoutTemplate"]


class WithoutTemplate:
    """A method that sees nothing of a page's template, which a site model knows.

    `bounded`: unless the page then loses too much of what the method keeps of it alone (see sites/losses.py). It is for
    methods that are mostly right alone; what others keep of a page is often its boilerplate, which is to be lost.
    """

    def __init__(self, method: Method, site_model: SiteModel, *, bounded: bool = False) -> None:
        self.method = method
        self.site_model = site_model
        self.bounded = bounded

    def label(self, page: Page) -> Labels:
        """Label what is new on the page; on a site that the site model knows too little of, all of it."""
        verdicts = self.site_model.judge(page)
        if verdicts is None or not verdicts.rows:
            return self.method.label(page)
        labels = self.method.label(page.without(verdicts.rows))
        if self.bounded:
            alone = self.method.label(page)
            kept, left = (count_kept_words(page, each) for each in (alone, labels))
            if loses_too_much(kept, left, verdicts):
                spared = {row: explain_spared(verdicts, row) for row in verdicts.rows if row in kept}
                return replace(alone, reasons=_give_reasons(page, alone, spared))
        reasons = _give_reasons(page, labels, {row: verdicts.explain(row) for row in verdicts.rows})
        return replace(labels, reasons=reasons, template=frozenset(verdicts.rows))


def _give_reasons(page: Page, labels: Labels, reasons: dict[int, str]) -> list[str]:
    """The reasons of all rows, with those of some blocks."""
    given = list(labels.reasons)
    for block, reason in reasons.items():
        for row in [block] if labels.unit == "block" else range(page.starts[block], page.stops[block]):
            given[row] = reason
    return given
