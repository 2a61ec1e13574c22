"""The columns of a page, and everything derived from them: paths, tables, kinds, sizes, visibility.

Derived columns are computed on first use and cached, since few pages need all of them.
"""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from bonmun.bounds import MAX_PATH_DEPTH, MAX_TAG_CHARS
from bonmun.kernel import load_kernel
from bonmun.page.parse.ancestors import climb_all, find_above, list_around
from bonmun.page.parse.element_bits import LINK, read_bit
from bonmun.page.parse.inherited_columns import find_around, find_kinds, list_places, list_tags
from bonmun.page.parse.table_roles import (
    CELLS,
    CalloutTable,
    find_callout_tables,
    find_layout_tables,
    number_cells,
)
from bonmun.page.parse.visibility import Visibility
from bonmun.page.parse.walk_tables import Columns
from bonmun.page.parse.xpaths import Places
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from turbohtml import Document as Tree

    from bonmun.page.parse.kinds import BlockKind

__all__ = ["MAX_REFERENCE_CHARS", "BlockSizes", "PageColumns"]


MAX_REFERENCE_CHARS = 10  # length of a link that refers to a note
LONG_CHARS = 1_000  # of an attribute whose value is kept when it is first read
KERNEL = load_kernel("columns")


class BlockSizes(NamedTuple):
    """Size of each block in UTF-8 bytes. A Korean syllable or Chinese character carries as much as three letters."""

    sizes: list[int]
    links: list[int]  # bytes inside links


class PageColumns(Columns):
    """The columns filled by a walk (see walk.py), and those derived from them.

    Only `visibility` depends on what is hidden, so a page and the same page with more hidden blocks (`Page.without`)
    share everything else.
    """

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self._tree = tree
        self._long_values: dict[tuple[int, str], str] = {}  # by element and attribute
        self.visibility = Visibility(self.bits, self.leaf_elements, self.starts)

    # --- elements -----------------------------------------------------------------------------------------------

    def attr(self, element: int, name: str) -> str | None:
        """Return the value of an attribute of an element, or None.

        A long value is kept: the parser takes time to decode it, and elements around many others are read for each.
        """
        if self._long_values and (known := self._long_values.get((element, name))) is not None:
            return known
        value = self._nodes[element].attr(name)
        if value is not None and len(value) > LONG_CHARS:
            self._long_values[element, name] = value
        return value

    def attrs(self, elements: Iterable[int], name: str) -> list[str | None]:
        """Return the values of an attribute of several elements."""
        nodes = self._nodes
        if KERNEL:
            values: list[str | None] = KERNEL.read_attributes(nodes, elements, name)
            return values
        return [nodes[element].attr(name) for element in elements]

    @cached_property
    def classes_and_ids(self) -> tuple[list[str | None], list[str | None]]:
        """The class and the id of each element, or None."""
        return self.read_names(range(len(self.tags)))

    def read_names(self, elements: Sequence[int]) -> tuple[list[str | None], list[str | None]]:
        """Return the class and the id of some elements, or None; together they are read in less time."""
        if KERNEL:
            nodes = self._nodes
            names: tuple[list[str | None], list[str | None]] = KERNEL.read_names([nodes[each] for each in elements])
            return names
        return self.attrs(elements, "class"), self.attrs(elements, "id")

    @cached_property
    def depths(self) -> list[int]:
        """Depth of each element: the number of tags on its path, 1 for `<html>`."""
        depths: list[int] = []
        for parent in self.parents:
            depths.append(depths[parent] + 1 if parent >= 0 else 1)
        return depths

    @cached_property
    def path_numbers(self) -> list[int]:
        """Number of the tag path of each element; elements with the same tag path have the same number."""
        below: list[dict[str, int]] = [{}]  # per path, the numbers of the paths one tag longer; the first is the root
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
        """Return elements and all their ancestors, in document order."""
        return sorted(climb_all(self.parents, elements))

    @cached_property
    def holders(self) -> list[int]:
        """Elements that contain blocks, in document order."""
        return self.with_ancestors(self.owners)

    @cached_property
    def blocks_by_owner(self) -> dict[int, int]:
        """The first block of each element that contains blocks directly."""
        return {owner: row for row, owner in reversed(list(enumerate(self.owners)))}

    def mark_descendants(self, element: int) -> list[bool]:
        """Return for every element whether it is `element` or a descendant. Descendants need not be adjacent rows."""
        parents = self.parents
        inside = [False] * len(parents)
        inside[element] = True
        for row in range(element + 1, len(parents)):
            if inside[parents[row]]:
                inside[row] = True
        return inside

    @cached_property
    def known_names(self) -> dict[int, str]:
        """Classes and ids of elements that were asked for so far (see image_names.py)."""
        return {}

    @cached_property
    def known_icons(self) -> dict[int, bool]:
        """Whether images that were asked for so far are icons (see image_names.py)."""
        return {}

    @cached_property
    def known_image_links(self) -> dict[int, str]:
        """Addresses of the links around images that were asked for so far (see outputs/image_copies.py)."""
        return {}

    @cached_property
    def known_boxes(self) -> dict[int, tuple[int, int, tuple[int, ...]]]:
        """Blocks in the boxes of images that were asked for so far, and their captions (see figures.py)."""
        return {}

    @cached_property
    def tag_names(self) -> frozenset[str]:
        """The different tags of the page."""
        return list_tags(self.tags)

    def list_rows(self, tag: str) -> list[int]:
        """Return the elements with a tag."""
        return list_places(self.tags, tag)

    @cached_property
    def kinds(self) -> list[BlockKind]:
        """Kind of block that text in each element belongs to."""
        layout = frozenset() if CELLS.isdisjoint(self.tag_names) else self.layout_tables
        return find_kinds(self, self.tables if layout else None, layout)

    def find_kind(self, row: int) -> BlockKind:
        """Return the kind of a block."""
        kind, formulas = self.kinds[self.owners[row]], self.formulas
        if formulas and kind == "paragraph" and (formula := formulas.get(self.starts[row])) and formula.is_display:
            return "formula"
        return kind

    @cached_property
    def links(self) -> list[int]:
        """Innermost `<a>` that contains each element, or the element itself; -1 if there is none."""
        return find_around(self, ("a",))

    def find_link(self, element: int) -> int:
        """Return the innermost `<a>` that contains an element, or the element itself; -1 if there is none."""
        return find_above(self.tags, self.parents, element, "a")

    @cached_property
    def tables(self) -> list[int]:
        """Innermost `<table>` that contains each element, or the element itself; -1 if there is none."""
        return find_around(self, ("table",))

    @cached_property
    def layout_tables(self) -> frozenset[int]:
        """Tables that only serve the layout of the page."""
        found = find_layout_tables(self, self.tables)
        return found | self.callout_tables.keys() if self.callout_tables else found

    @cached_property
    def callout_tables(self) -> dict[int, CalloutTable]:
        """Tables that lay out a note or warning."""
        rows = self.list_rows("table")
        return find_callout_tables(self, rows, self.tables) if rows else {}

    @cached_property
    def cells(self) -> list[int]:
        """Innermost table cell that contains each element, or the element itself; -1 if there is none."""
        return find_around(self, CELLS, "table")

    @cached_property
    def cell_numbers(self) -> dict[int, int]:
        """Number of cells before each cell in its row."""
        return number_cells(self)

    @cached_property
    def cell_counts(self) -> dict[int, int]:
        """Number of cells of each table row."""
        return {self.parents[cell]: number + 1 for cell, number in self.cell_numbers.items()}

    # --- leaves -------------------------------------------------------------------------------------------------

    @cached_property
    def linked_leaves(self) -> bytes:
        """One byte per leaf: 1 if it is inside a link, else 0."""
        return read_bit(LINK, self.bits, self.leaf_elements)

    @cached_property
    def short_links(self) -> bytes:
        """One byte per leaf: 1 if it is inside a link, and so short that it may refer to a note, else 0."""
        texts, linked = self.texts, self.linked_leaves
        if KERNEL:
            short: bytes = KERNEL.mark_short(linked, texts, MAX_REFERENCE_CHARS)
            return short
        found = bytearray(linked)
        for leaf in compress(range(len(texts)), found):
            if len(texts[leaf]) > MAX_REFERENCE_CHARS:
                found[leaf] = 0
        return bytes(found)

    @property
    def shown(self) -> list[int]:
        """Leaves that are not hidden (see visibility.py)."""
        return self.visibility.shown_leaves

    # --- blocks -------------------------------------------------------------------------------------------------

    @cached_property
    def stops(self) -> list[int]:
        """Index after the last leaf of each block."""
        return [*self.starts[1:], len(self.texts)] if self.starts else []

    @cached_property
    def block_counts(self) -> dict[int, int]:
        """Number of blocks directly in each element."""
        count: dict[int, int] = {}
        for element in self.owners:
            count[element] = count.get(element, 0) + 1
        return count

    @cached_property
    def block_sizes(self) -> BlockSizes:
        """Size of each block, and of its link text."""
        if KERNEL:
            return BlockSizes(*KERNEL.measure_blocks(self.texts, self.linked_leaves, self.starts))
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

    # --- paths --------------------------------------------------------------------------------------------------

    def tag_path(self, element: int) -> str:
        """Return the tags from the root to an element, such as `html/body/div/p`; a very deep path lacks its start."""
        rows = list_around(self.parents, element, MAX_PATH_DEPTH)
        tags = [self.tags[row][:MAX_TAG_CHARS] for row in reversed(rows)]
        return ("…/" if rows[-1] else "") + "/".join(tags)

    def xpath(self, element: int) -> str:
        """Return an XPath that matches only this element in the tree of any HTML5 parser."""
        return self.places.find_xpath(element, self.depths[element])

    @cached_property
    def places(self) -> Places:
        """XPaths of elements, and positions of leaves among the text nodes of their parents."""
        return Places(self, self._tree)
