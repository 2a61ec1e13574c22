"""Find copies of text that a page has for small screens: `<dd class=only-pc>Text</dd> … <p class=only-sp>Text</p>`.

A style sheet shows one of the two. The copy for small screens is left out if all of it is also in the other one.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING

from bonmun.page.parse.ancestors import list_around, list_near
from bonmun.text.patterns import compile_later

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.page.page import Page

__all__ = ["find_screen_copies"]

# Words in classes, and classes of well-known style sheets, which name the screens that do not show an element.
SMALL = frozenset({"sp", "mobile", "phone", "smartphone", "mob"})
LARGE = frozenset({"pc", "desktop"})
SMALL_CLASSES = frozenset(
    "hidden-lg hidden-md hidden-desktop visible-xs visible-sm visible-phone d-sm-none d-md-none d-lg-none sm:hidden "
    "md:hidden lg:hidden show-for-small show-for-small-only hide-for-medium hide-for-large".split()
)
LARGE_CLASSES = frozenset(
    "hidden-xs hidden-sm hidden-phone hidden-mobile visible-md visible-lg visible-desktop d-sm-block d-md-block "
    "d-lg-block d-sm-flex d-md-flex d-lg-flex sm:block md:block lg:block sm:flex md:flex lg:flex show-for-medium "
    "show-for-large hide-for-small hide-for-small-only".split()
)
WORDS = compile_later("[A-Z]?[a-z]+|[A-Z]+")
CLASS_CHARS = 300  # of a class attribute that are read
LINKED_CHARS = 1_000  # of a text with a link that may contain others
LEVELS = 12  # elements around a text that may be for one kind of screen
CACHED_NAMES = 1 << 10  # classes; a page has few different ones


def find_screen_copies(page: Page, kept: Sequence[bool]) -> list[int]:
    """Return the rows of kept blocks for small screens that are also kept for large ones."""
    texts = page.block_texts
    rows = list(compress(range(len(texts)), kept))
    first: dict[str, int] = {}
    twice = {texts[row] for row in rows if first.setdefault(texts[row], row) != row}
    if not twice:  # as on most pages
        return []
    screens = _Screens(page)
    if not screens.read(page.owners[row] for row in rows if texts[row] in twice):
        return []
    sides: dict[bool, set[str]] = {True: set(), False: set()}  # texts for small and for large screens
    for row in rows:
        if texts[row] in twice and (box := screens.find(page.owners[row])) >= 0:
            sides[screens.is_small[box]].add(texts[row])
    if sides[True].isdisjoint(sides[False]):
        return []
    screens.read(page.owners[row] for row in rows)
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

    def read(self, elements: Iterable[int]) -> bool:
        """Read the classes around some elements; return whether some are for small and others for large screens."""
        page = self.page
        around = list_near(page.parents, elements, LEVELS)
        names = page.attrs(around, "class")
        sizes = {name: _read_size(name[:CLASS_CHARS]) for name in set(names) if name}
        pairs = ((row, sizes[name]) for row, name in zip(around, names, strict=True) if name)
        self.is_small = {row: is_small for row, is_small in pairs if is_small is not None}
        return len(set(self.is_small.values())) > 1

    def find(self, element: int) -> int:
        """Return the nearest element around an element, or itself, that is for one kind of screen; -1 if none."""
        path: list[int] = []
        found = -1
        for row in list_around(self.page.parents, element, LEVELS):
            if row in self.known:
                found = self.known[row]
                break
            path.append(row)
            if row in self.is_small:
                found = row
                break
        self.known.update(dict.fromkeys(path, found))
        return found


@lru_cache(CACHED_NAMES)
def _read_size(name: str) -> bool | None:
    """Return whether a class says that an element is for small screens, and not for large ones; None if neither."""
    classes = name.lower().split()
    is_small, is_large = not SMALL_CLASSES.isdisjoint(classes), not LARGE_CLASSES.isdisjoint(classes)
    if not (is_small or is_large):
        words = {word.lower() for word in WORDS.findall(name)}
        is_small, is_large = not words.isdisjoint(SMALL), not words.isdisjoint(LARGE)
    return None if is_small == is_large else is_small
