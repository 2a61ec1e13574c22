"""Pages that are empty until their scripts have run."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bonmun.algorithms import make_method

if TYPE_CHECKING:
    from bonmun.algorithms import Method
    from bonmun.page import Page

__all__ = ["is_shell"]

TEXT_BYTES = 2500  # shown outside of links: with more of it, a page is no shell


def is_shell(page: Page) -> bool:
    """Whether a page has scripts, and the default method finds nothing on it to read.

    Pages with much text are not asked about: that takes as long as to extract them.
    """
    hidden, sizes, linked = page.visibility.hidden_blocks, *page.block_sizes
    shown = sum(size - link for size, link, gone in zip(sizes, linked, hidden, strict=True) if not gone)
    if shown > TEXT_BYTES or not page.has_tag("script"):
        return False
    return not any(_load_method().label(page).kept)


@cache
def _load_method() -> Method:
    return make_method("auto")
