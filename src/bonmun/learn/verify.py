"""Apply a rule to pages, and compare the result with the answers of the method."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from bonmun.document import Document
from bonmun.rules.apply import apply_rules
from bonmun.rules.rule_set import RuleSet
from bonmun.rules.selectors import parse_selector
from bonmun.text.words import compare_counts, count_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.learn.studied import StudiedPage
    from bonmun.rules.records import SiteRule

__all__ = ["MIN_OVERLAP", "TextAgreement", "apply_learned", "compare_texts"]

MIN_OVERLAP = 0.95  # of the words of the rule and of the method: F1, mean over pages
MIN_PAGE_OVERLAP = 0.8  # of a page that agrees
MIN_AGREEING = 0.9  # share of such pages
MIN_SAME_OVERLAP = 0.995  # of a page with the same text
MIN_SAME = 0.9  # share of such pages
EVERY_PAGE = parse_selector("html")


class TextAgreement(NamedTuple):
    """How well the text that a rule keeps agrees with the text that the method keeps."""

    overlap: float  # F1 of words, mean over pages
    right: int  # pages with an F1 of at least MIN_PAGE_OVERLAP
    same: int  # pages with an F1 of at least MIN_SAME_OVERLAP
    pages: int

    @property
    def is_good(self) -> bool:
        """Whether the rule may be written."""
        return self.overlap >= MIN_OVERLAP and self.right >= MIN_AGREEING * self.pages

    @property
    def is_same(self) -> bool:
        """Whether nearly all texts are the same, so that the rule may decide alone."""
        return self.is_good and self.same >= MIN_SAME * self.pages

    def __str__(self) -> str:
        return f"the same text as the method on {self.same} of {self.pages} pages, word overlap {self.overlap:.3f}"


def compare_texts(pages: Sequence[StudiedPage], rule: SiteRule) -> TextAgreement:
    """Apply a rule to pages whatever their hosts, and compare the texts."""
    scores = [compare_counts(count_words(apply_learned(page, rule).text), page.words).f1 for page in pages]
    right = sum(score >= MIN_PAGE_OVERLAP for score in scores)
    same = sum(score >= MIN_SAME_OVERLAP for score in scores)
    return TextAgreement(sum(scores) / max(len(scores), 1), right, same, len(scores))


def apply_learned(page: StudiedPage, rule: SiteRule) -> Document:
    """Return the document of a page with a rule, whatever its host."""
    rules = RuleSet((replace(rule, hosts=(), has=EVERY_PAGE),))
    return Document(page.page, apply_rules(page.page, page.doc.labels, rules), page.doc.options)
