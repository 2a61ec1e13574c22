"""Find the main image of a page: the one that it declares, or the one that its title describes."""

from __future__ import annotations

from bisect import bisect_right
from itertools import chain
from typing import TYPE_CHECKING

from bonmun.page.image_names import (
    LINK_LEVELS,
    MAIN_IMAGE_WORDS,
    MAX_IMAGES,
    belongs,
    has_part,
    is_hidden_image,
    name_file,
)
from bonmun.page.parse.ancestors import list_around

if TYPE_CHECKING:
    from collections.abc import Container

    from bonmun.page.page import Page

__all__ = ["find_main_image", "find_titled_image"]

MAIN_IMAGE = ", ".join(
    f"meta[{key}='{name}']" for name in ("og:image", "twitter:image") for key in ("property", "name")
)
NEAR_BLOCKS = 3  # after the last kept block, in which the declared image may be
SOURCES = ("data-src", "data-original", "data-lazy-src", "src")
MAX_MAIN_IMAGES = 8  # that a page declares
MIN_TITLE_CHARS, MAX_TITLE_CHARS = 8, 300


def find_main_image(page: Page, dropped: Container[int], last: int) -> int | None:
    """Return the first dropped image that the page declares as its image (`og:image`), up to the last kept blocks.

    None if another copy of it is shown, or if it is an icon, part of the page's furniture, or a teaser of another page.
    """
    declared = {name_file(node.attr("content")) for node in page.select(MAIN_IMAGE)[:MAX_MAIN_IMAGES]} - {""}
    if not declared:
        return None
    found, names = None, tuple(declared)
    rows = page.list_rows("img")[:MAX_IMAGES]
    columns = [page.attrs(rows, name) for name in SOURCES]
    if not has_part(" ".join(filter(None, chain.from_iterable(columns))).lower(), names):
        return None
    for row, *values in zip(rows, *columns, strict=True):
        sources = [source for source in values if source]
        if not has_part(" ".join(sources).lower(), names) or declared.isdisjoint(map(name_file, sources)):
            continue
        if row not in dropped:
            return None
        if found is None:
            found = row if _may_show(page, row, last + NEAR_BLOCKS) else None
    return found


def find_titled_image(page: Page, last: int, shown: Container[int] = (), *, may_be_hidden: bool = False) -> int | None:
    """Return the first image up to the last kept block whose description is the title of the page, or most of it.

    So shops and catalogues describe the image of what a page is about. None if such an image is shown. Galleries are
    often hidden from screen readers; `may_be_hidden` allows these.
    """
    title = _fold(page.head_title)
    if len(title) < MIN_TITLE_CHARS:
        return None
    found = None
    for row in page.list_rows("img")[:MAX_IMAGES]:
        name = _fold(page.attr(row, "alt"))
        if len(name) * 2 >= len(title) and name in title:
            if row in shown:
                return None
            if found is None and _may_show(page, row, last, may_be_hidden=may_be_hidden):
                found = row
    return found


def _fold(text: str | None) -> str:
    """Return the letters and digits of a title, without case."""
    return "".join(filter(str.isalnum, (text or "")[:MAX_TITLE_CHARS].casefold()))


def _may_show(page: Page, row: int, last: int, *, may_be_hidden: bool = False) -> bool:
    """Whether an image is visible, not after the last kept block, and no icon, furniture or teaser of another page."""
    if bisect_right(page.opened, row) > last or (not may_be_hidden and is_hidden_image(page, row)):
        return False
    return belongs(page, list_around(page.parents, row, LINK_LEVELS + 1), 0, (), MAIN_IMAGE_WORDS)
