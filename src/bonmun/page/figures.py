"""Find the figures of a text: images that belong to it, with their captions.

An image belongs to the text if there are kept blocks near it, before and after, or if it is the lead image before the
text. Logos, icons, avatars, advertisements and teasers of other pages do not. A caption is the text of a
`<figcaption>`, a short text in the box of the image whose class says so, or the only short text in that box.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

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
from bonmun.page.parse.ancestors import climb, list_around

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from bonmun.page.page import Page

__all__ = ["Figure", "find_figures"]

NEAR_BLOCKS = 3  # how far a kept block may be from a figure
LEAD_BLOCKS = 10  # how far the text may be from a lead image that is marked as such: bylines and buttons come between
HEAD_BLOCKS = 2  # kept blocks that may precede a lead image: the headline and the lead
BOX_LEVELS = 5  # elements around an image that may be its box
BOX_ELEMENTS = 40  # in a box after its image
BOX_BLOCKS, BOX_CHARS = 3, 500  # texts in a box
NO_BOX = frozenset({"html", "body", "main", "article", "nav", "footer", "ul", "ol"})
CONTROLS = frozenset({"button", "summary", "label"})  # a text in these is no caption
CAPTION_PARTS = ("caption", "legend", "credit", "descripcion", "bildunterschrift", "bildtext")  # of classes
CAPTION_WORDS = frozenset({"cap", "dida"})
IMAGE_PARTS = ("img", "image", "photo", "pic", "media", "figure", "carousel", "foto")
TEXT_PARTS = ("desc", "text", "info", "title", "copyright", "source", "pie")  # in a class with one of IMAGE_PARTS
NO_CAPTION = re.compile(r"\d[:.]\d\d|(?:19|20)\d\d|^\W{0,9}\w{0,20}\W{0,9}$")  # dates, and single words
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
        if not is_kept and not is_near(NEAR_BLOCKS) and not (is_near(LEAD_BLOCKS) and has_lead_name(page, around)):
            continue
        if belongs(page, around, position, kept):
            found.append(Figure(row, position, box.captions))
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
    """Whether an image is in the parent or grandparent of a block."""
    around = {page.parents[row], page.parents[max(page.parents[row], 0)]}
    owner = page.owners[block]
    return page.parents[owner] in around or owner in around


def _know_box(page: Page, around: list[int], position: int) -> _Box:
    """Return the box of an image, which is searched once: a text is searched for figures several times."""
    known = page.known_boxes.get(around[0])
    box = _find_box(page, around, position) if known is None else _Box(*known)
    page.known_boxes[around[0]] = box
    return box


def _find_box(page: Page, around: list[int], position: int) -> _Box:
    """Return the blocks of the box of an image, and the captions in it: its <figure>, or the smallest box with text.

    `around` is the image and the elements around it, the innermost first.
    """
    owners, parents, tags = page.owners, page.parents, page.tags
    row = around[0]
    end, limit = row + 1, min(len(tags), row + BOX_ELEMENTS)
    has_figure = "figure" in [tags[element] for element in around]
    for element in list_around(parents, parents[row], BOX_LEVELS):
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
        if start < stop and (not has_figure or tags[element] == "figure"):
            if captions := _find_captions(page, element, range(start, stop), position):
                return _Box(start, stop, captions)
            break
    return _Box(position, position, ())


def _find_captions(page: Page, box: int, blocks: range, position: int) -> tuple[int, ...]:
    """Return the captions among the blocks of a box."""
    texts = page.block_texts
    if len(blocks) > BOX_BLOCKS or sum(len(texts[row]) for row in blocks) > BOX_CHARS:
        return ()
    named = tuple(row for row in blocks if _is_named(page, box, row))
    if not named and len(blocks) == 1 and blocks[0] >= position and not NO_CAPTION.search(texts[blocks[0]]):
        named = () if _is_in_control(page, box, blocks[0]) else tuple(blocks)
    return tuple(row for row in named if page.find_kind(row) != "heading" and not _is_teaser(page, row))


def _is_named(page: Page, box: int, row: int) -> bool:
    """Whether a block is in a <figcaption>, or in an element within the box whose name is that of a caption."""
    inside = list(takewhile(lambda element: element > box, climb(page.parents, page.owners[row])))
    tags = [page.tags[element] for element in inside]
    return "figcaption" in tags or any(map(_is_caption_name, list_names(page, inside)))


def _is_in_control(page: Page, box: int, row: int) -> bool:
    """Whether a block is in a button or another control within the box: it says what the control does."""
    inside = list(takewhile(lambda element: element > box, climb(page.parents, page.owners[row])))
    return not CONTROLS.isdisjoint([page.tags[element] for element in inside]) or "button" in page.attrs(inside, "role")


@lru_cache(CACHED_NAMES)
def _is_caption_name(name: str) -> bool:
    """Whether the class of an element says that it is a caption."""
    if has_part(name, CAPTION_PARTS) or (has_part(name, IMAGE_PARTS) and has_part(name, TEXT_PARTS)):
        return True
    return not CAPTION_WORDS.isdisjoint(WORD.findall(name))


def _is_teaser(page: Page, row: int) -> bool:
    """Whether a block is the teaser of another page or of a video."""
    text = page.block_texts[row]
    beside = page.block_texts[max(0, row - NEAR_BLOCKS) : row] + page.block_texts[row + 1 : row + 1 + NEAR_BLOCKS]
    return (
        all(page.linked_leaves[page.starts[row] : page.stops[row]]) or text in beside or bool(VIDEO_LENGTH.match(text))
    )
