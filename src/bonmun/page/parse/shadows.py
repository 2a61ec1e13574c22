"""Declarative shadow roots, which a browser shows instead of the children of their host element."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Node

__all__ = ["Shadows", "is_shadow", "may_host"]

# Elements that can have a shadow root, besides custom elements, whose names contain a hyphen.
HOSTS = frozenset("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split())


class Shadows:
    """Replaces a host's children by its shadow root, and the slots in it by the host's children, as a browser does."""

    def __init__(self) -> None:
        # the host of each shadow root and of each parent of a slot: its row, and its children by slot name
        self.hosts: dict[Node, tuple[int, dict[str, list[Node]]] | None] = {}

    def enter(self, node: Element, row: int) -> tuple[Iterator[Node], int]:
        """Return the nodes to visit instead of the node's children, and the row of their parent."""
        if is_shadow(node):
            return iter(node.children[0]), row  # past the fragment with the content of the template
        children: list[Node] = list(node.children)
        if node.tag == "slot":
            host = next((self.hosts[above] for above in node.ancestors if above in self.hosts), None)
            if node.parent is not None:
                self.hosts[node.parent] = host
            if host and (assigned := host[1].pop(node.attr("name") or "", None)):
                return iter(assigned), host[0]
        elif may_host(node.tag) and (shadow := next((child for child in children if is_shadow(child)), None)):
            slots: dict[str, list[Node]] = {}
            for child in children:
                if child is not shadow:
                    slots.setdefault((isinstance(child, Element) and child.attr("slot")) or "", []).append(child)
            self.hosts[shadow.children[0]] = row, slots
            return iter((shadow,)), row
        return iter(children), row


def is_shadow(node: Node) -> bool:
    """Return whether a node is a template that is shown as the shadow root of its parent."""
    mode = node.attr("shadowrootmode") if isinstance(node, Element) and node.tag == "template" else None
    return mode is not None and mode.lower() in ("open", "closed")


def may_host(tag: str) -> bool:
    """Return whether an element with this tag can have a shadow root."""
    return "-" in tag or tag in HOSTS
