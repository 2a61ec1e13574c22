"""Arrays in, features out: numbers of about the size of 1 for every block, every element and the page.

Only numpy is needed here, so that training can run where nothing else of bonmun is. Shapes: n blocks, m elements.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

__all__ = [
    "BLOCK_FEATURES",
    "CLASSES",
    "ELEMENT_FEATURES",
    "LEVELS",
    "PAGE_FEATURES",
    "TAGS",
    "WEIGHTS",
    "Arrays",
    "Features",
    "features_of",
]

# The tags that are told apart; all others are one.
TAGS = (
    "html body div p span a h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table tbody thead tfoot tr td th caption article "
    "section main aside header footer nav form fieldset legend button select option label input textarea figure "
    "figcaption blockquote pre code details summary dialog address b strong em i small time font center menu hgroup "
    "picture img iframe video noscript template cite q u ins abbr s sup sub kbd tt mark"
).split()
CLASSES = 12  # of characters, as in arrays.py
LEVELS = 6  # elements around a block that it is told of one by one: its own, and the next five
WIDE, LINE = 2, 11  # classes of characters, as in arrays.py
LETTERS = (0, 1, 2, 10)
WEIGHTS = np.array(
    [1, 1, 2.5, 1, 0, 1, 1, 1, 1, 1, 1, 0], np.float32
)  # a Chinese character says as much as 2.5 letters
SHORT = 40.0  # letters: a block of less is a label, not a sentence
BLOCK_FEATURES = 61
ELEMENT_FEATURES = 28
PAGE_FEATURES = 28


@dataclass(frozen=True, slots=True)
class Arrays:
    """A page as numbers; n blocks, m elements. `parents` of elements are rows among them, -1 for the root."""

    # blocks
    owners: NDArray[np.int32]  # (n,) the element it stands in
    inner: NDArray[np.uint8]  # (n,) the tag of its first leaf
    counts: NDArray[np.int32]  # (n, CLASSES) its characters by class
    edges: NDArray[np.uint8]  # (n, 2) the classes of its first and last character
    sentences: NDArray[np.int32]  # (n,) sentence marks with a blank or nothing after them
    links: NDArray[np.int32]  # (n, 2) characters and leaves in links
    leaves: NDArray[np.int32]  # (n,)
    hidden: NDArray[np.uint8]  # (n,)
    title: NDArray[np.float32]  # (n,) the share of its pairs of characters that are in the title
    copies: NDArray[np.int32]  # (n,) blocks with the same text
    between: NDArray[np.int32]  # (n + 1, len(BETWEEN)) elements before it, counted from the start of the page
    # elements
    parents: NDArray[np.int32]  # (m,)
    tags: NDArray[np.uint8]  # (m,)
    names: NDArray[np.int32]  # (m,) the same for two elements with the same class
    keys: NDArray[np.int32]  # (m,) the same for two elements with the same class and id
    words: NDArray[np.int16]  # the words of all keys, one after the other
    word_stops: NDArray[np.int32]  # (keys,) where those of each key stop
    # the page
    facts: NDArray[np.float32]  # (FACTS,)
    site: NDArray[np.float32] | None = None  # (n, 2) pages of the site with its text; how far its place repeats


class Features(NamedTuple):
    """What the network reads."""

    blocks: Floats  # (n, BLOCK_FEATURES)
    elements: Floats  # (m, ELEMENT_FEATURES)
    page: Floats  # (PAGE_FEATURES,)
    levels: NDArray[np.int32]  # (n, LEVELS) rows of elements, -1 where there are no more
    spans: NDArray[np.int32]  # (m, 2) the first block in an element, and one past the last
    groups: NDArray[np.int64]  # (n,) the same number for blocks with the same path of tags and names


def features_of(arrays: Arrays) -> Features:
    """Scale and compare what was counted; there must be a block."""
    a = arrays
    n, m = len(a.owners), len(a.parents)
    counts = a.counts.astype(np.float32)
    size = counts @ WEIGHTS
    chars = np.maximum(counts.sum(1), 1)
    seen = 1 - a.hidden.astype(np.float32)
    link_share = np.minimum(a.links[:, 0] / chars, 1)
    shown = size * seen
    plain = shown * (1 - link_share)
    short = (size < SHORT) * seen
    linked = (link_share > 0.5) * seen
    words = counts[:, 4] + counts[:, LINE] + 1 + counts[:, WIDE] / 2
    tags = a.tags[a.owners]
    headings = ((tags >= 7) & (tags <= 12)).astype(np.float32)

    # what every element holds
    values = np.stack([shown, plain, seen, a.sentences * seen, short, linked, headings * seen], 1)
    running = np.zeros((n + 1, values.shape[1]), np.float64)
    np.cumsum(values, axis=0, out=running[1:])
    spans, depths, children, paths = _tree(a)
    first, stop = spans[:, 0], spans[:, 1]
    held = (running[stop] - running[first]).astype(np.float32)
    total = running[-1].astype(np.float32) + 1e-6
    blocks = np.maximum(held[:, 2], 1)
    e_size, e_plain = held[:, 0], held[:, 1]
    parent = np.maximum(a.parents, 0)
    twins, twin_rank = _twins(a)
    between = a.between[stop] - a.between[first]
    elements = np.empty((m, ELEMENT_FEATURES), np.float32)
    e = elements.T
    e[0] = np.log1p(e_size) / 4
    e[1] = np.log1p(e_plain) / 4
    e[2] = 1 - e_plain / np.maximum(e_size, 1)
    e[3] = e_size / total[0]
    e[4] = e_plain / total[1]
    e[5] = np.log1p(e_plain / blocks) / 2
    e[6] = np.log1p(held[:, 2]) / 2
    e[7] = np.log1p(held[:, 3]) / 2
    e[8] = held[:, 3] / blocks
    e[9] = held[:, 4] / blocks
    e[10] = held[:, 5] / blocks
    e[11] = np.log1p(held[:, 6])
    e[12] = first / n
    e[13] = stop / n
    e[14] = running[first, 1] / total[1]
    e[15] = running[stop, 1] / total[1]
    e[16] = depths / 10
    e[17] = np.log1p(children) / 2
    e[18] = np.log(twins) / 2
    e[19] = twin_rank / twins
    e[20] = e_size / np.maximum(e_size[parent], 1)
    e[21] = e_plain / np.maximum(e_plain[parent], 1)
    e[22:27] = np.log1p(between[:, :5]).T / 2
    e[23] = np.minimum(between[:, 1] / np.maximum(stop - first, 1), 4)
    e[27] = (stop - first - held[:, 2]) / np.maximum(stop - first, 1)

    index = np.arange(n, dtype=np.float32)
    out = np.empty((n, BLOCK_FEATURES), np.float32)
    b = out.T
    b[0] = np.log1p(size) / 2
    b[1] = np.log1p(words) / 2
    b[2] = np.log1p(plain) / 2
    b[3:15] = (counts / chars[:, None]).T
    b[15] = np.log1p(counts[:, 3])
    b[16] = link_share
    b[17] = np.log1p(a.links[:, 1])
    b[18] = np.log1p(a.leaves)
    b[19] = np.log1p(a.sentences)
    b[20] = np.log1p(counts[:, 6])
    b[21] = np.log1p(counts[:, LINE])
    b[22] = 1 - seen
    b[23] = a.title
    b[24] = (a.title > 0.9) & (size > 8)
    b[25] = np.log(a.copies)
    steps = a.between[:n, :5].copy()
    steps[1:] -= a.between[: n - 1, :5]
    b[26:31] = np.log1p(steps).T
    b[31] = index / n
    b[32] = np.log1p(index) / 4
    b[33] = np.log1p(n - 1 - index) / 4
    b[34] = running[:n, 1] / total[1]
    b[35] = size / np.maximum(total[0] / n, 1) / 8
    b[36] = size / np.maximum(size.max(), 1)
    # where the headline is: the block most like the title, and the first <h1>
    for column, place in ((37, _first(tags == 7)), (39, _headline(a.title, size, headings))):
        offset = index - place if place >= 0 else np.zeros(n, np.float32)
        b[column] = np.sign(offset) * np.log1p(np.abs(offset)) / 4
        b[column + 1] = place >= 0
    _, groups = np.unique(paths[a.owners], return_inverse=True)
    sentences = a.sentences.astype(np.float32)
    b[41:45] = _groups(groups, plain, shown, seen, total)
    b[45:49] = _groups(depths[a.owners].astype(np.int64), plain, shown, sentences, total)
    edges = a.edges
    b[49] = edges[:, 1] == 5
    b[50] = edges[:, 1] == 7
    b[51] = edges[:, 0] == 1
    b[52] = edges[:, 0] == 3
    b[53] = (edges[:, 0] == 9) | (edges[:, 0] == 8)
    b[54] = depths[a.owners] / 10
    b[55] = (counts[:, 3] > 0) & (size < SHORT) & (counts[:, 3] >= 0.25 * chars)
    # how far back the last heading is, and of what rank
    last = np.maximum.accumulate(np.where(headings > 0, index, -1)).astype(np.int64)
    b[59] = np.where(last >= 0, np.log1p(index - last) / 2, 3)
    b[60] = np.where(last >= 0, (tags[last] - 6) / 6.0, 0)
    if a.site is None:
        b[56:59] = 0
    else:
        b[56:58] = a.site.T
        b[58] = 1

    page = np.zeros(PAGE_FEATURES, np.float32)
    page[0] = np.log1p(total[0]) / 4
    page[1] = np.log1p(total[1]) / 4
    page[2] = 1 - total[1] / total[0]
    page[3] = np.log1p(n) / 4
    page[4] = total[4] / n
    page[5] = total[5] / n
    page[6] = 1 - total[2] / n
    page[7] = np.log1p(total[3]) / 4
    page[8:28] = a.facts
    np.clip(out, -8, 8, out=out)
    np.clip(elements, -8, 8, out=elements)
    return Features(out, elements, page, _levels(a), spans, groups)


def _tree(
    a: Arrays,
) -> tuple[NDArray[np.int32], Floats, Floats, NDArray[np.uint64]]:
    """For each element its span of blocks, depth, number of children, and the number of its path of tags and names.

    What is above an element is gathered by doubling: from its parent, from the two above that, the four above those, …
    """
    m, n = len(a.parents), len(a.owners)
    up = np.append(a.parents, np.int32(-1))  # -1 leads to -1
    depths = (up >= 0).astype(np.int32)
    paths = np.zeros(m + 1, np.uint64)
    paths[:m] = a.tags
    paths[:m] += a.names.astype(np.uint64) * np.uint64(256) + np.uint64(1)
    power = BASE
    while (up >= 0).any():
        depths += depths[up]
        paths += np.uint64(power) * paths[up]
        power = power * power & 0xFFFFFFFFFFFFFFFF
        up = up[up]
    # elements stand in document order, so those in an element are the rows up to its next sibling, or that of the
    # nearest element around it that has one
    order = np.argsort(a.parents, kind="stable")
    following = np.full(m + 1, m, np.int32)
    same = a.parents[order[1:]] == a.parents[order[:-1]]
    following[order[:-1][same]] = order[1:][same]
    holder = np.where(following[:m] < m, np.arange(m, dtype=np.int32), a.parents)
    holder = np.append(holder, np.int32(-1))
    for _ in range(int(depths.max(initial=1)).bit_length()):
        holder = holder[holder]
    stops = following[holder[:m]]
    rows = np.arange(n, dtype=np.int32)
    first = np.full(m + 1, n, np.int32)
    first[a.owners[::-1]] = rows[::-1]
    last = np.zeros(m + 1, np.int32)
    last[a.owners] = rows + 1
    row = np.arange(m)
    if (row[1:] < stops[a.parents[1:]]).all() and (stops - row).sum() == depths.sum() + m:
        ends = np.stack([row, stops], 1).ravel()
        spans = np.stack([np.minimum.reduceat(first, ends)[::2], np.maximum.reduceat(last, ends)[::2]], 1)
    else:  # what stands in slots does not stand in document order
        for child in range(m - 1, 0, -1):
            parent = a.parents[child]
            first[parent] = min(first[parent], first[child])
            last[parent] = max(last[parent], last[child])
        spans = np.stack([first[:m], last[:m]], 1)
    children = np.bincount(a.parents[a.parents >= 0], minlength=m).astype(np.float32)
    return spans, depths[:m].astype(np.float32), children, paths[:m]


BASE = 0x9E3779B97F4A7C15


def _twins(a: Arrays) -> tuple[Floats, Floats]:
    """How many children of its parent have an element's tag and names, itself included, and which of them it is."""
    key = (a.parents.astype(np.int64) + 1) * (1 << 31) + a.names.astype(np.int64) * 256 + a.tags
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    new = np.ones(len(key), bool)
    new[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(new)
    lengths = np.diff(starts, append=len(key))
    twins = np.empty(len(key), np.float32)
    rank = np.empty(len(key), np.float32)
    twins[order] = np.repeat(lengths, lengths)
    rank[order] = np.arange(len(key)) - np.repeat(starts, lengths)
    return twins, rank


def _groups(which: NDArray[np.int64], plain: Floats, shown: Floats, count: Floats, total: Floats) -> Floats:
    """For each block, what those of its group have together: their share of the text, links, number, mean length."""
    members = np.maximum(np.bincount(which), 1).astype(np.float32)
    texts, alls, counts = (np.bincount(which, each).astype(np.float32) for each in (plain, shown, count))
    rows = (texts / total[1], 1 - texts / np.maximum(alls, 1), np.log1p(counts) / 4, np.log1p(texts / members) / 2)
    return np.array(rows)[:, which]


def _levels(a: Arrays) -> NDArray[np.int32]:
    """The elements around each block, from the inside out."""
    levels = np.empty((len(a.owners), LEVELS), np.int32)
    levels[:, 0] = a.owners
    above = np.append(a.parents, np.int32(-1))  # so that -1 leads to -1
    for level in range(1, LEVELS):
        levels[:, level] = above[levels[:, level - 1]]
    return levels


def _first(which: NDArray[np.bool_]) -> int:
    found = int(which.argmax())
    return found if which[found] else -1


def _headline(title: Floats, size: Floats, headings: Floats) -> int:
    """The first of the blocks that are most like the title: alike in their pairs of characters, and long."""
    score = title * np.minimum(size, 60) / 60 + 0.2 * headings * (title > 0.8)
    found = int(score.argmax())
    return found if score[found] > 0.3 else -1
