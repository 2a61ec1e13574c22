"""Build the output tree: the blocks as a small HTML tree, from which Markdown, HTML and XML are written.

Only semantic markup is kept: headings, lists, data tables, quotes, code, captions, emphasis, and links and images if
the options include them. Everything else on the page is layout. The depth of the tree is limited.
"""

from __future__ import annotations

from itertools import dropwhile, groupby, takewhile
from typing import TYPE_CHECKING, Any

from bonmun.kernel import load_kernel
from bonmun.outputs.alts import clean_alt
from bonmun.outputs.bold_titles import find_bold_titles
from bonmun.outputs.chains import LISTS, PHRASES, TITLE, Chains
from bonmun.outputs.embeds import find_embed
from bonmun.outputs.ids import find_ids
from bonmun.outputs.item_links import find_item_links
from bonmun.outputs.linked_items import find_file_links, find_linked_items
from bonmun.outputs.media import AT_END, find_media
from bonmun.outputs.nodes import Node, SourceNode, gather_text
from bonmun.outputs.posts import MAX_DEPTH
from bonmun.outputs.special_paragraphs import LINE_SIGNS, is_drawn_line, is_rank, make_link_list
from bonmun.outputs.tree_phrases import PhraseBuilder
from bonmun.page.code_language import find_language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.kept import KeptBlock
    from bonmun.outputs.media import Medium
    from bonmun.outputs.tree_phrases import OpenElement
    from bonmun.outputs.writable import Writable
    from bonmun.page import Page

__all__ = ["build_tree"]

KERNEL = load_kernel("phrases")
ONLY_CHILD = {"ul": "li", "ol": "li", "dl": "dd", "tr": "td"}  # tag of the children that an element needs
CHILDREN = frozenset({"dt", "dd", "td", "th"})  # tags of children that are those or others that may be there
PARAGRAPHS = frozenset({"blockquote", "figure", "article"})  # tags in which every block is a paragraph
CELLS = frozenset({"td", "th"})
PARTS = CELLS | {"tr", "li", "dt", "dd", "caption", "figcaption"}  # tags that need another element around them
NO_IMAGES = (PHRASES - CELLS) | {"ul", "ol", "dl", "table", "tr"}  # tags that cannot contain images
NUMBERED = CELLS | {"tr", "ol"}  # tags of nodes with attributes, or that are cells or rows
SPACED = frozenset({"img", "a", "strong", "em", "del", "sub", "sup", "code", "math", "noteref"})  # end with a space
# Attributes that are kept if they are numbers.
NUMBERS = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",)}
MAX_ROWS_TO_CHECKBOX = 4  # elements at the start of a list item that are searched for a checkbox


class _TableRow:
    """A table row of the tree, its row on the page, and the number of its cells so far."""

    __slots__ = ("cells", "key", "node")

    def __init__(self, node: Node, key: int) -> None:
        self.node = node
        self.key = key
        self.cells = 0

    def fill(self, cells: int) -> None:
        """Add empty cells up to a number: cells that are empty or not kept still take a column."""
        for _ in range(cells - self.cells):
            self.node.children.append(Node("td"))
        self.cells = max(cells, self.cells)


def build_tree(doc: Writable, *, links: bool = True, images: bool = True, ids: bool = False) -> Node:
    """Build an <article> of the blocks to write, with links and images if the document has them and they are wanted.

    The posts of a thread are articles in it, each with a header; replies are in the article of the post above them.
    With `ids`, an empty node `anchor` marks each place of the text that has an id.
    """
    builder = _Builder(doc, links=links and doc.has_links, images=images and doc.has_images)
    if ids:
        builder.ids = find_ids(doc)
    return builder.build()


class _Builder:
    def __init__(self, doc: Writable, *, links: bool, images: bool) -> None:
        self.doc = doc
        self.has_images = images
        self.posts = doc.written_posts
        self.post: int | None = None  # index of the open post
        self.articles: list[tuple[int, Node]] = []  # the open post and those above it, with their articles
        self.begun_posts: set[int] = set()
        self.page: Page = doc.page
        self.chains = Chains(doc.page)
        self.phrases = PhraseBuilder(doc, links=links)
        self.root = self.article = Node("article")
        self.has_checkboxes = "checkbox" in doc.page.attrs(doc.page.list_rows("input"), "type")
        self.open: list[OpenElement] = []
        self.entered: tuple[int, ...] | None = None  # chain of the open elements
        self.rows: list[_TableRow] = []
        self.ranked: Node | None = None  # the list item whose only block so far is its number
        # by key: the element of the page that a node represents
        self.begun: set[object] = set()  # cells, headings … that are not empty
        self.codes: dict[object, Node] = {}  # the <code> in each <pre>
        self.filled: dict[object, int] = {}  # number of blocks directly in a structural element
        self.ids: dict[int, list[str]] = {}  # to mark, by row of the block
        self.titles: dict[int, str] = {}  # tags of bold lines that are headings, by row of the block
        self.adder: Any = None  # of the kernel

    def build(self) -> Node:
        shown = self.doc.shown
        owners = self.page.owners
        chains = self.chains.find_all([owners[block.row] for block in shown])
        self.chains.drop_layouts(chains)
        self.chains.join_lists()
        chains = self.cut_items(shown, chains)
        self.titles = find_bold_titles(self.doc, shown, chains)
        filled = self.filled
        for chain in chains:
            if chain:
                filled[chain[-1]] = filled.get(chain[-1], 0) + 1
        if KERNEL and self.phrases.adder:
            self.adder = self.make_adder()
        media = find_media(self.doc, self.chains, images=self.has_images)
        if self.posts.posts or any(block.note for block in shown):
            self.add_posts_and_notes(shown, chains, media)
        else:
            self.add_blocks(shown, chains, media)
        for medium in media.get(AT_END, ()):
            self.add_media(medium)
        self.article = self.root
        for tr in self.rows:
            tr.fill(self.page.cell_counts[tr.key])
        for code in self.codes.values():
            _drop_indent(code)
        self.phrases.join()
        self.adder = None  # which refers to this object
        return self.article

    def add_blocks(
        self, shown: Sequence[KeptBlock], chains: list[tuple[int, ...]], media: dict[int, list[Medium]]
    ) -> None:
        """Add blocks, and the images and players before each."""
        at = 0
        while at < len(shown):
            if self.adder and self.ranked is None:
                at = self.adder.add_all(shown, chains, at, media, self.article)
                if at == len(shown):
                    break
            for medium in media.get(shown[at].row, ()):
                self.add_media(medium)
            self.add_block(shown[at], chains[at])
            at += 1

    def add_posts_and_notes(
        self, shown: Sequence[KeptBlock], chains: list[tuple[int, ...]], media: dict[int, list[Medium]]
    ) -> None:
        """Do the same for blocks of which some are in posts, or are footnotes."""
        numbers = self.posts.numbers if self.posts.posts else None
        for label, blocks in groupby(zip(shown, chains, strict=True), lambda each: each[0].note):
            if label:
                self.enter_post(None)
                self.add_note(label, list(blocks))
                continue
            for block, chain in blocks:
                if numbers is not None and numbers.get(block.row) != self.post:
                    self.enter_post(numbers.get(block.row))
                for medium in media.get(block.row, ()):
                    self.add_media(medium)
                self.add_block(block, chain)

    def cut_items(self, shown: Sequence[KeptBlock], chains: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Return the chains without headings that are kickers or leads, and leave out all but one link of each item."""
        if "a" not in self.page.tag_names:
            return chains
        items = find_linked_items(self.page, shown, chains, self.chains.tags)
        self.phrases.bare = items.bare
        if "img" in self.page.tag_names:
            self.phrases.given = find_file_links(self.page, shown, chains)
        if self.doc.is_likely_listing:
            self.phrases.given |= find_item_links(self.page, shown, items.heads, items.links)
        return [chain[:-1] if chain and chain[-1] in items.plain else chain for chain in chains]

    def enter_post(self, number: int | None) -> None:
        """Open the article of a post, in that of the post it replies to if this is open, after closing all elements.

        A post that goes on after its replies gets another article, without a header.
        """
        self.close()
        self.post = number
        if number is None:
            self.articles, self.article = [], self.root
            return
        post = self.posts.posts[number]
        while self.articles and self.articles[-1][0] != post.parent:
            self.articles.pop()
        depth = min(len(self.articles), MAX_DEPTH)
        self.article = Node("article", {"data-depth": str(depth)} if depth else None)
        (self.articles[depth - 1][1] if depth else self.root).children.append(self.article)
        if number not in self.begun_posts and post.line:
            self.article.children.append(post.make_header())
        self.begun_posts.add(number)
        self.articles.append((number, self.article))

    def cut_chain(self, chain: tuple[int, ...]) -> tuple[int, ...]:
        """Return the elements of a chain that are inside of the open post."""
        if self.post is None or (element := self.posts.posts[self.post].element) < 0:
            return chain
        inside = (row for row in chain if row > element)
        return tuple(dropwhile(lambda row: self.chains.tags[row] in PARTS, inside))

    def add_note(self, label: str, blocks: list[tuple[KeptBlock, tuple[int, ...]]]) -> None:
        """Add a footnote, without the elements that contain all of it."""
        article = self.article
        self.article = Node("note", {"label": label})
        self.close()
        article.children.append(self.article)
        rows = zip(*(chain for _, chain in blocks), strict=False)
        shared = sum(1 for _ in takewhile(lambda row: len(set(row)) == 1, rows))
        for block, chain in blocks:
            self.add_block(block, chain[shared:])
        self.article = article
        self.close()

    def make_adder(self) -> Any:
        """Return the object of the kernel that adds ordinary blocks."""
        chains, phrases = self.chains, self.phrases
        adder = KERNEL.BlockAdder(
            *(phrases.adder, chains.tags, chains.first_lists, self.filled, phrases.bare, ONLY_CHILD, self.begun),
            *(chains.dropped, chains.layouts, PHRASES, PARAGRAPHS, LISTS, CHILDREN, NUMBERED, SPACED),
            *((self.titles, self.ids, phrases.given), LINE_SIGNS, chains.prune, self.make_part),
            *(self.find_checkbox if self.has_checkboxes else None, phrases.add, make_link_list),
        )
        self.open = adder.open
        return adder

    def close(self) -> None:
        """Close all elements."""
        if self.adder:
            self.adder.close()
        self.open.clear()
        self.entered = None

    def enter(self, chain: tuple[int, ...]) -> Node:
        """Close and open elements until those of the chain are open, and return the innermost."""
        if self.adder:
            entered: Node = self.adder.enter(chain, self.article)
            return entered
        open_ = self.open
        if chain is self.entered:  # most paragraphs follow a sibling
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
                made = self.make_part(key, tag) if tag in NUMBERED else Node(tag)
                inside.children.append(made)
            open_.append((key, made))
            inside = made
        return inside

    def make_part(self, key: object, tag: str) -> Node:
        """Return a new node for a numbered list, a table row or a cell, after the empty cells before it."""
        made = Node(tag, self.read_attributes(key, tag) if tag in NUMBERS else None)
        if tag in CELLS and isinstance(key, int):
            self.rows[-1].fill(self.page.cell_numbers[key])
            self.rows[-1].cells += 1
        elif tag == "tr" and isinstance(key, int):
            self.rows.append(_TableRow(made, key))
        return made

    def list_keys(self, chain: tuple[int, ...]) -> list[tuple[object, str]]:
        """Return key and tag of the elements of a chain, with those that are missing between two of them."""
        keys: list[tuple[object, str]] = []
        parent = ""
        for row in self.chains.prune(chain, self.filled):
            tag = self.chains.tags[row]
            if tag == "li":
                if parent not in LISTS:
                    keys.append((("ul", self.page.parents[row]), "ul"))
            elif parent in ONLY_CHILD and tag not in CHILDREN:
                keys.append(((ONLY_CHILD[parent], row), ONLY_CHILD[parent]))
            keys.append((self.chains.first_lists.get(row, row), tag))
            parent = tag
        return keys

    def read_attributes(self, key: object, tag: str) -> dict[str, str] | None:
        if not isinstance(key, int):
            return None
        found = {}
        for name in NUMBERS[tag]:
            value = self.page.attr(key, name)
            if value and value.isdecimal() and value.isascii() and len(value) < 5:
                found[name] = value
        return found

    def add_block(self, block: KeptBlock, chain: tuple[int, ...]) -> None:
        if self.post is not None:
            chain = self.cut_chain(chain)
        if self.adder and self.ranked is None and self.adder.add(block, chain, self.article):
            return
        container = self.enter(chain)
        tag = container.tag
        if tag == "pre":
            self.add_ids(container, block)
            self.add_code(container, block)
            return
        is_paragraph = False
        if tag in ONLY_CHILD:
            container = _add_inside(container, ONLY_CHILD[tag])
        elif tag in PHRASES or tag == "strong":
            if self.open[-1][0] in self.begun:
                container.children.append(Node("br") if tag in CELLS else " ")
            self.begun.add(self.open[-1][0])
        elif (
            not chain
            or tag in PARAGRAPHS
            or self.filled[chain[-1]] > 1
            or (self.chains.layouts and not self.chains.layouts.isdisjoint(chain))
        ):
            if tag in ("article", "blockquote") and container.children and is_drawn_line(block.text):
                container.children.append(Node("hr"))
                return
            is_paragraph = True
            container = self.add_paragraph(container, block)
        elif container.children:
            _end_phrase(container)
        if self.has_checkboxes and chain and (checkbox := self.find_checkbox(chain[-1])):
            container.children += [checkbox, " "]
        if self.ids:
            self.add_ids(container, block)
        self.phrases.add(container, block, is_bold=tag == "strong" or block.row in self.titles)
        if (
            is_paragraph
            and tag in PARAGRAPHS
            and len(block.leaves) > 1
            and (items := make_link_list(container.children))
        ):
            container.tag, container.children = "ul", items

    def add_paragraph(self, container: Node, block: KeptBlock) -> Node:
        """Append a paragraph for a block and return it; the number of a list item and its text share one."""
        if container.tag != "li":
            return _add_inside(container, self.titles.get(block.row, "p"))
        if self.ranked is container and len(container.children) == 1 and isinstance(container.children[0], Node):
            container.children[0].children.append(" ")
            self.ranked = None
            return container.children[0]
        self.ranked = container if not container.children and is_rank(block.text) else None
        return _add_inside(container, "p")

    def add_ids(self, container: Node, block: KeptBlock) -> None:
        """Mark the ids at the start of a block."""
        container.children += [Node("anchor", {"id": name}) for name in self.ids.get(block.row, ())]

    def find_checkbox(self, row: int) -> Node | None:
        """Return the checkbox at the start of a task list item, for its first block only."""
        page = self.page
        if page.tags[row] != "li" or row in self.begun:
            return None
        self.begun.add(row)
        for box in range(row + 1, min(row + 1 + MAX_ROWS_TO_CHECKBOX, len(page.tags))):
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

    def add_media(self, medium: Medium) -> None:
        row = medium.row
        if row in self.chains.icons:
            return
        chain = self.cut_chain(self.chains.find(medium.place))
        if medium.place != row:
            chain = tuple(takewhile(lambda each: self.chains.tags[each] not in PHRASES - CELLS, chain))
        if chain and self.chains.tags[chain[-1]] in NO_IMAGES:
            return
        made = self.make_image(medium) if medium.source else self.make_embed(row)
        if made is None:
            return
        container = self.enter(chain)
        if self.open:
            self.begun.add(self.open[-1][0])
        if container.tag in ("article", "blockquote"):
            made = Node("p", None, [made])
        else:
            _end_phrase(container)
        container.children.append(made)

    def make_image(self, medium: Medium) -> Node:
        page, row = self.page, medium.row
        alt = page.find_inner_attr(row, "img", "alt") if page.tags[row] == "noscript" else page.attr(row, "alt")
        return SourceNode("img", {"src": medium.source, "alt": clean_alt(alt)}, row)

    def make_embed(self, row: int) -> Node | None:
        embed = find_embed(self.page, row, self.page.base_url)
        return Node("a", {"href": embed.url}, [embed.title]) if embed else None


def _add_inside(container: Node, tag: str) -> Node:
    """Append a new child and return it."""
    made = Node(tag)
    container.children.append(made)
    return made


def _end_phrase(container: Node) -> None:
    """Add a space after a text or an image, from which the page sets apart what follows."""
    last = container.children[-1] if container.children else None
    if isinstance(last, str):
        container.children[-1] = f"{last} "
    elif last is not None and last.tag in SPACED:
        container.children.append(" ")


def _drop_indent(code: Node) -> None:
    """Remove the indentation that all lines of a code block share: it belongs to the source of the page."""
    text = gather_text(code)
    if text[:1].isspace():
        from textwrap import dedent

        text = dedent(text)
    code.children[:] = [text] if text else []
