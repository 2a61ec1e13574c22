"""Nodes of the output tree.

They are plain Python objects, which are several times faster to create and read than the parser's elements.
`make_element` converts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.kernel import load_kernel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from turbohtml import Element

__all__ = ["Node", "SourceNode", "gather_text", "join_texts", "make_element", "walk_nodes"]


KERNEL = load_kernel("phrases")


class NodeValues:
    """What a node holds. With the compiled kernel, this is a class of the kernel."""

    __slots__ = ("attributes", "children", "tag")

    def __init__(
        self, tag: str, attributes: dict[str, str] | None = None, children: list[Node | str] | None = None
    ) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Node | str] = [] if children is None else children


if KERNEL and not TYPE_CHECKING:
    NodeValues = KERNEL.NodeValues


class Node(NodeValues):
    """An element of the output tree. Its children are nodes and texts."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{self.tag} {self.attributes or ''}: {len(self.children)} children>"

    def attr(self, name: str) -> str | None:
        """Return the value of an attribute, or None."""
        return self.attributes.get(name) if self.attributes else None

    def find(self, tag: str) -> Node | None:
        """Return the first descendant with a tag, or None."""
        return next((node for node in walk_nodes(self.children) if node.tag == tag), None)


class SourceNode(Node):
    """A link or an image, with the element of the page that it comes from."""

    __slots__ = ("row",)

    def __init__(self, tag: str, attributes: dict[str, str], row: int) -> None:
        super().__init__(tag, attributes)
        self.row = row


def walk_nodes(nodes: Iterable[Node | str]) -> Iterator[Node]:
    """Yield the nodes and their descendants in document order, without texts."""
    for node in nodes:
        if not isinstance(node, str):
            yield node
            yield from walk_nodes(node.children)


def gather_text(node: Node) -> str:
    """Return the text of a node and its descendants."""
    return "".join([child if isinstance(child, str) else gather_text(child) for child in node.children])


def join_texts(children: list[Node | str]) -> None:
    """Join adjacent texts and drop empty ones, in place, so that Markdown sees whole lines."""
    joined: list[Node | str] = []
    run: list[str] = []
    for child in children:
        if isinstance(child, str):
            if child:
                run.append(child)
            continue
        if run:
            joined.append("".join(run))
            run = []
        joined.append(child)
    if run:
        joined.append("".join(run))
    children[:] = joined


if KERNEL and not TYPE_CHECKING:
    join_texts = KERNEL.join_texts


def make_element(node: Node) -> Element:
    """Return a node and its descendants as an element of the parser; the depth of the tree is limited."""
    from turbohtml import Element, Text

    children = [Text(child) if isinstance(child, str) else make_element(child) for child in node.children]
    return Element(node.tag, dict(node.attributes) if node.attributes else None, children)
