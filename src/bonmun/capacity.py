"""How many blocks a document has room for, so that no format is far larger than the page.

Everything that is written beside a block's own text can be long on a page made for it: paths, addresses repeated for
every word, marks at every line. What each may take is counted here, with something to spare. An honest page has a
hundred times the room that it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.bounds import BASE_OUTPUT_CHARS, MAX_OUTPUT_RATIO, MAX_PATH_DEPTH, MAX_TAG_CHARS, MAX_URL_CHARS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.kept import KeptBlock
    from bonmun.page import Page

__all__ = ["count_fitting", "find_room", "has_room_for_images", "has_room_for_links"]

# What a format may write, in characters, at most.
BLOCK_CHARS = 200  # for a block beside its text and its path: tags, names of fields, a reason
STEP_CHARS = 10  # for a step of a path beside the name: a slash, and a number in brackets
LEAF_CHARS = 100  # for a leaf after the first: the inline elements around it, which may be opened again
LINE_CHARS = 60  # for a line break: the marks of the quotes and lists that the next line stands in
CHARS_FOR_ONE = 8  # for a character of text: escapes; and JSON has all text twice
LINK_CHARS = 30  # for a link beside its address
IMAGE_CHARS = 30  # for an image beside its address and its text


def find_room(page: Page) -> int:
    """How many characters may be written of a page."""
    return BASE_OUTPUT_CHARS + MAX_OUTPUT_RATIO * page.size


def count_fitting(page: Page, blocks: Sequence[KeptBlock]) -> int:
    """How many of the blocks there is room for, from the first."""
    room = find_room(page)
    # quick to say, and enough for nearly all pages; then with the page's own texts and depth; then block by block
    texts = (CHARS_FOR_ONE + LINE_CHARS) * page.size + LEAF_CHARS * len(page.texts)
    if texts + len(blocks) * (BLOCK_CHARS + MAX_PATH_DEPTH * (MAX_TAG_CHARS + STEP_CHARS)) <= room:
        return len(blocks)
    if _measure_texts(page, blocks) + len(blocks) * (BLOCK_CHARS + _find_longest_path(page)) <= room:
        return len(blocks)
    for number, block in enumerate(blocks):
        room -= BLOCK_CHARS + len(block.xpath) + _measure_texts(page, (block,))
        if room < 0:
            return number
    return len(blocks)


def has_room_for_links(page: Page, blocks: Sequence[KeptBlock]) -> bool:
    """Whether the addresses of all links in the blocks can be written."""
    linked = [leaf for block in blocks for leaf in block.leaves if page.linked_leaves[leaf]]
    room = find_room(page) // 2
    if len(linked) * (MAX_URL_CHARS + LINK_CHARS) <= room:
        return True
    return sum(_measure_link(page, leaf) for leaf in linked) <= room


def has_room_for_images(page: Page) -> bool:
    """Whether the addresses of all images of a page, and of what it embeds, can be written."""
    images = sum(map(page.tags.count, ("img", "noscript", "iframe", "video", "audio")))
    room = find_room(page) // 2 - CHARS_FOR_ONE * page.size
    return images * (min(MAX_URL_CHARS, len(page.base_url)) + IMAGE_CHARS) <= room


def _measure_texts(page: Page, blocks: Sequence[KeptBlock]) -> int:
    """What the texts of some blocks take, with the markup in them."""
    texts = [page.block_texts[block.row] for block in blocks]
    chars = CHARS_FOR_ONE * sum(map(len, texts)) + LINE_CHARS * sum(text.count("\n") for text in texts)
    return chars + LEAF_CHARS * sum(len(block.leaves) - 1 for block in blocks)


def _find_longest_path(page: Page) -> int:
    """How long a path of the page may be."""
    longest_name = min(MAX_TAG_CHARS, max(map(len, page.tag_names)))
    return min(MAX_PATH_DEPTH, max(page.depths)) * (longest_name + STEP_CHARS)


def _measure_link(page: Page, leaf: int) -> int:
    """What the link around a leaf takes."""
    link = page.links[page.leaf_elements[leaf]]
    address = page.attr(link, "href") or "" if link >= 0 else ""
    return min(MAX_URL_CHARS, len(address) + len(page.base_url)) + LINK_CHARS
