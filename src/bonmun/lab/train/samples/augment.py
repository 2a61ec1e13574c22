"""A sample in, another sample out: the same page as another site, or another template, might have made it.

Nothing is translated and no text is made up: names and tags that a network would otherwise lean on go, parts of the
page go, parts of other pages come. Needs only numpy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.markup import HEADINGS
from bonmun.models.features.page_arrays import BOX, PAGE_COLUMNS, TARGETS
from bonmun.models.features.tags import TAG_NUMBERS, TAGS

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from bonmun.lab.train.samples.sample_files import Sample
    from bonmun.models.features.page_arrays import PageArrays

__all__ = ["KEPT", "graft_blocks", "select_blocks", "vary_sample"]

OTHER_TAG = 0  # all that are not told apart
DIV, P = TAG_NUMBERS["div"], TAG_NUMBERS["p"]
NOT_GRAFTED = [OTHER_TAG, TAG_NUMBERS["html"], TAG_NUMBERS["body"]]  # they become <div> in another page
SECTIONS = [TAG_NUMBERS[tag] for tag in "article section main aside header footer nav figure figcaption".split()]
HEADING_NUMBERS = [TAG_NUMBERS[tag] for tag in HEADINGS]
WORD_NUMBERS = 1 << 15  # more than there are class and id words; how many are drawn is part of what a seed means
BLOCK_COLUMNS = ("inner", "counts", "edges", "sentences", "links", "leaves", "hidden", "title", "copies", "targets")
ARTICLES = frozenset({"article", "news", "blog"})  # page kinds

KEPT = 0.5  # a block of which more is in the gold is main text
LEFT_OUT = 0.05  # a block of which less is in the gold is not
LEAST_BLOCKS = 5  # a page that loses parts keeps more than these
MOST_LOST = 0.5  # the share of a page's blocks that no part may have that is lost
MOST_TEXT_LOST = 0.6  # and of its main text
MOST_GRAFTED = 400  # blocks of another page
BEFORE_TEXT, AFTER_TEXT = 2, 1  # blocks around the main text that stay with it

# How often a variant …
TEXT_ALONE = 0.08  # is the main text alone, as a piece of HTML or a plain page has it
PLAIN_SECTIONS = 0.25  # has <div> for <article>, <nav> and the like
PLAIN_HEADINGS = 0.06  # for headings
PLAIN_PARAGRAPHS = 0.08  # for <p>
NO_WORDS = 0.3  # has no class and id words
NO_NAMES = 0.5  # and, without them, does not show either which elements have the same class
FEWER_WORDS = 0.8  # has no class and id words, or fewer
NO_ADDRESS = 0.5
NO_TITLE = 0.12
NO_SITE_MODEL = 0.6
NO_BOXES = 0.5  # though a browser showed it
MOST_WORDS_LOST = 0.5  # the share of the class and id words that may go, where there are fewer
PART_OF_GUEST = 0.6  # how often a part of another page is put in, and not all of it but its main text
RUN = 0.3  # how often a part is a run of blocks, and not those of an element
RUN_BLOCKS = 8  # in the mean, beside the first


class Draws(NamedTuple):
    """A number from 0 to 1 for each thing that may happen to a page. Their order is part of what a seed means."""

    lose_parts: float
    graft: float
    plain_sections: float
    plain_headings: float
    plain_paragraphs: float
    lose_words: float
    lose_names: float
    lose_address: float
    lose_title: float
    lose_site_model: float
    text_alone: float
    second_article: float


def vary_sample(sample: Sample, other: Sample, chance: Generator, parts: float, graft: float, second: float) -> Sample:
    """One of the many pages that this one might have been; `other` is where foreign parts come from.

    `parts` says how often it loses parts, `graft` how often it gets some of the other page, and `second` how often an
    article has another article under it.
    """
    draws = Draws(*chance.random(len(Draws._fields)).tolist())
    labelled, other_labelled = sample.labelled, other.labelled
    if labelled and draws.text_alone < TEXT_ALONE and (sample.keep > KEPT).any():
        sample = select_blocks(sample, _find_text(sample))
    elif draws.lose_parts < parts:
        sample = _lose_parts(sample, chance)
    if labelled and draws.graft < graft and other_labelled:
        sample = _graft_some(sample, other, chance)
    both_articles = sample.kind in ARTICLES and other.kind in ARTICLES
    if labelled and draws.second_article < second and both_articles and (other.keep > KEPT).any():
        sample = graft_blocks(sample, select_blocks(other, _find_text(other)), before=False)  # the next one, below
    arrays = _lose_names(_plain_tags(sample.arrays, draws), draws, chance)
    if draws.lose_address < NO_ADDRESS:
        facts = arrays.facts.copy()
        facts[PAGE_COLUMNS["address"]] = 0
        targets = arrays.targets.copy()
        targets[:, TARGETS["above"]] = targets[:, TARGETS["below"]] = 0
        arrays = replace(arrays, facts=facts, targets=targets)
    if draws.lose_title < NO_TITLE:
        arrays = replace(arrays, title=np.zeros_like(arrays.title))
    if draws.lose_site_model < NO_SITE_MODEL:
        arrays = replace(arrays, site=None)
    if arrays.boxes is not None and chance.random() < NO_BOXES:
        arrays = replace(arrays, boxes=None)
    return replace(sample, arrays=arrays)


def _lose_parts(sample: Sample, chance: Generator) -> Sample:
    """The page without one to three parts, of which none has too much of it."""
    keep, n = sample.keep > KEPT, len(sample.keep)
    gone = np.zeros(n, bool)
    for _ in range(chance.integers(1, 4)):
        part = _choose_part(sample.arrays, chance)
        if part.sum() < MOST_LOST * n and (not keep.any() or (part & keep).sum() < MOST_TEXT_LOST * keep.sum()):
            gone |= part
    return select_blocks(sample, ~gone) if n - gone.sum() > LEAST_BLOCKS else sample


def _graft_some(sample: Sample, other: Sample, chance: Generator) -> Sample:
    """The page with some of the other's blocks before or after its own, but none of the other's main text."""
    rest = (other.keep < LEFT_OUT) & (other.keep >= 0)
    part = _choose_part(other.arrays, chance) & rest if chance.random() < PART_OF_GUEST else rest
    if not part.any() or part.sum() >= MOST_GRAFTED:
        return sample
    return graft_blocks(sample, select_blocks(other, part), before=bool(chance.random() < 0.5))


def _plain_tags(arrays: PageArrays, draws: Draws) -> PageArrays:
    """The page with <div> for some kinds of tags."""
    becomes = np.arange(len(TAGS) + 1, dtype=np.uint8)
    if draws.plain_sections < PLAIN_SECTIONS:
        becomes[SECTIONS] = DIV
    if draws.plain_headings < PLAIN_HEADINGS:
        becomes[HEADING_NUMBERS] = DIV
    if draws.plain_paragraphs < PLAIN_PARAGRAPHS:
        becomes[P] = DIV
    return replace(arrays, tags=becomes[arrays.tags], inner=becomes[arrays.inner])


def _lose_names(arrays: PageArrays, draws: Draws, chance: Generator) -> PageArrays:
    """The page without class and id words, without some of them, or as it is."""
    if draws.lose_words < NO_WORDS:
        arrays = _select_words(arrays, np.zeros(len(arrays.words), bool))
        if draws.lose_names < NO_NAMES:
            arrays = replace(arrays, names=np.zeros_like(arrays.names))
    elif draws.lose_words < FEWER_WORDS:
        gone = chance.random(WORD_NUMBERS) < chance.uniform(0, MOST_WORDS_LOST)
        arrays = _select_words(arrays, ~gone[arrays.words])
    return arrays


def _find_text(sample: Sample) -> NDArray[np.bool_]:
    """The blocks from the first to the last that is kept, and the few right before and after them."""
    rows = np.flatnonzero(sample.keep > KEPT)
    part = np.zeros(len(sample.keep), bool)
    part[max(rows[0] - BEFORE_TEXT, 0) : rows[-1] + 1 + AFTER_TEXT] = True
    return part


def _choose_part(arrays: PageArrays, chance: Generator) -> NDArray[np.bool_]:
    """The blocks in some element, or a run of blocks."""
    n = len(arrays.owners)
    if chance.random() < RUN:
        start = chance.integers(n)
        part = np.zeros(n, bool)
        part[start : start + 1 + int(chance.exponential(RUN_BLOCKS))] = True
        return part
    element = int(arrays.owners[chance.integers(n)])
    for _ in range(chance.integers(1, 6)):  # some way up, but not to <html> and <body>, the first two
        if arrays.parents[element] > 1:
            element = int(arrays.parents[element])
    inside = np.zeros(len(arrays.parents), bool)
    inside[element] = True
    for row in range(element + 1, len(inside)):
        if inside[arrays.parents[row]]:
            inside[row] = True
    return inside[arrays.owners]


def select_blocks(sample: Sample, which: NDArray[np.bool_]) -> Sample:
    """The page with only some of its blocks, and the elements that hold them."""
    a = sample.arrays
    stays = np.zeros(len(a.parents) + 1, bool)
    rows = a.owners[which]
    while len(rows):
        stays[rows] = True
        rows = a.parents[np.unique(rows)]
        rows = rows[(rows >= 0) & ~stays[rows]]
    stays = stays[:-1]
    number = np.append(np.cumsum(stays) - 1, -1).astype(np.int32)
    steps = np.diff(a.between, axis=0, prepend=0)
    between = np.cumsum(np.concatenate([steps[:-1][which], steps[-1:]]), axis=0, dtype=np.int32)
    arrays = replace(
        a,
        owners=number[a.owners[which]],
        between=between,
        parents=number[a.parents[stays]],
        tags=a.tags[stays],
        names=a.names[stays],
        keys=a.keys[stays],
        site=None if a.site is None else a.site[which],
        boxes=None if a.boxes is None else a.boxes[which],
        **{name: getattr(a, name)[which] for name in BLOCK_COLUMNS},
    )
    found, gold, shared = sample.gold
    mass = np.maximum(sample.keep, 0) * sample.sizes
    kept = float(mass[which].sum() / max(mass.sum(), 1e-6))
    return replace(
        sample,
        arrays=arrays,
        keep=sample.keep[which],
        comment=sample.comment[which],
        sizes=sample.sizes[which],
        gold=(int(found * kept), int(gold * kept), int(shared * kept)),
    )


def graft_blocks(sample: Sample, guest: Sample, *, before: bool) -> Sample:
    """The page with the blocks of another one before or after its own."""
    a, b = sample.arrays, guest.arrays
    m = len(a.parents)
    body = min(1, m - 1)

    def join(ours: Any, theirs: Any) -> Any:
        return np.concatenate([theirs, ours] if before else [ours, theirs])

    steps = [np.diff(x.between, axis=0, prepend=0) for x in (a, b)]
    joined = join(steps[0][:-1], steps[1][:-1])
    between = np.cumsum(np.concatenate([joined, steps[0][-1:]]), axis=0, dtype=np.int32)
    parents = np.where(b.parents >= 0, b.parents + m, body).astype(np.int32)
    tags, inner = (np.where(np.isin(each, NOT_GRAFTED), DIV, each).astype(np.uint8) for each in (b.tags, b.inner))
    columns: dict[str, Any] = {name: join(getattr(a, name), getattr(b, name)) for name in BLOCK_COLUMNS}
    columns["inner"] = join(a.inner, inner)
    columns["title"] = join(a.title, np.zeros_like(b.title))  # theirs was likeness to another title
    arrays = replace(
        a,
        owners=join(a.owners, b.owners + m),
        between=between,
        parents=np.concatenate([a.parents, parents]),
        tags=np.concatenate([a.tags, tags]),
        names=np.concatenate([a.names, b.names + a.names.max() + 1]),
        keys=np.concatenate([a.keys, b.keys + len(a.word_stops)]),
        words=np.concatenate([a.words, b.words]),
        word_stops=np.concatenate([a.word_stops, b.word_stops + len(a.words)]),
        site=None,
        boxes=_stack_boxes(b.boxes, a.boxes) if before else _stack_boxes(a.boxes, b.boxes),
        **columns,
    )
    return replace(
        sample,
        arrays=arrays,
        keep=join(sample.keep, np.zeros_like(guest.keep)),
        comment=join(sample.comment, np.minimum(guest.comment, 0)),
        sizes=join(sample.sizes, guest.sizes),
    )


def _stack_boxes(above: Any, below: Any) -> Any:
    """The boxes of two pages, one under the other; None if one has none."""
    if above is None or below is None:
        return None
    below = below.copy()
    below[:, BOX["top"]] += max(float((above[:, BOX["top"]] + above[:, BOX["height"]]).max(initial=0)), 0.0)
    return np.concatenate([above, below])


def _select_words(arrays: PageArrays, stays: NDArray[np.bool_]) -> PageArrays:
    """The page with only some of its class and id words."""
    running = np.concatenate([[0], np.cumsum(stays, dtype=np.int32)])
    return replace(arrays, words=arrays.words[stays], word_stops=running[arrays.word_stops].astype(np.int32))
