"""Thresholds that decide which blocks are kept, and the reasons of blocks. The kernel uses them by name."""

from __future__ import annotations

from typing import NamedTuple

FAVOURS = {"precision": 0.5, "balanced": 1.0, "recall": 2.0}  # beta of F-beta: the weight of recall

# Thresholds, chosen on cross-validated predictions (see docs/explanation/model.md). Probabilities of the page:
ARTICLE_CHANCE = 0.6  # above it the page is an article, whose blocks must reach SURE_CHANCE
SURE_CHANCE = {"precision": 0.9, "balanced": 0.6, "recall": 0.0}
THREAD_CHANCE = 0.8  # above it the page is a thread, which has posts instead of comments
SAID_CHANCE = 0.7  # minimum for reporting the page kind; below it, what the page declares is used
NOTHING_CHANCE = 0.5  # above it the page has no main text
SMALL_NOTHING_CHANCE, SMALL_LETTERS = 0.8, 400  # the same for a page with fewer letters, which may be all text
LINE_NOTHING_CHANCE, LINE_LETTERS = 0.2, 120  # the same for a larger page of which fewer letters would be kept
UNSURE_CHANCE = 0.3  # of no main text; above it the confidence is low
DOUBT_CHANCE, DOUBT_LETTERS = 0.05, 350  # the same, if fewer letters are kept
# If the kept letters reach this mean probability, UNSURE_CHANCE does not count, and the page is empty only above the
# second chance instead of NOTHING_CHANCE. A single line (LINE_LETTERS) is not enough.
MEANT_CHANCE, SURELY_NOTHING_CHANCE = 0.7, 0.9
# Shifts of the blocks' probabilities, in logits, weighted by the probability of each page kind:
LEANS = {"forum": -1.0, "service": 1.0, "collection": 1.5, "documentation": 1.5}
# Expected F1:
HOPELESS_F1 = 0.2  # below it no block is kept
UNSURE_F1 = 0.7  # maximum where the confidence is low
# Probabilities of blocks:
HOLE_CHANCE = 0.2  # minimum for a block between two kept ones of its list
LIKE_CHANCE = 0.02  # minimum for a block between kept ones, one of which has its path
HEADING_CHANCE = 0.1  # minimum for a heading between kept texts
TITLE_SHARE = 0.9  # a heading with more of it in the title is the headline,
HEADLINE_BLOCKS = 3  # if it is among the first three kept blocks
HEADING_WORDS = 40  # more words in a heading are a paragraph that is marked up as one
LABEL_WORDS = 4  # a block with fewer words and no sentence is a label
FAR_BLOCKS = 3  # a label is alone if no block within this distance is kept

# Units, see whole_units.py:
SURELY, SURELY_NOT = 0.9, 0.1  # probabilities of blocks that are surely main text, and surely not
HALF = 0.5  # of a unit's words; if at least this share is kept, all are
CUT_SHARE = 0.2  # of a unit's words that must be surely main text, and surely not, for the unit to be split
FILLED_UNITS = frozenset({"code", "table", "formula"})  # that are kept between kept blocks
BETWEEN_WORDS = 12  # shorter blocks are ignored between a unit and text: headings, language names, copy buttons

REPEATED_LETTERS = 60  # minimum length of a paragraph that is dropped if it repeats an earlier one,
QUOTES_CHANCE = 0.2  # unless the page is more likely a thread, where it is a quote

KEPT_SCORE, DROPPED_SCORE = 0.5, 0.4999  # minimum score of kept blocks, and maximum of dropped ones
LEAST_SPAN = 0.01  # minimum range of probabilities that scores are stretched over; less is noise
TINY = 1e-6  # avoids division by zero

LISTED_TAGS = ("p", "li", "dd", "dt", "td", "th")  # tags that occur in runs

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
    """The decision on all blocks of a page."""

    kept: list[bool]
    scores: list[float]
    reasons: list[str]
    comments: list[int]
    kind: str | None  # of the page
    kinds: list[tuple[str, float]]  # all page kinds with their probabilities, the most likely first
    expected: float  # F1, given the probabilities
    copied: list[int]  # long kept blocks outside of units whose text occurs more than once


def choose_page_kind(page_kinds: dict[str, float]) -> str | None:
    """Return the most likely page kind, or None if it is not likely enough."""
    kind = max(page_kinds, key=lambda name: page_kinds[name])
    return None if kind == "none" or page_kinds[kind] < SAID_CHANCE else kind
