"""What a walk over a parsed tree fills: two tables, of elements and of leaves, and where blocks start."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Element

    from bonmun.page.formulas.tex import Formula

__all__ = ["Columns"]


class Columns:
    """Two tables, one row an element and one row a leaf: lists that are equally long, filled by `walk`."""

    def __init__(self) -> None:
        # elements
        self._nodes: list[Element] = []  # for this room alone
        self.tags: list[str] = []
        self.parents: list[int] = []  # -1 for <html>, which is row 0; all others have a parent before them
        self.bits: list[int] = []  # its own and those handed down
        self.templates: list[int] = []  # the <template>s
        self.noscripts: list[int] = []  # the <noscript>s
        self.cut = False  # whether there are more elements than are read
        # leaves
        self.texts: list[str] = []  # white space folded
        self.leaf_elements: list[int] = []  # the element whose text node the leaf is
        self.joints: list[str | None] = []  # "", " " or a line break; None where a block starts
        self.raws: dict[int, str] = {}  # the leaves of a <pre>, with their white space
        self.formulas: dict[int, Formula] = {}  # the leaves that are formulas: their text is `$TeX$`
        self.marks: set[int] = set()  # the leaves that no text node holds, such as quotation marks
        self.codes: set[int] = set()  # the elements that hold code and are no <pre>
        self.further: set[int] = set()  # the leaves that stand in one text node with the leaf before
        # blocks
        self.starts: list[int] = []  # its first leaf
        self.block_texts: list[str] = []  # its leaves with their joints; <br> and the lines of a <pre> are line breaks
        self.opened: list[int] = []  # how many elements have opened before it
        self.owners: list[int] = []  # the element that the block stands in: the nearest that starts a line
