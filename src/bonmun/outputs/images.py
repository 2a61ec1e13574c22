"""Find the URL of an image, including lazily loaded and responsive images."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

from bonmun.text.patterns import compile_later
from bonmun.text.urls import read_url
from bonmun.text.word_finder import WordFinder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page

__all__ = ["MAX_ROWS_TO_NOSCRIPT", "find_image", "find_largest", "is_placeholder"]

LAZY_SOURCES = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-orig-src",
    "data-lazy",
    "data-lazyload",
    "data-actualsrc",
    "data-layzr",
)
LAZY_SRCSETS = ("data-srcset", "data-lazy-srcset")
LAZY_NAMES = frozenset(LAZY_SOURCES + LAZY_SRCSETS)
SRCSETS = (*LAZY_SRCSETS, "srcset")
MIN_TEXT_PIXELS = 640  # width; a larger image is that of the text, and a smaller one of its sizes may be for phones
MAX_NAME_CHARS = 200  # of the end of a URL
SRCSET_CHARS = 50_000  # characters of a srcset that are read
MAX_ROWS_TO_NOSCRIPT = 3  # elements between an image and its <noscript> copy
# File names of placeholders for images that are not loaded yet.
PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:blank|dummy|spacer|trans|void|nothumb|placeholder|transparent|pixel|1x1|missing-image|loading|lazy|lazyload|clear|grey|gray|default\d{1,4}|(?:default|no)[_-](?:image|img|photo|picture|thumb|thumbnail)|spin\d{0,4})(?:[_-]\w{1,40})?"
    r"\.(?:gif|png|svg|jpe?g|webp)(?:$|[?#])",
    re.I,
)
# One of these is in each of them.
PLACEHOLDER_PARTS = WordFinder(
    (
        *("blank", "dummy", "spacer", "trans", "void", "nothumb", "placeholder", "pixel", "1x1", "missing-image"),
        *("loading", "lazy", "clear", "grey", "gray", "default", "no_", "no-", "spin"),
    )
)
DAMAGE = ("#038;", "is-pending-load=")  # left by scripts that load images later: `&` escaped twice, and their own mark
IMAGE_LINK = compile_later(r"\.(?:jpe?g|png|webp|avif)$", re.I)
SIZE_END = re.compile(r"(\s[0-9.]{1,10}[wx]),")
BLANK = re.compile(r"[ \t\n\f\r]+")  # between the URLs of a srcset, which may contain other white space
SIZE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)([wx])")


def find_image(page: Page, row: int, base: str) -> str | None:
    """Return the URL of an image, or None if it only has a placeholder. Damaged URLs are taken if there is no other."""
    damaged = None
    for source in _list_sources(page, row):
        url = read_url(source, base) if source else None
        if url and not is_placeholder(url):
            if not any(map(url.__contains__, DAMAGE)):
                return url
            damaged = damaged or url
    return damaged


def is_placeholder(url: str) -> bool:
    """Whether the file of an image is named as one that stands for an image until that is loaded."""
    end = url[-MAX_NAME_CHARS:]
    if end.isascii() and not PLACEHOLDER_PARTS.holds(end):  # most images
        return False
    return PLACEHOLDER.search(end) is not None


def _list_sources(page: Page, row: int) -> Iterator[str | None]:
    """Yield the possible URLs of an image, or of the image in a <noscript>, the best first."""
    if page.tags[row] == "noscript":
        yield page.find_inner_attr(row, "img", "src")
        return
    names = page.list_attributes(row)  # few images have one of so many
    if "lazy" in names and page.attr(row, "lazy") == "loaded":  # by a script, before the page was saved
        yield page.attr(row, "src")
    if not names.isdisjoint(LAZY_NAMES):
        for name in LAZY_SOURCES:
            yield page.attr(row, name)
        for name in LAZY_SRCSETS:
            yield find_largest(page.attr(row, name))
    source = page.attr(row, "src")
    srcset = page.attr(row, "srcset") if "srcset" in names else None
    if source and srcset and source in srcset:
        sizes = _read_sizes(srcset)
        if 1 < dict(sizes).get(source, 0) < MIN_TEXT_PIXELS:
            yield max(sizes, key=itemgetter(1))[0]
    if not (page.attr(row, "width") == page.attr(row, "height") == "1"):
        yield source
    yield find_largest(srcset)
    parent = page.parents[row]
    if parent >= 0 and page.tags[parent] == "picture":
        for source_row in range(parent + 1, row):
            if page.tags[source_row] == "source":
                for name in SRCSETS:
                    yield find_largest(page.attr(source_row, name))
    for other in range(row + 1, min(row + 1 + MAX_ROWS_TO_NOSCRIPT, len(page.tags))):
        if page.tags[other] == "img":
            break
        if page.tags[other] == "noscript":
            yield page.find_inner_attr(other, "img", "src")
    if parent >= 0 and page.tags[parent] == "a" and (href := page.attr(parent, "href")) and IMAGE_LINK.search(href):
        yield href


def find_largest(srcset: str | None) -> str | None:
    """Return the URL of a srcset with the largest size, or the first if none has a size.

    >>> find_largest("a.jpg 300w, b.jpg 1200w, c.jpg 600w"), find_largest("d.jpg, e.jpg 2x"), find_largest("")
    ('b.jpg', 'e.jpg', None)
    """
    sizes = _read_sizes(srcset)
    return max(sizes, key=itemgetter(1))[0] if sizes else None


def _read_sizes(srcset: str | None) -> list[tuple[str, float]]:
    """Return the URLs of a srcset, each with its width in pixels or its density; 1 if it has none."""
    found: list[tuple[str, float]] = []
    url = ""
    srcset = (srcset or "")[:SRCSET_CHARS]
    if srcset.count(",") != srcset.count(", "):
        srcset = SIZE_END.sub(r"\1, ", srcset)
    for word in [*filter(None, BLANK.split(srcset)), ","]:
        size = SIZE.fullmatch(word.rstrip(",")) if url else None
        if url:
            found.append((url, float(size[1]) if size else 1.0))
            url = ""
        if size is None and word.strip(","):
            url = word.strip(",")
            if word.endswith(","):
                found.append((url, 1.0))
                url = ""
    return found
