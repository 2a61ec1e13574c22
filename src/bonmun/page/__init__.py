"""One page: bytes → text (decode) → tree and columns (walk) → `Page` with its leaves and blocks."""

from bonmun.page.blocks import Block
from bonmun.page.page import Leaf, Page, Rows

__all__ = ["Block", "Leaf", "Page", "Rows"]
