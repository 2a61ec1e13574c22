"""Measures that several methods share: link blocks, and the size of an article."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["ARTICLE_SIZE", "find_link_blocks"]

ARTICLE_SIZE = 500  # characters of leaves, or bytes of blocks; less text lowers the confidence
LINK_BLOCK_SHARE = 0.5  # a block with a larger share of link text is a link block


def find_link_blocks(page: Page) -> list[bool]:
    """Return for each block whether it is mostly link text."""
    return [link > LINK_BLOCK_SHARE * size for size, link in zip(*page.block_sizes, strict=True)]
