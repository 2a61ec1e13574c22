"""Run any method with a site model: it labels the page as if the template of its site were hidden."""

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
    """A method that does not see the template of a page, as found by a site model.

    `bounded`: ignore the site model if the page would lose too much of what the method keeps without it (see
    sites/losses.py). Use it for reliable methods only: what other methods keep is often boilerplate that should go.
    """

    def __init__(self, method: Method, site_model: SiteModel, *, bounded: bool = False) -> None:
        self.method = method
        self.site_model = site_model
        self.bounded = bounded

    def label(self, page: Page) -> Labels:
        """Label what is new on the page, or all of it if the site model has too few pages of its site."""
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
    """Return the reasons of all rows, with those of some blocks replaced."""
    given = list(labels.reasons)
    for block, reason in reasons.items():
        for row in [block] if labels.unit == "block" else range(page.starts[block], page.stops[block]):
            given[row] = reason
    return given
