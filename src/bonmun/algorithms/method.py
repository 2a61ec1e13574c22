"""The interface of a method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bonmun.labels import Labels
    from bonmun.page import Page

__all__ = ["Method"]


class Method(Protocol):
    """Labels the leaves or blocks of a page, without changing the page."""

    def label(self, page: Page) -> Labels:
        """Decide for each leaf or block whether it is main text, with a reason."""
