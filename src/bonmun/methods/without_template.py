"""Any method with a site model: it labels the page as if what repeats on the page's site were hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.labels import Labels
    from bonmun.methods.method import Method
    from bonmun.page import Page
    from bonmun.sites.model import SiteModel

__all__ = ["WithoutTemplate"]


class WithoutTemplate:
    """A method that sees nothing of a page's template, which a site model knows."""

    def __init__(self, method: Method, site_model: SiteModel) -> None:
        self.method = method
        self.site_model = site_model

    def label(self, page: Page) -> Labels:
        """Label what is new on the page; on a site that the site model knows too little of, all of it."""
        verdicts = self.site_model.judge(page)
        if verdicts is None:
            return self.method.label(page)
        labels = self.method.label(page.without(verdicts.rows))
        reasons = list(labels.reasons)
        for block in verdicts.rows:
            rows = [block] if labels.unit == "block" else range(page.starts[block], page.stops[block])
            for row in rows:
                reasons[row] = verdicts.explain(block)
        return replace(labels, reasons=reasons, template=frozenset(verdicts.rows))
