"""Where an image of the page is: also one that is loaded late, or in the size that fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = ["ROWS_TO_TWIN", "find_image", "find_largest"]

LATE_SOURCES = ("data-src", "data-original", "data-lazy-src")
LATE_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
SET_CHARS = 50_000  # of a srcset that are looked at
ROWS_TO_TWIN = 3  # elements after an image among which the one for browsers without scripts is looked for
# What stands in an image's place until it is loaded.
PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:blank|spacer|placeholder|transparent|pixel|1x1|loading|lazy|lazyload|clear|grey|gray)(?:[_-]\w{1,20})?"
    r"\.(?:gif|png|svg|jpe?g|webp)(?:$|[?#])",
    re.I,
)
SIZE_END = re.compile(r"(\s[0-9.]{1,10}[wx]),")
SIZE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)([wx])")


def find_image(page: Page, row: int, base: str) -> str | None:
    """The address of an image; None where there is none but a placeholder's."""
    for address in _list_sources(page, row):
        url = read_url(address, base)
        if url and not PLACEHOLDER.search(url[-200:]):
            return url
    return None


def _list_sources(page: Page, row: int) -> Iterator[str | None]:
    """All addresses that an image, or a <noscript> that holds one, gives, the best first."""
    if page.tags[row] == "noscript":
        yield page.find_inner_attr(row, "img", "src")
        return
    for name in LATE_SOURCES:
        yield page.attr(row, name)
    if not (page.attr(row, "width") == page.attr(row, "height") == "1"):
        yield page.attr(row, "src")
    for name in LATE_SETS:
        yield find_largest(page.attr(row, name))
    around = page.parents[row]
    if around >= 0 and page.tags[around] == "picture":
        for source in range(around + 1, row):
            if page.tags[source] == "source":
                for name in LATE_SETS:
                    yield find_largest(page.attr(source, name))
    for other in range(row + 1, min(row + 1 + ROWS_TO_TWIN, len(page.tags))):
        if page.tags[other] == "img":
            break
        if page.tags[other] == "noscript":
            yield page.find_inner_attr(other, "img", "src")


def find_largest(sources: str | None) -> str | None:
    """The address of a srcset with the most pixels; the first where none says how many it has.

    >>> find_largest("a.jpg 300w, b.jpg 1200w, c.jpg 600w"), find_largest("d.jpg, e.jpg 2x"), find_largest("")
    ('b.jpg', 'e.jpg', None)
    """
    best: tuple[float, str] | None = None
    address = ""
    for word in [*SIZE_END.sub(r"\1, ", (sources or "")[:SET_CHARS]).split(), ","]:
        size = SIZE.fullmatch(word.rstrip(",")) if address else None
        if address:
            pixels = float(size[1]) if size else 1.0
            if best is None or pixels > best[0]:
                best = (pixels, address)
            address = ""
        if size is None and word.strip(","):
            address = word.strip(",")
            if word.endswith(","):
                best = best or (1.0, address)
                address = ""
    return best[1] if best else None
