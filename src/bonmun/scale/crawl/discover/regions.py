"""Where on a result page links stand: in its list, or in what is around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.page import Page

__all__ = ["find_apart", "find_headings", "find_holder", "name_places"]

APART_TAGS = frozenset({"nav", "aside", "footer"})
APART_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar", "tablist"}
)
APART_WORDS = frozenset(
    "nav navi navigation gnb lnb snb fnb tnb menu footer foot header side sidebar aside breadcrumb breadcrumbs rank "
    "ranking popular banner ad ads advert login util utility tab tabs filter filters sort copyright bottom hot best "
    "most sns".split()
)
PARTS = re.compile(r"[\s_-]+")
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
PLACE_LEVELS = 3  # the classes of a link and of what is around it, which tell lists apart


def find_apart(page: Page, rows: Sequence[int]) -> list[bool]:
    """Which elements stand in menus, margins and the like, by their tags, roles and class names.

    What holds most of the given elements is not apart, whatever it is called.
    """
    held = _count_held(page, rows)
    apart: list[bool] = []
    for row, parent in enumerate(page.parents):
        is_named = held[row] > 0 and held[row] * 2 <= len(rows) and _is_named_apart(page, row)
        apart.append((parent >= 0 and apart[parent]) or is_named)
    return apart


def _is_named_apart(page: Page, row: int) -> bool:
    if page.tags[row] in APART_TAGS or (page.attr(row, "role") or "").lower() in APART_ROLES:
        return True
    words = PARTS.split(f"{page.attr(row, 'class') or ''} {page.attr(row, 'id') or ''}".lower())
    return not APART_WORDS.isdisjoint(words)


def _count_held(page: Page, rows: Iterable[int]) -> list[int]:
    """How many of some elements each element holds, itself included."""
    held = [0] * len(page.parents)
    for row in rows:
        held[row] = 1
    for row in range(len(held) - 1, 0, -1):
        held[page.parents[row]] += held[row]
    return held


def find_holder(page: Page, rows: Sequence[int]) -> int:
    """The innermost element that holds all of some elements."""
    held = _count_held(page, rows)
    return max(row for row, count in enumerate(held) if count == len(rows))


def name_places(page: Page, rows: Iterable[int]) -> dict[int, tuple[object, ...]]:
    """What kind of place each element stands at: the same for those that look alike, by their paths and classes."""
    places: dict[int, tuple[object, ...]] = {}
    for row in rows:
        around = [row]
        for _ in range(PLACE_LEVELS - 1):
            around.append(max(page.parents[around[-1]], 0))
        places[row] = (page.path_numbers[row], *(page.attr(each, "class") for each in around))
    return places


def find_headings(page: Page) -> dict[int, str]:
    """The text of the first heading in each `<a>` that has one."""
    inside: list[int] = []  # the outermost heading around each element that stands in the same link, or -1
    for row, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
        above = inside[parent] if parent >= 0 and tag != "a" else -1
        inside.append(above if above >= 0 else row if tag in HEADINGS and page.links[row] >= 0 else -1)
    first: dict[int, int] = {}
    parts: dict[int, list[str]] = {}
    for leaf, element in enumerate(page.leaf_elements):
        heading = inside[element]
        if heading >= 0 and first.setdefault(page.links[element], heading) == heading:
            parts.setdefault(page.links[element], []).extend((page.joints[leaf] or " ", page.texts[leaf]))
    return {link: make_readable("".join(pieces)) for link, pieces in parts.items()}
