"""`all`: every block that is shown. A baseline for other methods, and a way to see a page as blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.labels import Labels

if TYPE_CHECKING:
    from bonmun.page import Page

__all__ = ["Everything"]


class Everything:
    """Keeps every block that is not hidden."""

    def label(self, page: Page) -> Labels:
        """Label the blocks."""
        kept = [not hidden for hidden in page.hidden_blocks]
        reasons = ["shown" if keep else "hidden" for keep in kept]
        return Labels("all", "block", [float(keep) for keep in kept], kept, reasons, confidence=0.0)
