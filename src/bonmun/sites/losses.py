"""How much of a page a site model may take: a fifth of its words, and more only of what most pages of the site have.

Counts mislead: a crawl has an article under three addresses, or all parts of a series. So what a page would lose by a
site model is held against what is kept of the page alone.
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

    Words = Mapping[int, int]  # kept of each block

__all__ = ["choose_losses", "count_kept_words", "explain_spared", "loses_too_much"]

LOST_SHARE = 0.2  # of the words that are kept of the page alone: so many may go
COMMON_LOSS = 0.9  # of the words that go, if more than that do: so many stand on most pages of the site
# Of a page with an article's worth of words so many are left in any case; else it is one of many copies of an article.
ARTICLE_WORDS, LEFT_SHARE = 100, 0.05
# What is kept of a page alone is no measure if more than may go is sure to be template, in so many blocks: then nothing
# on the page tells its notices from its text, and all that is template goes, if so much of it is sure to be.
FOOLED_BLOCKS, FOOLED_LOSS = 5, 0.5


def count_kept_words(page: Page, labels: Labels) -> dict[int, int]:
    """The words that are kept of each block of which something is."""
    rows = [row for row, keep in enumerate(labels.kept) if keep]
    return {kept.row: len(WORD.findall(kept.text)) for kept in choose_blocks(page, labels, rows)}


def loses_too_much(alone: Words, left: Words, verdicts: Verdicts) -> bool:
    """Whether a page loses too much by a site model: what is kept of it alone, and what is left of that."""
    whole = sum(alone.values())
    lost = {row: max(0, words - left.get(row, 0)) for row, words in alone.items()}
    gone = sum(lost.values())
    if gone <= LOST_SHARE * whole:
        return False
    common = sum(words for row, words in lost.items() if verdicts.common[row])
    return common < COMMON_LOSS * gone or _is_all(gone, whole)


def choose_losses(alone: Words, verdicts: Verdicts) -> set[int]:
    """Which blocks a page loses, of those that are kept of it alone."""
    template, sure, common = (
        {row for row in alone if column[row]} for column in (verdicts.template, verdicts.sure, verdicts.common)
    )
    if _is_fooled(alone, template, sure):
        return template
    for rows in (sure, sure & common):
        if not loses_too_much(alone, {row: words for row, words in alone.items() if row not in rows}, verdicts):
            return rows
    return set()


def _is_fooled(alone: Words, template: set[int], sure: set[int]) -> bool:
    whole, gone, known = (sum(alone[row] for row in rows) for rows in (alone, template, sure))
    is_much = len(sure) >= FOOLED_BLOCKS and known > LOST_SHARE * whole
    return is_much and known >= FOOLED_LOSS * gone and not _is_all(gone, whole)


def _is_all(gone: int, whole: int) -> bool:
    return whole >= ARTICLE_WORDS and whole - gone < LEFT_SHARE * whole


def explain_spared(verdicts: Verdicts, row: int) -> str:
    """Why a block stays that a site model takes for template."""
    return f"too much of the page to lose, though {verdicts.explain(row)}"
