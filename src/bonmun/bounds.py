"""How much of a page is read and written: every bound that no page can go past, in one place.

No honest page comes near one. What is over a bound is left out or cut, and nothing else of the page is lost: an address
that is too long leaves its words without a link, a name that is too long is cut. Where whole blocks are left out, the
document says so (`Document.cut`).
"""

from __future__ import annotations

__all__ = [
    "BASE_OUTPUT_CHARS",
    "MAX_ELEMENTS",
    "MAX_FIELD_CHARS",
    "MAX_METADATA_CHARS",
    "MAX_OUTPUT_RATIO",
    "MAX_PATH_DEPTH",
    "MAX_REOPENED_ELEMENTS",
    "MAX_ROOT_TAGS",
    "MAX_STYLE_CHARS",
    "MAX_TAG_CHARS",
    "MAX_TEX_CHARS",
    "MAX_URL_CHARS",
    "find_max_elements",
]

# The page. How large one may be is `Options.max_bytes`; its tree is at most 512 deep, which the parser sees to.
MAX_TAG_CHARS = 40  # of a tag's name in a path; HTML's longest is "blockquote", those that pages make up are longer
MAX_PATH_DEPTH = 128  # elements: deeper ones get a short XPath; hardly a page nests deeper, and long paths add up
MAX_ELEMENTS = 1_000_000  # of a page; what stands after them is not read
MAX_REOPENED_ELEMENTS = 2_000_000  # <b>, <font> and the like that may be opened again; they take 260 MB, for a moment
MAX_ROOT_TAGS = 500  # <html> and <body> tags whose attributes are read
MAX_STYLE_CHARS = 4_000  # of a style attribute
MAX_TEX_CHARS = 20_000  # of a formula; what is longer is words

# Addresses, of links, images and facts.
MAX_URL_CHARS = 4_000  # with the base that a relative one is resolved against; servers and browsers take about 2,000

# Many pages.
MAX_FIELD_CHARS = 10_000  # of what a record says beside the page: its id, its URL, its site

# Facts.
MAX_METADATA_CHARS = 2_000  # of one value: a title, a description, all authors

# What is written, in any format: at most so many characters for one of the page, beside what any page may take.
MAX_OUTPUT_RATIO = 100
BASE_OUTPUT_CHARS = 100_000


def find_max_elements(size: int) -> int:
    """How many elements a page of so many characters may have: the shortest tags take three characters."""
    return min(MAX_ELEMENTS, 10_000 + size * 3 // 5)
