"""Find the links of items whose titles have none: an empty link over the item, or one in words that are not kept.

Such a link is the only one of its box, as are those of several boxes alike. Without it, nobody could open the item.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from bonmun.page.image_names import is_image_address
from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

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


class _Item(NamedTuple):
    """The title of an item, as the row of its block, the links of the item, and their address."""

    row: int
    links: list[int]
    address: str


def find_item_links(
    page: Page, blocks: Sequence[KeptBlock], heads: Sequence[int], links: Sequence[int]
) -> dict[int, int]:
    """Return the link that the title of an item gets, by row of its block.

    `heads` has the heading of each block, `links` the link that it starts with, as elements or -1.
    """
    numbers = [number for number, (head, link) in enumerate(zip(heads, links, strict=True)) if head >= 0 > link]
    if len(numbers) < MIN_ITEMS:
        return {}
    plain = {heads[number]: blocks[number] for number in reversed(numbers)}
    anchors, titles = page.list_rows("a"), sorted(set(heads) - {-1})
    found: dict[Hashable, list[_Item]] = defaultdict(list)
    for head, block in plain.items():
        box = _find_box(page.parents, head, anchors)
        stop = _find_stop(page.parents, box) if box >= 0 else -1
        if box < 0 or bisect_left(titles, stop) - bisect_left(titles, box) > 1 or stop - box > MAX_BOX_ELEMENTS:
            continue
        inside = anchors[bisect_left(anchors, box) : bisect_left(anchors, stop)]
        if address := _read_address(page, inside):
            item = _Item(block.row, inside, address)
            found[page.tags[box], page.attr(box, "class"), page.tags[head]].append(item)
    alike = [items for items in found.values() if _lead_to_pages(items)]
    if not alike:
        return {}
    written = {page.links[page.leaf_elements[leaf]] for block in blocks for leaf in block.leaves}
    return {
        item.row: min(item.links, key=lambda link: "#" in (page.attr(link, "href") or ""))
        for items in alike
        for item in items
        if written.isdisjoint(item.links)
    }


def _lead_to_pages(items: Sequence[_Item]) -> bool:
    """Whether some items lead to enough different pages."""
    return len({item.address for item in items}) >= max(MIN_ITEMS, MIN_PAGES_SHARE * len(items))


def _find_box(parents: Sequence[int], head: int, anchors: Sequence[int]) -> int:
    """Return the innermost element around a title that has a link, or -1 if that is far from it."""
    place = bisect_left(anchors, head)
    near = [list_around(parents, anchor, 2 * BOX_LEVELS) for anchor in anchors[max(place - 1, 0) : place + 1]]
    around = list_around(parents, head, BOX_LEVELS + 1)[1:]
    return next((row for row in around if any(row in each for each in near)), -1)


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
