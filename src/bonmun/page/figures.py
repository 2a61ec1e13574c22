"""Find the figures of a text: images that belong to it, with their captions.

An image belongs to the text if there are kept blocks near it, before and after, or if it is the lead image before the
text. Logos, icons, avatars, advertisements and teasers of other pages do not. A caption is the text of a
`<figcaption>`, a short text in the box of the image whose class says so, or the only short text in that box.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["Figure", "find_figures"]

NEAR_BLOCKS = 3  # how far a kept block may be from a figure
LEAD_BLOCKS = 10  # how far the text may be from a lead image that is marked as such: bylines and buttons come between
MAX_IMAGES = 1_000  # on a page; the others are not looked at
MIN_PIXELS = 64  # width and height; smaller images are icons
BOX_LEVELS = 5  # elements around an image that may be its box
BOX_ELEMENTS = 40  # in a box after its image
BOX_BLOCKS, BOX_CHARS = 3, 500  # texts in a box
LINK_LEVELS = 4  # elements around an image that are searched for a link and for names
NO_BOX = frozenset({"html", "body", "main", "article", "nav", "footer", "ul", "ol"})
OUTSIDE = frozenset({"nav", "footer", "aside", "button", "form"})  # images in these do not belong to the text
SOURCES = ("data-src", "data-original", "data-lazy-src", "data-srcset")  # of images that a script loads
PIXELS = re.compile(r"\d{1,5}")
CAPTION_NAME = re.compile(
    r"caption|legend|credit|(?<![a-z])cap(?![a-z])|(?:img|image|photo|pic|media|figure|carousel|foto)[-_]{0,2}"
    r"(?:desc|text|info|title|copyright|source|pie)|descripcion|dida(?![a-z])|bildunterschrift|bildtext",
    re.I,
)
LEAD_NAME = re.compile(r"hero|featured|lead|main|cover|eyecatch|top[-_]?image|article|story|header", re.I)
OTHER_NAME = re.compile(
    r"(?<![a-z])(?:logo|icons?|ico|avatar|profile|gravatar|emoji|emoticon|sprite|spinner|loader|share|sharing|sns|social"
    r"|banner|ads?|advert\w{0,9}|sponsor\w{0,3}|promo|pixel|tracking|badge|btn|button|author|byline|userpic|related"
    r"|recommend\w{0,5}|qr[-_]?code|captcha)(?![a-z])",
    re.I,
)
OTHER_FILE = re.compile(r"(?<![a-z])(?:logos?|icons?|avatar\w{0,3}|banners?|emojis?|sprites?|pixel)(?![a-z])", re.I)
NO_CAPTION = re.compile(r"\d[:.]\d\d|(?:19|20)\d\d|^\W{0,9}\w{0,20}\W{0,9}$")  # dates, and single words
VIDEO_LENGTH = re.compile(r"\d{1,2}:\d\d\b")
IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|bmp|svg)(?:$|[?#])|^#|^javascript:|^$", re.I)
MAX_NAME_CHARS = 300  # of the classes of an element


class Figure(NamedTuple):
    """An image of the text, the number of blocks before it, and the rows of its captions."""

    image: int
    position: int
    captions: tuple[int, ...]


class _Box(NamedTuple):
    """The blocks in the box of an image, and its captions among them."""

    start: int
    stop: int
    captions: tuple[int, ...]


def find_figures(page: Page, kept: Sequence[bool]) -> list[Figure]:
    """Return the images that belong to the kept blocks, in document order. Captions may be kept or not."""
    tags = page.tags
    if "img" not in tags or True not in kept:
        return []
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    images = [row for row, tag in enumerate(tags) if tag == "img"][:MAX_IMAGES]
    written = {row for row in page.leaf_elements if tags[row] == "img"}  # emoji and formulas
    found: list[Figure] = []
    for row in images:
        position = bisect_right(page.opened, row)
        if not first - LEAD_BLOCKS <= position <= last + NEAR_BLOCKS or row in written or _is_hidden(page, row):
            continue
        box = _find_box(page, row, position)
        far = LEAD_BLOCKS if _has_lead_name(page, row) else NEAR_BLOCKS
        is_lead = box.start <= first
        before = True in kept[max(0, box.start - far) : box.start]
        after = True in kept[box.stop : box.stop + (far if is_lead else NEAR_BLOCKS)]
        is_kept = any(kept[caption] for caption in box.captions)
        is_last = before and box.start > last and _is_beside(page, row, last)
        if (is_kept or is_last or (after and (before or is_lead))) and _belongs(page, row, position, kept):
            found.append(Figure(row, position, box.captions))
    return found


def _is_hidden(page: Page, row: int) -> bool:
    """Whether an image is hidden, and not only until a script has loaded it."""
    hides = page.visibility.hides
    if not hides(row):
        return False
    return hides(page.parents[row]) or not any(page.attr(row, name) for name in SOURCES)


def _is_beside(page: Page, row: int, block: int) -> bool:
    """Whether an image is in the parent or grandparent of a block."""
    around = {page.parents[row], page.parents[max(page.parents[row], 0)]}
    owner = page.owners[block]
    return page.parents[owner] in around or owner in around


def _has_lead_name(page: Page, row: int) -> bool:
    """Whether an image is in a <figure> or <picture>, or in a box with the name of a lead image."""
    for element in _list_around(page, row):
        if page.tags[element] in ("figure", "picture") or LEAD_NAME.search(_find_name(page, element)):
            return True
    return False


def _list_around(page: Page, row: int) -> list[int]:
    """Return an image and the elements around it, the innermost first."""
    around = [row]
    while len(around) <= LINK_LEVELS and page.parents[around[-1]] >= 0:
        around.append(page.parents[around[-1]])
    return around


def _find_name(page: Page, element: int) -> str:
    return f"{(page.attr(element, 'class') or '')[:MAX_NAME_CHARS]} {(page.attr(element, 'id') or '')[:MAX_NAME_CHARS]}"


def _belongs(page: Page, row: int, position: int, kept: Sequence[bool]) -> bool:
    """Whether an image is neither tiny, nor part of the page's furniture, nor a teaser of another page."""
    for name in ("width", "height"):
        pixels = PIXELS.match(page.attr(row, name) or "")
        if pixels and int(pixels[0]) < MIN_PIXELS and "%" not in (page.attr(row, name) or ""):
            return False
    in_figure = False
    for element in _list_around(page, row):
        tag = page.tags[element]
        in_figure = in_figure or tag == "figure"
        if tag in OUTSIDE:
            return False
        if tag == "a" and not IMAGE_FILE.search(page.attr(element, "href") or ""):
            is_near = (position < len(kept) and kept[position]) or (position > 0 and kept[position - 1])
            if in_figure or (not is_near and "figure" not in {page.tags[each] for each in _list_around(page, element)}):
                return False
        name = _find_name(page, element)
        if OTHER_NAME.search(name) and not LEAD_NAME.search(name):
            return False
    source = (page.attr(row, "data-src") or page.attr(row, "src") or "").partition("?")[0]
    return not OTHER_FILE.search(source[-MAX_NAME_CHARS:])


def _find_box(page: Page, row: int, position: int) -> _Box:
    """Return the blocks of the box of an image, and the captions in it: its <figure>, or the smallest box with text."""
    owners, parents, tags = page.owners, page.parents, page.tags
    end, limit = row + 1, min(len(tags), row + BOX_ELEMENTS)
    has_figure = any(tags[element] == "figure" for element in _list_around(page, row))
    element = parents[row]
    for _ in range(BOX_LEVELS):
        if element < 0 or tags[element] in NO_BOX:
            break
        while end < limit and parents[end] >= element:  # an element follows its parent
            end += 1
        if end == limit < len(tags):
            break
        start = stop = position
        while start > 0 and position - start <= BOX_BLOCKS and element <= owners[start - 1] < end:
            start -= 1
        while stop < len(owners) and stop - position <= BOX_BLOCKS and element <= owners[stop] < end:
            stop += 1
        if start < stop and (not has_figure or tags[element] == "figure"):
            if captions := _find_captions(page, element, range(start, stop), position):
                return _Box(start, stop, captions)
            break
        element = parents[element]
    return _Box(position, position, ())


def _find_captions(page: Page, box: int, blocks: range, position: int) -> tuple[int, ...]:
    """Return the captions among the blocks of a box."""
    texts = page.block_texts
    if len(blocks) > BOX_BLOCKS or sum(len(texts[row]) for row in blocks) > BOX_CHARS:
        return ()
    named = tuple(row for row in blocks if _is_named(page, box, row))
    if not named and len(blocks) == 1 and blocks[0] >= position and not NO_CAPTION.search(texts[blocks[0]]):
        named = tuple(blocks)
    return tuple(row for row in named if page.blocks[row].kind != "heading" and not _is_teaser(page, row))


def _is_named(page: Page, box: int, row: int) -> bool:
    """Whether a block is in a <figcaption>, or in an element within the box whose name is that of a caption."""
    element = page.owners[row]
    while element > box:
        if page.tags[element] == "figcaption" or CAPTION_NAME.search(_find_name(page, element)):
            return True
        element = page.parents[element]
    return False


def _is_teaser(page: Page, row: int) -> bool:
    """Whether a block is the teaser of another page or of a video."""
    text = page.block_texts[row]
    beside = page.block_texts[max(0, row - NEAR_BLOCKS) : row] + page.block_texts[row + 1 : row + 1 + NEAR_BLOCKS]
    return (
        all(page.linked_leaves[page.starts[row] : page.stops[row]]) or text in beside or bool(VIDEO_LENGTH.match(text))
    )
