"""A page's columns with all that can be worked out from them: paths, tables, kinds, sizes, what is hidden.

Each is made when it is asked for and then kept, since most pages are never asked for all of them.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from bonmun.bounds import MAX_PATH_DEPTH, MAX_TAG_CHARS
from bonmun.page.parse.ancestors import climb, climb_all
from bonmun.page.parse.element_bits import LINK, read_bit
from bonmun.page.parse.inherited_columns import find_around, find_kinds, list_names
from bonmun.page.parse.table_roles import CELLS, find_layout_tables, number_cells
from bonmun.page.parse.visibility import Visibility
from bonmun.page.parse.walk_tables import Columns
from bonmun.page.parse.xpaths import Places

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turbohtml import Document as Tree

    from bonmun.page.parse.kinds import BlockKind

__all__ = ["BlockSizes", "PageColumns"]


class BlockSizes(NamedTuple):
    """How long each block is, in UTF-8 bytes: a Korean syllable or Chinese character says as much as three letters."""

    sizes: list[int]
    links: list[int]  # how much of it stands in links


class PageColumns(Columns):
    """The columns that a walk fills (see walk.py), and those that follow from them.

    Nothing here but `visibility` depends on what is hidden, so that a page and the same page with more hidden (see
    `Page.without`) share all the rest.
    """

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self._tree = tree
        self.visibility = Visibility(self.bits, self.leaf_elements, self.starts)

    # --- elements -----------------------------------------------------------------------------------------------

    @cached_property
    def depths(self) -> list[int]:
        """Each element's depth: 1 for `<html>`, so the number of tags on its path."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 1)
        return depths

    @cached_property
    def path_numbers(self) -> list[int]:
        """A number for each element, the same for two of them if their tag paths are the same."""
        below: list[dict[str, int]] = [{}]  # for each path, that of each tag below it; the first is that of the page
        numbers: list[int] = []
        for tag, parent in zip(self.tags, self.parents, strict=True):
            children = below[numbers[parent] if parent >= 0 else 0]
            number = children.get(tag)
            if number is None:
                number = children[tag] = len(below)
                below.append({})
            numbers.append(number)
        return numbers

    def with_ancestors(self, elements: Iterable[int]) -> list[int]:
        """Some elements and all that hold them, in document order."""
        return sorted(climb_all(self.parents, elements))

    @cached_property
    def holders(self) -> list[int]:
        """The elements that hold blocks, in document order."""
        return self.with_ancestors(self.owners)

    def mark_descendants(self, element: int) -> list[bool]:
        """Which elements an element holds, itself included; where there are slots, others may stand between them."""
        parents = self.parents
        inside = [False] * len(parents)
        inside[element] = True
        for row in range(element + 1, len(parents)):
            if inside[parents[row]]:
                inside[row] = True
        return inside

    @cached_property
    def tag_names(self) -> frozenset[str]:
        """The tags of its elements, each once."""
        return list_names(self.tags)

    @cached_property
    def kinds(self) -> list[BlockKind]:
        """The kind of block that text in each element makes."""
        layout = frozenset() if CELLS.isdisjoint(self.tag_names) else self.layout_tables
        return find_kinds(self, self.tables if layout else None, layout)

    def find_kind(self, row: int) -> BlockKind:
        """What a reader takes a block for."""
        kind, formulas = self.kinds[self.owners[row]], self.formulas
        if formulas and kind == "paragraph" and (formula := formulas.get(self.starts[row])) and formula.is_display:
            return "formula"
        return kind

    @cached_property
    def links(self) -> list[int]:
        """The innermost `<a>` around each element, or itself if it is one; -1 where there is none."""
        return find_around(self, ("a",))

    def find_link(self, element: int) -> int:
        """The innermost `<a>` around an element, or itself if it is one; -1 where there is none."""
        return next((row for row in climb(self.parents, element) if self.tags[row] == "a"), -1)

    @cached_property
    def tables(self) -> list[int]:
        """The innermost `<table>` around each element, or itself if it is one; -1 where there is none."""
        return find_around(self, ("table",))

    @cached_property
    def layout_tables(self) -> frozenset[int]:
        """The tables that only arrange the page."""
        return find_layout_tables(self, self.tables)

    @cached_property
    def cells(self) -> list[int]:
        """The innermost table cell around each element, or itself if it is one; -1 where there is none."""
        return find_around(self, CELLS, "table")

    @cached_property
    def cell_numbers(self) -> dict[int, int]:
        """How many cells stand before each cell in its row."""
        return number_cells(self)

    @cached_property
    def cell_counts(self) -> dict[int, int]:
        """How many cells each table row has."""
        return {self.parents[cell]: number + 1 for cell, number in self.cell_numbers.items()}

    # --- leaves -------------------------------------------------------------------------------------------------

    @cached_property
    def linked_leaves(self) -> bytes:
        """A byte a leaf: 1 if it stands in a link, else 0."""
        return read_bit(LINK, self.bits, self.leaf_elements)

    @property
    def shown(self) -> list[int]:
        """The leaves that are not hidden (see visibility.py)."""
        return self.visibility.shown_leaves

    # --- blocks -------------------------------------------------------------------------------------------------

    @cached_property
    def stops(self) -> list[int]:
        """One past the last leaf of each block."""
        return [*self.starts[1:], len(self.texts)] if self.starts else []

    @cached_property
    def block_counts(self) -> dict[int, int]:
        """How many blocks stand directly in an element."""
        count: dict[int, int] = {}
        for element in self.owners:
            count[element] = count.get(element, 0) + 1
        return count

    @cached_property
    def block_sizes(self) -> BlockSizes:
        """How long each block is, and how much of it is link text."""
        leaf_sizes = [len(text) if text.isascii() else len(text.encode()) for text in self.texts]
        linked_sizes = [size if linked else 0 for size, linked in zip(leaf_sizes, self.linked_leaves, strict=True)]
        spans = list(zip(self.starts, self.stops, strict=True))
        return BlockSizes(
            [leaf_sizes[start] if stop - start == 1 else sum(leaf_sizes[start:stop]) for start, stop in spans],
            [linked_sizes[start] if stop - start == 1 else sum(linked_sizes[start:stop]) for start, stop in spans],
        )

    @property
    def hidden_blocks(self) -> list[bool]:
        """Whether each block is hidden (see visibility.py)."""
        return self.visibility.hidden_blocks

    # --- places -------------------------------------------------------------------------------------------------

    def tag_path(self, element: int) -> str:
        """The tags from the root to an element: `html/body/div/p`; the middle of a very deep one is left out."""
        rows = list(islice(climb(self.parents, element), MAX_PATH_DEPTH))
        tags = [self.tags[row][:MAX_TAG_CHARS] for row in reversed(rows)]
        return ("…/" if rows[-1] else "") + "/".join(tags)

    def xpath(self, element: int) -> str:
        """An XPath that finds the element, and only it, in the tree of any HTML5 parser."""
        return self.places.find_xpath(element, self.depths[element])

    @cached_property
    def places(self) -> Places:
        """Where elements and leaves stand."""
        return Places(self, self._tree)
