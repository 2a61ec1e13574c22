"""The kept blocks as a small HTML tree: what Markdown, HTML and XML are written from.

Only markup that means something survives (headings, lists, tables of data, quotes, code, captions, emphasis, and links
and images if asked for); everything else on the page is layout. Nesting is limited, so that no page, however deep,
makes a deep tree.
"""

from __future__ import annotations

from itertools import groupby, takewhile
from typing import TYPE_CHECKING

from bonmun.outputs.chains import LISTS, PHRASES, TITLE, Chains
from bonmun.outputs.embeds import EMBED_TAGS, find_embed
from bonmun.outputs.images import ROWS_TO_TWIN, find_image
from bonmun.outputs.nodes import Node, gather_text
from bonmun.outputs.tree_phrases import PhraseBuilder
from bonmun.page.code_language import find_language
from bonmun.text.readable import make_readable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.outputs.tree_phrases import OpenElement
    from bonmun.outputs.writable import Writable
    from bonmun.page import Page

__all__ = ["build_tree"]

# Those whose children must be of one kind, and those that hold no images.
ONLY_CHILD = {"ul": "li", "ol": "li", "dl": "dd"}
PARAGRAPHS = frozenset({"blockquote", "figure", "article"})  # those in which each block is a paragraph
CELLS = frozenset({"td", "th"})
NO_IMAGES = (PHRASES - CELLS) | {"ul", "ol", "dl", "table", "tr"}
# The attributes that are kept, if they are numbers.
NUMBERS = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",)}
ROWS_TO_BOX = 4  # elements at the start of a list item among which the box of a task is looked for


class _TableRow:
    """A table row, the row of the page it stands for, and how many cells it has so far."""

    __slots__ = ("cells", "key", "node")

    def __init__(self, node: Node, key: int) -> None:
        self.node = node
        self.key = key
        self.cells = 0

    def fill(self, cells: int) -> None:
        """Add empty cells up to a number: those that were empty or not kept still hold their column."""
        for _ in range(cells - self.cells):
            self.node.children.append(Node("td"))
        self.cells = max(cells, self.cells)


def build_tree(doc: Writable, heads: Mapping[int, tuple[str | None, str | None]] | None = None) -> Node:
    """Build an <article> of the blocks that the document shows.

    Over the blocks that `heads` has by their numbers on the page, a line says a name and a date.
    """
    return _Builder(doc, heads or {}).build()


class _Builder:
    def __init__(self, doc: Writable, heads: Mapping[int, tuple[str | None, str | None]]) -> None:
        self.doc = doc
        self.heads = heads
        self.page: Page = doc.page
        self.chains = Chains(doc.page)
        self.phrases = PhraseBuilder(doc)
        self.article = Node("article")
        self.has_boxes = "input" in doc.page.tags
        self.open: list[OpenElement] = []
        self.entered: tuple[int, ...] | None = None  # the chain of what is open
        self.rows: list[_TableRow] = []
        # by what they stand for on the page
        self.begun: set[object] = set()  # cells, headings and the like that hold something
        self.codes: dict[object, Node] = {}  # the <code> in each <pre>
        self.filled: dict[object, int] = {}  # how many blocks stand directly in a structure

    def build(self) -> Node:
        shown = self.doc.shown
        owners = self.page.owners
        chains = self.chains.find_all([owners[block.row] for block in shown])
        filled = self.filled
        for chain in chains:
            if chain:
                filled[chain[-1]] = filled.get(chain[-1], 0) + 1
        media = self.find_media(shown) if self.doc.has_images or self.doc.has_embeds else {}
        for label, blocks in groupby(zip(shown, chains, strict=True), lambda each: each[0].note):
            if label:
                self.add_note(label, list(blocks))
                continue
            for block, chain in blocks:
                if self.heads and block.row in self.heads:
                    self.add_head(*self.heads[block.row])
                if media:
                    for row in media.get(block.row, ()):
                        self.add_media(row)
                self.add_block(block, chain)
        for tr in self.rows:
            tr.fill(self.page.cell_counts[tr.key])
        for code in self.codes.values():
            _drop_indent(code)
        self.phrases.join()
        return self.article

    def add_head(self, name: str | None, date: str | None) -> None:
        """Add a line that says who wrote what follows, and when; what was open ends here."""
        self.open, self.entered = [], None
        words: list[Node | str] = [Node("strong", None, [name])] if name else []
        if date:
            words.append(f", {date}" if name else date)
        self.article.children.append(Node("p", None, words))

    def add_note(self, label: str, blocks: list[tuple[KeptBlock, tuple[int, ...]]]) -> None:
        """Add a note, without what all of it stands in."""
        article = self.article
        self.article = Node("note", {"label": label})
        self.open, self.entered = [], None
        article.children.append(self.article)
        rows = zip(*(chain for _, chain in blocks), strict=False)
        shared = sum(1 for _ in takewhile(lambda row: len(set(row)) == 1, rows))
        for block, chain in blocks:
            self.add_block(block, chain[shared:])
        self.article = article
        self.open, self.entered = [], None

    def enter(self, chain: tuple[int, ...]) -> Node:
        """Close and open elements until those of the chain are open; return the innermost."""
        open_ = self.open
        if chain is self.entered:  # most paragraphs stand where the one before them does
            return open_[-1][1] if open_ else self.article
        self.entered = chain
        keys = self.list_keys(chain)
        same = 0
        while same < len(keys) and same < len(open_) and open_[same][0] == keys[same][0]:
            same += 1
        del open_[same:]
        inside = open_[-1][1] if open_ else self.article
        for key, tag in keys[same:]:
            if tag == TITLE:
                made = Node("strong")
                inside.children.append(Node("p", None, [made]))
            else:
                made = Node(tag, self.read_attributes(key, tag) if tag in NUMBERS else None)
                if tag in CELLS and isinstance(key, int):
                    self.rows[-1].fill(self.page.cell_numbers[key])
                    self.rows[-1].cells += 1
                elif tag == "tr" and isinstance(key, int):
                    self.rows.append(_TableRow(made, key))
                inside.children.append(made)
            open_.append((key, made))
            inside = made
        return inside

    def list_keys(self, chain: tuple[int, ...]) -> list[tuple[object, str]]:
        """What the elements of a chain stand for, and their tags: with those that must stand between two of them."""
        keys: list[tuple[object, str]] = []
        parent = ""
        for row in self.chains.prune(chain, self.filled):
            tag = self.chains.tags[row]
            if tag == "li":
                if parent not in LISTS:
                    keys.append((("ul", self.page.parents[row]), "ul"))
            elif parent in ONLY_CHILD and tag not in ("dt", "dd"):
                keys.append(((ONLY_CHILD[parent], row), ONLY_CHILD[parent]))
            keys.append((row, tag))
            parent = tag
        return keys

    def read_attributes(self, key: object, tag: str) -> dict[str, str] | None:
        if not isinstance(key, int):
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
            container = _add_inside(container, ONLY_CHILD[tag])
        elif tag in PHRASES or tag == "strong":
            if self.open[-1][0] in self.begun:
                container.children.append(Node("br") if tag in CELLS else " ")
            self.begun.add(self.open[-1][0])
        elif not chain or tag in PARAGRAPHS or self.filled[chain[-1]] > 1:
            container = _add_inside(container, "p")
        if self.has_boxes and chain and (box := self.find_box(chain[-1])):
            container.children += [box, " "]
        self.phrases.add(container, block, is_bold=tag == "strong")

    def find_box(self, row: int) -> Node | None:
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
                return Node("input", {"type": "checkbox", "disabled": ""} | ({"checked": ""} if is_checked else {}))
        return None

    def add_code(self, pre: Node, block: KeptBlock) -> None:
        key = self.open[-1][0]
        code = self.codes.get(key)
        if code is not None:
            code.children.append("\n")
        else:
            language = find_language(self.page, self.page.leaf_elements[block.leaves[0]])
            code = self.codes[key] = Node("code", {"class": f"language-{language}"} if language else None)
            pre.children.append(code)
        code.children.append(block.text)

    def find_media(self, shown: Sequence[KeptBlock]) -> dict[int, list[int]]:
        """The images, and what is embedded, to show before each block: those between two blocks that both are kept."""
        page = self.page
        kept = {block.row for block in shown}
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
        if chain and self.chains.tags[chain[-1]] in NO_IMAGES:
            return
        made = self.make_embed(row) if self.page.tags[row] in EMBED_TAGS else self.make_image(row)
        if made is None:
            return
        container = self.enter(chain)
        if self.open:
            self.begun.add(self.open[-1][0])
        container.children.append(Node("p", None, [made]) if container.tag in ("article", "blockquote") else made)

    def make_image(self, row: int) -> Node | None:
        page = self.page
        source = find_image(page, row, page.base_url)
        if source is None:
            return None
        alt = page.find_inner_attr(row, "img", "alt") if page.tags[row] == "noscript" else page.attr(row, "alt")
        return Node("img", {"src": source, "alt": make_readable(alt or "")})

    def make_embed(self, row: int) -> Node | None:
        embed = find_embed(self.page, row, self.page.base_url)
        return Node("a", {"href": embed.url}, [embed.title]) if embed else None


def _add_inside(container: Node, tag: str) -> Node:
    """Add an element to another."""
    made = Node(tag)
    container.children.append(made)
    return made


def _drop_indent(code: Node) -> None:
    """Take away the indent that all lines of some code have: it comes from the page's own source."""
    text = gather_text(code)
    if text[:1].isspace():
        from textwrap import dedent

        text = dedent(text)
    code.children[:] = [text] if text else []
