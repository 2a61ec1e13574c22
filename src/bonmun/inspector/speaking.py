"""Which features spoke most for and against a block, under the method auto."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["find_speaking"]


def find_speaking(page: Page, block: int, model: str | None = None) -> dict[str, Any]:
    """The features by how much the block's probability would change without each: up to five for, five against."""
    return {"block": block, "for": [], "against": []}
