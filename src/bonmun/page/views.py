"""Leaves and blocks as records: views of a page's columns, made when asked for."""

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
    """One non-empty text node of a page: a view of its columns."""

    __slots__ = ("index", "page")

    def __init__(self, page: PageColumns, index: int) -> None:
        self.page = page
        self.index = index

    def __repr__(self) -> str:
        return f"<Leaf {self.index} {self.page.tags[self.element]}: {self.text[:60]!r}>"

    @property
    def text(self) -> str:
        """Its text, white space folded."""
        return self.page.texts[self.index]

    @property
    def element(self) -> int:
        """The element whose text node it is."""
        return self.page.leaf_elements[self.index]

    @property
    def depth(self) -> int:
        """The depth of its element: the number of tags on its path."""
        return self.page.depths[self.element]

    @property
    def in_link(self) -> bool:
        """Whether an `<a>` is among its ancestors."""
        return bool(self.page.linked_leaves[self.index])

    @property
    def hidden(self) -> bool:
        """Whether readers do not see it (see visibility.py)."""
        return bool(self.page.visibility.hidden_leaves[self.index])

    @property
    def tag_path(self) -> str:
        """The tags from the root down to its element: `html/body/div/p`."""
        return self.page.tag_path(self.element)

    @property
    def xpath(self) -> str:
        """Its place: the path of its text node."""
        path, number = self.page.xpath(self.element), self.page.places.text_numbers[self.index]
        return f"{path}/text()[{number}]" if number else path


class Block:
    """What a reader sees as one piece of a page: a view of its columns.

    A paragraph, a heading, a list item, a table cell, a caption, a quote, a `<pre>` with its lines, one of the
    paragraphs that `<br><br>` sets apart. Inline markup never splits a block: the walk has given every leaf a joint to
    the leaf before it, and a block is a run of joined leaves.
    """

    __slots__ = ("index", "page")

    def __init__(self, page: PageColumns, index: int) -> None:
        self.page = page
        self.index = index

    def __repr__(self) -> str:
        return f"<Block {self.index} {self.kind}: {self.text[:60]!r}>"

    @property
    def text(self) -> str:
        """Its text, white space folded; `<br>` and the lines of a `<pre>` are line breaks."""
        return self.page.block_texts[self.index]

    @property
    def start(self) -> int:
        """The index of its first leaf."""
        return self.page.starts[self.index]

    @property
    def stop(self) -> int:
        """One past the index of its last leaf."""
        return self.page.stops[self.index]

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Its leaves, in document order."""
        return tuple(Leaf(self.page, leaf) for leaf in range(self.start, self.stop))

    @property
    def element(self) -> int:
        """The element that holds it: the nearest one that starts a line."""
        return self.page.owners[self.index]

    @property
    def kind(self) -> BlockKind:
        """What a reader takes it for."""
        return self.page.find_kind(self.index)

    @property
    def hidden(self) -> bool:
        """Whether readers see none of it (see visibility.py)."""
        return self.page.hidden_blocks[self.index]

    def shown_leaves(self) -> Sequence[int]:
        """The numbers of its leaves, without hidden ones unless all are."""
        hidden, leaves = self.page.visibility.hidden_leaves, range(self.start, self.stop)
        if hidden.find(1, self.start, self.stop) < 0:
            return leaves
        return [leaf for leaf in leaves if not hidden[leaf]] or leaves

    def pieces(self, leaves: Sequence[int]) -> list[tuple[int, str, str]]:
        """Some of its leaves with what joins each to the one before ("", a space or a line break), and their texts."""
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
        """Its text without hidden leaves, unless all are."""
        leaves = self.shown_leaves()
        if len(leaves) == self.stop - self.start:
            return self.text
        return "".join(joint + text for _, joint, text in self.pieces(leaves))

    @property
    def link_share(self) -> float:
        """The share of its characters that stand in links."""
        texts, linked = self.page.texts, self.page.linked_leaves
        rows = range(self.start, self.stop)
        return sum(len(texts[i]) for i in rows if linked[i]) / sum(len(texts[i]) for i in rows)

    @property
    def tag_path(self) -> str:
        """The tags from the root down to its element: `html/body/div/p`."""
        return self.page.tag_path(self.element)

    @property
    def xpath(self) -> str:
        """Its place: the path of its element or, where that holds several blocks, of its first leaf."""
        page = self.page
        if page.block_counts[self.element] == 1:
            return page.xpath(self.element)
        return Leaf(page, self.start).xpath


class Rows(Sequence[Row]):
    """A sequence whose records are made when asked for: a page that held them would hold itself, and stay in memory."""

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
