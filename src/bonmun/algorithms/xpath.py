"""`xpath` and `xpath+`: XTractor, the longest run of leaves with the same path (paper 5).

Sun, B.-K. (2015), "A Study of Main Contents Extraction from Web News Pages based on XPath Analysis", Journal of the
Korea Society of Computer and Information 20(7).

Every leaf has the XPath of its element without indexes, `html/body/div/p`. A maximal run of consecutive leaves with the
same path is a group (eq. 1: its path is the ID, the number of its leaves the multiplicity C). The group with the most
characters is the main text (eq. 2).

`xpath+` applies the idea to blocks. Its own rules (see XPathPlus) handle paragraphs that contain emphasis or links,
articles with headings between paragraphs, and the paper's two known failures: noise that is longer than the article,
and copyright lines with the article's path.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms.sizes import ARTICLE_SIZE, find_link_blocks
from bonmun.labels import Labels
from bonmun.markup import HEADINGS
from bonmun.page import Rows
from bonmun.text.sentences import find_sentences

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["Group", "WeighedGroup", "XPath", "XPathPlus", "skip_bylines", "weigh_groups"]

# The constants of xpath+ were tuned on pages of dragnet, metahtml, silver, hand-ml, omnivore and CleanEval, from sites
# that are in none of the sets that docs/reference/methods/ reports.
NO_SENTENCE_WEIGHT = 0.25  # of a byte in a block without a sentence mark
MIN_WEIGHT_SHARE = 0.7  # of the heaviest group's weight; the first such group is chosen, as comments follow the article
MAX_COPYRIGHT_BYTES = 200  # of a copyright line
MAX_BYLINE_BYTES = 120  # of a byline
# Signs of a copyright line in any language: the symbol, an e-mail address, a URL.
COPYRIGHT = re.compile(r"[©ⓒ]|\(c\)|[\w.+-]@[\w-]|https?://|www\.", re.I)


class Group(NamedTuple):
    """Groups: runs of leaves with the same path."""

    first: int  # the number of its first leaf
    leaves: int  # C
    characters: int
    chosen: bool
    path: str


class XPath:
    """The method as published."""

    def label(self, page: Page) -> Labels:
        """Label the leaves."""
        numbers, elements = page.path_numbers, page.leaf_elements
        runs = [list(run) for _, run in groupby(page.shown, key=lambda leaf: numbers[elements[leaf]])]
        lengths = [sum(len(page.texts[leaf]) for leaf in run) for run in runs]
        longest = max(lengths, default=0)
        best = lengths.index(longest) if runs else -1

        scores = [0.0] * len(page.texts)
        kept = [False] * len(page.texts)
        reasons = ["hidden"] * len(page.texts)
        for number, (run, length) in enumerate(zip(runs, lengths, strict=True)):
            for leaf in run:
                scores[leaf] = length / longest
                kept[leaf] = number == best
                reasons[leaf] = "in the longest group" if number == best else "in a shorter group"
        second = max((length for number, length in enumerate(lengths) if number != best), default=0)
        # high for a long group that is much longer than the second
        confidence = min(1.0, longest / ARTICLE_SIZE) * (1 - second / longest) if runs else 0.0
        groups = Rows(
            lambda n: Group(runs[n][0], len(runs[n]), lengths[n], n == best, page.tag_path(elements[runs[n][0]])),
            len(runs),
        )
        return Labels("xpath", "leaf", scores, kept, reasons, confidence, evidence=groups)


class WeighedGroup(NamedTuple):
    """Groups: blocks with the same path. Weight: bytes, a quarter of them without a sentence, zero in link blocks."""

    first: int  # the number of its first block
    blocks: int
    bytes: int
    weight: float
    chosen: bool
    path: str


class XPathPlus:
    """The paper's idea applied to blocks, without its known failures.

    1. A block has the path of the element that holds it, so inline tags do not break a run.
    2. A run continues after an interruption if the next block with its path has the same parent or grandparent.
    3. Groups are compared by weight, not length: link blocks weigh nothing, text without a sentence mark little.
    4. The first group that weighs nearly as much as the heaviest is chosen. Rules 3 and 4 avoid longer noise.
    5. Blocks between those of the chosen group, or with them in the smallest common ancestor (headings, lists, quotes),
       are kept unless they are mostly links.
    6. Headings and copyright lines at the end are dropped, and so are lines without a sentence at the start.
    """

    def label(self, page: Page) -> Labels:
        """Label the blocks."""
        sizes = page.block_sizes.sizes
        sentences, _ = find_sentences(page.block_texts)
        groups, weights = weigh_groups(page, sentences)
        heaviest = max(weights, default=0.0)
        best = next((number for number, weight in enumerate(weights) if weight >= MIN_WEIGHT_SHARE * heaviest > 0), -1)

        reasons = ["hidden" if gone else "outside of the group" for gone in page.hidden_blocks]
        chosen = _choose_blocks(page, groups[best], reasons) if best >= 0 else []
        kept = _trim_ends(page, chosen, sentences, reasons)

        scores = [0.0] * len(sizes)
        for group, weight in zip(groups, weights, strict=True):
            for row in group:
                scores[row] = weight / heaviest / 2 if heaviest else 0.0
        for row in kept:
            scores[row] = (1 + weights[best] / heaviest) / 2
        rival = max((weight for number, weight in enumerate(weights) if number != best), default=0.0)
        size = sum(sizes[row] for row in kept)
        confidence = min(1.0, size / ARTICLE_SIZE) * weights[best] / (weights[best] + rival) if kept else 0.0
        evidence = Rows(
            lambda n: WeighedGroup(
                groups[n][0],
                len(groups[n]),
                sum(sizes[row] for row in groups[n]),
                weights[n],
                n == best,
                page.tag_path(page.owners[groups[n][0]]),
            ),
            len(groups),
        )
        wanted = set(kept)
        keep = [row in wanted for row in range(len(sizes))]
        return Labels("xpath+", "block", scores, keep, reasons, confidence, evidence=evidence)


def weigh_groups(page: Page, sentences: list[int]) -> tuple[list[list[int]], list[float]]:
    """Find the groups of blocks with the same path, in order of their first blocks, and the weight of each.

    `sentences` is the number of sentences of each block.
    """
    (sizes, links), hidden, linked = page.block_sizes, page.hidden_blocks, find_link_blocks(page)
    numbers, parents = page.path_numbers, page.parents
    groups: list[list[int]] = []
    weights: list[float] = []
    near: dict[tuple[int, int], int] = {}  # by path, and parent or grandparent: the last group there
    last_path = last_group = -1
    for row, owner in enumerate(page.owners):
        if hidden[row]:
            continue
        path, parent = numbers[owner], parents[owner]
        grandparent = parents[parent] if parent >= 0 else -1
        if path == last_path:
            group = last_group
        else:
            group = near.get((path, parent), near.get((path, grandparent), len(groups)))
        if group == len(groups):
            groups.append([])
            weights.append(0.0)
        groups[group].append(row)
        if not linked[row]:
            weights[group] += (sizes[row] - links[row]) * (1.0 if sentences[row] else NO_SENTENCE_WEIGHT)
        near[path, parent] = near[path, grandparent] = last_group = group
        last_path = path
    return groups, weights


def _choose_blocks(page: Page, group: list[int], reasons: list[str]) -> list[int]:
    """Return the blocks in and around a group that are shown and not mostly links."""
    hidden, linked = page.hidden_blocks, find_link_blocks(page)
    chosen = []
    for row in _find_surrounding(page, group):
        if linked[row]:
            reasons[row] = "hidden" if hidden[row] else "mostly links"
        elif not hidden[row]:
            reasons[row] = "around the chosen group"
            chosen.append(row)
    for row in group:
        if not linked[row]:
            reasons[row] = "in the chosen group"
    return chosen


def _find_surrounding(page: Page, group: list[int]) -> range:
    """Return the blocks from the first to the last of a group, and those beside them in their common ancestor."""
    owners = page.owners
    # in document order, the common ancestor of the first and the last element is that of all
    one, other = owners[group[0]], owners[group[-1]]
    while one != other:
        one, other = min(one, other), page.parents[max(one, other)]
    within = page.mark_descendants(one)
    first, last = group[0], group[-1]
    while first > 0 and within[owners[first - 1]]:
        first -= 1
    while last + 1 < len(owners) and within[owners[last + 1]]:
        last += 1
    return range(first, last + 1)


def _trim_ends(page: Page, rows: list[int], sentences: list[int], reasons: list[str]) -> list[int]:
    """Drop headings and copyright lines at the end, and bylines at the start, unless nothing would be left."""
    texts, sizes = page.block_texts, page.block_sizes.sizes
    ends: dict[int, str] = {}
    for row in reversed(rows):
        if page.tags[page.owners[row]] in HEADINGS:
            ends[row] = "a heading without text"
        elif sizes[row] < MAX_COPYRIGHT_BYTES and COPYRIGHT.search(texts[row]):
            ends[row] = "a copyright line"
        else:
            break
    stop = len(rows) - len(ends)
    if not stop:
        return rows
    kept = skip_bylines(page, rows[:stop], sentences)
    for row, reason in ends.items():
        reasons[row] = reason
    for row in rows[: stop - len(kept)]:
        reasons[row] = "no sentence, before the text"
    return kept


def skip_bylines(page: Page, rows: list[int], sentences: list[int]) -> list[int]:
    """Return the rows of a group from the first that has a sentence or is long; all rows if there is none."""
    sizes = page.block_sizes.sizes
    start = next((i for i, row in enumerate(rows) if sentences[row] or sizes[row] >= MAX_BYLINE_BYTES), 0)
    return rows[start:]
