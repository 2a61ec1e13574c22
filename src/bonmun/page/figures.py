"""Find the figures of a text: images that belong to it, with their captions.

An image belongs to the text if there are kept blocks near it, before and after, or if it is the lead image before the
text. Logos, icons, avatars, advertisements and teasers of other pages do not. A caption is the text of a
`<figcaption>`, a short text in the box of the image whose class says so, or the only short text in that box.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bonmun.kernel import load_kernel
from bonmun.page.image_names import (
    CACHED_NAMES,
    LINK_LEVELS,
    MAX_IMAGES,
    WORD,
    belongs,
    has_lead_name,
    has_part,
    is_hidden_image,
    list_names,
)
from bonmun.page.parse.ancestors import list_around, list_between

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from bonmun.page.page import Page

__all__ = ["Figure", "find_figures", "is_credit"]

KERNEL = load_kernel("columns")
NEAR_BLOCKS = 3  # how far a kept block may be from a figure
LEAD_BLOCKS = 10  # how far the text may be from a lead image that is marked as such: bylines and buttons come between
HEAD_BLOCKS = 2  # kept blocks that may precede a lead image: the headline and the lead
BOX_LEVELS = 5  # elements around an image that may be its box
BESIDE_LEVELS = 4  # elements around an image after the text that may be that of the last block
BOX_ELEMENTS = 40  # in a box after its image
BOX_BLOCKS, BOX_CHARS = 3, 500  # texts in a box
NO_BOX = frozenset({"html", "body", "main", "article", "nav", "footer", "ul", "ol"})
CONTROLS = frozenset({"button", "summary", "label"})  # a text in these is no caption
CAPTION_PARTS = ("caption", "legend", "credit", "descripcion", "bildunterschrift", "bildtext")  # of classes
CAPTION_WORDS = frozenset({"cap", "dida"})
IMAGE_PARTS = ("img", "image", "photo", "pic", "media", "figure", "carousel", "foto")
TEXT_PARTS = ("desc", "text", "info", "title", "copyright", "source", "pie")  # in a class with one of IMAGE_PARTS
NO_CAPTION = re.compile(r"\d[:.]\d\d|(?:19|20)\d\d|^\W{0,9}\w{0,20}\W{0,9}$")  # dates, and single words
# Names of agencies and sources of pictures: a credit may be nothing but such a name.
AGENCY = re.compile(
    r"\b(?:reuters|afp|ap photo|associated press|getty|dpa|epa|efe|ansa|apa|imago|picture alliance|keystone"
    r"|shutterstock|istock|unsplash|pixabay|pexels|alamy|tass|xinhua|kyodo)\b|연합뉴스|뉴시스|뉴스1|공동취재|新华社|新華社|中新社|视觉中国|共同通信|時事通信|中央社",
    re.I,
)
# The start of a credit: a mark, or what it is and a colon, a slash or "by".
CREDIT = re.compile(
    r"\W{0,3}(?:[©ⓒ]|[▲△▼]\s?[^\d\s]|(?:photos?|fotos?|source|quelle|crédits?|credits?|image|bild|사진|출처|資料|写真|出典|图|圖|来源|來源)"
    r"\s?(?:[:：/=|]|by\b|von\b|제공|提供))",
    re.I,
)
MAX_CREDIT_CHARS = 60
CREDIT_CHARS = 4  # beside the name of an agency: brackets and a slash
VIDEO_LENGTH = re.compile(r"\d{1,2}:\d\d\b")


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


def find_figures(
    page: Page, kept: Sequence[bool], *, images: Container[int] | None = None, only_dropped: bool = False
) -> list[Figure]:
    """Return the images that belong to the kept blocks, in document order. Captions may be kept or not.

    With `images`, only these are looked at; with `only_dropped`, only those with captions that are not kept.
    """
    tags = page.tags
    if "img" not in tags or True not in kept:
        return []
    kept = list(kept)
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    start = next(islice((row for row, each in enumerate(kept) if each), HEAD_BLOCKS, None), last)
    found: list[Figure] = []
    for row in _list_near(page, first - LEAD_BLOCKS, last + NEAR_BLOCKS):
        if images is not None and row not in images:
            continue
        position = bisect_right(page.opened, row)
        if only_dropped and False not in kept[max(0, position - 1) : position + BOX_BLOCKS]:
            continue
        ahead = LEAD_BLOCKS if position <= start + BOX_BLOCKS else NEAR_BLOCKS
        if position <= last and True not in kept[position : position + BOX_BLOCKS + ahead]:
            continue
        if position > start and True not in kept[max(0, position - LEAD_BLOCKS) : position]:
            continue
        if is_hidden_image(page, row):
            continue
        around = list_around(page.parents, row, LINK_LEVELS + 1)
        box = _know_box(page, around, position)
        if only_dropped and False not in [kept[caption] for caption in box.captions]:
            continue

        def is_near(blocks: int, box: _Box = box, row: int = row) -> bool:
            """Whether kept text is so near that the image belongs to it."""
            is_lead = box.start <= start
            before = True in kept[max(0, box.start - blocks) : box.start]
            after = True in kept[box.stop : box.stop + (blocks if is_lead else NEAR_BLOCKS)]
            return (after and (before or is_lead)) or (before and box.start > last and _is_beside(page, row, last))

        is_kept = True in [kept[caption] for caption in box.captions]
        if not is_kept and not is_near(NEAR_BLOCKS):
            is_marked = has_lead_name(page, around) or _has_named_caption(page, around, box)
            if not (is_marked and is_near(LEAD_BLOCKS)):
                continue
        if belongs(page, around, position, kept):
            captions = box.captions or _find_credit(page, around, position)
            found.append(Figure(row, position, captions))
    if not found:
        return found
    written = set(page.leaf_elements)
    return [figure for figure in found if figure.image not in written]  # emoji and formulas are text


def _list_near(page: Page, lowest: int, highest: int) -> list[int]:
    """Return the images with at least and at most so many blocks before them, of the first MAX_IMAGES."""
    rows, opened = page.list_rows("img")[:MAX_IMAGES], page.opened
    start = bisect_left(rows, opened[lowest - 1]) if lowest > 0 else 0
    stop = bisect_left(rows, opened[highest]) if highest < len(opened) else len(rows)
    return rows[start:stop]


def _is_beside(page: Page, row: int, block: int) -> bool:
    """Whether an image, or a box around it, is beside a block or in it."""
    around = list_around(page.parents, page.parents[row], BESIDE_LEVELS)
    owner = page.owners[block]
    return page.parents[owner] in around[:2] or owner in around


def _know_box(page: Page, around: list[int], position: int) -> _Box:
    """Return the box of an image, which is searched once: a text is searched for figures several times."""
    known = page.known_boxes.get(around[0])
    box = _find_box(page, around, position) if known is None else _Box(*known)
    page.known_boxes[around[0]] = box
    return box


def _find_box(page: Page, around: list[int], position: int) -> _Box:
    """Return the blocks of the box of an image, and the captions in it.

    `around` is the image and the elements around it, the innermost first.
    """
    wanted = "figure" if "figure" in [page.tags[element] for element in around] else None
    found = _search_box(page, around[0], position, wanted)
    if found is None:
        return _Box(position, position, ())
    element, start, stop = found
    captions = _find_captions(page, element, range(start, stop), position)
    return _Box(start, stop, captions) if captions else _Box(position, position, ())


def _search_box(page: Page, image: int, position: int, wanted: str | None) -> tuple[int, int, int] | None:
    """Return the smallest element with text around an image, with a wanted tag if any, and the range of its blocks."""
    owners, parents, tags = page.owners, page.parents, page.tags
    if KERNEL:
        box: tuple[int, int, int] | None = KERNEL.find_box(
            tags, parents, owners, image, position, wanted, NO_BOX, BOX_LEVELS, BOX_ELEMENTS, BOX_BLOCKS
        )
        return box
    end, limit = image + 1, min(len(tags), image + BOX_ELEMENTS)
    for element in list_around(parents, parents[image], BOX_LEVELS):
        if tags[element] in NO_BOX:
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
        if start < stop and wanted in (None, tags[element]):
            return element, start, stop
    return None


def _find_credit(page: Page, around: list[int], position: int) -> tuple[int, ...]:
    """Return the block after an image if it is a credit and follows the image or the box that is alone around it."""
    texts = page.block_texts
    if position >= len(texts) or not is_credit(texts[position]):
        return ()
    owner = page.owners[position]
    if not around[0] < owner <= around[0] + BOX_ELEMENTS or "img" in page.tags[around[0] + 1 : owner]:
        return ()
    return (position,) if page.parents[owner] in around else ()


def _find_captions(page: Page, box: int, blocks: range, position: int) -> tuple[int, ...]:
    """Return the captions among the blocks of a box."""
    texts = page.block_texts
    if len(blocks) > BOX_BLOCKS or sum(len(texts[row]) for row in blocks) > BOX_CHARS:
        return ()
    named = tuple(row for row in blocks if _is_named(page, box, row))
    if not named and len(blocks) == 1 and blocks[0] >= position and _may_be_caption(texts[blocks[0]]):
        named = () if _is_in_control(page, box, blocks[0]) else tuple(blocks)
    named = tuple(row for row in named if page.find_kind(row) != "heading" and not _is_teaser(page, row))
    return tuple(row for row in named if not texts[row].isdigit())  # the place in a chart


def _may_be_caption(text: str) -> bool:
    """Whether the only text of a box may be a caption: no date, and no single word but a credit."""
    return not NO_CAPTION.search(text) or is_credit(text)


def is_credit(text: str) -> bool:
    """Whether a text says who took or sent a picture, and no more."""
    if len(text) > MAX_CREDIT_CHARS:
        return False
    name = AGENCY.search(text)
    is_name = name is not None and len(text) <= 2 * len(name[0]) + CREDIT_CHARS
    return is_name or CREDIT.match(text) is not None


def _is_named(page: Page, box: int, row: int) -> bool:
    """Whether a block is in a <figcaption>, or in an element within the box whose name is that of a caption."""
    inside = list_between(page.parents, page.owners[row], box)
    tags = [page.tags[element] for element in inside]
    return "figcaption" in tags or any(map(_is_caption_name, list_names(page, inside)))


def _has_named_caption(page: Page, around: list[int], box: _Box) -> bool:
    """Whether an image has a caption that is named so, without another image between them."""
    caption = next((row for row in box.captions if _is_named(page, around[-1], row)), None)
    return caption is not None and "img" not in page.tags[around[0] + 1 : page.owners[caption]]


def _is_in_control(page: Page, box: int, row: int) -> bool:
    """Whether a block is in a button or another control within the box: it says what the control does."""
    inside = list_between(page.parents, page.owners[row], box)
    return not CONTROLS.isdisjoint([page.tags[element] for element in inside]) or "button" in page.attrs(inside, "role")


@lru_cache(CACHED_NAMES)
def _is_caption_name(name: str) -> bool:
    """Whether the class of an element says that it is a caption."""
    if has_part(name, CAPTION_PARTS) or (
        has_part(name.replace("topic", ""), IMAGE_PARTS) and has_part(name, TEXT_PARTS)
    ):
        return True
    return not CAPTION_WORDS.isdisjoint(WORD.findall(name))


def _is_teaser(page: Page, row: int) -> bool:
    """Whether a block is the teaser of another page or of a video."""
    text = page.block_texts[row]
    beside = page.block_texts[max(0, row - NEAR_BLOCKS) : row] + page.block_texts[row + 1 : row + 1 + NEAR_BLOCKS]
    return (
        all(page.linked_leaves[page.starts[row] : page.stops[row]]) or text in beside or bool(VIDEO_LENGTH.match(text))
    )
