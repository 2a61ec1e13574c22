"""Which leaves and blocks of a page are hidden from readers.

A leaf is hidden if the markup hides its element or an ancestor (`hidden`, `aria-hidden`, `display: none`,
`left: -9999px` …). If the markup hides every leaf, scripts will show them later, so none counts as hidden. A leaf that
a caller has removed (`Page.without`) is always hidden. A block is hidden if all its leaves are hidden.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel
from bonmun.page.parse.element_bits import HIDDEN, read_bit
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Visibility"]

KERNEL = load_kernel("columns")


class Visibility:
    """The hidden leaves and blocks of a page. It never changes, so its cached values never become stale.

    It stores columns of the page but not the page itself, which would be a reference cycle (docs/decisions/columns.md).
    """

    def __init__(
        self, bits: list[int], leaf_elements: list[int], starts: list[int], removed: frozenset[int] = frozenset()
    ) -> None:
        self.removed = removed  # leaves
        self._bits, self._leaf_elements, self._starts = bits, leaf_elements, starts

    def without(self, leaves: Iterable[int]) -> Visibility:
        """Return the same visibility with more leaves removed."""
        return Visibility(self._bits, self._leaf_elements, self._starts, self.removed.union(leaves))

    @cached_property
    def is_all_hidden(self) -> bool:
        """Whether the markup hides every leaf, so that it is ignored."""
        return bool(self._by_markup) and 0 not in self._by_markup

    @cached_property
    def _by_markup(self) -> bytes:
        return read_bit(HIDDEN, self._bits, self._leaf_elements)

    @cached_property
    def hidden_leaves(self) -> bytes:
        """One byte per leaf: 1 if it is hidden, else 0."""
        hidden = bytes(len(self._leaf_elements)) if self.is_all_hidden else self._by_markup
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
        while leaf >= 0:  # jump from one hidden leaf to the next in another block; most pages have few
            row = bisect_right(starts, leaf) - 1
            stop = starts[row + 1] if row + 1 < len(starts) else len(leaves)
            hidden[row] = leaves.find(0, starts[row], stop) < 0
            leaf = leaves.find(1, stop)
        return hidden

    def hides(self, element: int) -> bool:
        """Return whether the markup hides an element, with or without text."""
        return self._bits[element] & HIDDEN != 0 and not self.is_all_hidden
