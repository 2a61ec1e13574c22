"""Rules without training: where the words are, less what links and names give away.

Three steps. A block weighs as much as it has characters outside of links. The region is the smallest element that holds
most of the page's weight. Within it a block goes if it is mostly links, or stands in a part that is tagged or named as
a menu, a share bar, an advertisement, …; on a page of links, such as a listing, links stay.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from bonmun.labels import Labels
from bonmun.metadata import page_title
from bonmun.page.walk import BLOCK

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["COMMENT", "LINKS", "Region", "Rules", "find_parts", "find_region", "sums_of", "without_threads"]

# Sizes are UTF-8 bytes outside of links: a syllable of Korean or a character of Chinese says as much as three letters.
MOST = 0.7  # the share of an element's weight that makes a child of it the better region
LINKS = 0.5  # a block with a larger share of link text is a link block
LISTING = 0.5  # a region with a larger share of link text is a listing and keeps its link blocks
BY_TAG, BY_NAME = 0.6, 0.2  # a part with a larger share of the page's weight is no boilerplate, whatever it is called
LONG = 60  # a block of this size is a paragraph
THREAD = 2.0  # a page with more comments than this for each byte of other text is a thread: its comments are the text
ENOUGH = 140  # less than this is no main text on a page that also has scripts or as much other text

CONTROLS = frozenset({"button", "select", "textarea"})
LOGIN = 1000  # less than this in a region with a password field is a login wall
BOILERPLATE_TAGS = frozenset({"nav", "footer", "aside", "form", "menu", "dialog"})
ROLES = frozenset({"navigation", "banner", "contentinfo", "complementary", "search", "dialog", "menu"})
# Parts of class and id names, which sites in every language write in English.
BOILERPLATE = frozenset(
    (
        "nav navi navbar navigation gnb lnb snb menu sidebar side aside foot footer breadcrumb breadcrumbs crumb "
        "crumbs share sharing sns social related relate recommend recommended recommendation recommendations more "
        "popular ranking rank trending banner ad ads adsense advert advertisement advertising sponsor sponsored promo "
        "promotion cookie cookies consent gdpr popup modal overlay newsletter subscribe subscription login signin "
        "signup toolbar tool tools paging pagination pager tag tags taglist hashtag widget copyright byline meta "
        "metadata skip print search toc reporter author profile bio "
    ).split()
)
COMMENTS = frozenset("comment comments commentlist respond disqus reply replies livere cmt".split())
WORD = re.compile("[A-Z]?[a-z]+|[A-Z]+")  # of names such as postBody, post-body and POST_BODY
PART, COMMENT = 1, 2


class Region(NamedTuple):
    """The main region: the smallest element that, at every step down to it, holds most of the text outside of links."""

    bytes: int
    share: float  # of the page's
    listing: bool
    path: str


class Rules:
    """Link density, text length and position, over blocks."""

    def label(self, page: Page) -> Labels:
        """Label the blocks."""
        (sizes, links), hidden = page.block_sizes, page.hidden_blocks
        plain = [0 if gone else size - link for size, link, gone in zip(sizes, links, hidden, strict=True)]
        parts = without_threads(page, find_parts(page, sums_of(page, plain)), plain)
        weights = [0 if parts[owner] else size for owner, size in zip(page.owners, plain, strict=True)]
        if not any(weights):  # nothing but links: then they are the text
            weights = [0 if parts[owner] else size for owner, size in zip(page.owners, sizes, strict=True)]
        sums = sums_of(page, weights)
        region = find_region(page, sums)
        inside = page.within(region)

        near = [i for i, owner in enumerate(page.owners) if inside[owner] and not parts[owner] and not hidden[i]]
        listing = sum(links[i] for i in near) > LISTING * (sum(sizes[i] for i in near) or 1)
        first = next((i for i in near if sizes[i] - links[i] >= LONG), -1)
        title = (page_title(page) or "").casefold()

        reasons: list[str] = []
        for i, owner in enumerate(page.owners):
            heading = page.tags[owner] in HEADINGS
            if hidden[i]:
                reason = "hidden"
            elif parts[owner] == COMMENT:
                reason = "comment"
            elif not inside[owner]:
                reason = "outside the main region"
            elif parts[owner]:
                reason = "in a part named as boilerplate"
            elif heading and page.block_texts[i].casefold() == title:
                reason = "the title"
            elif links[i] > LINKS * sizes[i] and not listing and not heading:
                reason = "mostly links"
            elif i < first and not heading and not listing:
                reason = "short, before the text"
            else:
                reason = KEPT
            reasons.append(reason)
        _drop_lone_headings(page, reasons)
        kept = [reason is KEPT for reason in reasons]
        size = sum(size for size, keep in zip(sizes, kept, strict=True) if keep)
        if (size < ENOUGH and ("script" in page.tags or size * 2 < sum(sizes))) or (
            size < LOGIN and _asks_password(page, inside)
        ):
            kept = [False] * len(kept)
            reasons = ["too little text on the page" if reason is KEPT else reason for reason in reasons]
        # a kept block scores over a half, and the more the longer it is and the fewer links it has
        worth = [(1 - link / size) * min(0.5, size / LONG / 2) for size, link in zip(sizes, links, strict=True)]
        scores = [0.5 + value if keep else value for value, keep in zip(worth, kept, strict=True)]
        comments = frozenset(i for i, reason in enumerate(reasons) if reason == "comment")
        # sure of much text that makes up most of what might be text
        confidence = min(1.0, size / 1000) * min(1.0, size / (sum(plain) or 1)) if any(kept) else 0.0
        found = Region(
            sums[region], sums[region] / sums[0] if sums and sums[0] else 0.0, listing, page.tag_path(region)
        )
        return Labels(
            "rules",
            "block",
            scores,
            kept,
            reasons,
            confidence,
            comments,
            "listing" if listing and size else None,
            evidence=[found] if reasons else [],
        )


SINGLE = frozenset(
    {"p", "li", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd"}
)  # one piece, never the whole text
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
KEPT = "text in the main region"


def sums_of(page: Page, weights: list[int]) -> list[int]:
    """The weight of all blocks in each element, however deep."""
    sums = [0] * len(page.tags)
    for owner, weight in zip(page.owners, weights, strict=True):
        sums[owner] += weight
    parents = page.parents
    for row in range(len(sums) - 1, 0, -1):
        sums[parents[row]] += sums[row]
    return sums


def find_parts(page: Page, sums: list[int]) -> list[int]:
    """Which elements stand in boilerplate or comments, by tag, role or name; never most of the page."""
    by_tag, by_name = sums[0] * BY_TAG, sums[0] * BY_NAME
    tags, parents, bits = page.tags, page.parents, page.bits
    parts = [0] * len(tags)
    for row in page.around(page.owners):
        tag, part = tags[row], parts[parents[row]] if row else 0
        if tag in CONTROLS:
            part = PART
        elif not part and bits[row] & BLOCK and sums[row] <= by_tag:
            part = _named(page.attr(row, "class") or "", page.attr(row, "id") or "")
            if part == PART and sums[row] > by_name:
                part = 0
            if not part and (tag in BOILERPLATE_TAGS or page.attr(row, "role") in ROLES):
                part = PART
        parts[row] = part
    return parts


def without_threads(page: Page, parts: list[int], weights: list[int]) -> list[int]:
    """The parts, but on a thread, whose posts are the text, without comments."""
    said = sum(size for owner, size in zip(page.owners, weights, strict=True) if parts[owner] == COMMENT)
    if said > THREAD * sum(size for owner, size in zip(page.owners, weights, strict=True) if not parts[owner]):
        return [0 if part == COMMENT else part for part in parts]
    return parts


@lru_cache(maxsize=4096)  # pages, and the pages of a site, repeat their names
def _named(class_: str, id_: str) -> int:
    words = {word.lower() for word in WORD.findall(f"{class_} {id_}")}
    return COMMENT if words & COMMENTS else PART if words & BOILERPLATE else 0


def find_region(page: Page, sums: list[int]) -> int:
    """The smallest element that, at every step down to it, holds most of the weight."""
    heaviest: dict[int, int] = {}
    for row in range(1, len(sums)):
        parent = page.parents[row]
        if (parent not in heaviest or sums[row] > sums[heaviest[parent]]) and page.tags[row] not in SINGLE:
            heaviest[parent] = row
    region = 0
    while region in heaviest and sums[heaviest[region]] > MOST * sums[region]:
        region = heaviest[region]
    return region


def _asks_password(page: Page, inside: list[bool]) -> bool:
    fields = (row for row, tag in enumerate(page.tags) if tag == "input" and inside[row])
    return any(page.attr(row, "type") == "password" for row in fields)


def _drop_lone_headings(page: Page, reasons: list[str]) -> None:
    """A heading stays only if text follows it before the next heading of its rank or the end."""
    text_since = False
    for i in range(len(reasons) - 1, -1, -1):
        if page.tags[page.owners[i]] in HEADINGS:
            if reasons[i] is KEPT and not text_since:
                reasons[i] = "a heading without text"
            elif reasons[i] is not KEPT:
                text_since = False
        elif reasons[i] is KEPT:
            text_since = True
