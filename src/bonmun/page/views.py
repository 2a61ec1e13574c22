"""Leaves and blocks as objects: views of the columns of a page, created on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar, overload

if TYPE_CHECKING:
    from bonmun.page.parse.columns import PageColumns
    from bonmun.page.parse.kinds import BlockKind

__all__ = ["Block", "Leaf", "Rows"]

Row = TypeVar("Row", covariant=True)


class Leaf:
    """One non-empty text node of a page.

    Attributes:
        page: The page that the leaf belongs to.
        index: Index of the leaf in `page.leaves`.
    """

    __slots__ = ("index", "page")

    def __init__(self, page: PageColumns, index: int) -> None:
        self.page = page
        self.index = index

    def __repr__(self) -> str:
        return f"<Leaf {self.index} {self.page.tags[self.element]}: {self.text[:60]!r}>"

    @property
    def text(self) -> str:
        """Text of the leaf, with whitespace collapsed."""
        return self.page.texts[self.index]

    @property
    def element(self) -> int:
        """Index of the parent element."""
        return self.page.leaf_elements[self.index]

    @property
    def depth(self) -> int:
        """Depth of the parent element: the number of tags on its path."""
        return self.page.depths[self.element]

    @property
    def in_link(self) -> bool:
        """Whether the leaf is inside an `<a>` element."""
        return bool(self.page.linked_leaves[self.index])

    @property
    def hidden(self) -> bool:
        """Whether readers cannot see the leaf (see visibility.py)."""
        return bool(self.page.visibility.hidden_leaves[self.index])

    @property
    def tag_path(self) -> str:
        """Tags from the root to the parent element, such as `html/body/div/p`."""
        return self.page.tag_path(self.element)

    @property
    def xpath(self) -> str:
        """XPath of the text node."""
        path, number = self.page.xpath(self.element), self.page.places.text_numbers[self.index]
        return f"{path}/text()[{number}]" if number else path


class Block:
    """A run of leaves that a reader sees as one piece of text.

    A block is a paragraph, a heading, a list item, a table cell, a caption, a quote, a whole `<pre>`, or one of the
    paragraphs separated by `<br><br>`. Inline markup never splits a block.

    Attributes:
        page: The page that the block belongs to.
        index: Index of the block in `page.blocks`.
    """

    __slots__ = ("index", "page")

    def __init__(self, page: PageColumns, index: int) -> None:
        self.page = page
        self.index = index

    def __repr__(self) -> str:
        return f"<Block {self.index} {self.kind}: {self.text[:60]!r}>"

    @property
    def text(self) -> str:
        """Text of the block, with whitespace collapsed; `<br>` and line breaks in a `<pre>` become line breaks."""
        return self.page.block_texts[self.index]

    @property
    def start(self) -> int:
        """Index of the first leaf."""
        return self.page.starts[self.index]

    @property
    def stop(self) -> int:
        """Index after the last leaf."""
        return self.page.stops[self.index]

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Leaves of the block, in document order."""
        return tuple(Leaf(self.page, leaf) for leaf in range(self.start, self.stop))

    @property
    def element(self) -> int:
        """Index of the element that contains the block: the nearest one that starts a line."""
        return self.page.owners[self.index]

    @property
    def kind(self) -> BlockKind:
        """Kind of the block: "paragraph", "heading", "item", "cell", "caption", "quote", "code" or "formula"."""
        return self.page.find_kind(self.index)

    @property
    def hidden(self) -> bool:
        """Whether readers cannot see any of the block (see visibility.py)."""
        return self.page.hidden_blocks[self.index]

    def shown_leaves(self) -> Sequence[int]:
        """Return the indices of the visible leaves, or of all leaves if none is visible."""
        hidden, leaves = self.page.visibility.hidden_leaves, range(self.start, self.stop)
        if hidden.find(1, self.start, self.stop) < 0:
            return leaves
        return [leaf for leaf in leaves if not hidden[leaf]] or leaves

    def pieces(self, leaves: Sequence[int]) -> list[tuple[int, str, str]]:
        """Return leaves of the block as (leaf, joint, text); `joint` is "", a space or a line break before the leaf."""
        page = self.page
        first = leaves[0]
        pieces = [(first, "", page.raws.get(first) or page.texts[first])]
        for last, leaf in pairwise(leaves):
            if leaf == last + 1:
                joint = page.joints[leaf] or ""
            else:
                joint = max((page.joints[i] or "" for i in range(last + 1, leaf + 1)), key=len)
            pieces.append((leaf, joint, page.raws.get(leaf) or page.texts[leaf]))
        return pieces

    @property
    def shown_text(self) -> str:
        """Text of the visible leaves, or of all leaves if none is visible."""
        leaves = self.shown_leaves()
        if len(leaves) == self.stop - self.start:
            return self.text
        return "".join(joint + text for _, joint, text in self.pieces(leaves))

    @property
    def link_share(self) -> float:
        """Share of the characters that are inside links, from 0 to 1."""
        texts, linked = self.page.texts, self.page.linked_leaves
        rows = range(self.start, self.stop)
        return sum(len(texts[i]) for i in rows if linked[i]) / sum(len(texts[i]) for i in rows)

    @property
    def tag_path(self) -> str:
        """Tags from the root to the element of the block, such as `html/body/div/p`."""
        return self.page.tag_path(self.element)

    @property
    def xpath(self) -> str:
        """XPath of the element of the block or, if it contains several blocks, of the first leaf."""
        page = self.page
        if page.block_counts[self.element] == 1:
            return page.xpath(self.element)
        return Leaf(page, self.start).xpath


class Rows(Sequence[Row]):
    """A sequence whose items are created on demand. If the page stored them, it would be part of a reference cycle."""

    __slots__ = ("_length", "_make")

    def __init__(self, make: Callable[[int], Row], length: int) -> None:
        self._make: Callable[[int], Row] = make
        self._length = length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, index: int | slice) -> Row | tuple[Row, ...]:
        rows = range(self._length)[index]
        return tuple(map(self._make, rows)) if isinstance(rows, range) else self._make(rows)

    def __iter__(self) -> Iterator[Row]:
        return map(self._make, range(self._length))

    def __repr__(self) -> str:
        return f"<{self._length} rows>"
