"""The main region of a page: the element that holds most of its text, and the parts that are no main text by name.

Blocks weigh what the method says: most often, as many bytes as they have outside of links. Parts that are tagged or
named as boilerplate or comments are set aside; the region is the smallest element that holds most of what is left.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bonmun.markup import COMMENT_WORDS, HEADINGS, REPLY_WORDS
from bonmun.page.parse.element_bits import BLOCK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Page

__all__ = ["COMMENT", "MainRegion", "find_main_region"]

CHILD_SHARE = 0.7  # of an element's weight: a child with more of it is the better region
TAGGED_SHARE, NAMED_SHARE = 0.6, 0.2  # of the page's weight: a part with more is no boilerplate, whatever it is called
THREAD_RATIO = (
    2.0  # a page with more weight in comments, for each of other text, is a thread: its comments are the text
)

BOILERPLATE, COMMENT = 1, 2  # what an element is part of; 0: neither
CONTROLS = frozenset({"button", "select", "textarea"})
BOILERPLATE_TAGS = frozenset({"nav", "footer", "aside", "form", "menu", "dialog"})
BOILERPLATE_ROLES = frozenset({"navigation", "banner", "contentinfo", "complementary", "search", "dialog", "menu"})
BOILERPLATE_WORDS = frozenset(
    (
        "nav navi navbar navigation gnb lnb snb menu sidebar side aside foot footer breadcrumb breadcrumbs crumb "
        "crumbs share sharing sns social related relate recommend recommended recommendation recommendations more "
        "popular ranking rank trending banner ad ads adsense advert advertisement advertising sponsor sponsored promo "
        "promotion cookie cookies consent gdpr popup modal overlay newsletter subscribe subscription login signin "
        "signup toolbar tool tools paging pagination pager tag tags taglist hashtag widget copyright byline meta "
        "metadata skip print search toc reporter author profile bio "
    ).split()
)
NAME_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")  # of names such as postBody, post-body and POST_BODY
SINGLE = frozenset({"p", "li", "pre", "dt", "dd", *HEADINGS})  # one piece, never the whole text


class MainRegion(NamedTuple):
    """What was found, by element but for the weights, which are by block."""

    element: int
    inside: list[bool]  # the region
    parts: list[int]  # 0, BOILERPLATE or COMMENT
    weights: list[int]  # 0 in boilerplate and comments
    sums: list[int]  # the weight of all blocks in the element, however deep


def find_main_region(page: Page, weights: list[int], otherwise: list[int] | None = None) -> MainRegion:
    """Find the parts and the region of a page whose blocks weigh so much.

    Where nothing outside of boilerplate and comments weighs anything, the region is found by the other weights.
    """
    parts = _find_parts(page, _sum_weights(page, weights))
    if COMMENT in parts and _is_thread(page, parts, weights):
        parts = [0 if part == COMMENT else part for part in parts]
    left = _clear_parts(page, parts, weights)
    if otherwise is not None and not any(left):
        left = _clear_parts(page, parts, otherwise)
    sums = _sum_weights(page, left)
    element = _find_region(page, sums)
    return MainRegion(element, page.mark_descendants(element), parts, left, sums)


def _sum_weights(page: Page, weights: Sequence[int]) -> list[int]:
    """The weight of all blocks in each element, however deep."""
    sums = [0] * len(page.tags)
    for owner, weight in zip(page.owners, weights, strict=True):
        sums[owner] += weight
    parents = page.parents
    for row in range(len(sums) - 1, 0, -1):
        if sums[row]:
            sums[parents[row]] += sums[row]
    return sums


def _find_parts(page: Page, sums: list[int]) -> list[int]:
    """Which elements stand in boilerplate or comments, by tag, role or name; never most of the page."""
    tagged, named = sums[0] * TAGGED_SHARE, sums[0] * NAMED_SHARE
    tags, parents, bits = page.tags, page.parents, page.bits
    parts = [0] * len(tags)
    for row in page.holders:
        tag, part = tags[row], parts[parents[row]] if row else 0
        if tag in CONTROLS:
            part = BOILERPLATE
        elif not part and bits[row] & BLOCK and sums[row] <= tagged:
            part = _read_names(page.attr(row, "class") or "", page.attr(row, "id") or "")
            if part == BOILERPLATE and sums[row] > named:
                part = 0
            if not part and (tag in BOILERPLATE_TAGS or page.attr(row, "role") in BOILERPLATE_ROLES):
                part = BOILERPLATE
        parts[row] = part
    return parts


@lru_cache(maxsize=4096)  # pages, and the pages of a site, repeat their names
def _read_names(class_: str, id_: str) -> int:
    """What an element is part of, by its class and id."""
    words = {word.lower() for word in NAME_WORD.findall(f"{class_} {id_}")}
    if words & COMMENT_WORDS or words & REPLY_WORDS:
        return COMMENT
    return BOILERPLATE if words & BOILERPLATE_WORDS else 0


def _is_thread(page: Page, parts: list[int], weights: list[int]) -> bool:
    """Whether what is named as comments are the posts of a thread, and so the text."""
    comments = sum(weight for owner, weight in zip(page.owners, weights, strict=True) if parts[owner] == COMMENT)
    others = sum(weight for owner, weight in zip(page.owners, weights, strict=True) if not parts[owner])
    return comments > THREAD_RATIO * others


def _clear_parts(page: Page, parts: list[int], weights: list[int]) -> list[int]:
    """The weights of blocks, 0 in boilerplate and comments."""
    return [0 if parts[owner] else weight for owner, weight in zip(page.owners, weights, strict=True)]


def _find_region(page: Page, sums: list[int]) -> int:
    """The smallest element that, at every step down to it, holds most of the weight."""
    tags, parents = page.tags, page.parents
    heaviest: dict[int, int] = {}  # child, by parent
    for row in range(1, len(sums)):
        if not sums[row] or tags[row] in SINGLE:
            continue
        parent = parents[row]
        if parent not in heaviest or sums[row] > sums[heaviest[parent]]:
            heaviest[parent] = row
    region = 0
    while region in heaviest and sums[heaviest[region]] > CHILD_SHARE * sums[region]:
        region = heaviest[region]
    return region
