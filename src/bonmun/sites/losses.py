"""Limit how much text a site model may drop: a fifth of a page's words, or more if most pages of the site have it.

Counts can mislead: a crawl may have an article under three URLs, or all parts of a series. So the text that a site
model would drop is compared with the text that is kept without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.kept import choose_blocks
from bonmun.text.words import WORD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bonmun.labels import Labels
    from bonmun.page import Page
    from bonmun.sites.site import Verdicts

    Words = Mapping[int, int]  # number of kept words by block

__all__ = ["choose_losses", "count_kept_words", "explain_spared", "loses_too_much"]

MAX_LOST_SHARE = 0.2  # of the words kept without a site model
MIN_LOST_COMMON_SHARE = 0.9  # of the lost words, if more than MAX_LOST_SHARE are lost: on most pages of the site
# A page with at least ARTICLE_WORDS keeps this share of them in any case; if less is new, it is a copy of an article.
ARTICLE_WORDS, MIN_LEFT_SHARE = 100, 0.05
# If more than MAX_LOST_SHARE is surely template, in this many blocks, then the page's own evidence cannot tell notices
# from text. All template is dropped then, provided that this share of it is sure.
MIN_SURE_BLOCKS, MIN_SURE_SHARE = 5, 0.5
# All template of an article that the network is unsure of is dropped, too, if this share of the words is left. A copy
# of an article has less. See docs/decisions/doubtful-articles.md.
MIN_DOUBTFUL_LEFT_SHARE = 0.1


def count_kept_words(page: Page, labels: Labels) -> dict[int, int]:
    """Count the kept words of each block that is kept, at least in part."""
    rows = [row for row, keep in enumerate(labels.kept) if keep]
    return {kept.row: len(WORD.findall(kept.text)) for kept in choose_blocks(page, labels, rows)}


def loses_too_much(alone: Words, left: Words, verdicts: Verdicts) -> bool:
    """Whether a site model drops too much: `alone` is kept without it, `left` with it."""
    whole = sum(alone.values())
    lost = {row: max(0, words - left.get(row, 0)) for row, words in alone.items()}
    gone = sum(lost.values())
    if gone <= MAX_LOST_SHARE * whole:
        return False
    common = sum(words for row, words in lost.items() if verdicts.common[row])
    return common < MIN_LOST_COMMON_SHARE * gone or _loses_nearly_all(gone, whole)


def choose_losses(alone: Words, verdicts: Verdicts, *, is_doubtful: bool = False) -> set[int]:
    """Choose the blocks to drop as template, among those kept without a site model.

    `is_doubtful`: the page is an article, and the method is unsure of it.
    """
    template, sure, common = (
        {row for row in alone if column[row]} for column in (verdicts.template, verdicts.sure, verdicts.common)
    )
    if _is_mostly_template(alone, template, sure) or (is_doubtful and _leaves_enough(alone, template)):
        return template
    for rows in (sure, sure & common):
        if not loses_too_much(alone, {row: words for row, words in alone.items() if row not in rows}, verdicts):
            return rows
    return set()


def _is_mostly_template(alone: Words, template: set[int], sure: set[int]) -> bool:
    whole, gone, known = (sum(alone[row] for row in rows) for rows in (alone, template, sure))
    is_much = len(sure) >= MIN_SURE_BLOCKS and known > MAX_LOST_SHARE * whole
    return is_much and known >= MIN_SURE_SHARE * gone and not _loses_nearly_all(gone, whole)


def _leaves_enough(alone: Words, template: set[int]) -> bool:
    whole, gone = sum(alone.values()), sum(alone[row] for row in template)
    return whole - gone >= max(MIN_DOUBTFUL_LEFT_SHARE * whole, 1)


def _loses_nearly_all(gone: int, whole: int) -> bool:
    return whole >= ARTICLE_WORDS and whole - gone < MIN_LEFT_SHARE * whole


def explain_spared(verdicts: Verdicts, row: int) -> str:
    """Say why a block is kept although the site model counts it as template."""
    return f"too much of the page to lose, though {verdicts.explain(row)}"
