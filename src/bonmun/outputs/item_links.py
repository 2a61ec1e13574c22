"""Find the links of items whose titles have none: an empty link over the item, or one in words that are not kept.

Such a link is the only one of its box, as are those of several boxes alike. Without it, nobody could open the item.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING

from bonmun.markup import HEADINGS
from bonmun.page.image_names import is_image_address
from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.page import Page

__all__ = ["find_item_links"]

MIN_ITEMS = 3  # with boxes alike, and links to so many pages
MIN_PAGES_SHARE = 0.5  # of the items, that lead to a page of their own
BOX_LEVELS = 6  # elements around a title that may be its box
MAX_BOX_ELEMENTS = 80
MAX_HREF_CHARS = 2_000
NO_PAGES = ("#", "javascript:", "mailto:", "tel:")
SHARE_WORDS = ("share", "intent/")


def find_item_links(
    page: Page, blocks: Sequence[KeptBlock], chains: Sequence[tuple[int, ...]], tags: Mapping[int, str]
) -> dict[int, int]:
    """Return the link that the title of an item gets, by row of its block.

    `tags` is the output tag of the elements in `chains`, those of the blocks.
    """
    links, elements = page.links, page.leaf_elements
    titles = [  # with the link that each starts with
        (chain[-1], block, links[elements[block.leaves[0]]])
        for block, chain in zip(blocks, chains, strict=True)
        if chain and tags[chain[-1]] in HEADINGS
    ]
    plain = {head: block for head, block, link in reversed(titles) if link < 0}
    if len(plain) < MIN_ITEMS:
        return {}
    written = {links[elements[leaf]] for block in blocks for leaf in block.leaves}
    anchors, heads = page.list_rows("a"), sorted({head for head, _, _ in titles})
    found: dict[Hashable, list[tuple[int, int, str]]] = defaultdict(list)  # row of the block, link, address
    for head, block in plain.items():
        for box in list_around(page.parents, page.parents[head], BOX_LEVELS):
            stop = _find_stop(page.parents, box)
            inside = anchors[bisect_left(anchors, box) : bisect_left(anchors, stop)]
            if bisect_left(heads, stop) - bisect_left(heads, box) > 1 or stop - box > MAX_BOX_ELEMENTS:
                break
            if inside:
                address = _read_address(page, inside)
                if address and written.isdisjoint(inside):
                    link = min(inside, key=lambda each: "#" in (page.attr(each, "href") or ""))
                    shape = page.tags[box], page.attr(box, "class"), page.tags[head]
                    found[shape].append((block.row, link, address))
                break
    given: dict[int, int] = {}
    for items in found.values():
        if len({address for _, _, address in items}) >= max(MIN_ITEMS, MIN_PAGES_SHARE * len(items)):
            given |= {row: link for row, link, _ in items}
    return given


def _find_stop(parents: Sequence[int], element: int) -> int:
    """Return the element after the last descendant of an element; of a large one, any after MAX_BOX_ELEMENTS."""
    stop = element + 1
    while stop < len(parents) and parents[stop] >= element and stop - element <= MAX_BOX_ELEMENTS:
        stop += 1
    return stop


def _read_address(page: Page, links: Sequence[int]) -> str:
    """Return the address of some links, if all lead to the same other page, else ""."""
    found = {(page.attr(link, "href") or "").strip().partition("#")[0] for link in links}
    address = found.pop() if len(found) == 1 else ""
    lowered = address[:MAX_HREF_CHARS].lower()
    is_other = lowered.startswith(NO_PAGES) or any(word in lowered for word in SHARE_WORDS)
    return "" if is_other or len(address) > MAX_HREF_CHARS or is_image_address(address) else address
