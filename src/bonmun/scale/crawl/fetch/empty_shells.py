"""Recognise pages that are empty until their scripts have run."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bonmun.algorithms import make_method

if TYPE_CHECKING:
    from bonmun.algorithms import Method
    from bonmun.page import Page

__all__ = ["is_shell"]

MAX_SHELL_TEXT_BYTES = 2500  # of visible text outside links


def is_shell(page: Page) -> bool:
    """Return whether a page has scripts and the default method finds no main text on it.

    The method is not run on pages with much text, because that takes as long as extracting them.
    """
    hidden, sizes, linked = page.visibility.hidden_blocks, *page.block_sizes
    visible = sum(size - link for size, link, is_hidden in zip(sizes, linked, hidden, strict=True) if not is_hidden)
    if visible > MAX_SHELL_TEXT_BYTES or not page.has_tag("script"):
        return False
    return not any(_load_method().label(page).kept)


@cache
def _load_method() -> Method:
    return make_method("auto")
