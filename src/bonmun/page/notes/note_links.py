"""Find short links, which may be references to notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.page.parse.columns import MAX_REFERENCE_CHARS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["MAX_REFERENCE_CHARS", "find_short_links"]


def find_short_links(page: Page, leaves: Sequence[int]) -> list[int]:
    """Return those of the leaves that are short and inside a link."""
    short = page.short_links
    return [leaf for leaf in leaves if short[leaf]] if 1 in short else []
