"""Choose `needs` of a rule: a name that all pages of a layout have, and no other page of the site."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.learn.studied import StudiedPage

__all__ = ["choose_marker"]

MIN_SHARE = 0.95  # of the pages of the layout that have the name


def choose_marker(pages: Sequence[StudiedPage], others: Sequence[StudiedPage]) -> tuple[str, list[StudiedPage]]:
    """Return the selector of a name, and the other pages that have it, too; "" if the pages share no name.

    Names of elements around most of the page come before others: `body.article` says what a page is.
    """
    counts = Counter(name for page in pages for name in page.names)
    shared = {name for name, count in counts.items() if count >= MIN_SHARE * len(pages)}
    foreign = Counter(name for page in others for name in page.names if name in shared)
    sizes = {name: max(page.names.get(name, 0) for page in pages) for name in shared}
    best = min(shared, key=lambda name: (foreign[name], sizes[name], len(name), name), default="")
    return best, [page for page in others if best in page.names]
