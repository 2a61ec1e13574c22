"""Limits on how much of a page is read and written.

Ordinary pages stay far below all of them. Whatever exceeds a limit is left out or truncated, and the rest of the page
is kept: a link with too long a URL becomes plain text, a name that is too long is truncated. `Document.cut` tells
whether anything was left out.
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

# Page. `Options.max_bytes` limits its size, and the parser limits the depth of its tree to 512.
MAX_TAG_CHARS = 40  # tag name in a path; the longest in HTML is "blockquote", custom elements have longer names
MAX_PATH_DEPTH = 128  # elements on a full XPath; deeper elements get a short one, since long paths add up
MAX_ELEMENTS = 1_000_000  # elements of a page; later ones are not read
MAX_REOPENED_ELEMENTS = 2_000_000  # elements such as <b> that the parser may reopen; they take 260 MB for a moment
MAX_ROOT_TAGS = 500  # <html> and <body> tags whose attributes are read
MAX_STYLE_CHARS = 4_000  # style attribute
MAX_TEX_CHARS = 20_000  # formula; a longer one is treated as plain text

# URLs of links, images and metadata.
MAX_URL_CHARS = 4_000  # including the base of a relative URL; servers and browsers accept about 2,000

# Records of a corpus.
MAX_FIELD_CHARS = 10_000  # id, URL or site of a record

# Metadata.
MAX_METADATA_CHARS = 2_000  # one value: a title, a description, all authors

# Output in any format: at most BASE_OUTPUT_CHARS + MAX_OUTPUT_RATIO × the number of characters of the page.
MAX_OUTPUT_RATIO = 100
BASE_OUTPUT_CHARS = 100_000


def find_max_elements(size: int) -> int:
    """Return the maximum number of elements of a page with `size` characters; the shortest tag has three characters."""
    return min(MAX_ELEMENTS, 10_000 + size * 3 // 5)
