"""Leave out images that are there twice, stand for missing ones, or are rows of links such as logos of partners."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from bonmun.page.image_names import (
    CACHED_NAMES,
    MIN_PHOTO_ALT,
    has_part,
    is_image_address,
    is_large,
    is_named_as_advert,
    list_names,
    name_file,
    read_area,
    read_file_area,
    read_size,
    read_width,
)
from bonmun.page.parse.ancestors import list_around, list_boxes
from bonmun.sites.domains import find_host
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["PlacedImage", "find_copies", "find_link", "find_mere_links", "is_control_link", "read_mere_link"]

LINK_LEVELS = 5  # elements around an image that may be its link
LINKS = frozenset({"a"})
MIN_PLACES = 3  # of one image that stands for missing ones
MAX_STAND_IN_PIXELS = 600  # width; photos from the archive are at many items, too
MIN_LINKS = 2  # of a row of images that are only links
MIN_HEADER_IMAGES = 3
MIN_FEED = 4  # images without text that lead to another site
BARE_LEVELS = 3  # elements around an image that may be a list item or round
ROUND_WORDS = frozenset("round circle rounded-circle img-circle circular".split())  # classes
MIN_TITLE_BYTES = 15  # of a description that says where a link leads; names of partners are shorter
MAX_URL_CHARS = 500  # of the end of a URL, in which sizes are looked for
SIZE = compile_later(r"[-_/]?(?<![a-z0-9])(?:[wh][_-]?\d{2,4}|\d{2,4}[wh]|\d{1,4}x\d{1,4})(?![a-z0-9])")
DEVICE = compile_later(r"[-_](?:sp|pc|mobile|desktop|tablet|smartphone)(?![a-z0-9])")  # of files for one kind of device
FILE = compile_later(r"\.(?:jpe?g|png|gif|webp|avif)($|\?)")
MIN_COPY_CHARS = 12  # of a file name, that tell an image from others of the page
GRAPHIC = compile_later(r"\.(?:png|gif|svg)(?:$|\?)")
DRAWING = compile_later(r"\.svg(?:$|\?)", re.I)
STRIP = compile_later(
    r"[-_](?!19|20)(\d{3,4})[x_]([2-9]\d|\d{3})\.[a-z]{3,4}(?:$|\?)", re.I
)  # width and height in a file name
MIN_STRIP_RATIO = 6  # of width to height
ADVERT_FILE = compile_later(r"(?:^|[-_])ad(?:s|vert)?[-_.]", re.I)
# Width and height of advertisements in pixels (IAB standard).
ADVERT_SIZES = frozenset(
    {
        (300, 250),
        (336, 280),
        (300, 600),
        (160, 600),
        (120, 600),
        (728, 90),
        (970, 90),
        (970, 250),
        (468, 60),
        (320, 100),
    }
)
GALLERY_PARTS = ("gallery", "galerie", "attachment", "lightbox", "fancybox", "slideshow", "photo")


class PlacedImage(NamedTuple):
    """An image, the block before which it stands, its URL, and whether it is that of an item."""

    row: int
    block: int
    source: str
    has_item: bool


def find_copies(page: Page, images: Sequence[PlacedImage], lead_stop: int = 0) -> set[int]:
    """Return the images that are copies of others, and those that are at many items instead of a missing image.

    A copy is the same file, in any size, in the same place or with the same link. The largest in the first place stays.
    So is the next image if it has the same file and the same long description.
    Files in different folders are the same if they have the same name, and the same link or description. A copy of the
    first image further down is one, too, if that stands before the block `lead_stop`.
    """
    if len(images) < 2:
        return set()
    links = {image.row: find_link(page, image.row) for image in images}
    places: dict[str, set[str | int]] = defaultdict(set)
    beside: dict[tuple[str, str | int], list[PlacedImage]] = defaultdict(list)  # by description and place
    for image in images:
        link = links[image.row]
        places[image.source].add(link or image.block)
        beside["" if link else page.attr(image.row, "alt") or "", link or image.block].append(image)
    many = {source for source, each in places.items() if len(each) >= MIN_PLACES}
    found = {each.row for each in images if each.source in many and read_width(page, each.row) < MAX_STAND_IN_PIXELS}
    for others in beside.values():
        same: dict[str, list[PlacedImage]] = defaultdict(list)  # by name; most images are alone
        for image in others if len(others) > 1 else ():
            is_named = bool(links[image.row] or page.attr(image.row, "alt"))
            same[_name_image(image.source, by_file=is_named)].append(image)
        for copies in filter(lambda each: len(each) > 1, same.values()):
            first = [image for image in copies if image.block == copies[0].block]
            best = max(
                first, key=lambda image: (read_area(page, image.row, image.source), read_file_area(image.source))
            )
            found.update(image.row for image in copies if image.row != best.row)
    for image, other in pairwise(image for image in images if image.row not in found):
        alt = page.attr(image.row, "alt") or ""
        is_same = len(alt) >= MIN_PHOTO_ALT and not links[image.row] and alt == page.attr(other.row, "alt")
        if is_same and _read_path(image.source) == _read_path(other.source):
            found.add(other.row)
    if 0 <= images[0].block < lead_stop:
        others = [image for image in images if image.row not in found]
        found |= _find_repeated_lead(page, others, links)
    return found


def _find_repeated_lead(page: Page, images: Sequence[PlacedImage], links: dict[int, str]) -> set[int]:
    """Return the copies of the first image further down: the same path and file, in any size, and no link.

    A copy with a caption stays, and the first image is returned instead.
    """
    if len(images) < 2 or images[0].has_item or links[images[0].row]:
        return set()
    first = images[0]
    end = first.source.partition("?")[0].rpartition("/")[2][:MIN_COPY_CHARS]
    copies = [each for each in images[1:] if end in each.source and not links[each.row]]
    if len(end) < MIN_COPY_CHARS or not copies:
        return set()
    path = _read_path(first.source)
    paths = [(each, _read_path(each.source)) for each in copies if each.block != first.block]
    copies = [each for each, other in paths if path.endswith(other) or other.endswith(path)]
    rows = {each.row for each in copies}
    if any("figure" in [page.tags[each] for each in list_around(page.parents, row, BARE_LEVELS + 1)] for row in rows):
        return {first.row} if len(rows) == 1 else set()
    return rows


def _read_path(source: str) -> str:
    """Return the path of an image without sizes and file type; servers that resize images put their own before it.

    The whole URL is returned if its path is not that of a file of an image, or if the name of the file is short.
    """
    path = source.partition("?")[0].lower()
    name = name_file(path) if FILE.search(path) is not None else ""
    if not name:
        return source
    path = SIZE.sub("", path)
    if "://" in path:
        path = path.partition("://")[2].partition("/")[2]
    return f"/{path.rpartition('/')[0]}/{name}"


def find_mere_links(
    page: Page, images: Sequence[PlacedImage], *, is_listing: bool, first_block: int | None = None
) -> set[int]:
    """Return images that are only links to other pages: those in rows without text, advertisements, badges.

    They have no text in them and no text with the same link. On pages other than listings, large ones are photos.
    Images of a header stand before the first block of a listing.
    """
    found = {each.row for each in images if is_listing and not each.has_item and _is_bare(page, each.row)}
    found.update(each.row for each in images if is_listing and _is_decoration(page, each))
    found.update(each.row for each in images if _is_banner(page, each))
    if is_listing and first_block is not None:
        found.update(_find_header(page, [each for each in images if each.block == first_block]))
    for _, group in groupby(images, lambda image: image.block):
        row = list(group)
        if is_listing and len(row) >= MIN_FEED:
            others = [each.row for each in row if _is_bare_link(page, each.row)]
            found.update(others if len(others) >= MIN_FEED else ())
        links = {image.row: read_mere_link(page, image.row) for image in row if not image.has_item}
        links = {each: link for each, link in links.items() if link and (is_listing or not is_large(page, each))}
        is_row = len(set(links.values())) >= MIN_LINKS and (is_listing or not _is_menu(page, list(links)))
        for each, link in links.items():
            is_other = is_listing and _is_of_other_site(page, link)
            if is_row or is_other or is_named_as_advert(page, each, LINK_LEVELS):
                found.add(each)
    return found


def _find_header(page: Page, images: Sequence[PlacedImage]) -> list[int]:
    """Return the images before the first text if they are many and belong to no item: the logos of a header."""
    found = [each.row for each in images if not each.has_item and not is_large(page, each.row)]
    return found if len(found) == len(images) >= MIN_HEADER_IMAGES else []


def _is_bare_link(page: Page, image: int) -> bool:
    """Whether an image without description leads to another site: one of a feed of pictures."""
    return not page.attr(image, "alt") and _is_of_other_site(page, find_link(page, image))


def _is_bare(page: Page, image: int) -> bool:
    """Whether an image without description is all of a list item, or round: the portrait of an author."""
    around = list_around(page.parents, image, BARE_LEVELS + 1)
    names = list_names(page, around)
    if any(map(_is_round_name, names)):
        return True
    tags = [page.tags[row] for row in around]
    if "li" not in tags or "figure" in tags or page.attr(image, "alt") or any(map(_is_gallery_name, names)):
        return False
    return bool(find_link(page, image)) or GRAPHIC.search((page.attr(image, "src") or "")[-MAX_URL_CHARS:]) is not None


def _is_decoration(page: Page, image: PlacedImage) -> bool:
    """Whether an image is a drawing without description, or one that belongs to no item."""
    return DRAWING.search(image.source[-MAX_URL_CHARS:]) is not None and not (
        image.has_item and page.attr(image.row, "alt")
    )


def _is_banner(page: Page, image: PlacedImage) -> bool:
    """Whether an image is a link and a strip, or leads to another site and has a size or name of advertisements."""
    link = find_link(page, image.row)
    if not link:
        return False
    size = STRIP.search(image.source[-MAX_URL_CHARS:])
    if size is not None and int(size[1]) >= MIN_STRIP_RATIO * int(size[2]):
        return True
    if not _is_of_other_site(page, link):
        return False
    if read_size(page, image.row, image.source) in ADVERT_SIZES:
        return True
    return ADVERT_FILE.search(image.source[-MAX_URL_CHARS:].rpartition("/")[2]) is not None


def _is_menu(page: Page, row: list[int]) -> bool:
    """Whether half of the images of a row or more have descriptions: they are the text of a menu."""
    described = [image for image in row if len((page.attr(image, "alt") or "").encode()) >= MIN_TITLE_BYTES]
    return 2 * len(described) >= len(row)


def read_mere_link(page: Page, image: int) -> str:
    """Return the address of the link around an image; "" if there is none, or for figures and galleries.

    Slides are links by a script, which reads the address from `data-href`.
    """
    around = list_around(page.parents, image, LINK_LEVELS + 2)
    tags = [page.tags[row] for row in around]
    link = find_link(page, image)
    if not link and "a" not in tags:
        link = next(filter(None, page.attrs(around[: LINK_LEVELS + 1], "data-href")), "")
    if not link or "figure" in tags:
        return ""
    return "" if any(map(_is_gallery_name, list_names(page, around))) else link


def is_control_link(page: Page, image: int) -> bool:
    """Whether an image is a link that runs a script, and in no figure or gallery."""
    around = list_around(page.parents, image, LINK_LEVELS + 2)
    tags = [page.tags[row] for row in around]
    if "a" not in tags or "figure" in tags:
        return False
    href = page.attr(around[tags.index("a")], "href") or ""
    return href.startswith(("#", "javascript:")) and not any(map(_is_gallery_name, list_names(page, around)))


@lru_cache(CACHED_NAMES)
def _is_round_name(name: str) -> bool:
    return not ROUND_WORDS.isdisjoint(name.split())


@lru_cache(CACHED_NAMES)
def _is_gallery_name(name: str) -> bool:
    return has_part(name, GALLERY_PARTS)


_find_own_host = lru_cache(1)(find_host)  # of the page, for all its images


def _is_of_other_site(page: Page, link: str) -> bool:
    """Whether a link leads to another host, which does not share the last two labels of its name."""
    host, own = find_host(link), _find_own_host(page.base_url)
    return bool(host and own) and host.split(".")[-2:] != own.split(".")[-2:]


def find_link(page: Page, image: int) -> str:
    """Return the address of the link around an image; "" if there is none, or if it leads to the image."""
    known = page.known_image_links
    link = known.get(image)
    if link is None:
        links = list_boxes(page.tags, page.parents, image, LINK_LEVELS + 1, LINKS)
        href = (page.attr(links[0][1], "href") or "") if links else ""
        link = known[image] = "" if is_image_address(href) else href
    return link


def _name_image(source: str, *, by_file: bool) -> str:
    """Return a name of an image that is the same for all its sizes: its URL, or only its file name, without sizes."""
    source = source[-MAX_URL_CHARS:].lower()
    if (end := FILE.search(source)) is not None:
        source = source[: end.start(1)]
        if by_file and (name := name_file(source)):
            return DEVICE.sub("", SIZE.sub("", name))
    return DEVICE.sub("", SIZE.sub("", source))
