"""Find bold lines that are the titles of sections: `<p><b>Title</b></p>` above paragraphs of an article.

An article that has one such title has several. Questions stay paragraphs (those of an interview are bold, too), and so
do sentences, values with a name, links, and lines directly below a heading.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable
    from bonmun.page import Page

__all__ = ["find_bold_titles"]

BOLD = frozenset({"b", "strong"})
BOXES = frozenset({"p", "div"})
MIN_TITLES = 2
MAX_TITLE_SHARE = 0.34  # of the paragraphs of a page: more, and every second line is bold
MIN_CHARS, MAX_CHARS = 3, 80  # of a title
MIN_TEXT_CHARS = 60  # of the paragraph below
NO_TITLE_ENDS = '.,;:!?…·-–—。，；：！？、)”"»*'
OPENINGS = "(\"'“„‘«¿¡「『《〈【（‹"
VALUE = compile_later(r"[:：] \d")  # "Price: 12"
LETTERS = compile_later(r"[^\W\d_]{2}")
LEVELS = 4  # elements between a text and its paragraph
MAX_LEAVES = 8  # of a title
FIRST_LEVEL, LAST_LEVEL = 2, 6  # of headings


def find_bold_titles(doc: Writable, blocks: Sequence[KeptBlock], chains: Sequence[tuple[int, ...]]) -> dict[int, str]:
    """Return the tags of the headings that bold lines are written as, by row of the block.

    Their level is one below that of the heading above them. `chains` are those of the blocks (see chains.py).
    """
    page = doc.page
    if BOLD.isdisjoint(page.tag_names) or not doc.is_likely_article:  # elsewhere, bold lines are labels and items
        return {}
    elements, owners = page.leaf_elements, page.owners
    # Blocks that start in an element of their own; most paragraphs do not.
    inner = {block.row for block in blocks if elements[block.leaves[0]] != owners[block.row]}
    if len(inner) < MIN_TITLES:
        return {}
    found: dict[int, str] = {}
    level = FIRST_LEVEL
    paragraphs = 0
    is_below_heading = False
    for (block, chain), (below, chain_below) in pairwise(zip(blocks, chains, strict=True)):
        if chain:
            tag = page.tags[chain[-1]]
            if tag[0] == "h" and tag[1:].isdecimal():
                level = min(int(tag[1:]) + 1, LAST_LEVEL)
                is_below_heading = True
            continue
        paragraphs += 1
        may_be_title = paragraphs > 1 and not is_below_heading and not chain_below and block.row in inner
        if may_be_title and len(below.text) >= MIN_TEXT_CHARS and _is_title(page, block):
            found[block.row] = f"h{level}"
        is_below_heading = False
    is_title = MIN_TITLES <= len(found) <= MAX_TITLE_SHARE * paragraphs
    return found if is_title else {}


def _is_title(page: Page, block: KeptBlock) -> bool:
    """Whether a block looks like a title: short, bold as a whole, and neither a sentence nor a link."""
    owner = page.owners[block.row]
    if page.tags[owner] not in BOXES or len(block.leaves) > MAX_LEAVES or block.cuts or block.note:
        return False
    if not all(_is_bold(page, leaf, owner) for leaf in block.leaves):
        return False
    text = block.text
    if not MIN_CHARS <= len(text) <= MAX_CHARS or "\n" in text or text[-1] in NO_TITLE_ENDS:
        return False
    if not (text[0].isalnum() or text[0] in OPENINGS) or VALUE.search(text) or not LETTERS.search(text):
        return False
    return not any(page.linked_leaves[leaf] for leaf in block.leaves)


def _is_bold(page: Page, leaf: int, owner: int) -> bool:
    """Whether a leaf is in bold within its paragraph."""
    for row in list_around(page.parents, page.leaf_elements[leaf], LEVELS):
        if row == owner:
            return False
        if page.tags[row] in BOLD:
            return True
    return False
