"""Find copies of text that a page has for small screens: `<dd class=only-pc>Text</dd> … <p class=only-sp>Text</p>`.

A style sheet shows one of the two. The copy for small screens is left out if all of it is also in the other one.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["find_screen_copies"]

# Words of classes.
SMALL = frozenset({"sp", "mobile", "phone", "smartphone", "mob"})
LARGE = frozenset({"pc", "desktop"})
WORDS = compile_later("[a-z]+")
CLASS_CHARS = 300  # of a class attribute that are read
LINKED_CHARS = 1_000  # of a text with a link that may contain others
LEVELS = 12  # elements around a text that may be for one kind of screen


def find_screen_copies(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of kept blocks for small screens that are also kept for large ones."""
    texts = page.block_texts
    rows = list(compress(range(len(texts)), kept))
    first: dict[str, int] = {}
    twice = {texts[row] for row in rows if first.setdefault(texts[row], row) != row}
    if not twice:  # as on most pages
        return []
    screens = _Screens(page)
    sides: dict[bool, set[str]] = {True: set(), False: set()}  # texts for small and for large screens
    for row in rows:
        if texts[row] in twice and (box := screens.find(page.owners[row])) >= 0:
            sides[screens.is_small[box]].add(texts[row])
    if sides[True].isdisjoint(sides[False]):
        return []
    large: set[str] = set()
    linked: dict[str, str] = {}  # texts by the address that they lead to
    small: dict[int, list[int]] = {}  # blocks in each box
    for row in rows:
        box = screens.find(page.owners[row])
        if box >= 0 and screens.is_small[box]:
            small.setdefault(box, []).append(row)
        elif box >= 0:
            large.add(texts[row])
            linked[_read_link(page, row)] = texts[row][:LINKED_CHARS]
    found = []
    for inside in small.values():
        if all(texts[row] in large or _is_part(page, row, linked) for row in inside):
            found += inside
    return found


def _is_part(page: Page, row: int, linked: dict[str, str]) -> bool:
    """Whether the text of a block is part of one that leads to the same address."""
    link = _read_link(page, row)
    return bool(link) and page.block_texts[row] in linked.get(link, "")


def _read_link(page: Page, row: int) -> str:
    """Return the address of the link at the start of a block, or ""."""
    link = page.links[page.leaf_elements[page.starts[row]]]
    return (page.attr(link, "href") or "") if link >= 0 else ""


class _Screens:
    """The elements of a page that are for one kind of screen."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.is_small: dict[int, bool] = {}  # by element
        self.known: dict[int, int] = {}  # cache of `find`

    def find(self, element: int) -> int:
        """Return the nearest element around an element, or itself, that is for one kind of screen; -1 if none."""
        path: list[int] = []
        found = -1
        for row in list_around(self.page.parents, element, LEVELS):
            if row in self.known:
                found = self.known[row]
                break
            path.append(row)
            name = self.page.attr(row, "class")
            words = set(WORDS.findall(name[:CLASS_CHARS].lower())) if name else set()
            if words and words.isdisjoint(SMALL) != words.isdisjoint(LARGE):
                self.is_small[row] = words.isdisjoint(LARGE)
                found = row
                break
        self.known.update(dict.fromkeys(path, found))
        return found
