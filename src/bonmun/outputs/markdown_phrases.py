"""The words of one paragraph, heading or cell as Markdown: emphasis, links, code, images, formulas.

A paragraph is first taken apart into pieces (texts, marks that open and close, what is written already); what each is
written as depends on those beside it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from turbohtml import Element, Text

from bonmun.outputs.markdown_escape import choose_marks, escape_phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from turbohtml import Node

__all__ = ["write_code", "write_phrases"]

MARKS = {"strong": "**", "em": "*", "del": "~~", "sub": "", "sup": ""}  # those without a mark are always HTML
STANDING_FOR = "\ufffc"  # what stands for pieces that are no text, where only the texts are looked at
TICKS = re.compile("`++")
# What an address may not hold as it is: angle brackets are for HTML, and backticks for code, also within an address.
NOT_IN_ADDRESSES = str.maketrans({"<": "%3C", ">": "%3E", "`": "%60", "\\": "%5C", "\n": "%20", "*": "%2A", "|": "%7C"})
ADDRESS_MARKS = re.compile(r"[<>`\\\n*| ()&]")
ENTITY = re.compile(r"&(?=#?\w{1,32};)")
RISKY_TEX_LINE = re.compile(r"(?:^|\n)(?:[-+*=>#|~`]|\s*\n|\s*\Z|[0-9]{1,9}[.)])")

Kind = Literal["text", "open", "close", "written", "break"]


@dataclass(slots=True)
class Piece:
    """A piece of a paragraph: what kind it is, and its text, tag or Markdown."""

    kind: Kind
    value: str
    in_link: bool = False


@dataclass(slots=True)
class Pieces:
    """The pieces of a paragraph, and the tags of the inline elements that stand in it."""

    pieces: list[Piece] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    open: list[str] = field(default_factory=list)

    def gather(self, nodes: Iterable[Node], *, in_link: bool = False, without: str = "") -> None:
        """Take some nodes apart; emphasis of the tag `without` is left out."""
        for node in nodes:
            if isinstance(node, Text):
                self.add_text(node.data, in_link)
                continue
            element: Element = node  # type: ignore[assignment]
            tag = element.tag
            if tag == "br":
                self.add_break()
                continue
            if tag == without:
                self.gather(element, in_link=in_link, without=without)
                continue
            self.tags.add(tag)
            if tag in MARKS:
                self.add_open(tag)
                self.gather(element, in_link=in_link, without=without)
                self.add_close(tag)
            elif tag == "a":
                self.add_link(element, without=without)
            elif tag == "code":
                self.add_code(element)
            elif tag == "img":
                self.pieces.append(Piece("written", write_image(element)))
            elif tag == "input":
                self.pieces.append(Piece("written", "[x]" if element.attr("checked") is not None else "[ ]"))
            elif tag == "math":
                self.add_formula(element.text, is_block=element.attr("display") == "block")
            else:
                self.gather(element, in_link=in_link, without=without)

    def add_text(self, text: str, in_link: bool) -> None:
        lines = text.split("\n") if "\n" in text else [text]
        for number, line in enumerate(lines):
            if number:
                self.add_break()
            if line:
                self.pieces.append(Piece("text", line, in_link))

    def add_break(self) -> None:
        """End a line: emphasis ends with it, and starts again on the next."""
        for tag in reversed(self.open):
            self.close(tag)
        self.pieces.append(Piece("break", ""))
        for tag in self.open:
            self.pieces.append(Piece("open", tag))

    def add_open(self, tag: str) -> None:
        self.open.append(tag)
        self.pieces.append(Piece("open", tag))

    def add_close(self, tag: str) -> None:
        self.open.pop()
        self.close(tag)

    def close(self, tag: str) -> None:
        last = self.pieces[-1]
        if last.kind == "open" and last.value == tag:  # there is nothing in it
            self.pieces.pop()
        else:
            self.pieces.append(Piece("close", tag))

    def add_link(self, element: Element, *, in_code: bool = False, without: str = "") -> None:
        """Add a link; the code in one, or around one, is in it."""
        self.pieces.append(Piece("written", "["))
        if in_code:
            self.add_code(element)
        else:
            self.gather(element, in_link=True, without=without)
        self.pieces.append(Piece("written", f"]({write_address(str(element.attr('href') or ''))})"))

    def add_code(self, element: Element) -> None:
        """Add a code span a line; one that touches another makes one with it, since two would be read as neither."""
        for node in element:
            if isinstance(node, Text):
                for number, line in enumerate(node.data.split("\n")):
                    if number:
                        self.add_break()
                    self.add_code_line(line)
            elif isinstance(node, Element) and node.tag == "br":
                self.add_break()
            elif isinstance(node, Element) and node.tag == "a":
                self.add_link(node, in_code=True)
            elif isinstance(node, Element):
                self.add_code(node)

    def add_code_line(self, line: str) -> None:
        """Add code that stands on one line; blanks alone are none."""
        last = self.pieces[-1] if self.pieces else None
        if isinstance(last, CodePiece):
            last.codes.append(line)
        elif line.strip():
            self.pieces.append(CodePiece("written", "`", codes=[line]))
        elif line:
            self.pieces.append(Piece("text", " "))

    def add_formula(self, tex: str, *, is_block: bool) -> None:
        tex = tex.strip()
        if is_block:
            if RISKY_TEX_LINE.search(tex) and "%" not in tex:  # lines mean nothing in TeX, but do in Markdown
                tex = " ".join(tex.split())
            self.pieces.append(Piece("written", f"\n$$\n{tex}\n$$\n"))
        elif tex:
            self.pieces.append(Piece("written", f"${' '.join(tex.split())}$"))


@dataclass(slots=True)
class CodePiece(Piece):
    """A code span, with its code, which is written last; its value is what it starts and ends with."""

    codes: list[str] = field(default_factory=list)


def write_phrases(nodes: Sequence[Node], break_: str = "  \n", *, is_bold: bool = False) -> str:
    """Write inline nodes; `break_` is what a line break is written as: two blanks and a line break, a blank, <br>."""
    if len(nodes) == 1 and not is_bold and isinstance(nodes[0], Text) and "\n" not in nodes[0].data:  # as most are
        text = nodes[0].data.strip()
        marks = choose_marks(text)
        return text if marks is None else escape_phrase(text, marks)
    made = Pieces()
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
        elif isinstance(piece, CodePiece):
            written[number] = write_code("".join(piece.codes))
    return _tidy("".join(written), break_)


def _tidy(written: str, break_: str) -> str:
    """Leave out empty lines, and blanks at the ends of lines and formulas."""
    if "\n" in break_:
        lines = [line.strip() for line in written.split("\n")]
        lines = [line for line in lines if line]
        # a formula's lines are its own: there, no line break is written
        return _join_lines(lines, break_)
    if "\n" in written:  # a formula on lines of its own, where there is but one line
        written = written.replace("\n$$\n", "$$").replace("\n", " ")
    return (
        break_.join(filter(None, map(str.strip, written.split(break_))))
        if break_.strip()
        else " ".join(written.split())
    )


def _join_lines(lines: list[str], break_: str) -> str:
    if len(lines) < 2:
        return lines[0] if lines else ""
    parts: list[str] = []
    in_formula = False
    for number, line in enumerate(lines):
        if number:
            at_edge = line == "$$" or lines[number - 1] == "$$"
            parts.append("\n" if in_formula or at_edge else break_)
        if line == "$$":
            in_formula = not in_formula
        parts.append(line)
    return "".join(parts)


def _write_emphasis(pieces: list[Piece], break_: str) -> list[str]:
    """What each piece is written as, but for texts: marks where CommonMark reads them as emphasis, else HTML."""
    written = [break_ if piece.kind == "break" else piece.value for piece in pieces]
    opened: list[tuple[int, bool]] = []
    for number, piece in enumerate(pieces):
        if piece.kind == "open":
            opened.append((number, _can_mark(pieces, number, break_)))
        elif piece.kind == "close":
            start, fits = opened.pop()
            mark = MARKS[piece.value]
            fits = bool(mark) and fits and _can_mark(pieces, number, break_)
            written[start] = mark if fits else f"<{piece.value}>"
            written[number] = mark if fits else f"</{piece.value}>"
    return written


def _can_mark(pieces: list[Piece], at: int, break_: str) -> bool:
    """Whether a mark would open (or close) emphasis at a place.

    Not between a letter outside and punctuation inside; several marks in a row only at the edge of a word; and not
    where one emphasis ends and another begins.
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
    if not inside or not outside or inside.isspace() or "~" in (inside, outside):  # which GitHub's reader looks past
        return False
    if outside.isspace():
        return True
    if first < last:
        return _is_punctuation(outside) and not _is_punctuation(inside)
    return not _is_punctuation(inside) or _is_punctuation(outside)


def _find_edge(pieces: list[Piece], at: int, break_: str, side: Literal[0, -1]) -> str:
    """The character of a piece that touches the one beside it; empty for another mark."""
    if not 0 <= at < len(pieces):
        return " "
    piece = pieces[at]
    if piece.kind in ("open", "close"):
        return ""
    return break_[side] if piece.kind == "break" else piece.value[side]


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def write_code(code: str) -> str:
    """A code span, in more backticks than stand in it."""
    if "`" not in code:
        pad = " " if code[0] == code[-1] == " " and code.strip() else ""
        return f"`{pad}{code}{pad}`"
    runs = {len(run) for run in TICKS.findall(code)}
    size = next(length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if "`" in (code[0], code[-1]) or code[0] == code[-1] == " " else ""
    return f"{'`' * size}{pad}{code}{pad}{'`' * size}"


def write_image(element: Element) -> str:
    """An image, with the text that stands for it."""
    alt = str(element.attr("alt") or "")
    marks = choose_marks(alt, {"em", "code"})
    alt = alt if marks is None else escape_phrase(alt, marks, in_link=True)
    return f"![{alt}]({write_address(str(element.attr('src') or ''))})"


def write_address(address: str) -> str:
    """An address as a link has it: in angle brackets where it holds blanks or parentheses without a partner."""
    if not ADDRESS_MARKS.search(address):
        return address
    address = ENTITY.sub("&amp;", address.translate(NOT_IN_ADDRESSES))
    if " " in address or not _is_balanced(address):
        return f"<{address}>"
    return address


def _is_balanced(address: str) -> bool:
    """Whether each parenthesis has a partner, and none stands in another."""
    if "(" not in address and ")" not in address:
        return True
    depth = 0
    for character in address:
        depth += (character == "(") - (character == ")")
        if not 0 <= depth <= 1:
            return False
    return depth == 0
