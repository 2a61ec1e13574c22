"""Write plain text: a blank line between paragraphs, one line per list item and per table row.

With `Options.posts`, a line with author and date comes before each post.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bonmun.outputs.writable import Writable
    from bonmun.page import Page
    from bonmun.page.parse.kinds import BlockKind

__all__ = ["list_parts", "write"]


def write(doc: Writable) -> str:
    """Join the blocks with tabs within a table row, line breaks within a list or table, and blank lines elsewhere."""
    return "".join(chain.from_iterable(list_parts(doc, has_authors=bool(doc.options.posts))))


def list_parts(doc: Writable, *, has_authors: bool) -> list[tuple[str, str]]:
    """Return for each block the separator before it and its text, after a line with author and date if wanted."""
    first, *rest = doc.parts
    parts = _list_parts(first, has_authors=has_authors)
    for each in rest:
        more = _list_parts(each, has_authors=has_authors)
        if parts and more:
            more[0] = ("\n\n", more[0][1])
        parts += more
    return parts


def _list_parts(doc: Writable, *, has_authors: bool) -> list[tuple[str, str]]:
    page = doc.page
    parts: list[tuple[str, str]] = []
    last_kind = None
    last_cell = -1  # last cell that was written, also if other blocks followed it
    last_note = None
    first = doc.written_posts.first if has_authors else {}
    begun: set[int] = set()  # posts whose first block is written
    kinds, owners, find_kind = page.kinds, page.owners, page.find_kind if page.formulas else None
    for block in doc.shown:
        row, note = block.row, block.note
        kind = find_kind(row) if find_kind else kinds[owners[row]]
        text = block.text
        if kind == "cell":
            cell = page.cells[block.element]
            before = _separate_cell(page, last_cell, cell, last_kind)
            text = text.replace("\n", " ")
            last_cell = cell
        else:
            before = "" if not last_kind else "\n" if kind == last_kind == "item" else "\n\n"
        if note != last_note:
            last_note = note
            text = f"[{last_note}] {text}" if last_note else text
        if first and not note and (post := first.get(row)) and row not in begun:
            begun.add(row)
            before, text = "\n\n" if last_kind else "", f"{post.line}\n{text}"
        parts.append((before, text))
        last_kind = kind
    return parts


def _separate_cell(page: Page, last: int, cell: int, last_kind: BlockKind | None) -> str:
    """Return the separator before a cell: within a row, one tab per column, empty ones included."""
    same_row = last >= 0 and page.parents[last] == page.parents[cell]
    tabs = "\t" * (page.cell_numbers[cell] - (page.cell_numbers[last] if same_row else 0))
    if last_kind != "cell":
        return ("\n\n" if last_kind else "") + tabs
    if last == cell:
        return " "
    return tabs if same_row else "\n" + tabs
