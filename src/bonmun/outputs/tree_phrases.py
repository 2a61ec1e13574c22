"""Build the inline nodes of a block: its text with emphasis, code, links, formulas and note references."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel
from bonmun.outputs.nodes import Node, SourceNode, join_texts
from bonmun.page.parse.ancestors import list_between
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable
    from bonmun.page import Page

__all__ = ["OpenElement", "PhraseBuilder"]

KERNEL = load_kernel("phrases")
MAX_INLINE = 6  # inline elements around a leaf
MAX_COUNT_CHARS = 20  # of a number that is all of a block
INLINE_LEVELS = 64  # ancestors of a leaf that are searched for inline elements

INLINE = {"b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "del", "strike": "del", "del": "del"}
EMPHASIS = frozenset(INLINE.values())
INLINE |= dict.fromkeys(("code", "kbd", "samp", "tt"), "code") | {"sub": "sub", "sup": "sup"}


OpenElement = tuple[object, Node]  # an open node and its key: the element of the page that it represents


class PhraseBuilder:
    """Builds the inline nodes of the blocks of a document."""

    def __init__(self, doc: Writable, *, links: bool) -> None:
        self.page = page = doc.page
        self.links = page.links if links else None  # the link around each element
        self.references = doc.references
        self.base_url = page.base_url if links else ""
        self.urls: dict[int, str | None] = {}  # cache of `find_link`
        self.bare: dict[int, int] = {}  # by row of a block: the link that is not written in it
        self.given: dict[int, int] = {}  # by row of a block: a link to write around its first line
        self.bare_link = -1  # the one of the current block
        self.is_plain = not page.raws and not page.formulas  # whether every block text is the text of its leaves
        self.owner = -1  # element of the current block …
        self.wrappers: dict[int, list[tuple[int, str]]] = {}  # … and the cache of `find_wrappers` for it
        self.mixed: dict[int, list[Node | str]] = {}  # child lists that may have adjacent texts, by id (see `join`)
        self.adder = KERNEL and KERNEL.PhraseAdder(
            *(page, self.links, INLINE, EMPHASIS, self.urls, self.mixed, Node, SourceNode),
            *(partial(_read_link, page, self.base_url), INLINE_LEVELS, MAX_INLINE, MAX_COUNT_CHARS),
        )

    def add(self, container: Node, block: KeptBlock, *, is_bold: bool = False) -> None:
        """Add the text of a block to a node; with `is_bold`, the node is already bold."""
        children, row = container.children, block.row
        bare_link = self.bare.get(row, -1)
        is_special = is_bold or block.cuts or row in self.given
        if self.adder and not is_special and self.adder.add(children, row, block.leaves, bare_link):
            return
        if bare_link != self.bare_link:
            self.owner, self.bare_link = -1, bare_link
        text = self.find_plain(block)
        if text is None:
            self.mixed[id(children)] = children
            self.add_leaves(container, block, is_bold=is_bold)
            return
        if children and isinstance(children[-1], str):
            self.mixed[id(children)] = children
        children.append(text)

    def join(self) -> None:
        """Join adjacent texts."""
        for children in self.mixed.values():
            if len(children) > 1 or children == [""]:
                join_texts(children)

    def find_plain(self, block: KeptBlock) -> str | None:
        """Return the text of a block of one line without markup, as most are; None for any other block."""
        row = block.row
        page, leaves = self.page, block.leaves
        if block.cuts or row in self.given or not self.is_plain or len(leaves) != page.stops[row] - page.starts[row]:
            return None
        text = page.block_texts[row]
        if "\n" in text:
            return None
        owner = page.owners[row]
        for element in page.leaf_elements[page.starts[row] : page.stops[row]]:
            is_bare = element == owner and (self.links is None or self.links[element] < 0)
            if not is_bare and self.find_wrappers(element, owner):
                return None
        return text

    def add_leaves(self, container: Node, block: KeptBlock, *, is_bold: bool) -> None:
        """Add the leaves of a block one by one, each within its inline elements."""
        page, cuts, owner = self.page, block.cuts, block.element
        open_: list[OpenElement] = []
        given = self.given.get(block.row, -1) if self.links else -1
        text = page.block_texts[block.row]
        is_count = len(text) <= MAX_COUNT_CHARS and text.replace(" ", "").isdigit()  # whose emphasis says nothing
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
            if "\n" in joint:
                given = -1
            if given >= 0 and self.find_link(given):
                wanted = [(given, "a"), *wanted]
            formula = page.formulas.get(leaf) if not is_cut else None
            if wanted:
                if is_bold:
                    wanted = [each for each in wanted if each[1] != "strong"]
                if formula:
                    wanted = [each for each in wanted if each[1] != "code"]
                if is_count and any(tag == "a" for _, tag in wanted):
                    wanted = [each for each in wanted if each[1] not in EMPHASIS]
                if "]" in text and any(tag == "a" for _, tag in wanted):
                    # Markdown could read the "]" as the end of the link text, and the code as the URL
                    wanted = [each for each in wanted if each[1] != "code"]
            if "\n" in joint:  # emphasis ends with the line, for Markdown, and so do links in emphasis
                is_in_link = bool(open_ and wanted) and open_[0][0] == wanted[0][0] and wanted[0][1] == "a"
                del open_[is_in_link:]
                (open_[0][1] if is_in_link else container).children.append(Node("br"))
            same = 0
            while same < len(wanted) and same < len(open_):
                row, tag = wanted[same]
                if open_[same][0] != row:
                    if not self.goes_on(open_[same][1], row, tag, joint):
                        break
                    open_[same] = row, open_[same][1]
                same += 1
            del open_[same:]
            inside = open_[-1][1].children if open_ else container.children
            if joint and "\n" not in joint:
                inside.append(" ")
            for row, tag in wanted[same:]:
                made = SourceNode(tag, {"href": self.find_link(row) or ""}, row) if tag == "a" else Node(tag)
                inside.append(made)
                open_.append((row, made))
                inside = made.children
                self.mixed[id(inside)] = inside
            if formula:
                inside.append(Node("math", {"display": "block"} if formula.is_display else None, [formula.tex]))
            elif is_cut or leaf in page.raws:
                if is_cut and text[0] == " ":
                    inside.append(" ")
                for number, line in enumerate(_split_lines(text)):  # several if CSS preserves white space
                    if number:
                        inside.append(Node("br"))
                    inside.append(line)
                if is_cut and text[-1] == " ":
                    inside.append(" ")
            else:
                inside.append(text)

    def goes_on(self, open_: Node, row: int, tag: str, joint: str) -> bool:
        """Whether an open node is also that of another element: a word in the same emphasis, a link to the same URL."""
        if open_.tag != tag:
            return False
        return open_.attr("href") == self.find_link(row) if tag == "a" else not joint and tag in EMPHASIS

    def find_wrappers(self, element: int, owner: int) -> list[tuple[int, str]]:
        """Return (element, tag) of the inline elements around a leaf, outermost first, each tag once.

        A link counts even if it spans several blocks.
        """
        if owner != self.owner:
            self.owner, self.wrappers = owner, {}
        wanted = self.wrappers.get(element)
        if wanted is None:
            wanted = self.wrappers[element] = self.compute_wrappers(element, owner)
        return wanted

    def compute_wrappers(self, element: int, owner: int) -> list[tuple[int, str]]:
        """Compute `find_wrappers`."""
        tags, parents = self.page.tags, self.page.parents
        link = self.find_link_around(element)
        if owner in (element, parents[element]):  # as of most
            inline = INLINE.get(tags[element]) if element != owner else None
            wanted = [(link, "a")] if link >= 0 else []
            return [*wanted, (element, inline)] if inline else wanted
        found: dict[str, int] = {}
        for row in list_between(parents, element, owner)[:INLINE_LEVELS]:
            if tag := INLINE.get(tags[row]):
                found.setdefault(tag, row)
        if "code" in found:  # it cannot contain other markup
            found = {"code": found["code"]}
        if link >= 0:
            found["a"] = link
        if not found:
            return []
        return sorted((row, tag) for tag, row in found.items())[-MAX_INLINE:]  # ancestors come first on the page

    def find_link_around(self, element: int) -> int:
        """Return the link to write around a leaf, or -1."""
        link = self.links[element] if self.links else -1
        return link if link >= 0 and link != self.bare_link and self.find_link(link) else -1

    def find_link(self, row: int) -> str | None:
        """Return the URL of a link, or None if it is not safe to follow, or leads to the start of the page itself."""
        if row not in self.urls:
            self.urls[row] = _read_link(self.page, self.base_url, row)
        return self.urls[row]


def _read_link(page: Page, base_url: str, row: int) -> str | None:
    href = page.attr(row, "href")
    return read_url(href, base_url) if href and href.strip() != "#" else None


def _split_lines(text: str) -> list[str]:
    """Return the lines of a text with white space collapsed, and runs of empty lines reduced to one."""
    if "\n" not in text:
        return [" ".join(text.split())]
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return [line for line, before in zip(lines, ["-", *lines], strict=False) if line or before]
