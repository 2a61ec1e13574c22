"""A sample in, another sample out: the same page as another site, or another template, might have made it.

Nothing is translated and no text is made up: names and tags that a network would otherwise lean on go, parts of the
page go, parts of other pages come. Needs only numpy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.tags import TAGS

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from bonmun.models.page_arrays import Arrays
    from bonmun.train.sample_files import Sample

__all__ = ["augmented", "grafted", "selected"]

NUMBERS = {tag: number for number, tag in enumerate(TAGS, 1)}
DIV, P = NUMBERS["div"], NUMBERS["p"]
SEMANTIC = [NUMBERS[tag] for tag in "article section main aside header footer nav figure figcaption".split()]
HEADINGS = [NUMBERS[tag] for tag in "h1 h2 h3 h4 h5 h6".split()]
ARTICLES = frozenset({"article", "news", "blog"})
LEAST = 5  # blocks that a page keeps


def augmented(sample: Sample, other: Sample, chance: Generator, parts: float, graft: float, second: float) -> Sample:
    """One of the many pages that this one might have been; `other` is where foreign parts come from."""
    draw = chance.random(12)
    keep, n = sample.keep > 0.5, len(sample.keep)
    known = bool((sample.keep >= 0).any())
    if known and draw[10] < 0.08 and keep.any():
        sample = selected(sample, _around(sample))  # the text alone, as a piece of HTML or a plain page has it
    elif draw[0] < parts:
        gone = np.zeros(n, bool)
        for _ in range(chance.integers(1, 4)):
            part = _part(sample.arrays, chance)
            if part.sum() < 0.5 * n and (not keep.any() or (part & keep).sum() < 0.6 * keep.sum()):
                gone |= part
        if n - gone.sum() > LEAST:
            sample = selected(sample, ~gone)
    if known and draw[1] < graft and (other.keep >= 0).any():
        rest = (other.keep < 0.05) & (other.keep >= 0)
        part = _part(other.arrays, chance) & rest if chance.random() < 0.6 else rest
        if part.any() and part.sum() < 400:
            sample = grafted(sample, selected(other, part), before=bool(chance.random() < 0.5))
    if known and draw[11] < second and sample.kind in ARTICLES and other.kind in ARTICLES and (other.keep > 0.5).any():
        sample = grafted(sample, selected(other, _around(other)), before=False)  # the next one, under the first
    arrays = sample.arrays
    plain = np.arange(len(TAGS) + 1, dtype=np.uint8)  # what becomes of each tag
    if draw[2] < 0.25:
        plain[SEMANTIC] = DIV
    if draw[3] < 0.06:
        plain[HEADINGS] = DIV
    if draw[4] < 0.08:
        plain[P] = DIV
    arrays = replace(arrays, tags=plain[arrays.tags], inner=plain[arrays.inner])
    if draw[5] < 0.3:
        arrays = _without_words(arrays, np.zeros(len(arrays.words), bool))
        if draw[6] < 0.5:
            arrays = replace(arrays, names=np.zeros_like(arrays.names))  # nor do elements with the same names show
    elif draw[5] < 0.8:
        gone_words = chance.random(1 << 15) < chance.uniform(0, 0.5)
        arrays = _without_words(arrays, ~gone_words[arrays.words])
    facts = arrays.facts.copy()
    if draw[7] < 0.5:
        facts[12:] = 0  # no address
    arrays = replace(arrays, facts=facts)
    if draw[8] < 0.12:
        arrays = replace(arrays, title=np.zeros_like(arrays.title))
    if draw[9] < 0.6:
        arrays = replace(arrays, site=None)
    return replace(sample, arrays=arrays)


def _around(sample: Sample) -> NDArray[np.bool_]:
    """The blocks from the first to the last that is kept, two before them and one after."""
    rows = np.flatnonzero(sample.keep > 0.5)
    part = np.zeros(len(sample.keep), bool)
    part[max(rows[0] - 2, 0) : rows[-1] + 2] = True
    return part


def _part(arrays: Arrays, chance: Generator) -> NDArray[np.bool_]:
    """The blocks in some element, or a run of blocks."""
    n = len(arrays.owners)
    if chance.random() < 0.3:
        start = chance.integers(n)
        part = np.zeros(n, bool)
        part[start : start + 1 + int(chance.exponential(8))] = True
        return part
    element = int(arrays.owners[chance.integers(n)])
    for _ in range(chance.integers(1, 6)):
        if arrays.parents[element] > 1:
            element = int(arrays.parents[element])
    inside = np.zeros(len(arrays.parents), bool)
    inside[element] = True
    for row in range(element + 1, len(inside)):
        if inside[arrays.parents[row]]:
            inside[row] = True
    return inside[arrays.owners]


def selected(sample: Sample, which: NDArray[np.bool_]) -> Sample:
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


BLOCK_COLUMNS = ("inner", "counts", "edges", "sentences", "links", "leaves", "hidden", "title", "copies")


def grafted(sample: Sample, guest: Sample, *, before: bool) -> Sample:
    """The page with the blocks of another one before or after its own."""
    a, b = sample.arrays, guest.arrays
    m = len(a.parents)
    body = min(1, m - 1)

    def blocks(one: Any, two: Any) -> Any:
        return np.concatenate([two, one] if before else [one, two])

    steps = [np.diff(x.between, axis=0, prepend=0) for x in (a, b)]
    joined = blocks(steps[0][:-1], steps[1][:-1])
    between = np.cumsum(np.concatenate([joined, steps[0][-1:]]), axis=0, dtype=np.int32)
    parents = np.where(b.parents >= 0, b.parents + m, body).astype(np.int32)
    tags = b.tags.copy()
    tags[tags <= 2] = DIV  # <html> and <body>
    columns: dict[str, Any] = {name: blocks(getattr(a, name), getattr(b, name)) for name in BLOCK_COLUMNS}
    columns["inner"] = blocks(a.inner, np.where(b.inner <= 2, DIV, b.inner).astype(np.uint8))
    columns["title"] = blocks(a.title, np.zeros_like(b.title))  # theirs was likeness to another title
    arrays = replace(
        a,
        owners=blocks(a.owners, b.owners + m),
        between=between,
        parents=np.concatenate([a.parents, parents]),
        tags=np.concatenate([a.tags, tags]),
        names=np.concatenate([a.names, b.names + a.names.max() + 1]),
        keys=np.concatenate([a.keys, b.keys + len(a.word_stops)]),
        words=np.concatenate([a.words, b.words]),
        word_stops=np.concatenate([a.word_stops, b.word_stops + len(a.words)]),
        site=None,
        **columns,
    )
    return replace(
        sample,
        arrays=arrays,
        keep=blocks(sample.keep, np.zeros_like(guest.keep)),
        comment=blocks(sample.comment, np.minimum(guest.comment, 0)),
        sizes=blocks(sample.sizes, guest.sizes),
    )


def _without_words(arrays: Arrays, stays: NDArray[np.bool_]) -> Arrays:
    """The page without some of the class and id words."""
    running = np.concatenate([[0], np.cumsum(stays, dtype=np.int32)])
    return replace(arrays, words=arrays.words[stays], word_stops=running[arrays.word_stops].astype(np.int32))
