"""Measure the influence of each feature of a block: the change of its logit if the feature had its mean value.

A changed feature affects only the first vector of its block, and later only blocks that are near, in the same elements
or on the same path. Only those parts are computed again. This is exact, and takes less than 80 ms for some eighty
features, whatever the size of the page. Shapes: n blocks, v variants of one block, w the network's width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.models.features.scaled_features import BLOCKS, BOXES, ELEMENTS, compute_features
from bonmun.models.network.labeller import _average_groups, _gather, _relu

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.models.features.columns import FeatureTable
    from bonmun.models.features.page_arrays import PageArrays
    from bonmun.models.features.scaled_features import Features
    from bonmun.models.network.labeller import Network

    Floats = NDArray[np.float32]

__all__ = ["Influence", "InfluenceMeter"]

KEEP = 0  # the output for main text
ABOUT_ELEMENTS, ABOUT_TAG, ABOUT_TAGS, ABOUT_WORDS = "around it: ", "its tag", "tags around it", "class and id names"


class Influence(NamedTuple):
    """The influence of one feature on the logit of a block."""

    about: str
    above: bool | None  # whether its value is above the page's mean; None for a feature of several values
    logit: float  # positive: evidence for main text


class InfluenceMeter:
    """Measures influences on the blocks of one page; values that all blocks share are computed once."""

    def __init__(self, network: Network, a: PageArrays) -> None:
        self.network, self.arrays = network, a
        self.features = f = compute_features(a)
        self.elements = network._read_elements(a, f)
        self.first = network._read_blocks(a, f, self.elements)
        self.near = self.first.copy()
        for layer in network.near:
            self.near += network._convolve(self.near, *layer)
        self.part = self.near @ network.inside + network.inside_bias
        self.sums = np.concatenate([np.zeros_like(self.part[:1]), np.cumsum(self.part, axis=0, dtype=np.float32)])
        self.averages = _average_groups(self.part, f.groups)
        self.group_sizes = np.bincount(f.groups)
        self.mean = self.near.mean(0)

    def measure(self, block: int) -> list[Influence]:
        """Return the influence of every feature of a block, in the order of the tables."""
        network, a, f = self.network, self.arrays, self.features
        variants = [*_vary_block(network, f, block), *_vary_elements(network, a, f, block)]
        before = _read_first(network, a, f, self.elements, block)
        changed = np.maximum(before + np.array([variant[2] for variant in variants], np.float32), 0)
        logits = self.judge(block, np.concatenate([self.first[block : block + 1], changed]))
        return [
            Influence(about, above, float(logits[0] - logit))
            for (about, above, _), logit in zip(variants, logits[1:], strict=True)
        ]

    def judge(self, block: int, variants: Floats) -> Floats:
        """Return the logit of main text for each variant of a block's first vector: (v, w) → (v,)."""
        network, h, n = self.network, self.near, len(self.near)
        near, last = sum(step for step, *_ in network.near), sum(step for step, *_ in network.last)
        first, stop = max(0, block - near - max(near, last)), min(n, block + near + max(near, last) + 1)
        reached = slice(max(0, block - near), min(n, block + near + 1))  # rows that change
        seen = slice(max(0, block - last), min(n, block + last + 1))  # rows that the last layers read
        tree = _Surroundings(self, reached, seen)
        rest = np.concatenate([h[: reached.start], h[reached.stop :]])
        top = rest.max(0) if len(rest) else np.full(h.shape[1], -np.inf, np.float32)
        logits = []
        for variant in variants:
            x = self.first[first:stop].copy()
            x[block - first] = variant
            for layer in network.near:
                x += network._convolve(x, *layer)
            own = x[reached.start - first : reached.stop - first]
            moved = own - h[reached]
            whole = np.concatenate([self.mean + moved.sum(0) / n, np.maximum(top, own.max(0))])
            whole = np.maximum(whole @ network.whole + network.whole_bias, 0)
            y = _relu(
                x[seen.start - first : seen.stop - first] + tree.gather_context(moved) + whole + network.back_bias
            )
            for layer in network.last:
                y += network._convolve(y, *layer)
            logits.append(float((y[block - seen.start] @ network.heads + network.heads_bias)[KEEP]))
        return np.array(logits, np.float32)


def _read_first(network: Network, a: PageArrays, f: Features, e: Floats, block: int) -> Floats:
    """Return a block's first vector before the ReLU."""
    h = f.blocks[block] @ network.block + _gather(e, f.levels[block : block + 1])[0] @ network.around
    h = h + network.inner[a.inner[block]] + f.page @ network.page + network.block_bias
    if f.boxes is not None and network.box is not None:
        weight, bias = network.box
        h = h + f.boxes[block] @ weight + bias
    return np.asarray(h, np.float32)


def _vary_block(network: Network, f: Features, block: int) -> list[tuple[str, bool | None, Floats]]:
    """Return for each block feature its name, whether it is above the mean, and the change of the first vector."""
    tables: list[tuple[FeatureTable[object], Floats, Floats]] = [(BLOCKS, f.blocks, network.block)]  # type: ignore[list-item]
    if f.boxes is not None and network.box is not None:
        tables.append((BOXES, f.boxes, network.box[0]))  # type: ignore[arg-type]
    found: list[tuple[str, bool | None, Floats]] = []
    for table, values, weight in tables:
        away = values[block] - values.mean(0)
        for column in table.columns:
            place = table[column.name]
            part = away[place]
            above = bool(part > 0) if isinstance(place, int) else None
            found.append((column.about, above, -np.atleast_1d(part) @ np.atleast_2d(weight[place])))
    return found


def _vary_elements(network: Network, a: PageArrays, f: Features, block: int) -> list[tuple[str, bool | None, Floats]]:
    """Return the same for the features of the elements around the block, and for its tag."""
    levels = f.levels[block]
    rows = levels[levels >= 0]
    words = network._sum_words(a)[a.keys]
    plain = f.elements @ network.element
    base = plain[rows] + network.tags[a.tags[rows]] + words[rows] + network.element_bias
    size = base.shape[1]
    around = network.around.reshape(len(levels), size, -1)[levels >= 0]  # (levels, size, w)
    shown = np.maximum(base, 0)

    def change_vector(change: Floats) -> Floats:
        """Return the change of the first vector, given that of the elements' vectors."""
        moved = np.maximum(base + change, 0) - shown
        return np.asarray(np.einsum("ls,lsw->w", moved, around), np.float32)

    mean, found = f.elements.mean(0), []
    for column in ELEMENTS.columns:
        place = ELEMENTS[column.name]
        away = f.elements[rows][:, place] - mean[place]
        change = -away.reshape(len(rows), -1) @ np.atleast_2d(network.element[place])
        above = bool(away.mean() > 0) if isinstance(place, int) else None
        found.append((ABOUT_ELEMENTS + column.about, above, change_vector(change)))
    found.append((ABOUT_TAGS, None, change_vector(network.tags[a.tags].mean(0) - network.tags[a.tags[rows]])))
    found.append((ABOUT_WORDS, None, change_vector(words.mean(0) - words[rows])))
    found.append((ABOUT_TAG, None, network.inner[a.inner].mean(0) - network.inner[a.inner[block]]))
    return found


class _Surroundings:
    """The context of some rows: the blocks in the elements around them, and those with the same paths."""

    def __init__(self, base: InfluenceMeter, reached: slice, seen: slice) -> None:
        self.network, f = base.network, base.features
        levels = f.levels[seen]
        rows, inverse = np.unique(levels, return_inverse=True)
        self.is_none = rows < 0  # -1: no element, a zero vector
        self.levels = inverse.reshape(levels.shape)
        first, stop = f.spans[rows, 0], f.spans[rows, 1]
        self.sizes = np.maximum(stop - first, 1)[:, None].astype(np.float32)
        self.inside = (base.sums[stop] - base.sums[first]) / self.sizes
        self.fixed = base.elements[rows] @ self.network.tree_element + self.network.tree_bias
        count = reached.stop - reached.start
        self.first, self.stop = (np.clip(each - reached.start, 0, count) for each in (first, stop))
        groups, self.groups = np.unique(f.groups[seen], return_inverse=True)
        self.averages = base.averages[groups]
        sizes = base.group_sizes[groups][:, None]
        self.shares = (f.groups[reached][None, :] == groups[:, None]) / sizes  # (groups, rows reached)

    def gather_context(self, moved: Floats) -> Floats:
        """Return the context vectors of the rows, given the changes of the rows that are reached."""
        network = self.network
        part = moved @ network.inside
        sums = np.concatenate([np.zeros((1, part.shape[1]), np.float32), np.cumsum(part, axis=0)])
        inside = self.inside + (sums[self.stop] - sums[self.first]) / self.sizes
        t = np.maximum(inside @ network.tree_inside + self.fixed, 0)
        t[self.is_none] = 0
        own = len(network.back) - part.shape[1]
        back = t[self.levels].reshape(len(self.levels), -1) @ network.back[:own]
        alike = np.maximum(self.averages + self.shares @ part, 0)
        return np.asarray(back + alike[self.groups] @ network.back[own:], np.float32)
