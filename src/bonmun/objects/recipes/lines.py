"""The lines of a page that a reader sees: list items and table rows as a whole, else blocks, split at `<br>`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.markup import HEADINGS
from bonmun.page import Block
from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from bonmun.page import Page

__all__ = ["PageLine", "list_lines"]

MAX_LINES = 20_000  # of a page
ITEM_LEVELS = 7  # elements between a block and its list item or table row
MAX_ITEM_BLOCKS = 12  # an item with more blocks is a card
ROW_TAGS = frozenset({"li", "tr", "dd", "label"})
LIST_TAGS = frozenset({"ul", "ol", "table"})
REPEATED_TAGS = frozenset({"div", "span", "dl", "a"})
REPEATED_LEVELS = 3  # elements around a block that may be repeated
MIN_REPEATED = 3  # elements with the same tag and class beside each other are items
BULLET = compile_later(r"^[\s▢☐□◻◽▪▫•●○◦‣⁃·∙*✓✔–—-]+(?=[^\s–—-])")


@dataclass(slots=True)
class PageLine:
    """A line of a page."""

    text: str
    first: int  # its first block
    element: int  # list item or table row, else the element of the block
    kind: str  # "item", "row", "repeated", "heading", "broken" (one of several in a block) or "other"
    linked: bool = False  # whether it starts in a link
    level: int = 0  # of a heading: 1 to 6


def list_lines(page: Page, *, hidden: bool = False) -> list[PageLine]:
    """Return the visible lines of a page, or all of them."""
    lines: list[PageLine] = []
    counts: dict[int, int] = {}  # blocks of each item
    items = list(_find_items(page, hidden=hidden))
    for _, item, _ in items:
        counts[item] = counts.get(item, 0) + 1
    last = -1
    texts, starts, stops, hidden_leaves = page.block_texts, page.starts, page.stops, page.visibility.hidden_leaves
    for row, item, kind in items[:MAX_LINES]:
        if item >= 0 and page.find_kind(row) == "caption":
            continue
        has_hidden = hidden_leaves.find(1, starts[row], stops[row]) >= 0
        text = Block(page, row).shown_text if has_hidden else texts[row]
        owner = page.owners[row]
        tag = page.tags[owner]
        linked = bool(page.linked_leaves[page.starts[row]])
        if item >= 0 and counts[item] <= MAX_ITEM_BLOCKS:
            text = " ".join(text.split())
            if item == last:
                lines[-1].text += " " + text
            else:
                lines.append(PageLine(text, row, item, kind, linked))
                last = item
            continue
        last = -1
        if tag in HEADINGS:
            lines.append(PageLine(" ".join(text.split()), row, owner, "heading", linked, int(tag[1])))
            continue
        parts = [part for part in text.split("\n") if part.strip()]
        kind = "broken" if len(parts) > 1 else "other"
        lines += [PageLine(part.strip(), row, owner, kind, linked) for part in parts]
    for line in lines:
        line.text = BULLET.sub("", line.text[:300]) + line.text[300:]
    return lines


def _find_items(page: Page, *, hidden: bool) -> Iterator[tuple[int, int, str]]:
    """Yield each block with its list item, table row or repeated element (-1 if there is none) and its kind."""
    hidden_blocks = page.hidden_blocks
    owners = {owner for row, owner in enumerate(page.owners) if hidden or not hidden_blocks[row]}
    around = {owner: list_around(page.parents, owner, ITEM_LEVELS) for owner in owners}
    repeated = _find_repeated(page, {element for elements in around.values() for element in elements})
    found = {owner: _find_item(page.tags, elements, repeated) for owner, elements in around.items()}
    for row, owner in enumerate(page.owners):
        if hidden or not hidden_blocks[row]:
            yield row, *found[owner]


def _find_repeated(page: Page, elements: Collection[int]) -> set[int]:
    """Return the elements, other than paragraphs, that have the tag, class and parent of others."""
    tags, parents, classes = page.tags, page.parents, page.classes
    keys = {
        element: (parents[element], tags[element], classes[element] or "")
        for element in elements
        if tags[element] in REPEATED_TAGS
    }
    counts = Counter(keys.values())
    return {element for element, key in keys.items() if counts[key] >= MIN_REPEATED}


def _find_item(tags: Sequence[str], around: Sequence[int], repeated: Collection[int]) -> tuple[int, str]:
    """Return the list item, table row or repeated element of an element, and its kind; `around` are its ancestors."""
    for element in around:
        tag = tags[element]
        if tag in ROW_TAGS:
            return element, "row" if tag == "tr" else "item"
        if tag in LIST_TAGS:
            break
    if tags[around[0]] not in HEADINGS:
        for element in reversed(around[:REPEATED_LEVELS]):
            if element in repeated:
                return element, "repeated"
    return -1, "other"
