"""Find short links, which may be references to notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page.page import Page

__all__ = ["MAX_REFERENCE_CHARS", "find_short_links"]

MAX_REFERENCE_CHARS = 10  # length of a link that refers to a note


def find_short_links(page: Page, leaves: Sequence[int]) -> list[int]:
    """Return those of the leaves that are short and inside a link."""
    linked, texts = page.linked_leaves, page.texts
    return [leaf for leaf in leaves if linked[leaf] and len(texts[leaf]) <= MAX_REFERENCE_CHARS]
