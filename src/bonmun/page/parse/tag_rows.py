"""Separate the tags of items that meet without white space: `<p><span>서울</span><span>부산</span></p>`.

Markup also splits words, lines and headings into elements. Tags are told from these by their repetition: several rows
of the page have elements of the same kind, and the same few texts in them again and again.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from bonmun.page.parse.columns import PageColumns

__all__ = ["find_tag_joints"]

CODE = frozenset("code kbd samp tt var pre".split())  # elements whose parts stay together

MIN_ROWS = 3  # elements that hold tags
MIN_PAIRS = 2  # of texts
MIN_USES = 2  # of a text, on average
MIN_TAG_CHARS, MAX_TAG_CHARS = 2, 24


def find_tag_joints(page: PageColumns, joints: Iterable[int]) -> list[int]:
    """Return those of some leaves that are tags, and so is the leaf before."""
    rows: dict[int, list[int]] = defaultdict(list)
    for leaf in joints:
        if _may_be_tags(page, leaf):
            rows[page.parents[page.leaf_elements[leaf]]].append(leaf)
    groups: dict[Hashable, list[list[int]]] = defaultdict(list)
    for row, leaves in rows.items():
        groups[page.tags[row], page._nodes[row].attr("class"), page.tags[page.leaf_elements[leaves[0]]]].append(leaves)
    return [leaf for group in groups.values() if _is_repeated(page, group) for leaves in group for leaf in leaves]


def _may_be_tags(page: PageColumns, leaf: int) -> bool:
    """Whether a leaf and the one before are short texts of two elements side by side."""
    first, second = page.leaf_elements[leaf - 1], page.leaf_elements[leaf]
    row = page.parents[first]
    if (
        first == second
        or row != page.parents[second]
        or page.tags[first] != page.tags[second]
        or page.tags[row] in CODE
    ):
        return False
    texts = page.texts[leaf - 1], page.texts[leaf]
    if texts[1][0].islower():  # "V" and "élez"
        return False
    return all(
        MIN_TAG_CHARS <= len(text) <= MAX_TAG_CHARS and text[0].isalnum() and text[-1].isalnum() for text in texts
    )


def _is_repeated(page: PageColumns, rows: list[list[int]]) -> bool:
    """Whether rows of tags are several, not all the same, and have the same texts again and again."""
    leaves = [leaf for row in rows for leaf in row]
    pairs = {(page.texts[leaf - 1], page.texts[leaf]) for leaf in leaves}
    texts = [page.texts[leaf] for leaf in {each for leaf in leaves for each in (leaf - 1, leaf)}]
    return len(rows) >= MIN_ROWS and len(pairs) >= MIN_PAIRS and len(texts) >= MIN_USES * len(set(texts))
