"""Write the output tree as JSON, and read it again: `["p", "See ", ["a", {"href": "b.html"}, "below"], "."]`."""

from __future__ import annotations

import json
from typing import Any

from bonmun.outputs.nodes import Node

__all__ = ["dump_tree", "load_tree"]


def dump_tree(tree: Node) -> str:
    """Return a tree as JSON; its depth is limited."""
    return json.dumps(_pack(tree), ensure_ascii=False, separators=(",", ":"))


def load_tree(text: str) -> Node:
    """Return the tree that `dump_tree` has written."""
    return _unpack(json.loads(text))


def _pack(node: Node) -> list[Any]:
    children = [child if isinstance(child, str) else _pack(child) for child in node.children]
    return [node.tag, *([node.attributes] if node.attributes else ()), *children]


def _unpack(packed: list[Any]) -> Node:
    tag, *rest = packed
    attributes = rest.pop(0) if rest and isinstance(rest[0], dict) else None
    return Node(tag, attributes, [each if isinstance(each, str) else _unpack(each) for each in rest])
