"""Any method, told what repeats on the page's site: it labels the page as if that were hidden."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.labels import Labels
    from bonmun.methods.method import Method
    from bonmun.page import Page
    from bonmun.sites.model import SiteModel

__all__ = ["Sited"]


class Sited:
    """A method with a site model."""

    def __init__(self, method: Method, model: SiteModel) -> None:
        self.method = method
        self.model = model

    def label(self, page: Page) -> Labels:
        """Label what is new on the page; on a site that the model knows too little of, all of it."""
        verdicts = self.model.judge(page)
        if verdicts is None:
            return self.method.label(page)
        labels = self.method.label(page.without(verdicts.rows))
        reasons = list(labels.reasons)
        for row in verdicts.rows:
            rows = [row] if labels.unit == "block" else range(page.starts[row], page.stops[row])
            for each in rows:
                reasons[each] = verdicts.reason(row)
        return replace(labels, reasons=reasons, template=frozenset(verdicts.rows))
