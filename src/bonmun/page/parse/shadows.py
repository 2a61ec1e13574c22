"""Declarative shadow roots: what a browser shows in place of the children of an element that has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Node

__all__ = ["Shadows", "is_shadow", "may_host"]

# The elements that can have a shadow root, beside those whose name has a hyphen.
HOSTS = frozenset("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split())


class Shadows:
    """Shows a shadow root in its host's place, and the host's own children in its slots, as a browser does."""

    def __init__(self) -> None:
        # the host that something stands in, and its children by slot name: known for fragments, and around slots
        self.hosts: dict[Node, tuple[int, dict[str, list[Node]]] | None] = {}

    def enter(self, node: Element, row: int) -> tuple[Iterator[Node], int]:
        """What to show in place of the node's children, and the row of their parent."""
        if is_shadow(node):
            return iter(node.children[0]), row  # past the fragment that holds a template's content
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
    """Whether a node is a template that is shown as the shadow root of what holds it."""
    mode = node.attr("shadowrootmode") if isinstance(node, Element) and node.tag == "template" else None
    return mode is not None and mode.lower() in ("open", "closed")


def may_host(tag: str) -> bool:
    """Whether an element of this tag can have a shadow root."""
    return "-" in tag or tag in HOSTS
