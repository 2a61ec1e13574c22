"""Find what the blocks of a linked item are: its title, the kicker above it, the lead below it.

On a listing, headings of an item often lead to the same page: `<h4>kicker</h4><h3>title</h3>`, each with the link or
all in one. Only the title is a heading, and of the blocks in one link, only the title is written with it.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bonmun.markup import HEADINGS
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.page import Page

__all__ = ["LinkedItems", "find_file_links", "find_linked_items"]

MAX_KICKER_CHARS = 120
MAX_LABEL_CHARS = 40  # of a kicker with the level of the title below it
MIN_LABELS = 3  # items that begin with the same text, which is a label and no title
LETTERS = compile_later(r"[^\W\d_]{2}")
MIN_LEAD_CHARS = 100  # of a heading below the title that is a paragraph


# Ends of the addresses of documents that a list links by icons.
FILES = (".pdf", ".ps", ".doc", ".docx", ".odt", ".rtf", ".hwp", ".ppt", ".pptx", ".xls", ".xlsx", ".epub", ".zip")
MAX_FILE_CHARS = max(map(len, FILES))
ITEM_LEVELS = 6  # elements between an icon and its list item


class LinkedItems(NamedTuple):
    """What is special about the headings and links of items."""

    plain: set[int]  # headings that are written as paragraphs, as elements
    bare: dict[int, int]  # by row of a block: the link that is not written in it
    heads: list[int]  # the heading of each block, as element; -1 if it has none
    links: list[int]  # the link that each block starts with, as element; -1 if there is none


def find_linked_items(
    page: Page, blocks: Sequence[KeptBlock], chains: Sequence[tuple[int, ...]], tags: Mapping[int, str]
) -> LinkedItems:
    """Find the headings of linked items that are kickers or leads, and the blocks that are written without their link.

    `tags` is the output tag of the elements in `chains`, those of the blocks.
    """
    links = page.links
    around = [links[page.leaf_elements[block.leaves[0]]] for block in blocks]  # the link that each block starts with
    heads = [chain[-1] if chain and tags[chain[-1]] in HEADINGS else -1 for chain in chains]
    kickers, leads = set(), set()
    bare: dict[int, int] = {}
    for first, second in pairwise(range(len(blocks))):
        head, below = heads[first], heads[second]
        if head < 0 or below < 0 or head == below or chains[first][:-1] != chains[second][:-1]:
            continue
        if not _lead_to_same(page, around[first], around[second]):
            continue
        chars, chars_below = len(blocks[first].text), len(blocks[second].text)
        is_label = around[first] == around[second] and tags[head] == tags[below] and chars < chars_below
        if tags[head] > tags[below] or (is_label and chars <= MAX_LABEL_CHARS):
            if chars <= MAX_KICKER_CHARS:
                kickers.add(head)
                bare[blocks[first].row] = around[first]
        elif chars_below >= max(MIN_LEAD_CHARS, chars):
            leads.add(below)
    plain = kickers | leads
    numbers: dict[int, list[int]] = {}  # of the blocks in each link
    for number, link in enumerate(around):
        if link >= 0:
            numbers.setdefault(link, []).append(number)
    shared = {link: inside for link, inside in numbers.items() if len(inside) > 1}
    firsts = Counter(
        text for text, _ in {(blocks[rows[0]].text, page.attr(link, "href")) for link, rows in shared.items()}
    )
    for link, inside in shared.items():
        title = next((number for number in inside if heads[number] >= 0 and heads[number] not in plain), None)
        if title is None:
            others = [number for number in inside if _may_be_title(blocks[number].text, firsts)] or inside
            title = next((number for number in others if _is_bold(page, blocks[number])), others[0])
        kept = {number for number in inside if heads[number] == heads[title] >= 0} | {title}
        rows = {blocks[number].row for number in kept}
        bare |= {blocks[number].row: link for number in inside if blocks[number].row not in rows}
    return LinkedItems(plain, bare, heads, around)


def _is_bold(page: Page, block: KeptBlock) -> bool:
    """Whether a block starts in bold."""
    return page.tags[page.leaf_elements[block.leaves[0]]] in ("b", "strong")


def _may_be_title(text: str, firsts: Mapping[str, int]) -> bool:
    """Whether a text can be a title: no number or time, and no label that several items begin with."""
    return firsts.get(text, 0) < MIN_LABELS and LETTERS.search(text) is not None


def find_file_links(page: Page, blocks: Sequence[KeptBlock], chains: Sequence[tuple[int, ...]]) -> dict[int, int]:
    """Return the link to a file that the first block of a list item gets, by row of the block.

    It is the only link of the item, and contains an image instead of a text.
    """
    found: dict[int, list[int]] = {}  # links by list item
    links = page.links
    for image in page.list_rows("img"):
        link = links[image]
        if link >= 0 and (page.attr(link, "href") or "")[-MAX_FILE_CHARS:].lower().endswith(FILES):
            item = next((row for row in list_around(page.parents, link, ITEM_LEVELS) if page.tags[row] == "li"), -1)
            found.setdefault(item, []).append(link)
    found.pop(-1, None)
    if not found:
        return {}
    given: dict[int, int] = {}
    firsts: dict[int, int] = {}  # row of the first block of each item
    linked = page.linked_leaves
    for block, chain in zip(blocks, chains, strict=True):
        for item in found.keys() & set(chain):
            row = firsts.setdefault(item, block.row)
            if row == block.row and len(set(found[item])) == 1:
                given[row] = found[item][0]
            if any(linked[leaf] for leaf in block.leaves):
                given.pop(row, None)
    return given


def _lead_to_same(page: Page, link: int, other: int) -> bool:
    """Whether two links are one, or have the same address, which is that of another page."""
    if link < 0 or other < 0:
        return False
    address = page.attr(link, "href")
    if not address or link == other:
        return bool(address)
    return address == page.attr(other, "href") and not address.startswith(("#", "javascript:"))
