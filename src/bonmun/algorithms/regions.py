"""Find the main region of a page: the element that holds most of its text, without boilerplate and comments.

The caller gives the weight of each block, mostly its bytes outside of links. Elements that are tagged or named as
boilerplate or comments are excluded; the main region is the smallest element that holds most of the remaining weight.
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

CHILD_SHARE = 0.7  # of an element's weight; a child with more is a better region
TAGGED_SHARE, NAMED_SHARE = 0.6, 0.2  # of the page's weight; an element with more is not boilerplate, whatever its name
THREAD_RATIO = 2.0  # weight of comments to weight of other text; above it the page is a thread, and comments are text

BOILERPLATE, COMMENT = 1, 2  # the part an element belongs to; 0: neither
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
NAME_WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")  # a word in names like postBody, post-body and POST_BODY
SINGLE_BLOCK_TAGS = frozenset({"p", "li", "pre", "dt", "dd", *HEADINGS})  # never the main region


class MainRegion(NamedTuple):
    """The main region of a page."""

    element: int
    inside: list[bool]  # by element: whether it is in the region
    parts: list[int]  # by element: 0, BOILERPLATE or COMMENT
    weights: list[int]  # by block: 0 in boilerplate and comments
    sums: list[int]  # by element: the weight of all blocks in it, at any depth


def find_main_region(page: Page, weights: list[int], otherwise: list[int] | None = None) -> MainRegion:
    """Find the main region of a page, given the weights of its blocks.

    `otherwise` are the weights to use if all weight is in boilerplate and comments.
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
    """Return for each element the weight of all blocks in it, at any depth."""
    sums = [0] * len(page.tags)
    for owner, weight in zip(page.owners, weights, strict=True):
        sums[owner] += weight
    parents = page.parents
    for row in range(len(sums) - 1, 0, -1):
        if sums[row]:
            sums[parents[row]] += sums[row]
    return sums


def _find_parts(page: Page, sums: list[int]) -> list[int]:
    """Return the part of each element: boilerplate or comments by tag, role or name, but never most of the page."""
    tagged, named = sums[0] * TAGGED_SHARE, sums[0] * NAMED_SHARE
    tags, parents, bits = page.tags, page.parents, page.bits
    parts = [0] * len(tags)
    for row in page.holders:
        tag, part = tags[row], parts[parents[row]] if row else 0
        if tag in CONTROLS:
            part = BOILERPLATE
        elif not part and bits[row] & BLOCK and sums[row] <= tagged:
            part = _classify_names(page.attr(row, "class") or "", page.attr(row, "id") or "")
            if part == BOILERPLATE and sums[row] > named:
                part = 0
            if not part and (tag in BOILERPLATE_TAGS or page.attr(row, "role") in BOILERPLATE_ROLES):
                part = BOILERPLATE
        parts[row] = part
    return parts


@lru_cache(maxsize=4096)  # names repeat on a page, and on the pages of a site
def _classify_names(class_: str, id_: str) -> int:
    """Return the part an element belongs to, by its class and id."""
    words = {word.lower() for word in NAME_WORD.findall(f"{class_} {id_}")}
    if words & COMMENT_WORDS or words & REPLY_WORDS:
        return COMMENT
    return BOILERPLATE if words & BOILERPLATE_WORDS else 0


def _is_thread(page: Page, parts: list[int], weights: list[int]) -> bool:
    """Whether the elements named as comments are the posts of a thread, and so the main text."""
    comments = sum(weight for owner, weight in zip(page.owners, weights, strict=True) if parts[owner] == COMMENT)
    others = sum(weight for owner, weight in zip(page.owners, weights, strict=True) if not parts[owner])
    return comments > THREAD_RATIO * others


def _clear_parts(page: Page, parts: list[int], weights: list[int]) -> list[int]:
    """Return the weights of blocks, 0 in boilerplate and comments."""
    return [0 if parts[owner] else weight for owner, weight in zip(page.owners, weights, strict=True)]


def _find_region(page: Page, sums: list[int]) -> int:
    """Return the smallest element that, at every step down to it, holds most of the weight."""
    tags, parents = page.tags, page.parents
    heaviest: dict[int, int] = {}  # child, by parent
    for row in range(1, len(sums)):
        if not sums[row] or tags[row] in SINGLE_BLOCK_TAGS:
            continue
        parent = parents[row]
        if parent not in heaviest or sums[row] > sums[heaviest[parent]]:
            heaviest[parent] = row
    region = 0
    while region in heaviest and sums[heaviest[region]] > CHILD_SHARE * sums[region]:
        region = heaviest[region]
    return region
