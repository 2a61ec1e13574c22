"""Parsed pages: decode bytes, parse the HTML, and split the text into leaves and blocks."""

from bonmun.page.page import Page
from bonmun.page.views import Block, Leaf, Rows

__all__ = ["Block", "Leaf", "Page", "Rows"]
