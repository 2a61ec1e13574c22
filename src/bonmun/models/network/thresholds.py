"""What decides which blocks are kept, beside their probabilities: thresholds, and what is said of the blocks."""

from __future__ import annotations

from typing import NamedTuple

FAVOURS = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}  # how many times as much recall counts as precision

# Thresholds, chosen on cross-validated predictions (see docs/explanation/model.md). Of the page, as chances:
ARTICLE_CHANCE = 0.6  # if it is so likely an article, its blocks must be surer main text:
SURE_CHANCE = {"precision": 0.9, "balanced": 0.6, "recall": 0.0}
THREAD_CHANCE = 0.75  # if it is so likely a thread, it has posts, not comments
SAID_CHANCE = 0.7  # its kind is only said if it is so likely; else the page's own word counts
NOTHING_CHANCE = 0.5  # if it is so likely without main text, it has none
SMALL_NOTHING_CHANCE, SMALL_LETTERS = 0.8, 400  # the same, for a page with so little on it that it may be all text
LINE_NOTHING_CHANCE, LINE_LETTERS = 0.2, 120  # the same, for a larger page of which but a line or two would be kept
UNSURE_CHANCE = 0.3  # or none that is sure
DOUBT_CHANCE, DOUBT_LETTERS = 0.05, 350  # nor is it sure if it is so likely without, and so little is kept
# by how much its blocks count as likelier, or less likely, for each kind that the page may be of; in logits
LEANS = {"forum": -1.0, "service": 1.0, "collection": 1.5, "documentation": 1.5}
# of an answer, as F1:
HOPELESS_F1 = 0.2  # if the best blocks promise less, none are kept
UNSURE_F1 = 0.25  # an answer that is not sure is expected to be no better
# and of blocks:
HOLE_CHANCE = 0.2  # one between two kept ones of its own list must be so likely main text to be kept with them
LIKE_CHANCE = 0.02  # one that is like the kept one before or after it, by its path
HEADING_CHANCE = 0.1  # and a heading between kept texts
TITLE_SHARE = 0.9  # a heading with so much of it in the title is the headline,
HEADLINE_BLOCKS = 3  # if it is no later than the third kept block
LABEL_WORDS = 4  # one of fewer words, without a sentence in it, is a label
FAR_BLOCKS = 3  # a label with no kept block so near is alone

# Of units, see whole.py:
SURELY, SURELY_NOT = 0.9, 0.1  # main text, as chances
HALF = 0.5  # of a unit's words: with so many kept, all are
CUT_SHARE = 0.2  # of a unit's words that must be the one, and the other, for a cut
FILLED_UNITS = frozenset({"code", "table", "formula"})  # that are kept between what is kept
BETWEEN_WORDS = 12  # what has no more may stand between a unit and text: a heading, a language, a button to copy

REPEATED_LETTERS = 60  # nobody writes a paragraph of so many twice, unless the page is a thread, where it is a quote:
QUOTES_CHANCE = 0.2

KEPT_SCORE, DROPPED_SCORE = 0.5, 0.4999  # what is kept scores no less, all else no more
LEAST_SPAN = 0.01  # of probabilities on either side of the threshold, which scores are stretched over: less is noise
TINY = 1e-6  # keeps from dividing by zero

LISTED_TAGS = ("p", "li", "dd", "dt", "td", "th")  # what stands in runs of its like

KEPT, LIKELY, FILLED, HIDDEN, COMMENT, TITLE, LONE, HEADING, PART, EMPTY, LINKS, SHORT, UNLIKE = range(13)
REASON_TEXTS = (
    "like main text",
    "rather main text than not",
    "between main text",
    "hidden",
    "comment",
    "the title",
    "a label far from all text",
    "a heading without text",
    "part of what is not kept",
    "a page without main text",
    "mostly links, not like main text",
    "short, not like main text",
    "not like main text",
)


class Decision(NamedTuple):
    """What becomes of the blocks of a page."""

    kept: list[bool]
    scores: list[float]
    reasons: list[str]
    comments: list[int]
    kind: str | None  # of the page
    kinds: list[tuple[str, float]]  # all kinds of pages with their chances, the likeliest first
    expected: float  # F1, as the probabilities have it
    copied: list[int]  # long kept blocks in no unit, whose text stands on the page more than once


def choose_page_kind(page_kinds: dict[str, float]) -> str | None:
    """The likeliest kind, if it is likely enough to be said."""
    kind = max(page_kinds, key=lambda name: page_kinds[name])
    return None if kind == "none" or page_kinds[kind] < SAID_CHANCE else kind
