"""Which leaves and blocks of a page readers see: the one place that says what "hidden" means.

A leaf is hidden if its markup hides it (`hidden`, `aria-hidden`, `display: none` …, on its element or one around it).
On a page whose every leaf is hidden that says nothing, since scripts will uncover it: there, no leaf is. A leaf that a
caller has taken out of the page (`Page.without`) is hidden in any case. A block is hidden if all of its leaves are.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bonmun.page.walk import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Visibility"]


class Visibility:
    """What is hidden on a page, without some leaves; never changed, so that nothing kept here can go stale.

    It holds columns of the page but not the page: a page that held itself would stay in memory (see ARCHITECTURE.md).
    """

    def __init__(
        self, bits: list[int], leaf_elements: list[int], starts: list[int], removed: frozenset[int] = frozenset()
    ) -> None:
        self.removed = removed  # leaves
        self._bits, self._leaf_elements, self._starts = bits, leaf_elements, starts

    def without(self, leaves: Iterable[int]) -> Visibility:
        """The same with more leaves taken out."""
        return Visibility(self._bits, self._leaf_elements, self._starts, self.removed.union(leaves))

    @cached_property
    def is_covered(self) -> bool:
        """Whether the markup hides every leaf, so that hiding says nothing."""
        return bool(self._by_markup) and all(self._by_markup)

    @cached_property
    def _by_markup(self) -> list[bool]:
        bits = self._bits
        return [bits[element] & HIDDEN != 0 for element in self._leaf_elements]

    @cached_property
    def hidden_leaves(self) -> list[bool]:
        """Whether each leaf is hidden."""
        hidden = [False] * len(self._leaf_elements) if self.is_covered else self._by_markup
        if self.removed:
            hidden = [each or leaf in self.removed for leaf, each in enumerate(hidden)]
        return hidden

    @cached_property
    def shown_leaves(self) -> list[int]:
        """The leaves that are not hidden."""
        return [leaf for leaf, hidden in enumerate(self.hidden_leaves) if not hidden]

    @cached_property
    def hidden_blocks(self) -> list[bool]:
        """Whether each block is hidden."""
        leaves, starts = self.hidden_leaves, self._starts
        if True not in leaves:
            return [False] * len(starts)
        stops = [*starts[1:], len(leaves)]
        return [False not in leaves[start:stop] for start, stop in zip(starts, stops, strict=True)]

    def hides(self, element: int) -> bool:
        """Whether the markup hides an element, with or without text in it."""
        return self._bits[element] & HIDDEN != 0 and not self.is_covered
