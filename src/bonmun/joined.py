"""The pages of one article as one document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bonmun.document import Document
from bonmun.outputs.nodes import Node, walk_nodes
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bonmun.kept import KeptBlock
    from bonmun.metadata import Metadata
    from bonmun.metadata.posts import Post
    from bonmun.outputs.tables.record import Table

__all__ = ["MAX_PAGES", "JoinedDocument", "collect_pages", "join_documents"]

MAX_PAGES = 20  # of an article
# Shorter blocks that repeat one of an earlier page are kept if new ones are around them: "Yes", a table cell.
MIN_REPEATED_CHARS = 60
NOTE_TAGS = ("note", "noteref")


@dataclass(frozen=True, eq=False, repr=False)
class JoinedDocument(Document):
    """The main text of several pages as one document; title and metadata are those of the first page.

    It is made by `bonmun.extract_pages`. `block.page.url` is the URL of the page that a block comes from.

    Attributes:
        documents: The documents of the pages, each without the blocks that an earlier page has.
    """

    documents: tuple[Document, ...] = ()

    @property
    def parts(self) -> tuple[Document, ...]:
        """The documents of the pages."""
        return self.documents

    @cached_property
    def _selection(self) -> tuple[tuple[KeptBlock, ...], tuple[KeptBlock, ...], bool, frozenset[int]]:
        blocks = tuple(block for part in self.parts for block in part.blocks)
        comments = tuple(block for part in self.parts for block in part.comments)
        return blocks, comments, any(part.cut for part in self.parts), frozenset()

    @property
    def shown(self) -> tuple[KeptBlock, ...]:
        """Blocks that the output contains."""
        return tuple(block for part in self.parts for block in part.shown)

    @cached_property
    def posts(self) -> tuple[Post, ...]:
        """Posts of a thread, over all pages."""
        return _join_posts([(part.posts, len(part.blocks)) for part in self.parts])

    @cached_property
    def comment_posts(self) -> tuple[Post, ...]:
        """Posts among the readers' comments, over all pages."""
        return _join_posts([(part.comment_posts, len(part.comments)) for part in self.parts])

    @cached_property
    def metadata(self) -> Metadata:
        """Metadata of the first page."""
        return self.parts[0].metadata

    @property
    def cut(self) -> bool:
        """Whether anything was left out on one of the pages."""
        return self._selection[2]

    @property
    def confidence(self) -> float:
        """Confidence of the method in the page where it is lowest."""
        return min(part.confidence for part in self.parts)

    @cached_property
    def kind(self) -> str:
        """Kind of the first page."""
        return self.parts[0].kind

    @cached_property
    def next_page(self) -> str | None:
        """Address of the page after the last one."""
        return self.parts[-1].next_page

    @cached_property
    def nodes(self) -> Node:
        """The output as a tree of nodes."""
        return _join_trees([part.build_nodes() for part in self.parts])

    @cached_property
    def plain_nodes(self) -> Node:
        """The same tree with only the links and images that the options ask for."""
        return _join_trees([part.build_plain_nodes() for part in self.parts])

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Data tables in the output."""
        return tuple(table for part in self.parts for table in part.tables)

    def summary(self) -> dict[str, Any]:
        """Return everything but blocks, comments, tables and posts as plain values, with the URLs of all pages."""
        return super().summary() | {"pages": [part.url for part in self.parts]}

    def describe_block(self, block: KeptBlock) -> dict[str, Any]:
        """Return a block as plain values, with the URL of its page."""
        return block.to_dict() | {"url": block.page.url}


def join_documents(documents: Sequence[Document]) -> Document:
    """Return one document of several pages, in this order; blocks that an earlier page has are left out.

    Pages without new blocks are left out as a whole. A single page is returned as it is.
    """
    first, *rest = documents
    parts, seen = [first], _list_texts(first)
    for document in rest:
        part = _drop_repeated(document, seen)
        if part.blocks:
            parts.append(part)
            seen |= _list_texts(part)
    if len(parts) == 1:
        return first
    return JoinedDocument(first.page, first.labels, first.options, first.timings, tuple(parts))


def collect_pages(first: Document, load: Callable[[str], Document]) -> list[Document]:
    """Return the documents of a page and of the pages after it, at most `MAX_PAGES`.

    Only pages of the same host are loaded, none twice, and none after a page without new text.
    """
    from bonmun.metadata.pagers.addresses import split_address

    found, seen = [first], _list_texts(first)
    start = split_address(first.url or "")
    visited = {start}
    while len(found) < MAX_PAGES and (url := found[-1].next_page):
        address = split_address(url)
        if start is None or address is None or address.host != start.host or address in visited:
            break
        visited.add(address)
        document = load(url)
        arrived = split_address(document.url or "")  # after redirects
        if arrived is None or arrived.host != start.host or (arrived != address and arrived in visited):
            break
        visited.add(arrived)
        if not _drop_repeated(document, seen).blocks:
            break
        seen |= _list_texts(document)
        found.append(document)
    return found


def _list_texts(document: Document) -> set[str]:
    return {block.text for block in (*document.blocks, *document.comments)}


def _drop_repeated(document: Document, seen: set[str]) -> Document:
    """Return a document without the blocks that an earlier page has: at its start, at its end, and long ones."""
    repeated = _find_repeated(document.blocks, seen) + [block for block in document.comments if block.text in seen]
    if not repeated:
        return document
    labels = document.labels
    kept, comments = list(labels.kept), set(labels.comments)
    for block in repeated:
        for row in [block.row] if labels.unit == "block" else block.leaves:
            kept[row] = False
            comments.discard(row)
    labels = replace(labels, kept=kept, comments=frozenset(comments))
    return Document(document.page, labels, document.options, document.timings)


def _find_repeated(blocks: Sequence[KeptBlock], seen: set[str]) -> list[KeptBlock]:
    new = [number for number, block in enumerate(blocks) if block.text not in seen]
    first, last = (new[0], new[-1]) if new else (len(blocks), len(blocks))
    return [
        block
        for number, block in enumerate(blocks)
        if block.text in seen and (number < first or number > last or len(block.text) >= MIN_REPEATED_CHARS)
    ]


def _join_posts(groups: Sequence[tuple[Sequence[Post], int]]) -> tuple[Post, ...]:
    """Join the posts of several pages, given with their numbers of blocks."""
    joined: list[Post] = []
    before = 0  # blocks of the pages before
    for posts, count in groups:
        start = len(joined)
        joined += (
            replace(
                post,
                blocks=tuple(before + number for number in post.blocks),
                head=tuple(before + number for number in post.head),
                parent=None if post.parent is None else start + post.parent,
                opening=post.opening and not start,
            )
            for post in posts
        )
        before += count
    return tuple(joined)


def _join_trees(trees: Sequence[Node]) -> Node:
    """Join output trees; the notes of later pages get labels that no earlier page has."""
    root = Node("article")
    used: set[str] = set()
    for number, tree in enumerate(trees, 1):
        notes = [node for node in walk_nodes(tree.children) if node.tag in NOTE_TAGS and node.attributes]
        labels = {node.attributes["label"] for node in notes if node.attributes}
        renamed = {label: f"{label}-{number}" for label in labels & used}
        for node in notes:
            if node.attributes:
                label = node.attributes["label"]
                node.attributes["label"] = renamed.get(label, label)
        used |= labels | set(renamed.values())
        root.children += tree.children
    return root
