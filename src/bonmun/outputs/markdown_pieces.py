"""A paragraph of the kept tree taken apart: texts, marks that open and close, and what is written already."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from turbohtml import Element, Text

from bonmun.outputs.markdown_spans import write_address, write_image

if TYPE_CHECKING:
    from collections.abc import Iterable

    from turbohtml import Node

__all__ = ["MARKS", "CodePiece", "Piece", "Pieces"]

MARKS = {"strong": "**", "em": "*", "del": "~~", "sub": "", "sup": ""}  # those without a mark are always HTML

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
            if not isinstance(node, Element):
                continue
            element, tag = node, node.tag
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
            elif tag == "noteref":
                self.pieces.append(Piece("written", f"[^{element.attr('label')}]"))
            elif tag == "math":
                self.add_formula(element.text, is_block=element.attr("display") == "block")
            else:
                self.gather(element, in_link=in_link, without=without)

    def add_text(self, text: str, in_link: bool) -> None:
        """Add a text, line by line."""
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
        """Open emphasis."""
        self.open.append(tag)
        self.pieces.append(Piece("open", tag))

    def add_close(self, tag: str) -> None:
        """Close the emphasis that was opened last."""
        self.open.pop()
        self.close(tag)

    def close(self, tag: str) -> None:
        """End emphasis, for now or for good; what holds nothing is none."""
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
        """Add a formula, as it is; one that stands on a line of its own gets it."""
        tex = " ".join(tex.split())
        if tex:
            self.pieces.append(Piece("written", f"\n$${tex}$$\n" if is_block else f"${tex}$"))


@dataclass(slots=True)
class CodePiece(Piece):
    """A code span, with its code, which is written last; its value is what it starts and ends with."""

    codes: list[str] = field(default_factory=list)
