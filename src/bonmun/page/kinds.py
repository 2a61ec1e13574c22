"""The kinds of blocks: what a reader takes a block for, by the elements that hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

__all__ = ["HEADINGS", "BlockKind", "BlockKinds"]

BlockKind = Literal["paragraph", "heading", "item", "cell", "caption", "quote", "code"]

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
TAGS_OF_KIND: dict[BlockKind, tuple[str, ...]] = {
    "heading": HEADINGS,
    "item": ("li", "dt", "dd"),
    "cell": ("td", "th"),
    "caption": ("figcaption", "caption"),
    "code": ("pre", "listing", "xmp"),
    "quote": ("blockquote",),
}
KIND_OF_TAG = {tag: kind for kind, tags in TAGS_OF_KIND.items() for tag in tags}
# A list or table inside a quote is a list or table; a paragraph inside an item, cell, caption or quote is that.
FLOW = frozenset({"article", "aside", "footer", "form", "header", "main", "nav", "section", "table"})


class BlockKinds:
    """The kind of block that text in an element makes, remembered for the elements that were asked for."""

    def __init__(
        self, tags: Sequence[str], parents: Sequence[int], tables: Sequence[int], layout_tables: Container[int]
    ) -> None:
        self._tags, self._parents, self._tables, self._layout_tables = tags, parents, tables, layout_tables
        self._known: dict[int, BlockKind] = {0: "paragraph"}

    def find(self, element: int) -> BlockKind:
        """The kind that the nearest tag says, its own or one above it."""
        known = self._known
        kind = known.get(element)
        if kind is not None:
            return kind
        path = []
        while element not in known:  # the root's is known
            path.append(element)
            element = self._parents[element]
        kind = known[element]
        for row in reversed(path):
            tag = self._tags[row]
            if tag in KIND_OF_TAG:
                is_layout = KIND_OF_TAG[tag] == "cell" and self._tables[row] in self._layout_tables
                kind = "paragraph" if is_layout else KIND_OF_TAG[tag]
            elif tag in FLOW:
                kind = "paragraph"
            known[row] = kind
        return kind
