"""Tell the main list of a result page from menus, margins and other lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bonmun.page import Page

__all__ = ["find_boilerplate", "find_common_ancestor", "find_headings", "find_signatures"]

BOILERPLATE_TAGS = frozenset({"nav", "aside", "footer"})
BOILERPLATE_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "complementary", "search", "menu", "menubar", "tablist"}
)
BOILERPLATE_WORDS = frozenset(
    "nav navi navigation gnb lnb snb fnb tnb menu footer foot header side sidebar aside breadcrumb breadcrumbs rank "
    "ranking popular banner ad ads advert login util utility tab tabs filter filters sort copyright bottom hot best "
    "most sns".split()
)
SEPARATORS = re.compile(r"[\s_-]+")
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
SIGNATURE_LEVELS = 3  # elements from the link upwards, whose classes distinguish lists


def find_boilerplate(page: Page, rows: Sequence[int]) -> list[bool]:
    """Return for each element whether it is in a menu, a margin or the like, by tags, roles and class names.

    An element that contains more than half of `rows` never counts as one.
    """
    counts = _count_contained(page, rows)
    is_boilerplate: list[bool] = []
    for row, parent in enumerate(page.parents):
        is_named = counts[row] > 0 and counts[row] * 2 <= len(rows) and _has_boilerplate_name(page, row)
        is_boilerplate.append((parent >= 0 and is_boilerplate[parent]) or is_named)
    return is_boilerplate


def _has_boilerplate_name(page: Page, row: int) -> bool:
    if page.tags[row] in BOILERPLATE_TAGS or (page.attr(row, "role") or "").lower() in BOILERPLATE_ROLES:
        return True
    words = SEPARATORS.split(f"{page.attr(row, 'class') or ''} {page.attr(row, 'id') or ''}".lower())
    return not BOILERPLATE_WORDS.isdisjoint(words)


def _count_contained(page: Page, rows: Iterable[int]) -> list[int]:
    """Return for each element how many of `rows` it contains, itself included."""
    counts = [0] * len(page.parents)
    for row in rows:
        counts[row] = 1
    for row in range(len(counts) - 1, 0, -1):
        counts[page.parents[row]] += counts[row]
    return counts


def find_common_ancestor(page: Page, rows: Sequence[int]) -> int:
    """Return the innermost element that contains all of `rows`."""
    return max(row for row, count in enumerate(_count_contained(page, rows)) if count == len(rows))


def find_signatures(page: Page, rows: Iterable[int]) -> dict[int, tuple[object, ...]]:
    """Return the signature of each element: its tag path, and the classes of itself and its nearest ancestors."""
    signatures: dict[int, tuple[object, ...]] = {}
    for row in rows:
        levels = [row]
        for _ in range(SIGNATURE_LEVELS - 1):
            levels.append(max(page.parents[levels[-1]], 0))
        signatures[row] = (page.path_numbers[row], *(page.attr(each, "class") for each in levels))
    return signatures


def find_headings(page: Page) -> dict[int, str]:
    """Return the text of the first heading in each `<a>` that has one."""
    inside: list[int] = []  # for each element the outermost heading around it in the same link, or -1
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
