"""The kept blocks as a small HTML tree: what Markdown, HTML and XML are written from.

Only markup that means something survives (headings, lists, tables of data, quotes, code, captions, emphasis, and links
and images if asked for); everything else on the page is layout. Nesting is limited, so that no page, however deep,
makes a deep tree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from turbohtml import Element, Text

from bonmun.page.walk import climb
from bonmun.text.readable import make_readable
from bonmun.text.urls import read_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable
    from bonmun.page import Page
    from bonmun.page.tex import Formula

__all__ = ["build_tree"]

MAX_NESTING = 24  # structures around a block; the innermost ones of a deeper nest are left out
MAX_INLINE = 6  # inline elements around a leaf
INLINE_LEVELS = 64  # elements above a leaf that are looked at for them

# Elements of the page that structure it, and what they become.
STRUCTURE = {
    tag: tag
    for tag in "ul ol li dl dt dd table caption tr td th blockquote figure figcaption h1 h2 h3 h4 h5 h6".split()
}
STRUCTURE |= {"menu": "ul", "dir": "ul", "pre": "pre", "listing": "pre", "xmp": "pre"}
# Those that hold words and nothing else, and those whose children must be of one kind.
PHRASES = frozenset("dt caption figcaption h1 h2 h3 h4 h5 h6 pre td th".split())
ONLY_CHILD = {"ul": "li", "ol": "li", "dl": "dd"}
LISTS = frozenset({"ul", "ol", "dl", "menu", "dir", "li", "dd"})
NOT_IN_LISTS = frozenset({"table", "blockquote", "figure"})
NO_IMAGES = (PHRASES - {"td", "th"}) | {"ul", "ol", "dl", "table", "tr"}
# Those that mean nothing outside of their parent.
NEEDED_PARENT = {
    "dt": "dl",
    "dd": "dl",
    "tr": "table",
    "td": "tr",
    "th": "tr",
    "caption": "table",
    "figcaption": "figure",
}

# The attributes that are kept, if they are numbers.
NUMBERS = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",)}

INLINE = {"b": "strong", "strong": "strong", "i": "em", "em": "em", "s": "del", "strike": "del", "del": "del"}
INLINE |= dict.fromkeys(("code", "kbd", "samp", "tt"), "code") | {"sub": "sub", "sup": "sup"}

LANGUAGE = re.compile(r"(?:^|[\s-])(?:language|lang|highlight-source|brush:?)[-\s]+([\w+#.-]+)", re.I)
IMAGE_SOURCES = ("data-src", "data-original", "data-lazy-src", "src")


class OpenElement(NamedTuple):
    """An open element of the tree: what it stands for on the page, and itself."""

    key: object
    element: Element


@dataclass(slots=True)
class _TableRow:
    """A table row, the row of the page it stands for, and how many cells it has so far."""

    element: Element
    key: int
    cells: int = 0

    def fill(self, cells: int) -> None:
        """Add empty cells up to a number: those that were empty or not kept still hold their column."""
        for _ in range(cells - self.cells):
            self.element.append(Element("td"))
        self.cells = max(cells, self.cells)


def build_tree(doc: Writable) -> Element:
    """Build an <article> of the blocks that the document shows."""
    builder = _Builder(doc)
    return builder.build()


class _Builder:
    def __init__(self, doc: Writable) -> None:
        self.doc = doc
        self.page: Page = doc.page
        self.base = doc.page.base_url
        self.chains: dict[int, tuple[int, ...]] = {}
        self.article = Element("article")
        self.open: list[OpenElement] = []
        self.entered: tuple[int, ...] | None = None  # the chain of what is open
        self.rows: list[_TableRow] = []
        self.addresses: dict[int, str | None] = {}  # of the links that were looked at
        # by what they stand for on the page: asking elements for their children, or for a hash, takes long
        self.begun: set[object] = set()  # cells, headings and the like that hold something
        self.codes: dict[object, Element] = {}  # the <code> in each <pre>
        self.filled: dict[object, int] = {}  # how many blocks stand directly in a structure

    def build(self) -> Element:
        shown = self.doc.shown
        chains = [self.find_chain(block.block.element) for block in shown]
        for chain in chains:
            if chain:
                self.filled[chain[-1]] = self.filled.get(chain[-1], 0) + 1
        images = self.find_images(shown) if self.doc.has_images else {}
        for block, chain in zip(shown, chains, strict=True):
            for row in images.get(block.block.index, ()):
                self.add_image(row)
            self.add_block(block, chain)
        for tr in self.rows:
            tr.fill(self.page.cell_counts[tr.key])
        self.article.normalize()  # one text node for adjoining words, so that Markdown sees what starts a line
        return self.article

    def find_chain(self, element: int) -> tuple[int, ...]:
        """The elements around (and with) an element that survive, outermost first."""
        path = []
        chain: tuple[int, ...] | None = None
        for row in climb(self.page.parents, element):
            chain = self.chains.get(row)
            if chain is not None:
                break
            path.append(row)
        chain = chain or ()
        for row in reversed(path):
            chain = self.chains[row] = self.extend_chain(chain, row)
        return chain

    def extend_chain(self, chain: tuple[int, ...], row: int) -> tuple[int, ...]:
        page = self.page
        tag = STRUCTURE.get(page.tags[row])
        if tag is None or len(chain) >= MAX_NESTING:
            return chain
        above = STRUCTURE[page.tags[chain[-1]]] if chain else ""
        if above in PHRASES or (tag in NEEDED_PARENT and NEEDED_PARENT[tag] != above):
            return chain
        if tag == "table" and row in page.layout_tables:
            return chain
        # in a list item, Markdown loses its way with all but lists, headings and code
        if tag in NOT_IN_LISTS and any(page.tags[each] in LISTS for each in chain):
            return chain
        if tag == "caption" and row != chain[-1] + 1:  # HTML knows captions only at the top: a later one is a paragraph
            return chain[:-1]
        return (*chain, row)

    def enter(self, chain: tuple[int, ...]) -> Element:
        """Close and open elements until those of the chain are open; return the innermost."""
        if chain is self.entered:  # most paragraphs stand where the one before them does
            return self.open[-1].element if self.open else self.article
        self.entered = chain
        keys: list[tuple[object, str]] = []
        for row in self.prune_chain(chain):
            tag = STRUCTURE[self.page.tags[row]]
            parent = keys[-1][1] if keys else ""
            if tag == "li" and parent not in ("ul", "ol"):
                keys.append((("ul", self.page.parents[row]), "ul"))
            elif parent in ONLY_CHILD and tag not in ("li", "dt", "dd"):
                keys.append(((ONLY_CHILD[parent], row), ONLY_CHILD[parent]))
            keys.append((row, tag))
        same = 0
        while same < len(keys) and same < len(self.open) and self.open[same].key == keys[same][0]:
            same += 1
        del self.open[same:]
        for key, tag in keys[same:]:
            inside = self.open[-1].element if self.open else self.article
            made = Element(tag, self.read_attributes(key, tag))
            if tag in ("td", "th") and isinstance(key, int):
                self.rows[-1].fill(self.page.cell_numbers[key])
                self.rows[-1].cells += 1
            elif tag == "tr" and isinstance(key, int):
                self.rows.append(_TableRow(made, key))
            inside.append(made)
            self.open.append(OpenElement(key, made))
        return self.open[-1].element if self.open else self.article

    def prune_chain(self, chain: tuple[int, ...]) -> Iterator[int]:
        """The chain without list items that hold nothing but another list, and without the lists around those."""
        if len(chain) < 3:
            yield from chain
            return
        tags = [STRUCTURE[self.page.tags[row]] for row in chain]
        skip = 0
        for number, row in enumerate(chain):
            below = tags[number : number + 3]
            if len(below) == 3 and below[1] == "li" and {below[0], below[2]} <= {"ul", "ol"}:
                skip = max(skip, 0 if chain[number + 1] in self.filled else 2)
            if skip:
                skip -= 1
            else:
                yield row

    def read_attributes(self, key: object, tag: str) -> dict[str, str | list[str] | None] | None:
        if not isinstance(key, int) or tag not in NUMBERS:
            return None
        values = ((name, self.page.attr(key, name) or "") for name in NUMBERS[tag])
        return {name: value for name, value in values if value.isdecimal() and value.isascii() and len(value) < 5}

    def add_block(self, block: KeptBlock, chain: tuple[int, ...]) -> None:
        container = self.enter(chain)
        tag = container.tag
        if tag == "pre":
            self.add_code(container, block)
            return
        if tag in ONLY_CHILD:
            inner = Element(ONLY_CHILD[tag])
            container.append(inner)
            container = inner
        elif tag in PHRASES:
            if self.open[-1].key in self.begun:
                container.append(Element("br") if tag in ("td", "th") else Text(" "))
            self.begun.add(self.open[-1].key)
        elif not chain or tag in ("blockquote", "figure", "article") or self.filled[chain[-1]] > 1:
            inner = Element("p")
            container.append(inner)
            container = inner
        self.add_phrases(container, block)

    def add_code(self, pre: Element, block: KeptBlock) -> None:
        key = self.open[-1].key
        code = self.codes.get(key)
        if code is not None:
            code.append(Text("\n"))
        else:
            language = self.find_language(block)
            code = self.codes[key] = Element("code", {"class": f"language-{language}"} if language else None)
            pre.append(code)
        code.append(Text(block.text))

    def find_language(self, block: KeptBlock) -> str | None:
        """The programming language that a <pre>, or the <code> in it, names in its class."""
        page = self.page
        for row in (page.leaf_elements[block.leaves[0]], block.block.element, page.parents[block.block.element]):
            found = LANGUAGE.search(page.attr(row, "class") or "") if row >= 0 else None
            if found:
                return found[1].lower()
        return None

    def add_phrases(self, container: Element, block: KeptBlock) -> None:
        """Write the leaves of a block with the inline markup around them."""
        open_: list[OpenElement] = []
        for leaf, joint, text in block.pieces():
            wanted = self.find_wrappers(self.page.leaf_elements[leaf], block.block.element)
            formula = self.page.formulas.get(leaf) if leaf not in block.cuts else None
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
                self.add_formula(inside, formula)
                continue
            for number, line in enumerate(_split_lines(text)):  # more than one where white space is kept by style
                if number:
                    inside.append(Element("br"))
                inside.append(Text(line))

    def add_formula(self, inside: Element, formula: Formula) -> None:
        attributes: dict[str, str | list[str] | None] | None = {"display": "block"} if formula.is_display else None
        inside.append(Element("math", attributes, [Text(formula.tex)]))

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
        link = self.page.links[element] if self.doc.has_links else -1
        if link >= 0 and self.find_link(link):
            found["a"] = link
        return sorted((row, tag) for tag, row in found.items())[-MAX_INLINE:]  # what is around comes first on the page

    def find_link(self, row: int) -> str | None:
        if row not in self.addresses:
            self.addresses[row] = read_url(self.page.attr(row, "href"), self.base)
        return self.addresses[row]

    def find_images(self, shown: Sequence[KeptBlock]) -> dict[int, list[int]]:
        """The images to show before each block: those between two blocks that both are kept."""
        page = self.page
        kept = {block.block.index for block in shown}
        written = {element for element in page.leaf_elements if page.tags[element] == "img"}  # emoji, formulas
        found: dict[int, list[int]] = {}
        block = 0
        for row, tag in enumerate(page.tags):
            if tag != "img" or page.visibility.hides(row) or row in written:
                continue
            while block < len(page.starts) and page.opened[block] <= row:
                block += 1
            if block in kept and (block - 1 in kept or self.find_chain(row)):
                found.setdefault(block, []).append(row)
        return found

    def add_image(self, row: int) -> None:
        attr = partial(self.page.attr, row)
        source = next((url for name in IMAGE_SOURCES if (url := read_url(attr(name), self.base))), None)
        if source is None:
            return
        chain = self.find_chain(row)
        if chain and STRUCTURE[self.page.tags[chain[-1]]] in NO_IMAGES:
            return
        container = self.enter(chain)
        if self.open:
            self.begun.add(self.open[-1].key)
        image = Element("img", {"src": source, "alt": make_readable(attr("alt") or "")})
        container.append(Element("p", None, [image]) if container.tag in ("article", "blockquote") else image)


def _split_lines(text: str) -> list[str]:
    """The lines of a text, their white space folded; of several empty ones in a row, one."""
    if "\n" not in text:
        return [" ".join(text.split())]
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return [line for line, before in zip(lines, ["-", *lines], strict=False) if line or before]
