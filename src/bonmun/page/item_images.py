"""Find the item that an image belongs to: kept blocks in the same link, list item or article, or with the same link.

Listings often drop what is between an item's image and its title, such as labels and share buttons. What is kept around
them says nothing about such an image, but its item does. An image whose own text was dropped belongs to no text.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bonmun.kernel import load_kernel
from bonmun.page.image_names import is_image_address, is_large, is_named_as_furniture
from bonmun.page.parse.ancestors import has_text_in, list_around, list_boxes
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from bonmun.page.page import Page

__all__ = ["MAX_DISTANCE", "ImageItem", "Items"]

KERNEL = load_kernel("columns")
IMAGES_KERNEL = load_kernel("images")
BOX_LEVELS = 12  # elements around an image that may be its item
TEXT_LEVELS = 24  # elements around a text that are searched for the item of an image
LINK_LEVELS = 8  # elements around a text that may be its link
MAX_LEAVES = 8  # of a block that are searched for a link or an item
MAX_BLOCKS, MAX_KEPT_BLOCKS = 40, 12  # of an item; what has more is a page or a section
MAX_BOX_ELEMENTS = 60  # of an item before its image, and after it
MAX_DISTANCE = 24  # blocks between an image and a text with the same link that is not in the same box
MAX_GAP = 3  # blocks between texts of an item with the same link
MIN_TITLE_SHARE = 0.25  # of the bytes of a block; its links are less if they are references in running text
MAX_HREF_CHARS = 2_000
MAX_ARTICLES = 200  # elements that are searched for kept text
BOXES = frozenset({"a", "li", "article"})
LINKS = frozenset({"a"})
TEXTS = BOXES | {"p", "figure"}
PHRASES = frozenset({"a", "p"})
MIN_TITLE_BYTES = 20  # of the text of a list item; galleries have shorter labels
FURNITURE = frozenset({"nav", "footer", "button"})


class ImageItem(NamedTuple):
    """The first and last kept block of an item, and whether the image is in the same box as these."""

    first: int
    last: int
    is_around: bool


class Items:
    """The items of the images of a page, and the texts of images that were dropped."""

    def __init__(self, page: Page, kept: AbstractSet[int]) -> None:
        self.page = page
        self.kept = kept
        # caches, by element: its blocks, those that are kept, and the address of a link
        self.blocks: dict[int, list[int]] = {}
        self.kept_blocks: dict[int, list[int]] = {}
        self.addresses: dict[int, str] = {}

    def find(self, image: int) -> ImageItem | None:
        """Return the item that an image belongs to, or None."""
        page = self.page
        link = self.read_link(image) if page.tags[image] == "a" else ""
        above = page.parents[image]
        boxes = list_boxes(page.tags, page.parents, above, BOX_LEVELS, BOXES)
        for number, element in boxes:
            tag = page.tags[element]
            if tag == "a" and not link:
                link = self.read_link(element)
            rows, kept = self.list_blocks(element), self.list_kept(element)
            if len(rows) > MAX_BLOCKS or len(kept) > MAX_KEPT_BLOCKS:
                break
            if kept and (tag != "article" or self.has_many_articles):
                if is_named_as_furniture(page, [image, *list_around(page.parents, above, number)]):
                    return None
                return ImageItem(kept[0], kept[-1], is_around=True)
        if link and not list_boxes(page.tags, page.parents, above, BOX_LEVELS, FURNITURE):
            is_furniture = is_named_as_furniture(page, [image, *list_around(page.parents, above, 2)])
            return None if is_furniture else self._find_linked(image, link)
        return None

    def is_dropped(self, image: int, *, is_listing: bool = False) -> bool:
        """Whether the text of an image was dropped: that of the innermost link, paragraph or item around it.

        On listings, any box may be an item: the innermost with a title, unless there is kept text beside it.
        """
        page = self.page
        above = page.parents[image]
        if is_listing:
            position = bisect_right(page.opened, image)
            is_listing = not {position - 1, position} <= self.kept  # else its box has kept text
        around = list_around(page.parents, above, BOX_LEVELS) if is_listing else []
        boxes = enumerate(around) if is_listing else list_boxes(page.tags, page.parents, above, BOX_LEVELS, TEXTS)
        for number, element in boxes:
            tag = page.tags[element]
            if tag == "figure" and (not is_listing or self.list_blocks(element)):
                return False
            if (tag in BOXES or tag == "p") and (rows := self.list_blocks(element)):
                if (tag == "a" and not self.read_link(element)) or (tag == "p" and is_large(page, image)):
                    return False
                is_title = tag in PHRASES or self.count_bytes(rows) >= MIN_TITLE_BYTES
                return is_title and self.kept.isdisjoint(rows)
            if is_listing and (rows := self.list_blocks(element)):
                if not self.kept.isdisjoint(rows):
                    return False
                if self.has_title(rows):
                    return self.is_alone(image, around[number + 1 :], len(rows))
        return False

    def is_in_copy(self, image: int, item: ImageItem) -> bool:
        """Whether the text beside an image was dropped as a copy of its item's text: that for another screen."""
        page = self.page
        for element in list_around(page.parents, page.parents[image], BOX_LEVELS):
            if rows := self.list_blocks(element):
                if not self.kept.isdisjoint(rows):
                    return False
                kept = page.block_texts[item.first : item.last + 1]
                sizes = page.block_sizes.sizes
                return any(page.block_texts[row] in kept for row in rows if sizes[row] >= MIN_TITLE_BYTES)
        return False

    def count_bytes(self, rows: list[int]) -> int:
        """Return the size of some blocks."""
        return sum(map(self.page.block_sizes.sizes.__getitem__, rows))

    def is_label(self, rows: list[int]) -> bool:
        """Whether some blocks were dropped and are too short for the title of an item."""
        return self.kept.isdisjoint(rows) and self.count_bytes(rows) < MIN_TITLE_BYTES

    def has_title(self, rows: list[int]) -> bool:
        """Whether a heading or a link among some blocks is long enough to be the title of an item."""
        page = self.page
        sizes, links = page.block_sizes
        return any(
            sizes[row] >= MIN_TITLE_BYTES and (links[row] == sizes[row] or page.find_kind(row) == "heading")
            for row in rows[:MAX_KEPT_BLOCKS]
        )

    def is_alone(self, image: int, around: list[int], blocks: int) -> bool:
        """Whether the next larger box has no kept text, is no item, or has another image."""
        box = next((each for each in around if len(self.list_blocks(each)) > blocks), None)
        if box is None:
            return True
        rows, tags, parents = self.list_blocks(box), self.page.tags, self.page.parents
        if len(rows) > MAX_KEPT_BLOCKS or image - box > MAX_BOX_ELEMENTS or self.kept.isdisjoint(rows):
            return True
        stop = image + 1
        while stop < min(len(tags), image + MAX_BOX_ELEMENTS) and parents[stop] >= box:
            stop += 1
        return tags[box:stop].count("img") > 1

    def find_link(self, image: int) -> str:
        """Return the address of the link around an image, or ""."""
        links = list_boxes(self.page.tags, self.page.parents, image, LINK_LEVELS, LINKS)
        return self.read_link(links[0][1]) if links else ""

    def read_link(self, element: int) -> str:
        """Return the address of a link to another page; "" if it leads to an image, to a part of the page or home."""
        address = self.addresses.get(element)
        if address is None:
            href = (self.page.attr(element, "href") or "").strip()
            is_other = len(href) > MAX_HREF_CHARS or href == "/" or is_image_address(href)
            address = self.addresses[element] = "" if is_other else href
        return address

    def list_kept(self, element: int) -> list[int]:
        """Return the blocks of `list_blocks` that are kept."""
        rows = self.kept_blocks.get(element)
        if rows is None:
            rows = self.kept_blocks[element] = [row for row in self.list_blocks(element) if row in self.kept]
        return rows

    def list_blocks(self, element: int) -> list[int]:
        """Return the blocks with text in an element, at most MAX_BLOCKS and one."""
        rows = self.blocks.get(element)
        if rows is None:
            rows = self.blocks[element] = self._find_blocks(element)
        return rows

    def _find_blocks(self, element: int) -> list[int]:
        """Return the blocks of which one of the first leaves is in an element: one block and those after it."""
        page = self.page
        parents, elements, starts, stops = page.parents, page.leaf_elements, page.starts, page.stops
        first = bisect_right(page.opened, element)  # that starts in the element or after it
        if KERNEL:
            rows: list[int] = KERNEL.list_blocks(
                parents, elements, starts, stops, first, element, TEXT_LEVELS, MAX_LEAVES, MAX_BLOCKS + 1
            )
            return rows
        found: list[int] = []
        for row in range(max(0, first - 1), min(len(starts), first + MAX_BLOCKS + 1)):
            start = starts[row]
            if has_text_in(parents, elements, start, min(stops[row], start + MAX_LEAVES), element, TEXT_LEVELS):
                found.append(row)
            elif row >= first:
                break
        return found[: MAX_BLOCKS + 1]

    @cached_property
    def has_many_articles(self) -> bool:
        """Whether more than one <article> has kept text; the only one of a page is no item."""
        rows = self.page.list_rows("article")[:MAX_ARTICLES]
        articles = (row for row in rows if not self.kept.isdisjoint(self.list_blocks(row)))
        return len(list(islice(articles, 2))) > 1

    @cached_property
    def linked(self) -> dict[str, list[int]]:
        """The kept blocks with each link that is a title or leads to a whole item, in order."""
        found: dict[str, list[int]] = {}
        for row, link in self._list_linked():
            found.setdefault(self.read_link(link) if link >= 0 else "", []).append(row)
        return found

    def _list_linked(self) -> list[tuple[int, int]]:
        """Return these blocks, each with its link, or -1 if that is too far around it."""
        page, rows = self.page, sorted(self.kept)
        tags, parents, elements = page.tags, page.parents, page.leaf_elements
        if IMAGES_KERNEL:
            linked: list[tuple[int, int]] = IMAGES_KERNEL.list_linked(
                *(rows, page.starts, page.stops, page.linked_leaves, *page.block_sizes, tags, parents, elements),
                *(MAX_LEAVES, MIN_TITLE_SHARE, LINK_LEVELS),
            )
            return linked
        found = []
        for row in rows:
            if (leaf := self._find_linked_leaf(row)) is not None:
                around = list_around(parents, elements[leaf], LINK_LEVELS)
                found.append((row, next((element for element in around if tags[element] == "a"), -1)))
        return found

    def _find_linked_leaf(self, row: int) -> int | None:
        """Return a leaf with the link of a block, or None if its links are references in running text.

        A title is the first link, and much of its block; a link to the whole item ("read more") is the last leaf.
        """
        page = self.page
        start, stop, linked = page.starts[row], page.stops[row], page.linked_leaves
        first = linked.find(1, start, min(stop, start + MAX_LEAVES))
        if first < 0:
            return None
        sizes, links = page.block_sizes
        if links[row] >= MIN_TITLE_SHARE * sizes[row]:
            return first
        return stop - 1 if linked[stop - 1] else None

    @cached_property
    def paths(self) -> dict[str, str]:
        """The links of kept blocks by address without query; "" if several have the same."""
        found: dict[str, str] = {}
        for link in filter(None, self.linked):
            path = _read_path(link)
            found[path] = "" if path in found else link
        return found

    def _find_linked(self, image: int, link: str) -> ImageItem | None:
        """Return the kept blocks with the link of an image that are nearest to it.

        Without any, it is those of the only link that differs in its query: shops count clicks on images.
        """
        rows = self.linked.get(link)
        if not rows and (same_path := self.paths.get(_read_path(link))):
            rows = self.linked[same_path]
        if not rows:
            return None
        position = bisect_right(self.page.opened, image)
        after = bisect_left(rows, position)
        before = after - 1
        if after < len(rows) and (before < 0 or rows[after] - position <= position - rows[before]):
            first = last = rows[after]
            for row in rows[after + 1 : after + MAX_KEPT_BLOCKS]:
                if row - last > MAX_GAP:
                    break
                last = row
            return ImageItem(first, last, is_around=False) if first - position <= MAX_DISTANCE else None
        first = last = rows[before]
        for row in reversed(rows[max(0, before - MAX_KEPT_BLOCKS) : before]):
            if first - row > MAX_GAP:
                break
            first = row
        return ImageItem(first, last, is_around=False) if position - last <= MAX_DISTANCE else None


def _read_path(link: str) -> str:
    """Return a link without query and fragment; the whole link if that leaves nothing.

    >>> _read_path("/lamps/1.html?from=image#top"), _read_path("?id=1")
    ('/lamps/1.html', '?id=1')
    """
    return link.partition("#")[0].partition("?")[0] or link
