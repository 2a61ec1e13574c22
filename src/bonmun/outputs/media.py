"""Choose the images and players to write, and the block before which each stands."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from bonmun.outputs.backgrounds import find_backgrounds
from bonmun.outputs.embeds import EMBED_TAGS
from bonmun.outputs.image_copies import PlacedImage, find_copies, find_mere_links
from bonmun.outputs.images import MAX_ROWS_TO_NOSCRIPT, find_image
from bonmun.outputs.listing_images import find_extra_images
from bonmun.page.image_names import PORTRAIT_WORDS, is_hidden_image, is_icon, is_named_as_furniture
from bonmun.page.item_images import MAX_DISTANCE, Items
from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.outputs.chains import Chains
    from bonmun.outputs.writable import Writable
    from bonmun.page.item_images import ImageItem

__all__ = ["AT_END", "Medium", "find_media"]

AT_END = -1  # instead of the row of a block
CELLS = frozenset({"td", "th"})
IMAGES = frozenset({"img", "noscript"})
LEAD_BLOCKS = 3  # kept blocks that may precede a lead image
PART_LEVELS = 3  # elements around an image that may say what part of an item it is
FIGURE_LEVELS = 4  # elements around an image that may be its figure
MAX_HEADINGS = 3  # of an item, one after the other: a kicker and a title
MAX_ROWS_TO_HEADING = 3  # kept blocks at the start of an item that are searched for its heading


class Medium(NamedTuple):
    """An image or player, the element in whose place it is written, and the URL of an image."""

    row: int
    place: int
    source: str = ""


def find_media(doc: Writable, chains: Chains, *, images: bool) -> dict[int, list[Medium]]:
    """Return the images, if wanted, and players before each block, as elements; those after the last one (AT_END).

    They must be figures of the text, between two kept blocks, or in a structure.
    """
    if not images and not doc.has_embeds:
        return {}
    return _MediaFinder(doc, chains, images=images).find()


class _MediaFinder:
    def __init__(self, doc: Writable, chains: Chains, *, images: bool) -> None:
        self.doc = doc
        self.page = doc.page
        self.chains = chains
        self.has_images = images
        self.items: Items | None = None
        self.backgrounds: dict[int, str] = {}  # elements with a photo as background, and its URL

    def find(self) -> dict[int, list[Medium]]:
        """Return the images and players before each block."""
        page, shown = self.page, [block.row for block in self.doc.shown]
        tags, rule_images = page.tags, self.doc.rule_images
        rows, kept = sorted(shown), set(shown)
        items = self.items = Items(page, kept) if self.has_images else None
        hides, doubtful = page.visibility.hides, set()
        places: list[tuple[int, int, bool, ImageItem | None]] = []
        near = (rows[0] - MAX_DISTANCE, rows[-1] + MAX_DISTANCE) if rows else (0, -1)
        block = 0
        is_listing = self.doc.is_likely_listing
        if items is not None and is_listing:
            self.backgrounds = find_backgrounds(page)
        media = self.list_media()
        for row in media:
            block = bisect_right(page.opened, row, block)
            is_background = row in self.backgrounds
            is_shown = not is_background and not hides(row) and self.is_between(row, block, kept)
            item = None
            if items is not None and (is_background or tags[row] in IMAGES) and near[0] <= block <= near[1]:
                item = self.find_item(items, row)
                if item is None and row not in rule_images and items.is_dropped(row, is_listing=is_listing):
                    continue
            if is_background and item is None:
                continue
            places.append((row, block, is_shown, item))
            if not is_shown and item is None:
                doubtful.add(row)
        figures = self.find_figures(kept, doubtful) if doubtful and self.has_images else set()
        if doubtful and self.has_images:
            written = figures.union(row for row, _, is_shown, item in places if is_shown or item)
            if not written or self.doc.is_likely_product:
                figures |= self.find_titled_image(kept, written)
        if items is not None and is_listing:
            places = leave_out_copies(items, places)
        pictured = {item.first for row, _, _, item in places if item and row not in self.backgrounds}
        found: list[tuple[int, Medium, bool]] = []  # with the block before which it stands; whether it has an item
        for row, block, is_shown, item in places:
            place, source = row, self.backgrounds.get(row, "")
            if source and item is not None and item.first in pictured:
                continue
            if item is not None:
                block, place = self.place_in_item(row, block, item, rows)
            elif is_shown or (row in figures and self.is_between(row, block, kept)):
                if tags[row] == "img" and is_icon(page, row) and not self.is_named_cell(row):
                    continue
                if is_listing and is_named_as_furniture(
                    page, list_around(page.parents, row, PART_LEVELS + 1), PORTRAIT_WORDS
                ):
                    continue
            elif row in figures:
                block = _find_next(rows, block)
            else:
                continue
            if tags[row] in IMAGES and not (source := find_image(page, row, page.base_url) or ""):
                continue
            found.append((block, Medium(row, place, source), item is not None))
        unwanted = self.find_unwanted(found)
        placed: dict[int, list[Medium]] = {}
        for block, medium, _ in found:
            if medium.row not in unwanted:
                placed.setdefault(block, []).append(medium)
        return placed

    def find_unwanted(self, found: Sequence[tuple[int, Medium, bool]]) -> set[int]:
        """Return the images that are there twice or only links, unless they fill a table cell or a rule keeps them."""
        rule_images = self.doc.rule_images
        images = [
            PlacedImage(medium.row, block, medium.source, has_item)
            for block, medium, has_item in found
            if medium.source and medium.row not in rule_images and not self.is_named_cell(medium.row)
        ]
        is_listing = self.doc.is_likely_listing
        first = next((block.row for block in self.doc.shown), None)
        lead_stop = 0 if is_listing else next(islice((block.row for block in self.doc.shown), LEAD_BLOCKS, None), 0)
        copies = find_copies(self.page, images, lead_stop)
        others = [image for image in images if image.row not in copies]
        unwanted = copies | find_mere_links(self.page, others, is_listing=is_listing, first_block=first)
        if is_listing and self.items is not None:
            images = [image for image in images if image.row not in unwanted]
            unwanted |= find_extra_images(self.page, self.items, images)
        return unwanted

    def find_item(self, items: Items, row: int) -> ImageItem | None:
        """Return the item of an image that is no icon and not hidden."""
        item = items.find(row)
        if item is None or is_hidden_image(self.page, row) or is_icon(self.page, row):
            return None
        return item

    def place_in_item(self, row: int, block: int, item: ImageItem, rows: list[int]) -> tuple[int, int]:
        """Return the block before which the image of an item stands, and the element where it is written.

        It stands after the heading of its item, else it would be below the heading of the item before. An image in
        another box is written where the text of its item is, if there is other text between them.
        """
        after = _find_next(rows, block)
        is_beside = after == item.first or (block > item.last and after == _find_next(rows, item.last + 1))
        place = self.page.owners[item.first]
        is_far = not (item.is_around or is_beside or self.is_in_cell(place))
        if not is_far and (block > item.first or not (item.is_around or is_beside)):
            return after, row
        return self.find_place_below_heading(row, item, rows), place if is_far else row

    def find_place_below_heading(self, row: int, item: ImageItem, rows: list[int]) -> int:
        """Return the block after the first headings of an item, or its first block if it has none.

        The heading must be the first block if the image has a caption, which stays below it.
        """
        find_kind = self.page.find_kind
        inside = rows[bisect_left(rows, item.first) : bisect_right(rows, item.last)]
        found = (number for number, each in enumerate(inside[:MAX_ROWS_TO_HEADING]) if find_kind(each) == "heading")
        first = next(found, None)
        if first is None or (first > 0 and self.has_caption(row)):
            return item.first
        headings = list(takewhile(lambda each: find_kind(each) == "heading", inside[first : first + MAX_HEADINGS]))
        return _find_next(rows, headings[-1] + 1)

    def is_in_cell(self, element: int) -> bool:
        """Whether an element is in a cell of a data table."""
        return not CELLS.isdisjoint(self.chains.tags[each] for each in self.chains.find(element))

    def has_caption(self, row: int) -> bool:
        """Whether an image is in a <figure> with text."""
        page = self.page
        figure = next(
            (each for each in list_around(page.parents, row, FIGURE_LEVELS) if page.tags[each] == "figure"), -1
        )
        return figure >= 0 and self.items is not None and bool(self.items.list_blocks(figure))

    def is_named_cell(self, row: int) -> bool:
        """Whether an icon is all of a table cell and has a description, but not a type in brackets: `[TXT]`."""
        if CELLS.isdisjoint(self.page.tag_names):
            return False
        chain = self.chains.find(row)
        alt = self.page.attr(row, "alt") or "["
        if not chain or self.chains.tags[chain[-1]] not in CELLS or alt.startswith("["):
            return False
        return self.items is None or (not self.items.list_blocks(chain[-1]) and not self.items.find_link(row))

    def list_media(self) -> list[int]:
        """Return the images and players that may be written, as elements."""
        page, left_out = self.page, self.doc.left_out_media
        wanted = ({"img", "noscript"} if self.has_images else set()) | (EMBED_TAGS if self.doc.has_embeds else set())
        media = [row for tag in wanted for row in page.list_rows(tag)]
        rows = sorted(row for row in (*media, *self.backgrounds) if row not in left_out)
        written = set(rows).intersection(page.leaf_elements) if rows else set()  # emoji and formulas that are images
        found = []
        for row in rows:
            tag = page.tags[row]
            is_copy = tag == "noscript" and (
                "img" in page.tags[max(0, row - MAX_ROWS_TO_NOSCRIPT) : row] or self.is_repeated(row)
            )
            if not is_copy and not (tag == "img" and row in written):
                found.append(row)
        return found

    def is_repeated(self, row: int) -> bool:
        """Whether the image in a <noscript> follows it, to be loaded by a script."""
        page, stop = self.page, row + 1 + MAX_ROWS_TO_NOSCRIPT
        if "img" not in page.tags[row + 1 : stop]:
            return False
        image = page.tags.index("img", row + 1, stop)
        return find_image(page, image, page.base_url) == find_image(page, row, page.base_url)

    def is_between(self, row: int, block: int, kept: set[int]) -> bool:
        """Whether an image or player is between two kept blocks, or before one in a structure."""
        return block in kept and (block - 1 in kept or bool(self.chains.find(row)))

    def find_figures(self, kept: set[int], images: set[int]) -> set[int]:
        """Return the images that belong to the text, or that a rule keeps."""
        from bonmun.page.figures import find_figures
        from bonmun.page.main_images import find_main_image

        page = self.page
        flags = [False] * len(page.starts)
        for row in kept:
            flags[row] = True
        figures = find_figures(page, flags, images=images)
        found = {figure.image for figure in figures} | self.doc.rule_images
        main = find_main_image(page, images - found, max(kept, default=-1))
        return found if main is None else found | {main}

    def find_titled_image(self, kept: set[int], written: set[int]) -> set[int]:
        """Return the image that is described by the title, for a product or a text without images."""
        from bonmun.page.main_images import find_titled_image

        is_product = self.doc.is_likely_product
        found = find_titled_image(self.page, max(kept, default=-1), written, may_be_hidden=is_product)
        return set() if found is None or found in self.doc.left_out_media else {found}


def leave_out_copies(
    items: Items, places: list[tuple[int, int, bool, ImageItem | None]]
) -> list[tuple[int, int, bool, ImageItem | None]]:
    """Return the images without those beside a copy of the text of their item, if that has another image."""
    counts = Counter(item.first for _, _, _, item in places if item)
    many = {row for row, _, _, item in places if item and counts[item.first] > 1 and items.is_in_copy(row, item)}
    left = {item.first for row, _, _, item in places if item and row not in many}
    return [place for place in places if place[0] not in many or (place[3] and place[3].first not in left)]


def _find_next(rows: list[int], block: int) -> int:
    """Return the first written block from a block on, or AT_END."""
    at = bisect_left(rows, block)
    return rows[at] if at < len(rows) else AT_END
