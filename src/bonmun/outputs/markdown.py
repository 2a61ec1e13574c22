"""Markdown: CommonMark with GFM tables, read back by any reader as the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turbohtml import Markdown

from bonmun.outputs.tree import kept_tree

if TYPE_CHECKING:
    from bonmun.document import Document

__all__ = ["write"]

STYLE = Markdown(tables=Markdown.Tables(header="first", cell_blocks="text"))


def write(doc: Document) -> str:
    """Write the kept tree."""
    return kept_tree(doc).to_markdown(STYLE)
