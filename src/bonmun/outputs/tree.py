"""The kept blocks as a small HTML tree: what Markdown, HTML and XML are written from.

Only markup that means something survives (headings, lists, tables of data, quotes, code, captions, emphasis, and links
and images if asked for); everything else on the page is layout. Nesting is limited, so that no page, however deep,
makes a deep tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby, takewhile
from textwrap import dedent
from typing import TYPE_CHECKING

from turbohtml import Element, Text

from bonmun.outputs.chains import PHRASES, TITLE, Chains
from bonmun.outputs.embeds import EMBED_TAGS, find_embed
from bonmun.outputs.images import ROWS_TO_TWIN, find_image
from bonmun.outputs.tree_phrases import OpenElement, PhraseBuilder
from bonmun.page.code_language import find_language
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable
    from bonmun.page import Page

__all__ = ["build_tree"]

# Those whose children must be of one kind, and those that hold no images.
ONLY_CHILD = {"ul": "li", "ol": "li", "dl": "dd"}
NO_IMAGES = (PHRASES - {"td", "th"}) | {"ul", "ol", "dl", "table", "tr"}
# The attributes that are kept, if they are numbers.
NUMBERS = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",)}
ROWS_TO_BOX = 4  # elements at the start of a list item among which the box of a task is looked for


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


def build_tree(doc: Writable, heads: Mapping[int, tuple[str | None, str | None]] | None = None) -> Element:
    """Build an <article> of the blocks that the document shows.

    Over the blocks that `heads` has by their numbers on the page, a line says a name and a date.
    """
    return _Builder(doc, heads or {}).build()


class _Builder:
    def __init__(self, doc: Writable, heads: Mapping[int, tuple[str | None, str | None]]) -> None:
        self.doc = doc
        self.heads = heads
        self.page: Page = doc.page
        self.base = doc.page.base_url
        self.chains = Chains(doc.page)
        self.phrases = PhraseBuilder(doc)
        self.article = Element("article")
        self.has_boxes = "input" in doc.page.tags
        self.open: list[OpenElement] = []
        self.entered: tuple[int, ...] | None = None  # the chain of what is open
        self.rows: list[_TableRow] = []
        # by what they stand for on the page: asking elements for their children, or for a hash, takes long
        self.begun: set[object] = set()  # cells, headings and the like that hold something
        self.codes: dict[object, Element] = {}  # the <code> in each <pre>
        self.filled: dict[object, int] = {}  # how many blocks stand directly in a structure

    def build(self) -> Element:
        shown = self.doc.shown
        chains = [self.chains.find(block.block.element) for block in shown]
        for chain in chains:
            if chain:
                self.filled[chain[-1]] = self.filled.get(chain[-1], 0) + 1
        media = self.find_media(shown) if self.doc.has_images or self.doc.has_embeds else {}
        for label, blocks in groupby(zip(shown, chains, strict=True), lambda each: each[0].note):
            if label:
                self.add_note(label, list(blocks))
                continue
            for block, chain in blocks:
                if block.block.index in self.heads:
                    self.add_head(*self.heads[block.block.index])
                for row in media.get(block.block.index, ()):
                    self.add_media(row)
                self.add_block(block, chain)
        for tr in self.rows:
            tr.fill(self.page.cell_counts[tr.key])
        for code in self.codes.values():
            _drop_indent(code)
        self.article.normalize()  # one text node for adjoining words, so that Markdown sees what starts a line
        return self.article

    def add_head(self, name: str | None, date: str | None) -> None:
        """Add a line that says who wrote what follows, and when; what was open ends here."""
        self.open, self.entered = [], None
        words = [Element("strong", None, [Text(name)])] if name else []
        line = Element("p", None, words)
        if date:
            line.append(Text(f", {date}" if name else date))
        self.article.append(line)

    def add_note(self, label: str, blocks: list[tuple[KeptBlock, tuple[int, ...]]]) -> None:
        """Add a note, without what all of it stands in."""
        article = self.article
        self.article = Element("note", {"label": label})
        self.open, self.entered = [], None
        article.append(self.article)
        rows = zip(*(chain for _, chain in blocks), strict=False)
        shared = sum(1 for _ in takewhile(lambda row: len(set(row)) == 1, rows))
        for block, chain in blocks:
            self.add_block(block, chain[shared:])
        self.article = article
        self.open, self.entered = [], None

    def enter(self, chain: tuple[int, ...]) -> Element:
        """Close and open elements until those of the chain are open; return the innermost."""
        if chain is self.entered:  # most paragraphs stand where the one before them does
            return self.open[-1].element if self.open else self.article
        self.entered = chain
        keys: list[tuple[object, str]] = []
        for row in self.chains.prune(chain, self.filled):
            tag = self.chains.find_tag(row)
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
            if tag == TITLE:
                made = Element("strong")
                inside.append(Element("p", None, [made]))
                self.open.append(OpenElement(key, made))
                continue
            made = Element(tag, self.read_attributes(key, tag))
            if tag in ("td", "th") and isinstance(key, int):
                self.rows[-1].fill(self.page.cell_numbers[key])
                self.rows[-1].cells += 1
            elif tag == "tr" and isinstance(key, int):
                self.rows.append(_TableRow(made, key))
            inside.append(made)
            self.open.append(OpenElement(key, made))
        return self.open[-1].element if self.open else self.article

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
        elif tag in PHRASES or tag == "strong":
            if self.open[-1].key in self.begun:
                container.append(Element("br") if tag in ("td", "th") else Text(" "))
            self.begun.add(self.open[-1].key)
        elif not chain or tag in ("blockquote", "figure", "article") or self.filled[chain[-1]] > 1:
            inner = Element("p")
            container.append(inner)
            container = inner
        if self.has_boxes and chain and (box := self.find_box(chain[-1])):
            container.append(box)
            container.append(Text(" "))
        self.phrases.add(container, block, is_bold=tag == "strong")

    def find_box(self, row: int) -> Element | None:
        """The box of a task, before the first block of a list item that starts with one."""
        page = self.page
        if page.tags[row] != "li" or row in self.begun:
            return None
        self.begun.add(row)
        for box in range(row + 1, min(row + 1 + ROWS_TO_BOX, len(page.tags))):
            if page.tags[box] == "input" and page.attr(box, "type") == "checkbox":
                if row not in (page.parents[box], page.parents[page.parents[box]]):
                    return None
                is_checked = page.attr(box, "checked") is not None
                return Element("input", {"type": "checkbox", "disabled": ""} | ({"checked": ""} if is_checked else {}))
        return None

    def add_code(self, pre: Element, block: KeptBlock) -> None:
        key = self.open[-1].key
        code = self.codes.get(key)
        if code is not None:
            code.append(Text("\n"))
        else:
            language = find_language(self.page, self.page.leaf_elements[block.leaves[0]])
            code = self.codes[key] = Element("code", {"class": f"language-{language}"} if language else None)
            pre.append(code)
        code.append(Text(block.text))

    def find_media(self, shown: Sequence[KeptBlock]) -> dict[int, list[int]]:
        """The images, and what is embedded, to show before each block: those between two blocks that both are kept."""
        page = self.page
        kept = {block.block.index for block in shown}
        written = {element for element in page.leaf_elements if page.tags[element] == "img"}  # emoji, formulas
        wanted = ({"img", "noscript"} if self.doc.has_images else set()) | (
            EMBED_TAGS if self.doc.has_embeds else set()
        )
        found: dict[int, list[int]] = {}
        block = 0
        for row, tag in enumerate(page.tags):
            if tag not in wanted or page.visibility.hides(row) or row in written:
                continue
            if tag == "noscript" and "img" in page.tags[max(0, row - ROWS_TO_TWIN) : row]:
                continue  # that is where its image is
            while block < len(page.starts) and page.opened[block] <= row:
                block += 1
            if block in kept and (block - 1 in kept or self.chains.find(row)):
                found.setdefault(block, []).append(row)
        return found

    def add_media(self, row: int) -> None:
        chain = self.chains.find(row)
        if chain and self.chains.find_tag(chain[-1]) in NO_IMAGES:
            return
        made = self.make_embed(row) if self.page.tags[row] in EMBED_TAGS else self.make_image(row)
        if made is None:
            return
        container = self.enter(chain)
        if self.open:
            self.begun.add(self.open[-1].key)
        container.append(Element("p", None, [made]) if container.tag in ("article", "blockquote") else made)

    def make_image(self, row: int) -> Element | None:
        source = find_image(self.page, row, self.base)
        if source is None:
            return None
        page = self.page
        alt = page.find_held(row, "img", "alt") if page.tags[row] == "noscript" else page.attr(row, "alt")
        return Element("img", {"src": source, "alt": make_readable(alt or "")})

    def make_embed(self, row: int) -> Element | None:
        embed = find_embed(self.page, row, self.base)
        return Element("a", {"href": embed.url}, [Text(embed.title)]) if embed else None


def _drop_indent(code: Element) -> None:
    """Take away the indent that all lines of some code have: it comes from the page's own source."""
    text = code.text
    indented = dedent(text) if text[:1].isspace() else text
    if indented != text:
        for child in list(code.children):
            child.extract()
        code.append(Text(indented))
