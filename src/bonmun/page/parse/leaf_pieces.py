"""What makes leaves of text nodes where that is not plain: formulas among words, <pre>, links that touch.

Both forms of the walk use it: page/parse/walk.py, and the kernel.
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

__all__ = ["APART", "give_pieces", "is_other_link", "is_unspaced", "split_pre"]

UNSPACED = compile_later(f"[{JOINED}]")
LINK_LEVELS = 16  # a link that is farther above a leaf is not looked for, so that no page takes long
APART = object()  # among nodes: what comes after it starts a block


def give_pieces(pieces: list[str | Formula], columns: Columns) -> Iterator[Node]:
    """A text node as several: its words and its formulas, which the columns learn of when their turn comes."""
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
            yield cast("Node", APART)
        yield Text(piece.text)
        if piece.is_display:
            yield cast("Node", APART)


def split_pre(data: str, starts_block: bool) -> tuple[str, str]:
    """What joins the text of a <pre> to what stands before it, and the text; the first line keeps its indent."""
    if not data.replace("\n", " ").replace("\t", " ").isprintable():
        data = drop_unreadable(data)
    if "\xa0" in data:  # with which some makers indent, and fill empty lines
        *lines, last = data.replace("\xa0", " ").split("\n")
        data = "\n".join([*map(str.rstrip, lines), last])
    text = data.lstrip()
    before = data[: len(data) - len(text)]
    text = text.rstrip()
    return ("", before.rpartition("\n")[2] + text) if starts_block else (before, text)


def is_other_link(columns: Columns, element: int) -> bool:
    """Whether two leaves that touch stand in two links: `<a>Home</a><a>News</a>`, which pages set apart by style."""
    last = columns.leaf_elements[-1]
    if not columns.bits[element] & columns.bits[last] & LINK:
        return False
    return _find_link(columns, element) != _find_link(columns, last)


def is_unspaced(before: str, after: str) -> bool:
    """Whether two texts meet in a script that sets no blanks: Chinese, Japanese, Thai and their neighbours."""
    return UNSPACED.match(before[-1]) is not None and UNSPACED.match(after[0]) is not None


def _find_link(columns: Columns, element: int) -> int:
    tags, parents = columns.tags, columns.parents
    for _ in range(LINK_LEVELS):
        if element < 0 or tags[element] == "a":
            return element
        element = parents[element]
    return -1
