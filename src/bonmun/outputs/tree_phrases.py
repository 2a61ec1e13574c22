"""The words of a block with the inline markup around them, as nodes of the kept tree."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from turbohtml import Element, Text

from bonmun.page.walk import climb
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable
    from bonmun.page.tex import Formula

__all__ = ["OpenElement", "PhraseBuilder"]

MAX_INLINE = 6  # inline elements around a leaf
INLINE_LEVELS = 64  # elements above a leaf that are looked at for them

INLINE = {"b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "del", "strike": "del", "del": "del"}
INLINE |= dict.fromkeys(("code", "kbd", "samp", "tt"), "code") | {"sub": "sub", "sup": "sup"}


class OpenElement(NamedTuple):
    """An open element of the tree: what it stands for on the page, and itself."""

    key: object
    element: Element


class PhraseBuilder:
    """Builds the words of blocks of one document."""

    def __init__(self, doc: Writable) -> None:
        self.page = doc.page
        self.base = doc.page.base_url
        self.has_links = doc.has_links
        self.references = doc.references
        self.addresses: dict[int, str | None] = {}  # of the links that were looked at

    def add(self, container: Element, block: KeptBlock, *, is_bold: bool = False) -> None:
        """Add the leaves of a block to an element, which is bold already or not."""
        open_: list[OpenElement] = []
        for leaf, joint, text in block.pieces():
            wanted = self.find_wrappers(self.page.leaf_elements[leaf], block.block.element)
            if leaf in self.references and leaf in block.cuts:
                del open_[:]
                if joint:
                    container.append(Element("br") if "\n" in joint else Text(" "))
                container.append(Element("noteref", {"label": text[1:-1]}, [Text(text)]))
                continue
            formula = self.page.formulas.get(leaf) if leaf not in block.cuts else None
            if is_bold:
                wanted = [each for each in wanted if each[1] != "strong"]
            if formula:
                wanted = [each for each in wanted if each[1] != "code"]
            if "]" in text and "a" in (tag for _, tag in wanted):  # Markdown could take code here for a link's address
                wanted = [each for each in wanted if each[1] != "code"]
            if "\n" in joint:  # emphasis and links end with their line, as Markdown would have it
                del open_[:]
                container.append(Element("br"))
            same = 0
            while same < len(wanted) and same < len(open_) and open_[same].key == wanted[same][0]:
                same += 1
            if same < len(open_):
                del open_[same:]
            inside = open_[-1].element if open_ else container
            if joint and "\n" not in joint:
                inside.append(Text(" "))
            for row, tag in wanted[same:]:
                made = Element(tag, {"href": self.find_link(row)} if tag == "a" else None)
                inside.append(made)
                open_.append(OpenElement(row, made))
                inside = made
            if formula:
                inside.append(_make_formula(formula))
                continue
            for number, line in enumerate(_split_lines(text)):  # more than one where white space is kept by style
                if number:
                    inside.append(Element("br"))
                inside.append(Text(line))

    def find_wrappers(self, element: int, owner: int) -> list[tuple[int, str]]:
        """The inline elements around a leaf, outermost first, each tag once; a link counts even if it spans blocks."""
        found: dict[str, int] = {}
        for row in islice(climb(self.page.parents, element), INLINE_LEVELS):
            if row == owner:
                break
            tag = INLINE.get(self.page.tags[row])
            if tag:
                found.setdefault(tag, row)
        if "code" in found:  # nothing else shows inside it
            found = {"code": found["code"]}
        link = self.page.links[element] if self.has_links else -1
        if link >= 0 and self.find_link(link):
            found["a"] = link
        return sorted((row, tag) for tag, row in found.items())[-MAX_INLINE:]  # what is around comes first on the page

    def find_link(self, row: int) -> str | None:
        """The address of a link, if it is one to follow."""
        if row not in self.addresses:
            self.addresses[row] = read_url(self.page.attr(row, "href"), self.base)
        return self.addresses[row]


def _make_formula(formula: Formula) -> Element:
    attributes: dict[str, str | list[str] | None] | None = {"display": "block"} if formula.is_display else None
    return Element("math", attributes, [Text(formula.tex)])


def _split_lines(text: str) -> list[str]:
    """The lines of a text, their white space folded; of several empty ones in a row, one."""
    if "\n" not in text:
        return [" ".join(text.split())]
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return [line for line, before in zip(lines, ["-", *lines], strict=False) if line or before]
