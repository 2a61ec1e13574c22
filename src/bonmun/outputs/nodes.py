"""Nodes of the kept tree: elements that hold elements and texts.

They are plain Python: to make elements of the parser's, and to ask them for what they hold, takes several times as
long. Those are made of them where a tree is asked for (`make_element`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from turbohtml import Element

__all__ = ["Node", "gather_text", "join_texts", "make_element", "walk_nodes"]


class Node:
    """An element: its tag, its attributes if it has any, and what it holds: nodes, and texts as they are."""

    __slots__ = ("attributes", "children", "tag")

    def __init__(
        self, tag: str, attributes: dict[str, str] | None = None, children: list[Node | str] | None = None
    ) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Node | str] = [] if children is None else children

    def __repr__(self) -> str:
        return f"<{self.tag} {self.attributes or ''}: {len(self.children)} children>"

    def attr(self, name: str) -> str | None:
        """The value of an attribute; None where there is none."""
        return self.attributes.get(name) if self.attributes else None

    def find(self, tag: str) -> Node | None:
        """The first element of a tag in it, at any depth."""
        return next((node for node in walk_nodes(self.children) if node.tag == tag), None)


def walk_nodes(nodes: Iterable[Node | str]) -> Iterator[Node]:
    """All elements among some nodes and in them, in document order."""
    for node in nodes:
        if not isinstance(node, str):
            yield node
            yield from walk_nodes(node.children)


def gather_text(node: Node) -> str:
    """All text in an element."""
    return "".join([child if isinstance(child, str) else gather_text(child) for child in node.children])


def join_texts(children: list[Node | str]) -> None:
    """Make one text of those that adjoin, so that Markdown sees what starts a line; empty ones are left out."""
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


def make_element(node: Node) -> Element:
    """The same as an element of the parser's, with all in it; the kept tree's nesting is limited."""
    from turbohtml import Element, Text

    children = [Text(child) if isinstance(child, str) else make_element(child) for child in node.children]
    return Element(node.tag, dict(node.attributes) if node.attributes else None, children)
