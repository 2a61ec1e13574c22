"""Find the titles of items in a listing: a link before a kept snippet that leads to the same page."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import climb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_item_titles"]

MIN_CHARS, MAX_CHARS = 8, 200  # of a title
MIN_SNIPPET_CHARS, MIN_SNIPPET_RATIO = 60, 2  # of a snippet, compared with its title: else it may itself be the title
LINK_LEVELS = 8  # elements around a text that may be its link
MAX_LEAVES = 6  # of a block that are searched for a link


def find_item_titles(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of dropped blocks that are titles of the kept blocks after them."""
    texts = page.block_texts
    counts = Counter(texts)
    found = []
    for row in range(len(kept) - 1):
        chars = len(texts[row])
        if kept[row] or not kept[row + 1] or not MIN_CHARS <= chars <= MAX_CHARS or counts[texts[row]] > 1:
            continue
        if len(texts[row + 1]) < max(MIN_SNIPPET_CHARS, MIN_SNIPPET_RATIO * chars):
            continue
        address = _find_address(page, row)
        if address and not address.startswith(("#", "javascript:")) and address == _find_address(page, row + 1):
            found.append(row)
    return found


def _find_address(page: Page, row: int) -> str | None:
    """Return the address of the first link in or around a block, or None."""
    start = page.starts[row]
    for leaf in range(start, min(page.stops[row], start + MAX_LEAVES)):
        if page.linked_leaves[leaf]:
            for element in islice(climb(page.parents, page.leaf_elements[leaf]), LINK_LEVELS):
                if page.tags[element] == "a":
                    return page.attr(element, "href")
    return None
