"""Join words that are split over two links to the same address: `<a href=x>nuclea</a><font><a href=x>r</a></font>`.

The walk separates different links by a space, since style sheets set them apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element

from bonmun.kernel import load_kernel
from bonmun.page.parse.glued import join_pieces
from bonmun.page.parse.leaf_pieces import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turbohtml import Node

    from bonmun.page.parse.columns import PageColumns

__all__ = ["join_torn_links"]

LEVELS = 8  # elements between a link and what it has in common with the next one
BOTH = b"\x01\x01"  # two adjacent texts in links
MAX_CHARS = 1_000  # of the text of a link that may be torn


def join_torn_links(page: PageColumns) -> None:
    """Remove the spaces between such links from a page that was just read."""
    changed = [leaf for leaf in list_torn(page.texts, page.joints, page.linked_leaves) if _is_torn(page, leaf)]
    for leaf in changed:
        page.joints[leaf] = ""
    join_pieces(page, changed)


def list_torn(texts: Sequence[str], joints: Sequence[str | None], linked: bytes) -> list[int]:
    """Return the linked leaves that may go on with the word of the linked leaf before; few do."""
    found = []
    leaf = linked.find(BOTH) + 1
    while leaf > 0:
        last, first = texts[leaf - 1][-1], texts[leaf][0]
        if joints[leaf] == " " and (not last.isascii() or (last.islower() and first.islower())):
            found.append(leaf)
        leaf = linked.find(BOTH, leaf) + 1
    return found


KERNEL = load_kernel("columns")
if KERNEL:
    list_torn = KERNEL.list_torn


def _is_torn(page: PageColumns, leaf: int) -> bool:
    """Whether a leaf goes on with the word of the leaf before, in another link to the same address."""
    before, after = page.texts[leaf - 1], page.texts[leaf]
    if not (before[-1].islower() and after[0].islower()) and not is_unspaced(before, after):
        return False
    elements = page.leaf_elements
    first, second = page.find_link(elements[leaf - 1]), page.find_link(elements[leaf])
    if first < 0 or first == second:
        return False
    nodes = page._nodes
    # Whether they follow each other is asked first: a link with links in it would be read once for each of these.
    if len(before) > MAX_CHARS or not _follows(nodes[first], nodes[second]):
        return False
    href = nodes[first].attr("href")
    if not href or href != nodes[second].attr("href") or nodes[first].attr("class") != nodes[second].attr("class"):
        return False
    return not nodes[first].text[-1:].isspace() and not nodes[second].text[:1].isspace()


def _follows(first: Element, second: Element) -> bool:
    """Whether nothing is between two elements, not even white space."""
    node: Node | None = first
    after: Node | None = None
    for _ in range(LEVELS):
        if node is None:
            return False
        after = node.next_sibling
        if after is not None:
            break
        node = node.parent
    for _ in range(LEVELS):
        if after is second:
            return True
        if not isinstance(after, Element):
            return False
        after = next(iter(after), None)
    return False
