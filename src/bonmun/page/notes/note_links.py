"""The leaves of a page that may refer to a note: short links."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["REFERENCE_CHARS", "find_short_links"]

REFERENCE_CHARS = 10  # in a link that refers to a note, at most


def find_short_links(page: Page, leaves: Sequence[int]) -> list[int]:
    """Those of some leaves that stand in a link and have few characters."""
    linked, texts = page.linked_leaves, page.texts
    return [leaf for leaf in leaves if linked[leaf] and len(texts[leaf]) <= REFERENCE_CHARS]
