"""Web2Text's features: 128 of a leaf and 25 of a pair of neighbours, as published, with two exceptions.

Vogels, Ganea & Eickhoff (2018), and the code published with the paper. Features of a leaf: the leaf, its parent node,
its grandparent node, the root, and tags. Features of a pair: the distance in the tree, whether a block starts between
them, and their common ancestor. Exceptions: two features for English stop words use short words instead, and positions
are relative to the text of the page, not to its source. Values are not scaled here, but by the network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.models.baselines.collapsed_tree import COLLAPSED_TAGS, COUNTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bonmun.models.baselines.collapsed_tree import CollapsedTree

    Floats = NDArray[np.float32]

__all__ = ["EDGE_FEATURES", "LEAF_FEATURES", "Web2TextFeatures", "compute_web2text_features"]

OF_COPIES = ("has_duplicate", "has_10_duplicates", "share_of_same_class_path")
OF_TEXT = (
    "has_word log_words word_length has_short_word short_word_share log_characters has_punctuation punctuation "
    "log_punctuation_share has_digit digit_share log_sentence_length has_sentences position position_2 "
    "ends_with_punctuation ends_with_question has_copyright has_email has_url has_year "
    "capital_share capital_share_2 capital_share_3"
).split()
OF_NODE = (
    "share_of_page link_density word_length has_short_word short_word_share log_characters log_punctuation_share "
    "has_digit digit_share log_sentence_length ends_with_punctuation ends_with_question has_copyright has_email "
    "has_url has_year capital_share capital_share_2 capital_share_3 has_field"
).split()
LEAF_TAGS = "a p td b li span i tr div strong em h3 h2 table h4 small sup h1 blockquote".split()
# The published list has <ul> twice.
NODE_TAGS = "td div p tr table body ul span li blockquote b small a ol ul i form dl strong pre".split()

LEAF_FEATURES = (
    *OF_COPIES,
    *OF_TEXT,
    "has_parent",
    *(f"parent_{name}" for name in OF_NODE),
    *(f"parent_tag_{tag}" for tag in NODE_TAGS),
    "has_grandparent",
    *(f"grandparent_{name}" for name in OF_NODE),
    *(f"root_{name}" for name in OF_NODE),
    *(f"tag_{tag}" for tag in LEAF_TAGS),
)
DISTANCES = (2, 3, 4)  # in steps through the tree; longer ones share one more feature
EDGE_FEATURES = (
    *(f"distance_{steps}" for steps in DISTANCES),
    "distance_more",
    "block_break",
    *(f"common_{name}" for name in OF_NODE),
)
# The published bounds of unbounded features.
LOG_WORDS, LOG_CHARACTERS, LOG_NODE_CHARACTERS, LOG_SENTENCE = (0, 3.5), (2.5, 5.5), (2.5, 10), (2, 5)
WORD_LENGTH, PUNCTUATION, LOG_PUNCTUATION = (3, 15), (0, 10), (-4, -2.5)
MANY_COPIES = 10


class Web2TextFeatures(NamedTuple):
    """The features of a page for both networks."""

    leaves: Floats  # (n, len(LEAF_FEATURES))
    edges: Floats  # (n - 1, len(EDGE_FEATURES)), for each leaf and the next


class _CountColumns:
    """Columns of counts by name."""

    def __init__(self, counts: NDArray[np.int64]) -> None:
        self.counts = counts

    def __getitem__(self, name: str) -> NDArray[np.int64]:
        return self.counts[:, COUNTED.index(name)]


def compute_web2text_features(page: CollapsedTree) -> Web2TextFeatures:
    """Return the features of all leaves and of all pairs of neighbours."""
    n = len(page.counts)
    own = _CountColumns(page.counts.astype(np.int64))
    total = max(int(own["characters"].sum()), 1)
    nodes = _describe_nodes(page, total)  # the last row is for missing nodes
    middle = (np.cumsum(own["characters"]) - own["characters"] / 2) / total
    parents = page.parents
    above = np.append(page.node_parents, -1)[parents]
    root = np.zeros(n, np.int64) if len(page.node_tags) else np.full(n, -1)
    leaves = [
        page.copies > 1,
        page.copies > MANY_COPIES,
        page.alike / max(n, 1),
        *_describe_texts(own, middle),
        parents >= 0,
        *nodes[parents].T,
        *_find_tags(np.append(page.node_tags, 0)[parents], NODE_TAGS),
        above >= 0,
        *nodes[above].T,
        *nodes[root].T,
        *_find_tags(page.tags, LEAF_TAGS),
    ]
    common, steps = _find_common(page)
    edges = [
        *(steps == each for each in DISTANCES),
        steps > max(DISTANCES),
        page.breaks[1:],
        *nodes[common].T,
    ]
    return Web2TextFeatures(
        np.stack(leaves, 1).astype(np.float32) if n else np.empty((0, len(LEAF_FEATURES)), np.float32),
        np.stack(edges, 1).astype(np.float32) if n else np.empty((0, len(EDGE_FEATURES)), np.float32),
    )


def _describe_texts(own: _CountColumns, middle: NDArray[np.float64]) -> list[NDArray[np.generic]]:
    """Return the features in OF_TEXT."""
    words, characters = own["words"], own["characters"]
    capital = own["capitals"] / np.maximum(words, 1)
    return [
        words > 0,
        _log(words, LOG_WORDS),
        _word_length(own),
        own["short"] > 0,
        own["short"] / np.maximum(words, 1),
        _log(characters, LOG_CHARACTERS),
        own["punctuation"] > 0,
        np.clip(own["punctuation"], *PUNCTUATION),
        _log_punctuation(own),
        own["digits"] > 0,
        own["digits"] / np.maximum(characters, 1),
        _log(characters / np.maximum(own["sentences"], 1), LOG_SENTENCE),
        own["sentences"] > 1,
        middle,
        middle**2,
        *(own[name] for name in ("ends_punctuation", "ends_question", "copyright", "email", "url", "year")),
        capital,
        capital**2,
        capital**3,
    ]


def _describe_nodes(page: CollapsedTree, total: int) -> NDArray[np.float64]:
    """Return the features in OF_NODE, one row per node, and a row of zeros."""
    sums = np.zeros((len(page.counts) + 1, len(COUNTED)), np.int64)
    np.cumsum(page.counts, axis=0, out=sums[1:])
    own = _CountColumns(sums[page.node_stops] - sums[page.node_starts])
    last = _CountColumns(page.counts[page.node_stops - 1].astype(np.int64))
    words, characters = own["words"], np.maximum(own["characters"], 1)
    capital = own["capitals"] / np.maximum(words, 1)
    columns = [
        characters / total,
        own["link"] / characters,
        _word_length(own),
        own["short"] > 0,
        own["short"] / np.maximum(words, 1),
        _log(characters, LOG_NODE_CHARACTERS),
        _log_punctuation(own),
        own["digits"] > 0,
        own["digits"] / characters,
        _log(characters / np.maximum(own["sentences"], 1), LOG_SENTENCE),
        last["ends_punctuation"],
        last["ends_question"],
        *(own[name] > 0 for name in ("copyright", "email", "url", "year")),
        capital,
        capital**2,
        capital**3,
        page.node_forms,
    ]
    rows = np.zeros((len(page.node_tags) + 1, len(OF_NODE)))
    rows[:-1] = np.stack(columns, 1)
    return rows


def _log(values: NDArray[np.generic], bounds: tuple[float, float]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.clip(np.log(np.maximum(values.astype(np.float64), 1)), *bounds)
    return found


def _word_length(own: _CountColumns) -> NDArray[np.float64]:
    return np.where(own["words"] > 0, np.clip(own["letters"] / np.maximum(own["words"], 1), *WORD_LENGTH), 0)


def _log_punctuation(own: _CountColumns) -> NDArray[np.float64]:
    share = np.maximum(own["punctuation"], 1) / np.maximum(own["characters"], 1)
    return np.where(own["punctuation"] > 0, np.clip(np.log(share), *LOG_PUNCTUATION), np.mean(LOG_PUNCTUATION))


def _find_tags(bits: NDArray[np.uint32], tags: Sequence[str]) -> list[NDArray[np.bool_]]:
    return [(bits >> np.uint32(COLLAPSED_TAGS.index(tag))) & np.uint32(1) > 0 for tag in tags]


def _find_common(page: CollapsedTree) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the common ancestor of each leaf and the next, and the number of steps between them."""
    one, other = page.parents[:-1].copy(), page.parents[1:].copy()
    steps = np.full(len(one), 2, np.int32)
    parents, depths = np.append(page.node_parents, -1), np.append(page.node_depths, -1)
    rows = np.flatnonzero(one != other)
    while len(rows):  # move the deeper node up, the first one if both are equally deep
        first, second = one[rows], other[rows]
        up = depths[first] >= depths[second]
        one[rows[up]] = parents[first[up]]
        other[rows[~up]] = parents[second[~up]]
        steps[rows] += 1
        rows = rows[one[rows] != other[rows]]
    return one, steps
