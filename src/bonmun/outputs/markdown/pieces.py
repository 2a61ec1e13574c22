"""Split inline nodes of the output tree into tokens: texts, opening and closing marks, and finished Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from bonmun.outputs.markdown.spans import escape_tex, write_anchor, write_image, write_url
from bonmun.outputs.nodes import gather_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bonmun.outputs.nodes import Node

__all__ = ["MARKS", "CodeToken", "InlineToken", "InlineTokenizer"]

MARKS = {"strong": "**", "em": "*", "del": "~~", "sub": "", "sup": ""}  # tags without a mark are written as HTML

Kind = Literal["text", "open", "close", "written", "break"]


@dataclass(slots=True)
class InlineToken:
    """A token of a paragraph."""

    kind: Kind
    value: str  # text, tag or Markdown, depending on the kind
    in_link: bool = False


@dataclass(slots=True)
class InlineTokenizer:
    """Splits the nodes of a paragraph into tokens."""

    tokens: list[InlineToken] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)  # of all inline elements
    open: list[str] = field(default_factory=list)  # tags of the open emphasis

    def add_nodes(self, nodes: Iterable[Node | str], *, in_link: bool = False, without: str = "") -> None:
        """Add the tokens of nodes; emphasis with the tag `without` is ignored."""
        for node in nodes:
            if isinstance(node, str):
                self.add_text(node, in_link)
                continue
            tag = node.tag
            if tag == "br":
                self.add_break()
                continue
            if tag == without:
                self.add_nodes(node.children, in_link=in_link, without=without)
                continue
            self.tags.add(tag)
            if tag in MARKS:
                self.add_open(tag)
                self.add_nodes(node.children, in_link=in_link, without=without)
                self.add_close(tag)
            elif tag == "a":
                self.add_link(node, without=without)
            elif tag == "code":
                self.add_code(node)
            elif tag == "img":
                self.tokens.append(InlineToken("written", write_image(node)))
            elif tag == "input":
                self.tokens.append(InlineToken("written", "[x]" if node.attr("checked") is not None else "[ ]"))
            elif tag == "noteref":
                self.tokens.append(InlineToken("written", f"[^{node.attr('label')}]"))
            elif tag == "anchor":
                self.tokens.append(InlineToken("written", write_anchor(node)))
            elif tag == "math":
                self.add_formula(gather_text(node), is_block=node.attr("display") == "block")
            else:
                self.add_nodes(node.children, in_link=in_link, without=without)

    def add_text(self, text: str, in_link: bool) -> None:
        """Add a text, with breaks between its lines."""
        lines = text.split("\n") if "\n" in text else [text]
        for number, line in enumerate(lines):
            if number:
                self.add_break()
            if line:
                self.tokens.append(InlineToken("text", line, in_link))

    def add_break(self) -> None:
        """Add a line break. Open emphasis is closed before it and opened again after it."""
        for tag in reversed(self.open):
            self.close(tag)
        self.tokens.append(InlineToken("break", ""))
        for tag in self.open:
            self.tokens.append(InlineToken("open", tag))

    def add_open(self, tag: str) -> None:
        """Open emphasis."""
        self.open.append(tag)
        self.tokens.append(InlineToken("open", tag))

    def add_close(self, tag: str) -> None:
        """Close the emphasis that was opened last."""
        self.open.pop()
        self.close(tag)

    def close(self, tag: str) -> None:
        """Add a closing mark, or remove the opening one if the emphasis is empty."""
        last = self.tokens[-1]
        if last.kind == "open" and last.value == tag:
            self.tokens.pop()
        else:
            self.tokens.append(InlineToken("close", tag))

    def add_link(self, element: Node, *, in_code: bool = False, without: str = "") -> None:
        """Add a link; code around a link is written inside it."""
        self.tokens.append(InlineToken("written", "["))
        if in_code:
            self.add_code(element)
        else:
            self.add_nodes(element.children, in_link=True, without=without)
        self.tokens.append(InlineToken("written", f"]({write_url(element.attr('href') or '')})"))

    def add_code(self, element: Node) -> None:
        """Add one code span per line. Adjacent spans become one, since Markdown would not recognise them.

        A link with nothing but signs around it, such as `<a@b.org>`, is around all of the code.
        """
        if link := _find_only_link(element):
            self.tokens.append(InlineToken("written", "["))
            self.add_code_line(gather_text(element))
            self.tokens.append(InlineToken("written", f"]({write_url(link.attr('href') or '')})"))
            return
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
        """Add code on one line; only spaces become a text."""
        last = self.tokens[-1] if self.tokens else None
        if isinstance(last, CodeToken):
            last.codes.append(line)
        elif line.strip():
            self.tokens.append(CodeToken("written", "`", codes=[line]))
        elif line:
            self.tokens.append(InlineToken("text", " "))

    def add_formula(self, tex: str, *, is_block: bool) -> None:
        """Add a formula in TeX; display formulas get their own line."""
        tex = " ".join(tex.split())
        if (len(tex) - len(tex.rstrip("\\"))) % 2:  # of a space at the end; it would escape the dollar sign
            tex = tex[:-1].rstrip()
        tex = escape_tex(tex)
        if tex:
            self.tokens.append(InlineToken("written", f"\n$${tex}$$\n" if is_block else f"${tex}$"))


def _find_only_link(code: Node) -> Node | None:
    """Return the link in code that has only signs beside it, on the same line; None if there is none."""
    if len(code.children) < 2:
        return None
    links = [child for child in code.children if not isinstance(child, str)]
    text = gather_text(code)
    if len(links) != 1 or links[0].tag != "a" or links[0].find("br") or "\n" in text or "]" in text:
        return None
    signs = (child for child in code.children if isinstance(child, str))
    return None if any(map(str.isalnum, "".join(signs))) else links[0]


@dataclass(slots=True)
class CodeToken(InlineToken):
    """A code span. Its value is its first and last character; the code itself is written at the end."""

    codes: list[str] = field(default_factory=list)
