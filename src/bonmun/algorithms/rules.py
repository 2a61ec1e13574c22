"""`rules`: heuristics without training, over text length, links and element names.

Three steps. The weight of a block is its bytes outside of links. The main region is the smallest element that holds
most of the page's weight. In it, a block is dropped if it is mostly links, or if it is in an element that is tagged or
named as a menu, share bar, advertisement and so on. On a page of links, such as a listing, links are kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bonmun.algorithms.regions import COMMENT, find_main_region
from bonmun.algorithms.sizes import find_link_blocks
from bonmun.labels import Labels
from bonmun.markup import HEADINGS
from bonmun.metadata import guess_title

if TYPE_CHECKING:
    from bonmun.algorithms.regions import MainRegion
    from bonmun.page import Page

__all__ = ["Region", "Rules"]

# Sizes are UTF-8 bytes, because a Korean syllable or a Chinese character carries as much information as three letters.
LISTING_SHARE = 0.5  # a region with a larger share of link text is a listing and keeps its link blocks
MIN_PARAGRAPH_BYTES = 60
MIN_TEXT_BYTES = 140  # of main text, on a page that also has scripts or as much other text
MAX_LOGIN_BYTES = 1000  # of a region with a password field that is a login wall
FULL_CONFIDENCE_BYTES = 1000  # less text lowers the confidence

HEADING_TAGS = frozenset(HEADINGS)  # a set, because it is looked up for every block
KEPT_REASON = "text in the main region"
COMMENT_REASON = "comment"


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
        region = find_main_region(page, plain, otherwise=sizes)  # on a page of nothing but links they are the text
        near = _find_blocks(page, region)
        listing = sum(links[row] for row in near) > LISTING_SHARE * (sum(sizes[row] for row in near) or 1)

        reasons = _find_reasons(page, region, near, listing=listing)
        _drop_lone_headings(page, reasons)
        size = sum(size for size, reason in zip(sizes, reasons, strict=True) if reason is KEPT_REASON)
        if _has_too_little_text(page, region, size):
            reasons = ["too little text on the page" if reason is KEPT_REASON else reason for reason in reasons]

        kept = [reason is KEPT_REASON for reason in reasons]
        # high for a long text that is most of the page's text outside of links
        confidence = min(1.0, size / FULL_CONFIDENCE_BYTES) * min(1.0, size / (sum(plain) or 1)) if any(kept) else 0.0
        return Labels(
            "rules",
            "block",
            _score_blocks(page, kept),
            kept,
            reasons,
            confidence,
            comments=frozenset(row for row, reason in enumerate(reasons) if reason is COMMENT_REASON),
            kind="listing" if listing and size else None,
            evidence=[_describe_region(page, region, listing=listing)] if reasons else [],
        )


def _find_blocks(page: Page, region: MainRegion) -> list[int]:
    """Return the blocks of the region that are shown and not in boilerplate or comments."""
    inside, parts, hidden = region.inside, region.parts, page.hidden_blocks
    return [row for row, owner in enumerate(page.owners) if inside[owner] and not parts[owner] and not hidden[row]]


def _find_reasons(page: Page, region: MainRegion, near: list[int], *, listing: bool) -> list[str]:
    """Return a reason for each block; the first check that applies decides."""
    (sizes, links), hidden, linked = page.block_sizes, page.hidden_blocks, find_link_blocks(page)
    tags, texts, parts, inside = page.tags, page.block_texts, region.parts, region.inside
    title = (guess_title(page) or "").casefold()
    first = next((row for row in near if sizes[row] - links[row] >= MIN_PARAGRAPH_BYTES), 0)

    def find_reason(row: int, owner: int) -> str:
        if hidden[row]:
            return "hidden"
        if parts[owner] == COMMENT:
            return COMMENT_REASON
        if not inside[owner]:
            return "outside the main region"
        if parts[owner]:
            return "in a part named as boilerplate"
        if tags[owner] in HEADING_TAGS:
            return "the title" if texts[row].casefold() == title else KEPT_REASON
        if linked[row] and not listing:
            return "mostly links"
        if row < first and not listing:
            return "short, before the text"
        return KEPT_REASON

    return [find_reason(row, owner) for row, owner in enumerate(page.owners)]


def _drop_lone_headings(page: Page, reasons: list[str]) -> None:
    """Drop headings that no kept text follows before the next dropped heading or the end."""
    tags, owners = page.tags, page.owners
    text_since = False
    for row in range(len(reasons) - 1, -1, -1):
        is_kept = reasons[row] is KEPT_REASON
        if tags[owners[row]] not in HEADING_TAGS:
            text_since = text_since or is_kept
        elif not is_kept:
            text_since = False
        elif not text_since:
            reasons[row] = "a heading without text"


def _has_too_little_text(page: Page, region: MainRegion, size: int) -> bool:
    """Whether the page is an empty shell, an error page or a login wall, because only `size` bytes are kept."""
    if size < MIN_TEXT_BYTES and ("script" in page.tag_names or size * 2 < sum(page.block_sizes.sizes)):
        return True
    return size < MAX_LOGIN_BYTES and _asks_password(page, region.inside)


def _asks_password(page: Page, inside: list[bool]) -> bool:
    fields = (row for row, tag in enumerate(page.tags) if tag == "input" and inside[row])
    return any(page.attr(row, "type") == "password" for row in fields)


def _score_blocks(page: Page, kept: list[bool]) -> list[float]:
    """Score blocks by length and share of links, from 0 to 0.5; kept blocks get 0.5 more."""
    worth = [
        (1 - link / size) * min(0.5, size / MIN_PARAGRAPH_BYTES / 2)
        for size, link in zip(*page.block_sizes, strict=True)
    ]
    return [0.5 + value if keep else value for value, keep in zip(worth, kept, strict=True)]


def _describe_region(page: Page, region: MainRegion, *, listing: bool) -> Region:
    weight, whole = region.sums[region.element], region.sums[0]
    return Region(weight, weight / whole if whole else 0.0, listing, page.tag_path(region.element))
