"""Leaves in, blocks out: the pieces of a page that a reader sees as one.

A paragraph, a heading, a list item, a table cell, a caption, a quote, a `<pre>` with its lines, one of the paragraphs
that `<br><br>` sets apart. Inline markup never splits a block: the walk has given every leaf a joint to the leaf before
it, and a block is a run of joined leaves.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from bonmun.page.walk import BLOCK, HIDDEN, LINK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.page import Leaf, Page

__all__ = ["Block", "Kind", "Sizes", "kind_of", "layout_tables", "sizes_of"]

Kind = Literal["paragraph", "heading", "item", "cell", "caption", "quote", "code"]

KIND_TAGS: dict[Kind, str] = {
    "heading": "h1 h2 h3 h4 h5 h6",
    "item": "li dt dd",
    "cell": "td th",
    "caption": "figcaption caption",
    "code": "pre listing xmp",
    "quote": "blockquote",
}
KINDS = {tag: kind for kind, tags in KIND_TAGS.items() for tag in tags.split()}
# A list or table inside a quote is a list or table; a paragraph inside an item, cell, caption or quote is that.
FLOW = frozenset({"article", "aside", "footer", "form", "header", "main", "nav", "section", "table"})


@dataclass(slots=True, eq=False)
class Block:
    """One block of a page: a view of its columns."""

    page: Page
    index: int

    def __repr__(self) -> str:
        return f"<Block {self.index} {self.kind}: {self.text[:60]!r}>"

    @property
    def text(self) -> str:
        """Its text, white space folded; `<br>` and the lines of a `<pre>` are line breaks."""
        return self.page.block_texts[self.index]

    @property
    def start(self) -> int:
        """The index of its first leaf."""
        return self.page.starts[self.index]

    @property
    def stop(self) -> int:
        """One past the index of its last leaf."""
        return self.page.stops[self.index]

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """Its leaves, in document order."""
        return self.page.leaves[self.start : self.stop]

    @property
    def element(self) -> int:
        """The element that holds it: the nearest one that starts a line."""
        return self.page.owners[self.index]

    @property
    def kind(self) -> Kind:
        """What a reader takes it for."""
        return kind_of(self.page, self.element)

    @property
    def hidden(self) -> bool:
        """Whether none of its leaves is shown."""
        page = self.page
        return all(page.bits[e] & HIDDEN for e in page.leaf_elements[self.start : self.stop])

    def shown_leaves(self) -> list[int]:
        """The numbers of its leaves, without hidden ones unless all are."""
        bits, elements = self.page.bits, self.page.leaf_elements
        leaves = range(self.start, self.stop)
        return [i for i in leaves if not bits[elements[i]] & HIDDEN] or list(leaves)

    def pieces(self, leaves: Sequence[int]) -> list[tuple[int, str, str]]:
        """Some of its leaves with what joins each to the one before ("", a space or a line break), and their texts."""
        page = self.page
        pieces = []
        last = leaves[0]
        for leaf in leaves:
            joint = max((page.joints[i] or "" for i in range(last + 1, leaf + 1)), default="", key=len)
            pieces.append((leaf, joint, page.raws.get(leaf) or page.texts[leaf]))
            last = leaf
        return pieces

    @property
    def shown_text(self) -> str:
        """Its text without hidden leaves, unless all are."""
        leaves = self.shown_leaves()
        if len(leaves) == self.stop - self.start:
            return self.text
        return "".join(joint + text for _, joint, text in self.pieces(leaves))

    @property
    def link_share(self) -> float:
        """The share of its characters that stand in links."""
        page = self.page
        rows = range(self.start, self.stop)
        total = sum(len(page.texts[i]) for i in rows)
        return sum(len(page.texts[i]) for i in rows if page.bits[page.leaf_elements[i]] & LINK) / total

    @property
    def tag_path(self) -> str:
        """The tags from the root down to its element: `html/body/div/p`."""
        return self.page.tag_path(self.element)

    @property
    def xpath(self) -> str:
        """Its place: the path of its element or, where that holds several blocks, of its first leaf."""
        page = self.page
        if page.blocks_of[self.element] == 1:
            return page.xpath(self.element)
        return page.leaves[self.start].xpath


def kind_of(page: Page, element: int) -> Kind:
    """The kind of block that text in an element makes: that of the nearest tag, itself or above, that says one."""
    kind = page.kinds.get(element)
    if kind is not None:
        return kind
    path = []
    while element not in page.kinds:  # the root's is known
        path.append(element)
        element = page.parents[element]
    kind = page.kinds[element]
    for row in reversed(path):
        tag = page.tags[row]
        if tag in KINDS:
            layout = KINDS[tag] == "cell" and page.tables[row] in page.layout_tables
            kind = "paragraph" if layout else KINDS[tag]
        elif tag in FLOW:
            kind = "paragraph"
        page.kinds[row] = kind
    return kind


class Sizes(NamedTuple):
    """How long each block is, in UTF-8 bytes: a Korean syllable or Chinese character says as much as three letters."""

    sizes: list[int]
    links: list[int]  # how much of it stands in links
    hidden: list[bool]  # whether none of it is shown


def sizes_of(page: Page) -> Sizes:
    """Measure the blocks of a page; on a page that scripts uncover, where all are hidden, hiding says nothing."""
    sizes: list[int] = []
    links: list[int] = []
    hidden: list[bool] = []
    bits, elements = page.bits, page.leaf_elements
    leaf_sizes = [len(text) if text.isascii() else len(text.encode()) for text in page.texts]
    for start, stop in zip(page.starts, page.stops, strict=True):
        if stop - start == 1:
            size, bit = leaf_sizes[start], bits[elements[start]]
            sizes.append(size)
            links.append(size if bit & LINK else 0)
            hidden.append(bool(bit & HIDDEN))
        else:
            rows = range(start, stop)
            sizes.append(sum(leaf_sizes[start:stop]))
            links.append(sum(leaf_sizes[i] for i in rows if bits[elements[i]] & LINK))
            hidden.append(all(bits[elements[i]] & HIDDEN for i in rows))
    hidden = [False] * len(hidden) if all(hidden) else hidden
    if page.gone:
        spans = zip(page.starts, page.stops, hidden, strict=True)
        hidden = [hid or page.gone.issuperset(range(start, stop)) for start, stop, hid in spans]
    return Sizes(sizes, links, hidden)


# What a cell of data does not hold. Lists do occur in data; a single one does not make a layout.
LAYOUT_CONTENT = frozenset({"div", "p", "h1", "h2", "h3", "h4", "article", "section", "form", "blockquote"})


def layout_tables(page: Page) -> frozenset[int]:
    """The tables that only arrange the page.

    A table is data when it says so (caption, thead, th) and layout when it says so (role, nesting); in doubt it is
    data if it has two rows and two columns and its cells hold text, not blocks.
    """
    data: set[int] = set()
    layout: set[int] = set()
    blocks: Counter[int] = Counter()
    cells: Counter[int] = Counter()
    rows: Counter[int] = Counter()
    for row, (tag, around) in enumerate(zip(page.tags, page.tables, strict=True)):
        if around < 0:
            continue
        if tag == "table":
            if page.nodes[row].attr("role") in ("presentation", "none"):
                layout.add(row)
            around = page.tables[page.parents[row]]
            layout.add(around)
        elif tag in ("th", "thead", "caption"):
            data.add(around)
        if tag == "tr":
            rows[around] += 1
        elif tag in ("td", "th"):
            cells[around] += 1
        elif tag in LAYOUT_CONTENT and page.bits[row] & BLOCK:
            blocks[around] += 1
    for table in set(page.tables) - {-1} - data - layout:
        if rows[table] < 2 or cells[table] <= rows[table] or blocks[table] * 2 > cells[table]:
            layout.add(table)
    return frozenset(layout - {-1})
