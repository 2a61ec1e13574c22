"""Find code that editors of blogs paste as tables, with line numbers in one cell and the lines in the next.

Such a table has one row. It is code if its class or style says so, or if the lines are in a `<pre>`. Colour Scripter,
common in Korean blogs, also makes tables without numbers, and adds its name after the lines.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from turbohtml import Element, Text

if TYPE_CHECKING:
    from turbohtml import Document as Tree

__all__ = ["CodeTable", "find_code_tables"]

MAX_TABLES = 300  # of a page that are inspected
MAX_CELLS = 4  # in the row: numbers, code, and what the tool adds
MAX_LINES = 10_000
MAX_NODES = 200_000  # read from the cells of all tables of a page
START_NODES = 12  # at the start of a cell that are searched for the first line number
LEVELS = 4  # elements around the lines, in their cell
TABLE_LEVELS = 3  # elements whose class and style are inspected: the table and those around it
MAX_NAME_CHARS = 300  # of a class or style
CODE_NAME = re.compile("code|highlight|syntax|source|hljs|consolas|monospace|courier|menlo|white-space:pre", re.I)
LINE_CONTENT = frozenset({"span", "b", "i", "em", "strong", "font", "br", "code"})
UNNUMBERED = "colorscripter"  # tables whose class has this name are code even without line numbers


class CodeTable(NamedTuple):
    """The element with the lines of code (None if it is a `<pre>`), and the elements of the table that are not code."""

    lines: Element | None
    others: list[Element]


def find_code_tables(tree: Tree) -> list[CodeTable]:
    """Return the tables of a page that contain code with line numbers."""
    found: list[CodeTable] = []
    left = MAX_NODES
    for table in islice(tree.find_all("table"), MAX_TABLES):
        rows = [*islice(table.find_all("tr"), 2)]
        cells = _list_elements(rows[0])[: MAX_CELLS + 1] if len(rows) == 1 else []
        if not cells or len(cells) > MAX_CELLS or left <= 0:
            continue
        if _starts_with_number(cells[0]):
            count, read = _count_lines(cells[0])
            left -= read
            if count and len(cells) > 1 and _is_code(table, cells[1]):
                found.append(_make_table(cells[1], count, [cells[0], *cells[2:]]))
        elif UNNUMBERED in (table.attr("class") or "")[:MAX_NAME_CHARS]:
            found.append(_make_table(cells[0], 0, cells[1:]))
    return found


def _list_elements(element: Element) -> list[Element]:
    """Return the children of an element that are elements, but no more than there may be lines."""
    return [node for node in islice(element.children, 2 * MAX_LINES) if isinstance(node, Element)]


def _starts_with_number(cell: Element) -> bool:
    """Whether the first text of a cell is a number."""
    texts = (node.data.strip() for node in islice(cell.descendants, START_NODES) if isinstance(node, Text))
    return next(filter(None, texts), "")[:1].isdecimal()


def _count_lines(cell: Element) -> tuple[int, int]:
    """Return how many numbers a cell contains, 0 if they are not consecutive, and how many nodes were read."""
    expected: int | None = None
    count = read = 0
    for node in islice(cell.descendants, 4 * MAX_LINES):
        read += 1
        for word in node.data.split() if isinstance(node, Text) else ():
            if not (word.isdecimal() and len(word) < 6) or int(word) != (expected if count else int(word)):
                return 0, read
            expected = int(word) + 1
            count += 1
    return count, read


def _is_code(table: Element, cell: Element) -> bool:
    """Whether a class or style around or in a table says that it contains code, or the lines are in a `<pre>`."""
    if cell.find("pre") is not None or cell.find("code") is not None:
        return True
    around = [table, *islice((each for each in table.ancestors if isinstance(each, Element)), TABLE_LEVELS - 1)]
    inside = islice((each for each in cell.descendants if isinstance(each, Element)), LEVELS)
    names = (
        (each.attr(name) or "")[:MAX_NAME_CHARS].replace(" ", "")
        for each in (*around, cell, *inside)
        for name in ("class", "style")
    )
    return any(map(CODE_NAME.search, names))


def _make_table(cell: Element, count: int, others: list[Element]) -> CodeTable:
    """Return the element that contains the lines, and the others with what follows the lines in their cell."""
    if cell.find("pre") is not None:
        return CodeTable(None, others)
    lines, after = cell, list[Element]()
    for _ in range(LEVELS):
        inner = _list_elements(lines)
        if not inner or inner[0].tag in LINE_CONTENT or (count > 1 and len(inner) == count):
            break
        if not count and lines is not cell:
            break
        after += inner[1:]
        lines = inner[0]
    else:
        return CodeTable(cell, others)
    return CodeTable(lines, [*others, *after])
