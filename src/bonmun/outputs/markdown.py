"""Markdown: CommonMark with GFM tables, read back by any reader as the same text."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from turbohtml import Element, Markdown, Text

from bonmun.outputs.tree import kept_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from turbohtml import Node

    from bonmun.document import Document

__all__ = ["write"]


def write(doc: Document) -> str:
    """Write the kept tree."""
    tree = kept_tree(doc)
    tree.strip_tags("sub,sup")  # Markdown has no such thing
    tree.normalize()
    return tree.to_markdown(STYLE)


def _emphasis(mark: str) -> Callable[[Element, str], str]:
    """Write `<strong>` or `<em>` with marks where CommonMark reads them as such, else as HTML.

    turbohtml falls back to HTML for any emphasis that touches a letter, as most Korean and Japanese emphasis does
    (`**본문**은`). The standard only refuses marks between a letter outside and punctuation inside.
    """

    def convert(element: Element, inner: str) -> str:
        before = _edge(element.previous_sibling, -1)
        after = _edge(element.next_sibling, 0)
        if before is None or after is None or not (_flanks(inner[:1], before) and _flanks(inner[-1:], after)):
            return f"<{element.tag}>{inner}</{element.tag}>"
        return f"{mark}{inner}{mark}"

    return convert


def _edge(sibling: Node | None, index: int) -> str | None:
    """The character next to an element: a blank at the edge of a line, None if other markup stands there."""
    if sibling is None or (isinstance(sibling, Element) and sibling.tag == "br"):
        return " "
    return sibling.data[index] if isinstance(sibling, Text) and sibling.data else None


def _flanks(inside: str, outside: str) -> bool:
    """Whether a mark between the two characters opens or closes emphasis."""
    if not inside or inside.isspace():
        return False
    return not _is_punctuation(inside) or outside.isspace() or _is_punctuation(outside)


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


STYLE = Markdown(
    tables=Markdown.Tables(header="first", cell_blocks="text"),
    converters={"strong": _emphasis("**"), "em": _emphasis("*")},
)
