"""One page: bytes → text (decode) → tree and columns (walk) → `Page` with its leaves and blocks."""

from bonmun.page.page import Page
from bonmun.page.views import Block, Leaf, Rows

__all__ = ["Block", "Leaf", "Page", "Rows"]
