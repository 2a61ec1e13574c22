"""Plain text: a blank line between paragraphs, a line for each list item and each table row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.document import Document, KeptBlock

__all__ = ["write"]


def write(doc: Document) -> str:
    """Join the kept blocks: by tabs within a table row, a line break within a list or table, else a blank line."""
    parts: list[str] = []
    last: KeptBlock | None = None
    for block in doc.shown:
        parts.append(_between(last, block))
        parts.append(block.text.replace("\n", " ") if block.kind == "cell" else block.text)
        last = block
    return "".join(parts)


def _between(last: KeptBlock | None, block: KeptBlock) -> str:
    if block.kind == "cell":
        return _before_cell(last, block)
    if last is None:
        return ""
    return "\n" if last.kind == block.kind == "item" else "\n\n"


def _before_cell(last: KeptBlock | None, block: KeptBlock) -> str:
    """As many tabs as there are columns in between, empty ones too."""
    page = block.block.page
    cell = page.cells[block.block.element]
    column = page.cell_numbers[cell]
    if last is None or last.kind != "cell":
        return ("\n\n" if last else "") + "\t" * column
    before = page.cells[last.block.element]
    if before == cell:
        return " "
    same_row = page.parents[before] == page.parents[cell]
    return "\t" * (column - page.cell_numbers[before]) if same_row else "\n" + "\t" * column
