"""Data augmentation: vary a sample as another site or template might have produced the same page.

No text is translated or invented. Names and tags that a network would otherwise rely on are removed, parts of the page
are removed, and parts of other pages are added. Needs only numpy.
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

OTHER_TAG = 0  # every tag without a number of its own
DIV, P = TAG_NUMBERS["div"], TAG_NUMBERS["p"]
NOT_GRAFTED = [OTHER_TAG, TAG_NUMBERS["html"], TAG_NUMBERS["body"]]  # replaced by <div> in another page
SECTIONS = [TAG_NUMBERS[tag] for tag in "article section main aside header footer nav figure figcaption".split()]
HEADING_NUMBERS = [TAG_NUMBERS[tag] for tag in HEADINGS]
WORD_NUMBERS = 1 << 15  # more than there are class and id words; changing it changes the random draws
BLOCK_COLUMNS = ("inner", "counts", "edges", "sentences", "links", "leaves", "hidden", "title", "copies", "targets")
ARTICLES = frozenset({"article", "news", "blog"})  # page kinds

KEPT = 0.5  # a block with a larger share in the gold is main text
LEFT_OUT = 0.05  # a block with a smaller share in the gold is not
MIN_BLOCKS = 5  # a page that loses parts keeps more than this
MAX_LOST_SHARE = 0.5  # of a page's blocks, per removed part
MAX_LOST_TEXT_SHARE = 0.6  # of a page's main text, per removed part
MAX_GRAFTED_BLOCKS = 400  # from another page
BEFORE_TEXT, AFTER_TEXT = 2, 1  # blocks around the main text that are kept with it

# How often a variant …
TEXT_ALONE = 0.08  # contains only the main text, like a fragment of HTML
PLAIN_SECTIONS = 0.25  # has <div> instead of <article>, <nav> and the like
PLAIN_HEADINGS = 0.06  # instead of headings
PLAIN_PARAGRAPHS = 0.08  # instead of <p>
NO_WORDS = 0.3  # has no class and id words
NO_NAMES = 0.5  # and, without them, does not show which elements share a class
FEWER_WORDS = 0.8  # has no class and id words, or fewer
NO_ADDRESS = 0.5
NO_TITLE = 0.12
NO_SITE_MODEL = 0.6
NO_BOXES = 0.5  # although the page has them
MAX_LOST_WORD_SHARE = 0.5  # of the class and id words, where there are fewer
PART_OF_GUEST = 0.6  # how often only a part of the other page's boilerplate is added, instead of all
RUN = 0.3  # how often a part is a run of blocks, instead of the blocks of an element
RUN_BLOCKS = 8  # mean length, besides the first block


class Draws(NamedTuple):
    """A random number from 0 to 1 for each kind of change. Changing their order changes the random draws."""

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


def vary_sample(sample: Sample, other: Sample, rng: Generator, parts: float, graft: float, second: float) -> Sample:
    """Return a random variant of a sample; `other` is the sample that foreign parts come from.

    `parts` is the probability that it loses parts, `graft` that it receives parts of the other page, and `second` that
    an article is followed by another article.
    """
    draws = Draws(*rng.random(len(Draws._fields)).tolist())
    labelled, other_labelled = sample.labelled, other.labelled
    if labelled and draws.text_alone < TEXT_ALONE and (sample.keep > KEPT).any():
        sample = select_blocks(sample, _find_text(sample))
    elif draws.lose_parts < parts:
        sample = _lose_parts(sample, rng)
    if labelled and draws.graft < graft and other_labelled:
        sample = _graft_some(sample, other, rng)
    both_articles = sample.kind in ARTICLES and other.kind in ARTICLES
    if labelled and draws.second_article < second and both_articles and (other.keep > KEPT).any():
        sample = graft_blocks(sample, select_blocks(other, _find_text(other)), before=False)  # as the next article
    arrays = _lose_names(_plain_tags(sample.arrays, draws), draws, rng)
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
    if arrays.boxes is not None and rng.random() < NO_BOXES:
        arrays = replace(arrays, boxes=None)
    return replace(sample, arrays=arrays)


def _lose_parts(sample: Sample, rng: Generator) -> Sample:
    """Remove one to three parts of the page, none of them too large."""
    keep, n = sample.keep > KEPT, len(sample.keep)
    gone = np.zeros(n, bool)
    for _ in range(rng.integers(1, 4)):
        part = _choose_part(sample.arrays, rng)
        is_small = part.sum() < MAX_LOST_SHARE * n
        if is_small and (not keep.any() or (part & keep).sum() < MAX_LOST_TEXT_SHARE * keep.sum()):
            gone |= part
    return select_blocks(sample, ~gone) if n - gone.sum() > MIN_BLOCKS else sample


def _graft_some(sample: Sample, other: Sample, rng: Generator) -> Sample:
    """Add some of the other page's boilerplate before or after the page's own blocks."""
    rest = (other.keep < LEFT_OUT) & (other.keep >= 0)
    part = _choose_part(other.arrays, rng) & rest if rng.random() < PART_OF_GUEST else rest
    if not part.any() or part.sum() >= MAX_GRAFTED_BLOCKS:
        return sample
    return graft_blocks(sample, select_blocks(other, part), before=bool(rng.random() < 0.5))


def _plain_tags(arrays: PageArrays, draws: Draws) -> PageArrays:
    """Replace some kinds of tags by <div>."""
    becomes = np.arange(len(TAGS) + 1, dtype=np.uint8)
    if draws.plain_sections < PLAIN_SECTIONS:
        becomes[SECTIONS] = DIV
    if draws.plain_headings < PLAIN_HEADINGS:
        becomes[HEADING_NUMBERS] = DIV
    if draws.plain_paragraphs < PLAIN_PARAGRAPHS:
        becomes[P] = DIV
    return replace(arrays, tags=becomes[arrays.tags], inner=becomes[arrays.inner])


def _lose_names(arrays: PageArrays, draws: Draws, rng: Generator) -> PageArrays:
    """Remove all, some or none of the class and id words."""
    if draws.lose_words < NO_WORDS:
        arrays = _select_words(arrays, np.zeros(len(arrays.words), bool))
        if draws.lose_names < NO_NAMES:
            arrays = replace(arrays, names=np.zeros_like(arrays.names))
    elif draws.lose_words < FEWER_WORDS:
        gone = rng.random(WORD_NUMBERS) < rng.uniform(0, MAX_LOST_WORD_SHARE)
        arrays = _select_words(arrays, ~gone[arrays.words])
    return arrays


def _find_text(sample: Sample) -> NDArray[np.bool_]:
    """Return the blocks from the first to the last kept one, and the few right before and after them."""
    rows = np.flatnonzero(sample.keep > KEPT)
    part = np.zeros(len(sample.keep), bool)
    part[max(rows[0] - BEFORE_TEXT, 0) : rows[-1] + 1 + AFTER_TEXT] = True
    return part


def _choose_part(arrays: PageArrays, rng: Generator) -> NDArray[np.bool_]:
    """Choose the blocks of a random element, or a run of blocks."""
    n = len(arrays.owners)
    if rng.random() < RUN:
        start = rng.integers(n)
        part = np.zeros(n, bool)
        part[start : start + 1 + int(rng.exponential(RUN_BLOCKS))] = True
        return part
    element = int(arrays.owners[rng.integers(n)])
    for _ in range(rng.integers(1, 6)):  # some levels up, but not to <html> and <body>, the first two
        if arrays.parents[element] > 1:
            element = int(arrays.parents[element])
    inside = np.zeros(len(arrays.parents), bool)
    inside[element] = True
    for row in range(element + 1, len(inside)):
        if inside[arrays.parents[row]]:
            inside[row] = True
    return inside[arrays.owners]


def select_blocks(sample: Sample, which: NDArray[np.bool_]) -> Sample:
    """Return the page with only some of its blocks, and their elements."""
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
    """Return the page with the blocks of another page before or after its own."""
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
    columns["title"] = join(a.title, np.zeros_like(b.title))  # similarity to another page's title
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
    """Return the boxes of two pages, one below the other; None if one of them has no boxes."""
    if above is None or below is None:
        return None
    below = below.copy()
    below[:, BOX["top"]] += max(float((above[:, BOX["top"]] + above[:, BOX["height"]]).max(initial=0)), 0.0)
    return np.concatenate([above, below])


def _select_words(arrays: PageArrays, stays: NDArray[np.bool_]) -> PageArrays:
    """Return the page with only some of its class and id words."""
    running = np.concatenate([[0], np.cumsum(stays, dtype=np.int32)])
    return replace(arrays, words=arrays.words[stays], word_stops=running[arrays.word_stops].astype(np.int32))
