"""Turn text nodes into leaves in the difficult cases: formulas among words, <pre>, adjacent links.

Both versions of the walk use these functions: page/parse/walk.py and the kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from turbohtml import Text

from bonmun.page.parse.element_bits import LINK
from bonmun.text.patterns import compile_later
from bonmun.text.readable import drop_unreadable, make_readable
from bonmun.text.scripts import JOINED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from turbohtml import Node

    from bonmun.page.formulas.tex import Formula
    from bonmun.page.parse.walk_tables import Columns

__all__ = ["BLOCK_BREAK", "is_other_link", "is_unspaced", "split_pre", "split_text_node"]

UNSPACED = compile_later(f"[{JOINED}]")
MAX_LINK_LEVELS = 16  # ancestors that are searched for a link; a limit, so that deep pages do not take long
BLOCK_BREAK = object()  # a marker among nodes: the next node starts a block


def split_text_node(pieces: list[str | Formula], columns: Columns) -> Iterator[Node]:
    """Yield the words and formulas of a text node as nodes, and record each formula in the columns."""
    has_leaf = False
    for piece in pieces:
        if not isinstance(piece, str) or make_readable(piece):
            if has_leaf:
                columns.further.add(len(columns.texts))
            has_leaf = True
        if isinstance(piece, str):
            yield Text(piece)
            continue
        columns.formulas[len(columns.texts)] = piece
        if piece.is_display:
            yield cast("Node", BLOCK_BREAK)
        yield Text(piece.text)
        if piece.is_display:
            yield cast("Node", BLOCK_BREAK)


def split_pre(data: str, starts_block: bool) -> tuple[str, str]:
    """Return the joint of a <pre> text to the leaf before, and the text; the first line of a block keeps its indent."""
    if not data.replace("\n", " ").replace("\t", " ").isprintable():
        data = drop_unreadable(data)
    if "\xa0" in data:  # used for indents and in empty lines
        *lines, last = data.replace("\xa0", " ").split("\n")
        data = "\n".join([*map(str.rstrip, lines), last])
    text = data.lstrip()
    before = data[: len(data) - len(text)]
    text = text.rstrip()
    return ("", before.rpartition("\n")[2] + text) if starts_block else (before, text)


def is_other_link(columns: Columns, element: int) -> bool:
    """Return whether an element and the last leaf are in different links: `<a>Home</a><a>News</a>`, spaced by CSS."""
    last = columns.leaf_elements[-1]
    if not columns.bits[element] & columns.bits[last] & LINK:
        return False
    return _find_link(columns, element) != _find_link(columns, last)


def is_unspaced(before: str, after: str) -> bool:
    """Return whether two texts meet in a script without spaces: Chinese, Japanese, Thai and similar."""
    last, first = before[-1], after[0]
    return not last.isascii() and UNSPACED.match(last) is not None and UNSPACED.match(first) is not None


def _find_link(columns: Columns, element: int) -> int:
    tags, parents = columns.tags, columns.parents
    for _ in range(MAX_LINK_LEVELS):
        if element < 0 or tags[element] == "a":
            return element
        element = parents[element]
    return -1
