"""The words of one paragraph, heading or cell as Markdown.

A paragraph is first taken apart into pieces (see markdown_pieces.py); what each is written as depends on those beside
it.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from bonmun.outputs.markdown.escape import choose_marks, escape_phrase
from bonmun.outputs.markdown.pieces import MARKS, CodeToken, InlineTokenizer
from bonmun.outputs.markdown.spans import write_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.outputs.markdown.pieces import InlineToken
    from bonmun.outputs.nodes import Node

__all__ = ["write_phrases"]

STANDING_FOR = "\ufffc"  # what stands for pieces that are no text, where only the texts are looked at
PUNCTUATION = ("PS", "P")  # what is punctuation beyond ASCII: for CommonMark since 0.31 symbols are, for GitHub not

Side = Literal["none", "one", "both"]


def write_phrases(nodes: Sequence[Node | str], break_: str = "  \n", *, is_bold: bool = False) -> str:
    """Write inline nodes; `break_` is what a line break is written as: two blanks and a line break, a blank, <br>."""
    if len(nodes) == 1 and not is_bold:
        only = nodes[0]
        if isinstance(only, str) and "\n" not in only:  # as most are
            text = only.strip()
            marks = choose_marks(text)
            return text if marks is None else escape_phrase(text, marks)
    made = InlineTokenizer()
    if is_bold:
        made.tags.add("strong")
        made.add_open("strong")
        made.gather(nodes, without="strong")
        made.add_close("strong")
    else:
        made.gather(nodes)
    pieces = made.pieces
    texts = [piece.value if piece.kind == "text" else STANDING_FOR for piece in pieces]
    marks = choose_marks("".join(texts), made.tags)
    written = _write_emphasis(pieces, break_)
    for number, piece in enumerate(pieces):
        if piece.kind == "text":
            text = piece.value if marks is None else escape_phrase(piece.value, marks, in_link=piece.in_link)
            if text.endswith("!") and written[number + 1 : number + 2] == ["["]:
                text = text[:-1] + "\\!"  # else the link is an image
            written[number] = text
        elif isinstance(piece, CodeToken):
            written[number] = write_code("".join(piece.codes))
    return _tidy("".join(written), break_)


def _tidy(written: str, break_: str) -> str:
    """Leave out empty lines, and blanks at the ends of lines."""
    if "\n" not in written and break_ not in written and break_.strip(" "):  # as most
        return written.strip()
    if "\n" in break_:
        lines = list(filter(None, map(str.strip, written.split("\n"))))
        # a formula has a line of its own: there, no line break is written
        breaks = ("\n" if _is_formula(line) or _is_formula(after) else break_ for line, after in pairwise(lines))
        return "".join(lines[:1] + [each for pair in zip(breaks, lines[1:], strict=True) for each in pair])
    if break_.strip():
        return break_.join(filter(None, map(str.strip, written.replace("\n", " ").split(break_))))
    return " ".join(written.split())


def _is_formula(line: str) -> bool:
    return line.startswith("$$") and line.endswith("$$")


def _write_emphasis(pieces: list[InlineToken], break_: str) -> list[str]:
    """What each piece is written as, but for texts: marks where CommonMark reads them as emphasis, else HTML."""
    written = [break_ if piece.kind == "break" else piece.value for piece in pieces]
    if "open" not in [piece.kind for piece in pieces]:
        return written
    opened: list[tuple[int, Side, bool]] = []
    for number, piece in enumerate(pieces):
        if piece.kind == "open":
            side, in_row = _find_side(pieces, number, break_)
            if side == "both" and any(row for _, _, row in opened):  # it would close one of those in a row
                side = "none"
            opened.append((number, side, in_row))
        elif piece.kind == "close":
            start, side, _ = opened.pop()
            mark = MARKS[piece.value]
            fits = bool(mark) and side != "none" and _find_side(pieces, number, break_)[0] != "none"
            written[start] = mark if fits else f"<{piece.value}>"
            written[number] = mark if fits else f"</{piece.value}>"
    return written


def _find_side(pieces: list[InlineToken], at: int, break_: str) -> tuple[Side, bool]:
    """What a mark could do at a place: open (or close) emphasis, both, or neither; and whether it is one of several.

    Neither between a letter outside and punctuation inside, nor where one emphasis ends and another begins; several in
    a row only at the edge of a word.
    """
    kind = pieces[at].kind
    first = last = at
    while first > 0 and pieces[first - 1].kind == kind:
        first -= 1
    while last + 1 < len(pieces) and pieces[last + 1].kind == kind:
        last += 1
    before = _find_edge(pieces, first - 1, break_, -1)
    after = _find_edge(pieces, last + 1, break_, 0)
    inside, outside = (after, before) if kind == "open" else (before, after)
    in_row = first < last
    if not inside or not outside or inside.isspace() or "~" in (inside, outside):  # which GitHub's reader looks past
        return "none", in_row
    if outside.isspace():
        return "one", in_row
    sides = {_compare_edges(inside, outside, kinds, in_row=in_row) for kinds in PUNCTUATION}
    return ("none" if "none" in sides else "both" if "both" in sides else "one"), in_row


def _compare_edges(inside: str, outside: str, kinds: str, *, in_row: bool) -> Side:
    """The same between two characters that are no blanks, where characters of some kinds are punctuation."""
    is_inner, is_outer = _is_punctuation(inside, kinds), _is_punctuation(outside, kinds)
    if is_outer and not is_inner:
        return "one"
    return "both" if is_inner == is_outer and not in_row else "none"


def _find_edge(pieces: list[InlineToken], at: int, break_: str, side: Literal[0, -1]) -> str:
    """The character of a piece that touches the one beside it; empty for another mark."""
    if not 0 <= at < len(pieces):
        return " "
    piece = pieces[at]
    if piece.kind in ("open", "close"):
        return ""
    return break_[side] if piece.kind == "break" else piece.value[side]


def _is_punctuation(character: str, kinds: str) -> bool:
    return unicodedata.category(character)[0] in ("PS" if character.isascii() else kinds)
