"""Which leaves and blocks of a page readers see: the one place that says what "hidden" means.

A leaf is hidden if its markup hides it (`hidden`, `aria-hidden`, `display: none` …, on its element or one around it).
On a page whose every leaf is hidden that says nothing, since scripts will uncover it: there, no leaf is. A leaf that a
caller has taken out of the page (`Page.without`) is hidden in any case. A block is hidden if all of its leaves are.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel
from bonmun.page.parse.element_bits import HIDDEN, read_bit

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Visibility"]

KERNEL = load_kernel("columns")


class Visibility:
    """What is hidden on a page, without some leaves; never changed, so that nothing kept here can go stale.

    It holds columns of the page, not the page: a page that refers to itself is freed late (docs/decisions/columns.md).
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
        return bool(self._by_markup) and 0 not in self._by_markup

    @cached_property
    def _by_markup(self) -> bytes:
        return read_bit(HIDDEN, self._bits, self._leaf_elements)

    @cached_property
    def hidden_leaves(self) -> bytes:
        """A byte a leaf: 1 if it is hidden, else 0."""
        hidden = bytes(len(self._leaf_elements)) if self.is_covered else self._by_markup
        if self.removed:
            hidden = bytes(each or leaf in self.removed for leaf, each in enumerate(hidden))
        return hidden

    @cached_property
    def shown_leaves(self) -> list[int]:
        """The leaves that are not hidden."""
        return [leaf for leaf, hidden in enumerate(self.hidden_leaves) if not hidden]

    @cached_property
    def hidden_blocks(self) -> list[bool]:
        """Whether each block is hidden."""
        leaves, starts = self.hidden_leaves, self._starts
        if KERNEL and 1 in leaves:
            found: list[bool] = KERNEL.find_hidden(leaves, starts)
            return found
        hidden = [False] * len(starts)
        leaf = leaves.find(1)
        while leaf >= 0:  # from one hidden leaf to the next that stands in another block: on most pages they are few
            row = bisect_right(starts, leaf) - 1
            stop = starts[row + 1] if row + 1 < len(starts) else len(leaves)
            hidden[row] = leaves.find(0, starts[row], stop) < 0
            leaf = leaves.find(1, stop)
        return hidden

    def hides(self, element: int) -> bool:
        """Whether the markup hides an element, with or without text in it."""
        return self._bits[element] & HIDDEN != 0 and not self.is_covered
