"""Plain text: a blank line between paragraphs, a line for each list item and each table row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.kept import KeptBlock
    from bonmun.outputs.writable import Writable

__all__ = ["write"]


def write(doc: Writable) -> str:
    """Join the kept blocks: by tabs within a table row, a line break within a list or table, else a blank line."""
    parts: list[str] = []
    last: KeptBlock | None = None
    last_kind = None
    for block in doc.shown:
        kind = block.kind
        if kind == "cell":
            parts.append(_separate_cell(last if last_kind == kind else None, block, first=last is None))
            parts.append(block.text.replace("\n", " "))
        else:
            if last is not None:
                parts.append("\n" if kind == last_kind == "item" else "\n\n")
            parts.append(block.text)
        last, last_kind = block, kind
    return "".join(parts)


def _separate_cell(last: KeptBlock | None, block: KeptBlock, *, first: bool) -> str:
    """As many tabs as there are columns since the last cell, empty ones too."""
    page = block.block.page
    cell = page.cells[block.block.element]
    column = page.cell_numbers[cell]
    if last is None:
        return ("" if first else "\n\n") + "\t" * column
    before = page.cells[last.block.element]
    if before == cell:
        return " "
    same_row = page.parents[before] == page.parents[cell]
    return "\t" * (column - page.cell_numbers[before]) if same_row else "\n" + "\t" * column
