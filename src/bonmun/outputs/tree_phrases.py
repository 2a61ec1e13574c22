"""The words of a block with the inline markup around them, as nodes of the kept tree."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from bonmun.outputs.nodes import Node, join_texts
from bonmun.page.parse.ancestors import climb
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable

__all__ = ["OpenElement", "PhraseBuilder"]

MAX_INLINE = 6  # inline elements around a leaf
INLINE_LEVELS = 64  # elements above a leaf that are looked at for them

INLINE = {"b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "del", "strike": "del", "del": "del"}
INLINE |= dict.fromkeys(("code", "kbd", "samp", "tt"), "code") | {"sub": "sub", "sup": "sup"}


OpenElement = tuple[object, Node]  # an open element of the tree: what it stands for on the page, and itself


class PhraseBuilder:
    """Builds the words of blocks of one document."""

    def __init__(self, doc: Writable) -> None:
        self.page = page = doc.page
        self.has_links = doc.has_links
        self.references = doc.references
        self.addresses: dict[int, str | None] = {}  # of the links that were looked at
        self.is_plain = not page.raws and not page.formulas  # so that the text of a block is what its leaves say
        self.owner = -1  # of the block that is added, and the inline elements around its leaves' elements
        self.wrappers: dict[int, list[tuple[int, str]]] = {}
        # by number, so that each is there once: what may hold texts that adjoin (see `join`)
        self.mixed: dict[int, list[Node | str]] = {}

    def add(self, container: Node, block: KeptBlock, *, is_bold: bool = False) -> None:
        """Add the leaves of a block to an element, which is bold already or not."""
        children = container.children
        text = self.find_plain(block)
        if text is None:
            self.mixed[id(children)] = children
            self.add_leaves(container, block, is_bold=is_bold)
            return
        if children and isinstance(children[-1], str):
            self.mixed[id(children)] = children
        children.append(text)

    def join(self) -> None:
        """Make one text of those that adjoin."""
        for children in self.mixed.values():
            if len(children) > 1 or children == [""]:
                join_texts(children)

    def find_plain(self, block: KeptBlock) -> str | None:
        """The text of a block on one line that has no markup, as most have none; None for any other."""
        row = block.row
        page, leaves = self.page, block.leaves
        if block.cuts or not self.is_plain or len(leaves) != page.stops[row] - page.starts[row]:
            return None
        text = page.block_texts[row]
        if "\n" in text:
            return None
        owner = page.owners[row]
        for element in page.leaf_elements[page.starts[row] : page.stops[row]]:
            if (element != owner or self.has_links) and self.find_wrappers(element, owner):
                return None
        return text

    def add_leaves(self, container: Node, block: KeptBlock, *, is_bold: bool) -> None:
        """Add the leaves one by one, each in the inline elements around it."""
        page, cuts, owner = self.page, block.cuts, block.element
        open_: list[OpenElement] = []
        for leaf, joint, text in block.pieces():
            element = page.leaf_elements[leaf]
            is_cut = leaf in cuts
            if is_cut and leaf in self.references:
                del open_[:]
                if joint:
                    container.children.append(Node("br") if "\n" in joint else " ")
                container.children.append(Node("noteref", {"label": text[1:-1]}, [text]))
                continue
            wanted = self.find_wrappers(element, owner)
            formula = page.formulas.get(leaf) if not is_cut else None
            if wanted:
                if is_bold:
                    wanted = [each for each in wanted if each[1] != "strong"]
                if formula:
                    wanted = [each for each in wanted if each[1] != "code"]
                if "]" in text and any(tag == "a" for _, tag in wanted):
                    # Markdown could take code here for a link's address
                    wanted = [each for each in wanted if each[1] != "code"]
            if "\n" in joint:  # emphasis and links end with their line, as Markdown would have it
                del open_[:]
                container.children.append(Node("br"))
            same = 0
            while same < len(wanted) and same < len(open_) and open_[same][0] == wanted[same][0]:
                same += 1
            del open_[same:]
            inside = open_[-1][1].children if open_ else container.children
            if joint and "\n" not in joint:
                inside.append(" ")
            for row, tag in wanted[same:]:
                made = Node(tag, {"href": self.find_link(row) or ""} if tag == "a" else None)
                inside.append(made)
                open_.append((row, made))
                inside = made.children
                self.mixed[id(inside)] = inside
            if formula:
                inside.append(Node("math", {"display": "block"} if formula.is_display else None, [formula.tex]))
            elif is_cut or leaf in page.raws:
                for number, line in enumerate(_split_lines(text)):  # more than one where white space is kept by style
                    if number:
                        inside.append(Node("br"))
                    inside.append(line)
            else:
                inside.append(text)

    def find_wrappers(self, element: int, owner: int) -> list[tuple[int, str]]:
        """The inline elements around a leaf, outermost first, each tag once; a link counts even if it spans blocks."""
        if owner != self.owner:
            self.owner, self.wrappers = owner, {}
        wanted = self.wrappers.get(element)
        if wanted is None:
            wanted = self.wrappers[element] = self.look_for_wrappers(element, owner)
        return wanted

    def look_for_wrappers(self, element: int, owner: int) -> list[tuple[int, str]]:
        """The same, for an element that was not asked for yet."""
        page = self.page
        found: dict[str, int] = {}
        for row in islice(climb(page.parents, element), INLINE_LEVELS):
            if row == owner:
                break
            tag = INLINE.get(page.tags[row])
            if tag:
                found.setdefault(tag, row)
        if "code" in found:  # nothing else shows inside it
            found = {"code": found["code"]}
        link = page.links[element] if self.has_links else -1
        if link >= 0 and self.find_link(link):
            found["a"] = link
        if len(found) < 2:
            return [(row, tag) for tag, row in found.items()]
        return sorted((row, tag) for tag, row in found.items())[-MAX_INLINE:]  # what is around comes first on the page

    def find_link(self, row: int) -> str | None:
        """The address of a link, if it is one to follow."""
        if row not in self.addresses:
            self.addresses[row] = read_url(self.page.attr(row, "href"), self.page.base_url)
        return self.addresses[row]


def _split_lines(text: str) -> list[str]:
    """The lines of a text, their white space folded; of several empty ones in a row, one."""
    if "\n" not in text:
        return [" ".join(text.split())]
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return [line for line, before in zip(lines, ["-", *lines], strict=False) if line or before]
