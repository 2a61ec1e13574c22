"""Find kept blocks within an article that promote other pages: "Read also: …", and boxes named as such.

The words of such lines are those of controls.txt that end with a colon. What follows them must be a link. A box counts
only if it has few of the kept blocks: some sites name the container of the whole text so.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING

from bonmun.page.controls import AROUND, NO_CONTROLS, read_starts
from bonmun.page.parse.ancestors import list_around, list_near

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.page.page import Page

__all__ = ["find_ads", "find_promotions", "is_promotion_box"]

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
# What laws demand above an advertisement in a list, alone in its block.
AD_LABELS = frozenset(
    "ad ads advertisement advertorial sponsored anzeige anzeigen werbung gesponsert publicité sponsorisé publicidad "
    "patrocinado pubblicità sponsorizzato publicidade advertentie gesponsord annonce annons reklama reklam реклама "
    "광고 스폰서 pr 広告 廣告 广告 推广 إعلان".split()
)
MAX_LABEL_CHARS = 20  # of such a label with what stands around it
ITEM_TAGS = frozenset({"li", "article"})
ITEM_LEVELS, MAX_ITEM_BLOCKS = 6, 12  # elements around a label that may be the item; blocks of an item
NO_BOXES: frozenset[int] = frozenset()
SIGNS = str.maketrans("", "", "-_ ")


def find_promotions(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of kept blocks that are lines or boxes that promote other pages."""
    texts, links = page.block_texts, page.linked_leaves
    rows = [row for row in compress(range(len(kept)), kept) if MIN_CHARS <= len(texts[row]) <= MAX_BOX_CHARS]
    boxes = _find_boxes(page, rows)
    found = []
    for row in rows:
        has_link = len(texts[row]) <= MAX_CHARS and links.find(1, page.starts[row], page.stops[row]) >= 0
        is_line = has_link and _starts_with(texts[row], read_starts()) and _is_linked(page, row)
        if (is_line and page.find_kind(row) not in NO_CONTROLS) or (boxes and _is_in_box(page, row, kept, boxes)):
            found.append(row)
    return found


def find_ads(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of kept blocks in items of a list whose first block is a label such as "Advertisement"."""
    found = []
    for row, text in enumerate(page.block_texts):
        if len(text) > MAX_LABEL_CHARS or text.strip(AROUND).casefold() not in AD_LABELS:
            continue
        around = list_around(page.parents, page.owners[row], ITEM_LEVELS)
        item = next((element for element in around if page.tags[element] in ITEM_TAGS), None)
        if item is None or (row > 0 and _is_inside(page, row - 1, item)):
            continue
        inside = []
        for other in range(row, min(len(kept), row + MAX_ITEM_BLOCKS + 1)):
            if not _is_inside(page, other, item):
                break
            inside.append(other)
        if len(inside) <= MAX_ITEM_BLOCKS:
            found += [other for other in inside if kept[other]]
    return found


def _is_inside(page: Page, row: int, element: int) -> bool:
    """Whether a block is in an element."""
    return element in list_around(page.parents, page.owners[row], ITEM_LEVELS + LEVELS)


def is_promotion_box(page: Page, row: int) -> bool:
    """Whether an element near a block is named as a box that promotes other pages."""
    return bool(_find_boxes(page, [row]))


def _starts_with(text: str, starts: frozenset[str]) -> bool:
    """Whether a text starts with words such as "read also", followed by a sign or a line break."""
    head = text[: MAX_START_CHARS + 10].lstrip(AROUND)[:MAX_START_CHARS]
    ends = [at for sign in AFTER if (at := head.find(sign)) > 0]
    return bool(ends) and head[: min(ends)].strip(AROUND).lower() in starts


def _is_linked(page: Page, row: int) -> bool:
    leaves = range(page.starts[row], page.stops[row])
    sizes = [(len(page.texts[leaf]), page.linked_leaves[leaf]) for leaf in leaves]
    return sum(size for size, is_link in sizes if is_link) >= MIN_LINKED_SHARE * sum(size for size, _ in sizes)


def _find_boxes(page: Page, rows: Iterable[int]) -> frozenset[int]:
    """Return the elements near some blocks that are named as boxes of promotions."""
    near = list(list_near(page.parents, map(page.owners.__getitem__, rows), LEVELS))
    names = page.attrs(near, "class")
    boxes = {name for name in set(names) if name and _is_box_name(name[:MAX_NAME_CHARS])}  # none on most pages
    return frozenset(element for element, name in zip(near, names, strict=True) if name in boxes) if boxes else NO_BOXES


@lru_cache(maxsize=1 << 12)  # a page has few different names
def _is_box_name(name: str) -> bool:
    letters = name.lower().translate(SIGNS)
    return any(map(letters.__contains__, BOX_PARTS))


def _is_in_box(page: Page, row: int, kept: Sequence[bool], boxes: frozenset[int]) -> bool:
    """Whether a block is in a box of promotions with few kept blocks."""
    above = list_around(page.parents, page.owners[row], LEVELS)
    box = next((element for element in above if element in boxes), None)
    if box is None:
        return False
    near = range(max(0, row - MAX_BOX_BLOCKS), min(len(kept), row + MAX_BOX_BLOCKS + 1))
    inside = [each for each in near if kept[each] and box in list_around(page.parents, page.owners[each], LEVELS + 2)]
    return len(inside) <= MAX_BOX_BLOCKS
