"""Show the panels of accordions and tabs: text that is hidden until the reader opens it.

A panel is a hidden element that a control of the page opens (`aria-controls`), that follows a control which opens
something (`aria-expanded`), or that is named as a panel and has something before it. It is text if it reads like text:
menus and dialogs stay hidden.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel
from bonmun.page.parse.ancestors import climb, list_around, list_inside
from bonmun.page.parse.element_bits import HIDDEN, LINK, TAG_BITS, apply_attributes, read_bit
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turbohtml import Document as Tree

    from bonmun.page.parse.columns import PageColumns

__all__ = ["show_panels"]

KERNEL = load_kernel("columns")
CONTROLS = "aria-controls"
MAX_CONTROLS = 1_000
MAX_PANELS = 1_000
PANEL_ROLE = "tabpanel"
PANEL_NAME = compile_later("accord|collaps|faq|answer|tab-?(?:pane|content)")  # in classes
OTHER_NAME = compile_later("menu|dropdown|select|filter|modal|popup|dialog|tooltip|cookie|consent|gdpr|login|share")
MAX_NAME_CHARS = 300  # characters read of classes
MAX_OPENER_ELEMENTS = 20  # in the element before a panel with the control that opens it
INLINE = frozenset("a b em i span strong".split())  # hidden parts of a text, not below their controls
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
    are_hidden = read_bit(HIDDEN, page.bits, page.leaf_elements)
    if 1 not in are_hidden:
        return
    hidden = _find_hidden(page, compress(page.leaf_elements, are_hidden))[:MAX_PANELS]
    hidden = [row for row in hidden if _may_be_text(page, row)]
    if not hidden:  # most pages: what hidden elements they have, are menus
        return
    controls = tree.select(f"[{CONTROLS}]")[:MAX_CONTROLS]
    names = {name for node in controls for name in (node.attr(CONTROLS) or "").split()}
    panels = [row for row in hidden if _is_panel(page, row, names)]
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


def _find_hidden(page: PageColumns, texts: Iterable[int]) -> list[int]:
    """Return the outermost hidden elements around elements that contain hidden text: few, as most others are icons."""
    bits, parents = page.bits, page.parents
    if KERNEL:
        outermost: list[int] = KERNEL.find_outermost(HIDDEN, bits, parents, list(texts))
        return outermost
    found, seen = set(), set[int]()
    for text in texts:
        for row in climb(parents, text):
            if row in seen:
                break
            seen.add(row)
            if parents[row] < 0 or not bits[parents[row]] & HIDDEN:
                found.add(row)
                break
    return sorted(found)


def _is_panel(page: PageColumns, row: int, names: set[str]) -> bool:
    """Whether a control opens a hidden element: the control names it or is before it, or its role or class say so."""
    node = page._nodes[row]
    if node.attr("id") in names or node.attr("role") == PANEL_ROLE:
        return True
    name = (node.attr("class") or "")[:MAX_NAME_CHARS].lower()
    if page.tags[row] in INLINE or OTHER_NAME.search(name):
        return False
    before = _find_before(page, row)
    if before is None:
        return False
    is_small = row - before <= MAX_OPENER_ELEMENTS
    return bool(PANEL_NAME.search(name)) or (is_small and any(_opens(page, each) for each in range(before, row)))


def _opens(page: PageColumns, row: int) -> bool:
    """Whether an element opens and closes what follows it; links also open explanations elsewhere."""
    tag = page.tags[row]
    return tag == "summary" or (tag != "a" and page._nodes[row].attr("aria-expanded") == "false")


def _find_before(page: PageColumns, element: int) -> int | None:
    """Return the element before another one in the same parent, or None."""
    parents, parent = page.parents, page.parents[element]
    if element - 1 == parent:
        return None
    return next((row for row in list_around(parents, element - 1, ANCESTORS) if parents[row] == parent), None)


def _may_be_text(page: PageColumns, panel: int) -> bool:
    if not OUTSIDE_TAGS.isdisjoint([page.tags[row] for row in list_around(page.parents, panel, ANCESTORS)]):
        return False
    is_outside = (page.attr(panel, "role") or "") in OUTSIDE_ROLES
    return not is_outside and not any(page.attr(panel, name) for name in OUTSIDE_ATTRIBUTES)


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
