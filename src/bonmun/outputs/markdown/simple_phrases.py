"""Write inline content that needs no escapes as Markdown, several times faster than phrases.py does.

Most paragraphs with markup are such: texts in which no character is markup, links, images, line breaks, code, and
emphasis whose marks CommonMark recognises wherever they are.
"""

from __future__ import annotations

import re
from string import punctuation
from typing import TYPE_CHECKING, Literal

from bonmun.outputs.markdown.escape import SPECIAL_CHARACTERS
from bonmun.outputs.markdown.pieces import MARKS
from bonmun.outputs.markdown.spans import write_code, write_image, write_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.outputs.nodes import Node

__all__ = ["EDGES", "write_simple", "write_text"]

SPECIAL = re.compile(f"[{re.escape(SPECIAL_CHARACTERS)}\n]")
# What may be markup in a text, alone or beside other nodes, and in a link.
MARKUP = re.compile(r"[\\`<\n]|&(?=[#A-Za-z])|\[(?=\^)|\](?=\()")
MARKUP_IN_LINK = re.compile(r"[\\`<\n\[\]]|&(?=[#A-Za-z])")
PRICE = re.compile(r"\$(?=[0-9])")  # a dollar sign that cannot close a formula
EDGES = frozenset(punctuation)  # outside of emphasis, beside a letter in it
TEXTS = ("", "time")  # tags of what is written as a text


def write_text(text: str) -> str | None:
    """Return a text that is a whole paragraph as Markdown if nothing in it is markup; None for any other text.

    >>> write_text("4 * $3 for $12 [new] at AT & T"), write_text("*new*")
    ('4 * $3 for $12 [new] at AT & T', None)
    """
    if SPECIAL.search(text) and (MARKUP.search(text) or _has_pair(text, "*_~")):
        return None
    return text.strip()


def write_simple(nodes: Sequence[Node | str], break_: str) -> str | None:
    """Return inline nodes as Markdown if nothing in them needs an escape or a choice; None for any other nodes."""
    return _SimpleWriter(break_).write(nodes)


class _SimpleWriter:
    """Writes a paragraph."""

    def __init__(self, break_: str) -> None:
        self.break_ = break_
        self.texts: list[str] = []  # with special characters

    def write(self, nodes: Sequence[Node | str]) -> str | None:
        """Return nodes as Markdown, or None."""
        written: list[str] = []
        last = ""  # tag of the node before; "" for a text
        for node in nodes:
            tag = "" if isinstance(node, str) else node.tag
            if isinstance(node, str):
                text = node if self.is_literal(node) else None
            else:
                text = self.break_ if tag == "br" else self.write_node(node)
            if not text or (written and not _may_follow(text, tag, written[-1], last)):
                return None
            written.append(text)
            last = tag
        return None if self.texts and _has_pair(" ".join(self.texts), "_") else "".join(written)

    def write_node(self, node: Node) -> str | None:
        """Return an element as Markdown if it is simple: an image, a link, or a time, code or emphasis of one text."""
        if node.tag == "img":
            return write_image(node)
        if node.tag == "a":
            return self.write_link(node)
        if node.tag != "time":
            return self.write_marked(node)
        text = node.children[0] if len(node.children) == 1 else None
        return text if isinstance(text, str) and self.is_literal(text) else None

    def write_link(self, node: Node) -> str | None:
        """Return a link with texts, code and emphasis as Markdown."""
        before, last, written = "[", "[", ""
        for inner in node.children:
            tag = "" if isinstance(inner, str) else inner.tag
            if isinstance(inner, str):
                text = inner if self.is_literal(inner, MARKUP_IN_LINK) else None
            else:
                text = self.write_marked(inner, MARKUP_IN_LINK)
            if not text or not _may_follow(text, tag, before, last):
                return None
            before, last = text, tag
            written += text
        if not written or not _may_follow("]", "]", before, last):
            return None
        return f"[{written}]({write_url(node.attr('href') or '')})"

    def write_marked(self, node: Node, markup: re.Pattern[str] = MARKUP) -> str | None:
        """Return code or emphasis of one text as Markdown, or emphasis of several nodes beside a text."""
        text = node.children[0] if len(node.children) == 1 else None
        mark = MARKS.get(node.tag)
        if not isinstance(text, str):
            return self.write_nested(node, mark) if mark and markup is MARKUP else None
        if node.tag == "code":
            return write_code(text) if text.strip() and "\n" not in text else None
        if not mark or not self.is_literal(text, markup) or text[0].isspace() or text[-1].isspace():
            return None
        return f"{mark}{text}{mark}"

    def write_nested(self, node: Node, mark: str) -> str | None:
        """Return emphasis of texts and other emphasis, or of a link, as Markdown."""
        before, last, written = " ", " ", mark
        for inner in node.children:
            tag = "" if isinstance(inner, str) else inner.tag
            if isinstance(inner, str):
                text = inner if self.is_literal(inner) else None
            elif tag == "a" and len(node.children) == 1 and not any(map(_is_emphasis, inner.children)):
                text = self.write_link(inner)
            else:
                text = self.write_marked(inner, MARKUP_IN_LINK) if tag in MARKS and tag != node.tag else None
            if not text or not _may_follow(text, tag, before, last) or (last == " " and text[0].isspace()):
                return None
            before, last = text, tag
            written += text
        return None if before[-1].isspace() else written + mark

    def is_literal(self, text: str, markup: re.Pattern[str] = MARKUP) -> bool:
        """Whether no character of a text is markup, unless it is one of a pair."""
        if not SPECIAL.search(text):  # most texts
            return bool(text)
        self.texts.append(text)
        return not markup.search(text) and "*" not in text and "~" not in text


def _has_pair(text: str, marks: str) -> bool:
    """Whether a text has two of some marks, or dollar signs that may be around a formula."""
    if any(text.count(mark) > 1 for mark in marks):
        return True
    return text.count("$") > max(1, len(PRICE.findall(text)))


def _is_emphasis(node: Node | str) -> bool:
    return not isinstance(node, str) and node.tag in MARKS


def _may_follow(text: str, tag: str, before: str, tag_before: str) -> bool:
    """Whether what is written keeps its meaning beside what is written before it."""
    if tag == "a" and before[-1] == "!":  # the link would be an image
        return False
    if tag in TEXTS and tag_before in TEXTS and before[-1] in "&[]":  # both would be markup
        return False
    if tag == tag_before == "code":  # both would be one
        return False
    if tag in MARKS:
        return tag_before not in MARKS and _is_recognised(text, 0, before[-1])
    return tag_before not in MARKS or _is_recognised(before, -1, text[0])


def _is_recognised(emphasis: str, side: Literal[0, -1], outside: str) -> bool:
    """Whether the mark at the start (0) or end (-1) of emphasis is one beside a character outside of it."""
    return outside.isspace() or (outside in EDGES and emphasis.strip("*~")[side].isalnum())
