"""Find photos that are backgrounds of elements (`style="background-image: url(…)"`), as those of items of listings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.outputs.images import is_placeholder
from bonmun.page.image_names import has_icon_name
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["find_backgrounds"]

STYLED = "[style*='url(']"
MAX_BACKGROUNDS = 1_000  # on a page; the others are not looked at
MAX_STYLE_CHARS = 4_000
MAX_ROWS_TO_IMAGE = 4  # elements at the start of a box that are searched for an image of its own


def find_backgrounds(page: Page) -> dict[int, str]:
    """Return the elements with a photo as background, and its URL. Boxes that start with an image are left out."""
    found: dict[int, str] = {}
    rows = page.select_rows(STYLED)[:MAX_BACKGROUNDS]
    for row, style in zip(rows, page.attrs(rows, "style"), strict=True):
        if "img" in page.tags[row : row + MAX_ROWS_TO_IMAGE]:
            continue
        url = read_url(_read_background(style or ""), page.base_url)
        if url and not is_placeholder(url) and not has_icon_name(url):
            found[row] = url
    return found


def _read_background(style: str) -> str:
    """Return the address of the background in a style; "" if there is none.

    >>> _read_background("color: red; background: #fff url('a.jpg') no-repeat"), _read_background("cursor: url(b.cur)")
    ('a.jpg', '')
    """
    before, _, after = style[:MAX_STYLE_CHARS].partition("url(")
    _, _, value = before.rpartition(";")
    return after.partition(")")[0].strip("\"' ") if value.strip().startswith("background") else ""
