"""Items in attributes of elements: the walk that microdata, RDFa and microformats share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.objects.markup.items import MAX_TEXT_CHARS, Item
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bonmun.objects.markup.items import ItemValue
    from bonmun.page import Page

__all__ = ["ElementTexts", "MarkedElement", "collect_items", "find_spans"]

MAX_MARKED = 5_000  # elements with a property that are read
MAX_PAGE_CHARS = 1_000_000  # of all values together: properties may be nested


@dataclass(slots=True)
class MarkedElement:
    """What the attributes of an element say."""

    names: Sequence[str]  # properties that it is the value of
    types: frozenset[str] | None  # if it is an item
    read: Callable[[ElementTexts], ItemValue]  # returns its value if it is not an item


class ElementTexts:
    """Texts of elements, within a limit for all of them together."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.left = MAX_PAGE_CHARS

    @cached_property
    def _spans(self) -> tuple[list[int], list[int]]:
        """First leaf of each element, and the leaf after its last."""
        return find_spans(self.page)

    def find_leaves(self, row: int) -> range:
        """Return the leaves of an element."""
        first, last = self._spans
        return range(first[row], last[row])

    def read(self, row: int) -> str:
        """Return the text of an element; each block is a line."""
        page, pieces, size = self.page, list[str](), 0
        for leaf in self.find_leaves(row):
            joint = page.joints[leaf]
            pieces.append(("\n" if joint is None else joint) + page.texts[leaf])
            size += len(pieces[-1])
            if size > min(MAX_TEXT_CHARS, self.left):
                break
        self.left -= size
        return "".join(pieces).strip()


def find_spans(page: Page) -> tuple[list[int], list[int]]:
    """Return the first leaf of each element, and the leaf after its last."""
    size = len(page.tags)
    first, last = [len(page.texts)] * size, [0] * size
    for leaf, element in enumerate(page.leaf_elements):
        if leaf < first[element]:
            first[element] = leaf
        last[element] = leaf + 1
    for row in range(size - 1, 0, -1):
        parent = page.parents[row]
        if first[row] < first[parent]:
            first[parent] = first[row]
        if last[row] > last[parent]:
            last[parent] = last[row]
    return first, last


def collect_items(
    page: Page, marked: Mapping[int, MarkedElement], source: str, moved: Mapping[int, int] | None = None
) -> list[Item]:
    """Return the items of a page, in document order.

    Args:
        page: The page.
        marked: Items and properties by element, in document order.
        source: Name of the syntax.
        moved: Elements that belong to another item than the one around them (`itemref`), with that item.
    """
    texts = ElementTexts(page)
    items = {row: Item(each.types, source, row=row) for row, each in marked.items() if each.types is not None}
    if not items:
        return []
    around: list[int] = []  # innermost item around each element
    for row, parent in enumerate(page.parents):
        outer = parent if parent in items else around[parent] if parent >= 0 else -1
        around.append(moved.get(row, outer) if moved else outer)
    for row, each in marked.items():
        owner = items.get(around[row])
        if owner is not None and each.names:
            value = items.get(row) or each.read(texts)
            if value != "":
                for name in each.names:
                    owner.properties.setdefault(name, []).append(value)
    return list(items.values())
