"""Write inline content that needs no escapes as Markdown, several times faster than phrases.py does.

Most paragraphs with markup are such: texts without special characters, links, images, line breaks, code, and emphasis
whose marks CommonMark recognises wherever they are.
"""

from __future__ import annotations

from string import punctuation
from typing import TYPE_CHECKING, Literal

from bonmun.outputs.markdown.escape import SPECIAL
from bonmun.outputs.markdown.pieces import MARKS
from bonmun.outputs.markdown.spans import write_code, write_image, write_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.outputs.nodes import Node

__all__ = ["EDGES", "write_simple"]

EDGES = frozenset(punctuation)  # outside of emphasis, beside a letter in it


def write_simple(nodes: Sequence[Node | str], break_: str) -> str | None:
    """Return inline nodes as Markdown if nothing in them needs an escape or a choice; None for any other nodes."""
    written: list[str] = []
    last = ""  # tag of the node before; "" for a text
    for node in nodes:
        if isinstance(node, str):
            tag, text = "", node if _is_simple(node) else None
        else:
            tag, text = node.tag, break_ if node.tag == "br" else _write_node(node)
        if not text or (written and not _may_follow(text, tag, written[-1], last)):
            return None
        written.append(text)
        last = tag
    return "".join(written)


def _is_simple(text: str) -> bool:
    return bool(text) and "\n" not in text and not SPECIAL.search(text)


def _write_node(node: Node) -> str | None:
    """Return an element as Markdown if it is simple: an image, or a link, a time, code or emphasis of one text."""
    if node.tag == "img":
        return write_image(node)
    if len(node.children) != 1:
        return None
    inner = node.children[0]
    if node.tag == "time":
        return inner if isinstance(inner, str) and _is_simple(inner) else None
    if node.tag != "a":
        return _write_marked(node)
    if isinstance(inner, str):
        text = inner if _is_simple(inner) else None
    else:
        text = _write_marked(inner)
        if text and inner.tag in MARKS and not (_is_recognised(text, 0, "[") and _is_recognised(text, -1, "]")):
            return None
    return None if text is None else f"[{text}]({write_url(node.attr('href') or '')})"


def _write_marked(node: Node) -> str | None:
    """Return code or emphasis of one text as Markdown."""
    text = node.children[0] if len(node.children) == 1 else None
    if not isinstance(text, str):
        return None
    if node.tag == "code":
        return write_code(text) if text.strip() and "\n" not in text else None
    mark = MARKS.get(node.tag)
    if not mark or not _is_simple(text) or text[0].isspace() or text[-1].isspace():
        return None
    return f"{mark}{text}{mark}"


def _may_follow(text: str, tag: str, before: str, tag_before: str) -> bool:
    """Whether what is written keeps its meaning beside what is written before it."""
    if tag == "a" and before[-1] == "!":  # the link would be an image
        return False
    if tag == tag_before == "code":  # both would be one
        return False
    if tag in MARKS:
        return tag_before not in MARKS and _is_recognised(text, 0, before[-1])
    return tag_before not in MARKS or _is_recognised(before, -1, text[0])


def _is_recognised(emphasis: str, side: Literal[0, -1], outside: str) -> bool:
    """Whether the mark at the start (0) or end (-1) of emphasis is one beside a character outside of it."""
    return outside.isspace() or (outside in EDGES and emphasis.strip("*~")[side].isalnum())
