"""A paragraph of the kept tree taken apart: texts, marks that open and close, and what is written already."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from bonmun.outputs.markdown.spans import write_address, write_image
from bonmun.outputs.nodes import gather_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bonmun.outputs.nodes import Node

__all__ = ["MARKS", "CodeToken", "InlineToken", "InlineTokenizer"]

MARKS = {"strong": "**", "em": "*", "del": "~~", "sub": "", "sup": ""}  # those without a mark are always HTML

Kind = Literal["text", "open", "close", "written", "break"]


@dataclass(slots=True)
class InlineToken:
    """A piece of a paragraph: what kind it is, and its text, tag or Markdown."""

    kind: Kind
    value: str
    in_link: bool = False


@dataclass(slots=True)
class InlineTokenizer:
    """The pieces of a paragraph, and the tags of the inline elements that stand in it."""

    pieces: list[InlineToken] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    open: list[str] = field(default_factory=list)

    def gather(self, nodes: Iterable[Node | str], *, in_link: bool = False, without: str = "") -> None:
        """Take some nodes apart; emphasis of the tag `without` is left out."""
        for node in nodes:
            if isinstance(node, str):
                self.add_text(node, in_link)
                continue
            tag = node.tag
            if tag == "br":
                self.add_break()
                continue
            if tag == without:
                self.gather(node.children, in_link=in_link, without=without)
                continue
            self.tags.add(tag)
            if tag in MARKS:
                self.add_open(tag)
                self.gather(node.children, in_link=in_link, without=without)
                self.add_close(tag)
            elif tag == "a":
                self.add_link(node, without=without)
            elif tag == "code":
                self.add_code(node)
            elif tag == "img":
                self.pieces.append(InlineToken("written", write_image(node)))
            elif tag == "input":
                self.pieces.append(InlineToken("written", "[x]" if node.attr("checked") is not None else "[ ]"))
            elif tag == "noteref":
                self.pieces.append(InlineToken("written", f"[^{node.attr('label')}]"))
            elif tag == "math":
                self.add_formula(gather_text(node), is_block=node.attr("display") == "block")
            else:
                self.gather(node.children, in_link=in_link, without=without)

    def add_text(self, text: str, in_link: bool) -> None:
        """Add a text, line by line."""
        lines = text.split("\n") if "\n" in text else [text]
        for number, line in enumerate(lines):
            if number:
                self.add_break()
            if line:
                self.pieces.append(InlineToken("text", line, in_link))

    def add_break(self) -> None:
        """End a line: emphasis ends with it, and starts again on the next."""
        for tag in reversed(self.open):
            self.close(tag)
        self.pieces.append(InlineToken("break", ""))
        for tag in self.open:
            self.pieces.append(InlineToken("open", tag))

    def add_open(self, tag: str) -> None:
        """Open emphasis."""
        self.open.append(tag)
        self.pieces.append(InlineToken("open", tag))

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
            self.pieces.append(InlineToken("close", tag))

    def add_link(self, element: Node, *, in_code: bool = False, without: str = "") -> None:
        """Add a link; the code in one, or around one, is in it."""
        self.pieces.append(InlineToken("written", "["))
        if in_code:
            self.add_code(element)
        else:
            self.gather(element.children, in_link=True, without=without)
        self.pieces.append(InlineToken("written", f"]({write_address(element.attr('href') or '')})"))

    def add_code(self, element: Node) -> None:
        """Add a code span a line; one that touches another makes one with it, since two would be read as neither."""
        for node in element.children:
            if isinstance(node, str):
                for number, line in enumerate(node.split("\n")):
                    if number:
                        self.add_break()
                    self.add_code_line(line)
            elif node.tag == "br":
                self.add_break()
            elif node.tag == "a":
                self.add_link(node, in_code=True)
            else:
                self.add_code(node)

    def add_code_line(self, line: str) -> None:
        """Add code that stands on one line; blanks alone are none."""
        last = self.pieces[-1] if self.pieces else None
        if isinstance(last, CodeToken):
            last.codes.append(line)
        elif line.strip():
            self.pieces.append(CodeToken("written", "`", codes=[line]))
        elif line:
            self.pieces.append(InlineToken("text", " "))

    def add_formula(self, tex: str, *, is_block: bool) -> None:
        """Add a formula, as it is; one that stands on a line of its own gets it."""
        tex = " ".join(tex.split())
        if tex:
            self.pieces.append(InlineToken("written", f"\n$${tex}$$\n" if is_block else f"${tex}$"))


@dataclass(slots=True)
class CodeToken(InlineToken):
    """A code span, with its code, which is written last; its value is what it starts and ends with."""

    codes: list[str] = field(default_factory=list)
