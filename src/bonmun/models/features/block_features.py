"""Features of blocks, by group; scaled_features.py has the table of them.

Every function returns rows of n values by column name. Counts are logarithms. Constant divisors only scale typical
values to about 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.markup import HEADINGS
from bonmun.models.features.characters import BLANK, COMMA, DIGIT, END, FENCE, LINE, MARK, SYMBOL, UPPER, WIDE
from bonmun.models.features.measures import LABEL_LETTERS
from bonmun.models.features.page_arrays import LINK_LEAVES
from bonmun.models.features.tag_arrays import HEADING_LEVELS
from bonmun.models.features.tags import H1

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.models.features.measures import Measures

    Floats = NDArray[np.float32]
    Rows = dict[str, Any]

__all__ = [
    "measure_dates",
    "measure_depth",
    "measure_edges",
    "measure_gaps",
    "measure_groups",
    "measure_headlines",
    "measure_last_heading",
    "measure_look",
    "measure_place",
    "measure_site",
    "measure_targets",
    "measure_text",
]

TITLE_SHARE, TITLE_LETTERS = 0.9, 8  # a block is the title if more of it is in the title, and it has more letters
DATE_SHARE = 0.25  # a label with this share of digits looks like a date
NO_HEADING = 3  # the distance if there is no heading
# The score of a headline: its share in the title times its length, up to HEADLINE_LETTERS, and a bonus for a heading
# with more than HEADLINE_SHARE in the title.
HEADLINE_LETTERS, HEADLINE_SHARE, HEADING_BONUS = 60, 0.8, 0.2
HEADLINE_SCORE = 0.3  # a headline must score more


def measure_text(p: Measures) -> Rows:
    """Length, classes of characters, and share of links."""
    a, counts = p.arrays, p.counts
    words = counts[:, BLANK] + counts[:, LINE] + 1 + counts[:, WIDE] / 2
    return {
        "letters": np.log1p(p.letters) / 2,
        "words": np.log1p(words) / 2,
        "plain": np.log1p(p.plain) / 2,
        "characters": (counts / p.chars[:, None]).T,
        "digits": np.log1p(counts[:, DIGIT]),
        "link_share": p.link_share,
        "links": np.log1p(a.links[:, LINK_LEAVES]),
        "leaves": np.log1p(a.leaves),
        "sentences": np.log1p(a.sentences),
        "commas": np.log1p(counts[:, COMMA]),
        "lines": np.log1p(counts[:, LINE]),
    }


def measure_look(p: Measures) -> Rows:
    """Visibility, similarity to the title, and copies."""
    title = p.arrays.title
    return {
        "hidden": 1 - p.shown,
        "title_share": title,
        "is_title": (title > TITLE_SHARE) & (p.letters > TITLE_LETTERS),
        "copies": np.log(p.arrays.copies),
    }


def measure_gaps(p: Measures) -> Rows:
    """Elements between the block and the previous one."""
    before = p.arrays.between[:-1]
    steps = before.copy()
    steps[1:] -= before[:-1]
    return {"gap": np.log1p(steps).T}


def measure_place(p: Measures) -> Rows:
    """Position on the page, and length relative to other blocks."""
    n, index, letters = len(p.index), p.index, p.letters
    return {
        "place": index / n,
        "blocks_before": np.log1p(index) / 4,
        "blocks_after": np.log1p(n - 1 - index) / 4,
        "plain_before": p.plain_before[:n] / p.total.plain,
        "letters_to_mean": letters / np.maximum(p.total.text / n, 1) / 8,
        "letters_to_most": letters / np.maximum(letters.max(), 1),
    }


def measure_headlines(p: Measures) -> Rows:
    """Distances to the first <h1>, and to the block most similar to the title."""
    h1_distance, has_h1 = _measure_distance(p, _find_first(p.tags == H1))
    headline_distance, has_headline = _measure_distance(p, _find_headline(p.arrays.title, p.letters, p.headings))
    return {
        "h1_distance": h1_distance,
        "has_h1": has_h1,
        "headline_distance": headline_distance,
        "has_headline": has_headline,
    }


def _measure_distance(p: Measures, place: int) -> tuple[NDArray[Any], bool]:
    """Return the distance of each block to the one at `place` as a signed logarithm, and whether that one exists."""
    offset = p.index - place if place >= 0 else np.zeros(len(p.index), np.float32)
    return np.sign(offset) * np.log1p(np.abs(offset)) / 4, place >= 0


def _find_first(which: NDArray[np.bool_]) -> int:
    found = int(which.argmax())
    return found if which[found] else -1


def _find_headline(title: Floats, letters: Floats, headings: Floats) -> int:
    """Return the first block that is most similar to the title, by character pairs and length; -1 if there is none."""
    score = title * np.minimum(letters, HEADLINE_LETTERS) / HEADLINE_LETTERS
    score = score + HEADING_BONUS * headings * (title > HEADLINE_SHARE)
    found = int(score.argmax())
    return found if score[found] > HEADLINE_SCORE else -1


def measure_groups(p: Measures) -> Rows:
    """Totals of the blocks with the same path, and of those at the same depth."""
    sentences = p.arrays.sentences.astype(np.float32)
    return {
        "path_group": _sum_groups(p, p.groups, p.shown),
        "depth_group": _sum_groups(p, p.depths.astype(np.int64), sentences),
    }


def _sum_groups(p: Measures, groups: NDArray[np.int64], counted: Floats) -> Floats:
    """Return for each block the values of its group: share of the page's text, share of links, a count, mean length."""
    members = np.maximum(np.bincount(groups), 1).astype(np.float32)
    plain, text, counts = (np.bincount(groups, each).astype(np.float32) for each in (p.plain, p.text, counted))
    rows = (
        plain / p.total.plain,
        1 - plain / np.maximum(text, 1),
        np.log1p(counts) / 4,
        np.log1p(plain / members) / 2,
    )
    return np.array(rows)[:, groups]


def measure_edges(p: Measures) -> Rows:
    """The first and the last character."""
    start, end = p.arrays.edges.T
    return {
        "ends_sentence": end == END,
        "ends_mark": end == MARK,
        "starts_capital": start == UPPER,
        "starts_digit": start == DIGIT,
        "starts_symbol": (start == FENCE) | (start == SYMBOL),
    }


def measure_depth(p: Measures) -> Rows:
    """Depth in the tree."""
    return {"depth": p.depths / 10}


def measure_dates(p: Measures) -> Rows:
    """Whether the block looks like a date: short, with many digits."""
    digits = p.counts[:, DIGIT]
    return {"like_date": (digits > 0) & (p.letters < LABEL_LETTERS) & (digits >= DATE_SHARE * p.chars)}


def measure_site(p: Measures) -> Rows:
    """Evidence of a site model, if there is one."""
    site = p.arrays.site
    return {"site": 0 if site is None else site.T, "has_site": site is not None}


def measure_targets(p: Measures) -> Rows:
    """The target of the first link, unchanged."""
    return {"target": p.arrays.targets.T}


def measure_last_heading(p: Measures) -> Rows:
    """Distance to the last heading, and its level."""
    last = np.maximum.accumulate(np.where(p.headings > 0, p.index, -1)).astype(np.int64)
    return {
        "heading_distance": np.where(last >= 0, np.log1p(p.index - last) / 2, NO_HEADING),
        "heading_level": np.where(last >= 0, HEADING_LEVELS[p.tags[last]] / len(HEADINGS), 0),
    }
