"""Leave out images of listings that are no part of an item: second ones, strips, and links to other sections.

Items show a second photo when the pointer is over them, the portrait of the author, or a small copy until the photo is
loaded. Where three links or more have two images each, the second is one of these.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING

from bonmun.outputs.image_copies import is_control_link, read_mere_link
from bonmun.page.image_names import MIN_PHOTO_ALT, name_file, read_area, read_size
from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.outputs.image_copies import PlacedImage
    from bonmun.page import Page
    from bonmun.page.item_images import Items

__all__ = ["find_extra_images"]

MIN_PAIRS = 3  # links with two images each
MIN_STRIP_RATIO, MIN_STRIP_PIXELS = 5, 300  # width to height, and width
BOX_LEVELS = 8  # elements around an image that may be the box with its text
NEAR_LEVELS = 16  # elements around the next image that may be that box
MAX_BOX_BLOCKS = 8  # of an item; a box with more is a section
CELLS = frozenset({"td", "th"})
SIGNS = (".gif", ".svg")  # files of icons in cells


def find_extra_images(page: Page, items: Items, images: Sequence[PlacedImage]) -> set[int]:
    """Return the images of a listing that are no part of its items."""
    found = {each.row for each in images if _is_strip(page, each) or _is_cell_icon(page, items, each)}
    found.update(_find_seconds(page, images))
    found.update(_find_alone(page, items, [each for each in images if each.row not in found]))
    return found


def _is_strip(page: Page, image: PlacedImage) -> bool:
    """Whether an image is much wider than high, as banners are."""
    width, height = read_size(page, image.row, image.source)
    return width >= MIN_STRIP_PIXELS and width >= MIN_STRIP_RATIO * height > 0


def _is_cell_icon(page: Page, items: Items, image: PlacedImage) -> bool:
    """Whether an image is a sign without description that fills a table cell: the icon of an author."""
    cell = page.parents[image.row]
    if image.has_item or page.tags[cell] not in CELLS or page.attr(image.row, "alt"):
        return False
    return image.source.partition("?")[0].lower().endswith(SIGNS) and not items.list_blocks(cell)


def _find_seconds(page: Page, images: Sequence[PlacedImage]) -> Iterator[int]:
    """Yield the second image of each link with two, unless it is the larger one."""
    pairs: dict[int, list[PlacedImage]] = defaultdict(list)
    links = page.links
    for image in images:
        if image.has_item and links[image.row] >= 0:
            pairs[links[image.row]].append(image)
    found = [pair for pair in pairs.values() if len(pair) == 2]
    if len(found) >= MIN_PAIRS:
        for first, second in found:
            is_larger = read_area(page, second.row, second.source) > read_area(page, first.row, first.source) > 0
            yield first.row if is_larger else second.row


def _find_alone(page: Page, items: Items, images: Sequence[PlacedImage]) -> Iterator[int]:
    """Yield the images without text that are links or repeat the image of an item.

    The links lead to sections, campaigns and own products, or run a script. Repeated are those with the same file or
    long description.
    """
    names: set[str] | None = None
    for number, image in enumerate(images):
        if image.has_item or not _is_alone(page, items, images, number):
            continue
        if names is None:
            names = {name for each in images if each.has_item for name in _list_names(page, each)}
        is_link = read_mere_link(page, image.row) or is_control_link(page, image.row)
        if is_link or not names.isdisjoint(_list_names(page, image)):
            yield image.row


def _list_names(page: Page, image: PlacedImage) -> list[str]:
    """Return the description of an image and its file, if they are long enough to tell it from others."""
    alt = page.attr(image.row, "alt") or ""
    file = name_file(image.source)
    return [name for name in (alt, file) if len(name) >= MIN_PHOTO_ALT]


def _is_alone(page: Page, items: Items, images: Sequence[PlacedImage], number: int) -> bool:
    """Whether the smallest box with text around an image is that of a whole section, or its text was dropped.

    An image directly below a heading is not alone. Dropped labels, such as a date, are no text.
    """
    row = images[number].row
    around = list_around(page.parents, page.parents[row], BOX_LEVELS)
    boxes = ((each, items.list_blocks(each)) for each in around)
    box, rows = next(((box, rows) for box, rows in boxes if rows and not items.is_label(rows)), (-1, ()))
    if not rows:
        return False
    before = bisect_right(page.opened, row) - 1
    if before in items.kept and before in rows and page.find_kind(before) == "heading":
        return False
    beside = (*images[max(0, number - 1) : number], *images[number + 1 : number + 2])
    is_shared = any(box in list_around(page.parents, each.row, NEAR_LEVELS) for each in beside)
    return is_shared or len(rows) > MAX_BOX_BLOCKS or items.kept.isdisjoint(rows)
