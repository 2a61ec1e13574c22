"""Show the panels of accordions and tabs: text that is hidden until the reader opens it.

A panel is a hidden element that a control of the page opens (`aria-controls`). It is text if it reads like text: menus
and dialogs stay hidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around, list_inside
from bonmun.page.parse.element_bits import HAS_BIT, HIDDEN, LINK, TAG_BITS, apply_attributes, read_bit

if TYPE_CHECKING:
    from turbohtml import Document as Tree

    from bonmun.page.parse.columns import PageColumns

__all__ = ["show_panels"]

CONTROLS = "aria-controls"
MAX_CONTROLS = 1_000
MIN_PANEL_CHARS = 40  # outside links
MIN_UNLINKED_SHARE = 0.6  # of the characters of a panel: menus consist of links
ANCESTORS = 64  # that are searched for OUTSIDE_TAGS
OUTSIDE_TAGS = frozenset("nav header footer aside form dialog menu".split())  # panels in these are not text
OUTSIDE_ROLES = frozenset(
    "dialog alertdialog alert menu menubar listbox navigation search tooltip banner status".split()
)
OUTSIDE_ATTRIBUTES = ("aria-modal", "aria-roledescription")  # dialogs, and slides of a carousel


def show_panels(page: PageColumns, tree: Tree) -> None:
    """Mark the panels of a page that was just read as shown."""
    if 1 not in read_bit(HIDDEN, page.bits, page.leaf_elements):
        return
    nodes = page._nodes
    named = {row: name for row in _find_hidden(page) if (name := nodes[row].attr("id"))}
    named = {row: name for row, name in named.items() if _may_be_text(page, row)}
    if not named:  # most pages: what hidden elements they have, are menus
        return
    controls = tree.select(f"[{CONTROLS}]")[:MAX_CONTROLS]
    names = {name for node in controls for name in (node.attr(CONTROLS) or "").split()}
    panels = [row for row, name in named.items() if name in names]
    if not panels:
        return
    bits = page.bits
    rows = {row: panel for panel in panels for row in list_inside(page.parents, panel)}
    chars, linked = dict.fromkeys(panels, 0), dict.fromkeys(panels, 0)
    for element, text in zip(page.leaf_elements, page.texts, strict=True):
        panel = rows.get(element)
        if panel is not None:
            chars[panel] += len(text)
            linked[panel] += len(text) if bits[element] & LINK else 0
    for panel in panels:
        unlinked = chars[panel] - linked[panel]
        if unlinked >= MIN_PANEL_CHARS and unlinked >= MIN_UNLINKED_SHARE * chars[panel]:
            _show(page, panel)


def _find_hidden(page: PageColumns) -> list[int]:
    """Return the hidden elements of a page that are in no other hidden element."""
    bits, parents = page.bits, page.parents
    hidden = bytes(bits).translate(HAS_BIT[HIDDEN])
    found = []
    row = hidden.find(1, 1)
    while row >= 0:
        if not bits[parents[row]] & HIDDEN:
            found.append(row)
        row = hidden.find(1, row + 1)
    return found


def _may_be_text(page: PageColumns, panel: int) -> bool:
    if (page._nodes[panel].attr("role") or "") in OUTSIDE_ROLES or any(
        page._nodes[panel].attr(name) for name in OUTSIDE_ATTRIBUTES
    ):
        return False
    return all(page.tags[row] not in OUTSIDE_TAGS for row in list_around(page.parents, panel, ANCESTORS))


def _show(page: PageColumns, panel: int) -> None:
    """Mark an element and its descendants as shown, but for those that are hidden within it."""
    bits, parents = page.bits, page.parents
    for row in list_inside(page.parents, panel):
        is_hidden = row != panel and (bits[parents[row]] & HIDDEN or _is_hidden(page, row))
        if not is_hidden:
            bits[row] &= ~HIDDEN


def _is_hidden(page: PageColumns, row: int) -> bool:
    tag = page.tags[row]
    return bool(apply_attributes(page._nodes[row], tag, TAG_BITS.get(tag, 0)) & HIDDEN)
