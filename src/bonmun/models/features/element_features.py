"""Features of elements, by group; scaled_features.py has the table of them.

Every function returns rows of m values by column name, scaled as in block_features.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.features.element_tree import count_twins
from bonmun.models.features.tags import FRAMES, ICONS, INPUTS, PICTURES, RULES

if TYPE_CHECKING:
    from bonmun.models.features.measures import Measures

    Rows = dict[str, Any]

__all__ = ["measure_content", "measure_inside", "measure_shape", "measure_span"]

MANY_INPUTS = 4  # maximum per block


def measure_content(p: Measures) -> Rows:
    """Totals of the blocks in the element."""
    held, total = p.held, p.total
    blocks = np.maximum(held.shown, 1)
    return {
        "letters": np.log1p(held.text) / 4,
        "plain": np.log1p(held.plain) / 4,
        "link_share": 1 - held.plain / np.maximum(held.text, 1),
        "letters_of_page": held.text / total.text,
        "plain_of_page": held.plain / total.plain,
        "plain_a_block": np.log1p(held.plain / blocks) / 2,
        "blocks": np.log1p(held.shown) / 2,
        "sentences": np.log1p(held.sentences) / 2,
        "sentences_a_block": held.sentences / blocks,
        "labels": held.labels / blocks,
        "linked": held.linked / blocks,
        "headings": np.log1p(held.headings),
    }


def measure_span(p: Measures) -> Rows:
    """Start and end on the page."""
    n, (first, stop) = len(p.index), p.tree.spans.T
    return {
        "first_block": first / n,
        "last_block": stop / n,
        "plain_before": p.plain_before[first] / p.total.plain,
        "plain_until": p.plain_before[stop] / p.total.plain,
    }


def measure_shape(p: Measures) -> Rows:
    """Place in the tree, and share of the parent's text."""
    text, plain = p.held.text, p.held.plain
    parent = np.maximum(p.arrays.parents, 0)
    twins, ranks = count_twins(p.arrays)
    return {
        "depth": p.tree.depths / 10,
        "children": np.log1p(p.tree.children) / 2,
        "twins": np.log(twins) / 2,
        "twin_rank": ranks / twins,
        "letters_of_parent": text / np.maximum(text[parent], 1),
        "plain_of_parent": plain / np.maximum(plain[parent], 1),
    }


def measure_inside(p: Measures) -> Rows:
    """Elements from the first block in it to the block after it, and the share of hidden blocks."""
    first, stop = p.tree.spans.T
    between = p.arrays.between[stop] - p.arrays.between[first]
    counts = np.log1p(between).T / 2
    blocks = stop - first
    some = np.maximum(blocks, 1)
    return {
        "pictures": counts[PICTURES],
        "inputs_a_block": np.minimum(between[:, INPUTS] / some, MANY_INPUTS),
        "frames": counts[FRAMES],
        "rules": counts[RULES],
        "icons": counts[ICONS],
        "hidden": (blocks - p.held.shown) / some,
    }
