"""The tables that a walk fills: elements, leaves and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Element

    from bonmun.page.formulas.tex import Formula

__all__ = ["Columns"]


class Columns:
    """Tables of elements, leaves and blocks, stored as columns: one list per field, filled by `walk`."""

    def __init__(self) -> None:
        # elements
        self._nodes: list[Element] = []  # only for this package
        self.tags: list[str] = []
        self.parents: list[int] = []  # -1 for <html>, which is row 0; parents come before their children
        self.bits: list[int] = []  # its own bits and inherited ones (see element_bits.py)
        self.templates: list[int] = []  # <template> elements
        self.noscripts: list[int] = []  # <noscript> elements
        self.cut = False  # whether the page has more elements than were read
        # leaves
        self.texts: list[str] = []  # with whitespace collapsed
        self.leaf_elements: list[int] = []  # parent element of the leaf
        self.joints: list[str | None] = []  # text before the leaf: "", " " or line breaks; None where a block starts
        self.raws: dict[int, str] = {}  # leaves in a <pre>, with their original whitespace
        self.formulas: dict[int, Formula] = {}  # leaves that are formulas; their text is `$TeX$`
        self.marks: set[int] = set()  # leaves without a text node, such as quotation marks
        self.codes: set[int] = set()  # elements other than <pre> that contain code
        self.further: set[int] = set()  # leaves in the same text node as the leaf before
        # blocks
        self.starts: list[int] = []  # first leaf
        self.block_texts: list[str] = []  # texts and joints of its leaves; <br> becomes a line break
        self.opened: list[int] = []  # number of elements before the block
        self.owners: list[int] = []  # element that contains the block: the nearest one that starts a line
