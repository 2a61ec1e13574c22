"""Plain text: a blank line between paragraphs, a line for each list item and each table row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.document import Document, KeptBlock

__all__ = ["write"]


def write(doc: Document) -> str:
    """Join the kept blocks: by a tab within a table row, a line break within a list or table, else a blank line."""
    parts: list[str] = []
    last: KeptBlock | None = None
    for block in doc.shown:
        if last is not None:
            parts.append(_between(last, block))
        parts.append(block.text)
        last = block
    return "".join(parts)


def _between(last: KeptBlock, block: KeptBlock) -> str:
    if last.kind == block.kind == "item":
        return "\n"
    if last.kind == block.kind == "cell":
        rows = block.block.page.table_rows
        return "\t" if rows[last.block.element] == rows[block.block.element] else "\n"
    return "\n\n"
