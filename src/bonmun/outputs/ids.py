"""Find the blocks that the ids of a page belong to: the targets of links such as `page.html#install`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.outputs.writable import Writable
    from bonmun.page import Page

__all__ = ["find_ids"]

SAFE_ID = re.compile(r"[\w.:+/@~-]{1,200}")  # without characters that mean something in HTML, Markdown or tables


def find_ids(doc: Writable) -> dict[int, list[str]]:
    """Return the ids at the start of each shown block, by row of the block.

    An id belongs to the first shown block in its element, or to the block after it if its element is empty. Ids of
    elements without a shown block are left out, and so are repeated ones and those with unusual characters.
    """
    page = doc.page
    shown = sorted(block.row for block in doc.shown)
    first, last = _find_leaf_spans(page)
    found: dict[int, list[str]] = {}
    seen: set[str] = set()
    for element, name in _list_ids(page):
        if name in seen or not SAFE_ID.fullmatch(name):
            continue
        seen.add(name)
        if last[element] >= 0:
            start = bisect_right(page.starts, first[element]) - 1
            stop = bisect_right(page.starts, last[element])
        else:
            start = bisect_right(page.opened, element)
            stop = start + 1
        at = bisect_left(shown, start)
        if at < len(shown) and shown[at] < stop:
            found.setdefault(shown[at], []).append(name)
    return found


def _list_ids(page: Page) -> Iterator[tuple[int, str]]:
    """Yield the elements with an id, and links with a name, the older way to write one."""
    elements = range(len(page.tags))
    names = page.attrs([row for row in elements if page.tags[row] == "a"], "name")
    old = iter(names)
    for row, id_ in zip(elements, page.attrs(elements, "id"), strict=True):
        name = next(old) if page.tags[row] == "a" else None
        for each in (id_, name):
            if each:
                yield row, each


def _find_leaf_spans(page: Page) -> tuple[list[int], list[int]]:
    """Return the first and the last leaf in each element; -1 as the last one if there is none."""
    leaves = len(page.leaf_elements)
    first, last = [leaves] * len(page.tags), [-1] * len(page.tags)
    for leaf, element in enumerate(page.leaf_elements):
        first[element] = min(first[element], leaf)
        last[element] = leaf
    parents = page.parents
    for element in range(len(parents) - 1, 0, -1):  # a parent comes before its children
        parent = parents[element]
        if parent >= 0:
            first[parent] = min(first[parent], first[element])
            last[parent] = max(last[parent], last[element])
    return first, last
