"""How much of a page is read and written: every bound that no page can go past, in one place.

No honest page comes near one. What is over a bound is left out or cut, and nothing else of the page is lost: an address
that is too long leaves its words without a link, a name that is too long is cut. Where whole blocks are left out, the
document says so (`Document.cut`).
"""

from __future__ import annotations

__all__ = [
    "ELEMENTS",
    "FACT_CHARS",
    "FULL_PATH_DEPTH",
    "NAME_CHARS",
    "OUTPUT_FLOOR_CHARS",
    "OUTPUT_PER_INPUT",
    "RECORD_NAME_CHARS",
    "REOPENED_ELEMENTS",
    "ROOT_TAGS",
    "STYLE_CHARS",
    "TEX_CHARS",
    "URL_CHARS",
    "find_most_elements",
]

# The page. How large one may be is `Options.max_bytes`; its tree is at most 512 deep, which the parser sees to.
NAME_CHARS = 40  # of a tag's name in a path; HTML's longest is "blockquote", those that pages make up are longer
FULL_PATH_DEPTH = 128  # elements: deeper ones get a short XPath; hardly a page nests deeper, and long paths add up
ELEMENTS = 1_000_000  # of a page; what stands after them is not read
REOPENED_ELEMENTS = 2_000_000  # <b>, <font> and the like that may be opened again; they take 260 MB, for a moment
ROOT_TAGS = 500  # <html> and <body> tags whose attributes are read
STYLE_CHARS = 4_000  # of a style attribute
TEX_CHARS = 20_000  # of a formula; what is longer is words

# Addresses, of links, images and facts.
URL_CHARS = 4_000  # with the base that a relative one is resolved against; servers and browsers take about 2,000

# Many pages.
RECORD_NAME_CHARS = 10_000  # of what a record says beside the page: its id, its URL, its site

# Facts.
FACT_CHARS = 2_000  # of one value: a title, a description, all authors

# What is written, in any format: at most so many characters for one of the page, beside what any page may take.
OUTPUT_PER_INPUT = 100
OUTPUT_FLOOR_CHARS = 100_000


def find_most_elements(size: int) -> int:
    """How many elements a page of so many characters may have: the shortest tags take three characters."""
    return min(ELEMENTS, 10_000 + size * 3 // 5)
