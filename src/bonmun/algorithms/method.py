"""What a method is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bonmun.labels import Labels
    from bonmun.page import Page

__all__ = ["Method"]


class Method(Protocol):
    """Anything that labels a page; it changes nothing."""

    def label(self, page: Page) -> Labels:
        """Say for each leaf or block whether it is main text, and why."""
