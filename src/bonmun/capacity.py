"""Limit the blocks of a document, so that no output format becomes far larger than the page.

On a hostile page, everything that is written besides the text of a block can be long: paths, URLs repeated for every
word, Markdown markers on every line. This module estimates an upper bound for each. Ordinary pages need about a
hundredth of what is allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.bounds import BASE_OUTPUT_CHARS, MAX_OUTPUT_RATIO, MAX_PATH_DEPTH, MAX_TAG_CHARS, MAX_URL_CHARS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.kept import KeptBlock
    from bonmun.page import Page

__all__ = ["count_fitting_blocks", "find_max_chars", "has_room_for_images", "has_room_for_links"]

# Upper bounds on what an output format writes, in characters.
BLOCK_CHARS = 200  # per block, besides its text and path: tags, field names, a reason
STEP_CHARS = 10  # per step of a path, besides the tag: a slash and a number in brackets
LEAF_CHARS = 100  # per leaf after the first: the inline elements around it, which may be opened again
LINE_CHARS = 60  # per line break: the markers of the quotes and lists around the next line
MAX_CHARS_PER_CHAR = 8  # per character of text: escapes, and JSON contains the text twice
IMAGE_TAGS = frozenset({"img", "noscript", "iframe", "video", "audio"})
LINK_CHARS = 30  # per link, besides its URL
IMAGE_CHARS = 30  # per image, besides its URL and alternative text


def find_max_chars(page: Page) -> int:
    """Return the maximum number of characters that may be written for a page."""
    return BASE_OUTPUT_CHARS + MAX_OUTPUT_RATIO * page.size


def count_fitting_blocks(page: Page, blocks: Sequence[KeptBlock]) -> int:
    """Return how many of the blocks can be written, counted from the first."""
    budget = find_max_chars(page)
    # Three estimates, each slower and tighter than the one before; the first is enough for nearly all pages.
    # (A formula may be longer as TeX than on the page.)
    length = max(page.size, sum(map(len, page.block_texts)))
    texts = (MAX_CHARS_PER_CHAR + LINE_CHARS) * length + LEAF_CHARS * len(page.texts)
    if texts + len(blocks) * (BLOCK_CHARS + MAX_PATH_DEPTH * (MAX_TAG_CHARS + STEP_CHARS)) <= budget:
        return len(blocks)
    if _measure_texts(blocks) + len(blocks) * (BLOCK_CHARS + _find_longest_path(page)) <= budget:
        return len(blocks)
    for number, block in enumerate(blocks):
        budget -= BLOCK_CHARS + len(block.xpath) + _measure_texts((block,))
        if budget < 0:
            return number
    return len(blocks)


def has_room_for_links(page: Page, blocks: Sequence[KeptBlock]) -> bool:
    """Return whether the URLs of all links in the blocks can be written."""
    budget = find_max_chars(page) // 2
    if page.linked_leaves.count(1) * (MAX_URL_CHARS + LINK_CHARS) <= budget:  # of the whole page
        return True
    linked = [leaf for block in blocks for leaf in block.leaves if page.linked_leaves[leaf]]
    if len(linked) * (MAX_URL_CHARS + LINK_CHARS) <= budget:
        return True
    return sum(_measure_link(page, leaf) for leaf in linked) <= budget


def has_room_for_images(page: Page) -> bool:
    """Return whether the URLs of all images and embedded media of a page can be written."""
    images = sum(len(page.list_rows(tag)) for tag in page.tag_names & IMAGE_TAGS)
    budget = find_max_chars(page) // 2 - MAX_CHARS_PER_CHAR * page.size
    return images * (min(MAX_URL_CHARS, len(page.base_url)) + IMAGE_CHARS) <= budget


def _measure_texts(blocks: Sequence[KeptBlock]) -> int:
    """Return the maximum number of characters for the texts of some blocks, including the markup in them."""
    texts = [block.text for block in blocks]
    chars = MAX_CHARS_PER_CHAR * sum(map(len, texts)) + LINE_CHARS * sum(text.count("\n") for text in texts)
    return chars + LEAF_CHARS * sum(len(block.leaves) - 1 for block in blocks)


def _find_longest_path(page: Page) -> int:
    """Return the maximum length of a path on the page."""
    longest_name = min(MAX_TAG_CHARS, max(map(len, page.tag_names)))
    return min(MAX_PATH_DEPTH, max(page.depths)) * (longest_name + STEP_CHARS)


def _measure_link(page: Page, leaf: int) -> int:
    """Return the maximum number of characters for the link around a leaf."""
    link = page.links[page.leaf_elements[leaf]]
    address = page.attr(link, "href") or "" if link >= 0 else ""
    return min(MAX_URL_CHARS, len(address) + len(page.base_url)) + LINK_CHARS
