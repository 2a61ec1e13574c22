"""Find kept blocks within an article that promote other pages: "Read also: …", and boxes named as such.

The words of such lines are those of controls.txt that end with a colon. What follows them must be a link. A box counts
only if it has few of the kept blocks: some sites name the container of the whole text so.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from bonmun.page.controls import AROUND, NO_CONTROLS, read_starts
from bonmun.page.parse.ancestors import climb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_promotions", "is_promotion_box"]

MIN_CHARS, MAX_CHARS = 8, 260  # of a line
MAX_START_CHARS = 40  # of its first words
MIN_LINKED_SHARE = 0.5  # of its letters
AFTER = ":»>\n|–-"  # between the first words and the link
LEVELS = 3  # elements around a block whose names are read
MAX_NAME_CHARS = 200
MAX_BOX_CHARS, MAX_BOX_BLOCKS = 300, 3  # of a block in a box; of the kept blocks in it
# Parts of class names, without signs between the words.
BOX_PARTS = (
    "readmore",
    "readalso",
    "alsoread",
    "lireaussi",
    "leiatambem",
    "leetambien",
    "leesook",
    "leggianche",
    "relatedinline",
    "inlinerelated",
    "relatedcontent",
    "relatedlink",
    "relatedarticle",
    "relatedpost",
    "relatedstor",
    "recirculation",
    "newsletter",
    "signup",
)
SIGNS = str.maketrans("", "", "-_ ")


def find_promotions(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of kept blocks that are lines or boxes that promote other pages."""
    texts = page.block_texts
    starts = read_starts()
    found = []
    known: dict[int, bool] = {}  # whether an element is named as a box
    for row, is_kept in enumerate(kept):
        if not is_kept or not MIN_CHARS <= len(texts[row]) <= MAX_BOX_CHARS:
            continue
        is_line = len(texts[row]) <= MAX_CHARS and _starts_with(texts[row], starts) and _is_linked(page, row)
        if (is_line and page.find_kind(row) not in NO_CONTROLS) or _is_in_box(page, row, kept, known):
            found.append(row)
    return found


def is_promotion_box(page: Page, row: int) -> bool:
    """Whether an element near a block is named as a box that promotes other pages."""
    return _find_box(page, row, {}) is not None


def _starts_with(text: str, starts: frozenset[str]) -> bool:
    """Whether a text starts with words such as "read also", followed by a sign or a line break."""
    head = text[: MAX_START_CHARS + 10].lstrip(AROUND)[:MAX_START_CHARS]
    ends = [at for sign in AFTER if (at := head.find(sign)) > 0]
    return bool(ends) and head[: min(ends)].strip(AROUND).lower() in starts


def _is_linked(page: Page, row: int) -> bool:
    leaves = range(page.starts[row], page.stops[row])
    sizes = [(len(page.texts[leaf]), page.linked_leaves[leaf]) for leaf in leaves]
    return sum(size for size, is_link in sizes if is_link) >= MIN_LINKED_SHARE * sum(size for size, _ in sizes)


def _find_box(page: Page, row: int, known: dict[int, bool]) -> int | None:
    """Return the innermost element around a block that is named as a box of promotions; `known` holds those read."""
    for element in islice(climb(page.parents, page.owners[row]), LEVELS):
        is_box = known.get(element)
        if is_box is None:
            name = page.attr(element, "class")
            letters = name[:MAX_NAME_CHARS].lower().translate(SIGNS) if name else ""
            is_box = known[element] = bool(letters) and any(map(letters.__contains__, BOX_PARTS))
        if is_box:
            return element
    return None


def _is_in_box(page: Page, row: int, kept: Sequence[bool], known: dict[int, bool]) -> bool:
    """Whether a block is in a box of promotions with few kept blocks."""
    box = _find_box(page, row, known)
    if box is None:
        return False
    near = range(max(0, row - MAX_BOX_BLOCKS), min(len(kept), row + MAX_BOX_BLOCKS + 1))
    inside = [each for each in near if kept[each] and box in islice(climb(page.parents, page.owners[each]), LEVELS + 2)]
    return len(inside) <= MAX_BOX_BLOCKS
