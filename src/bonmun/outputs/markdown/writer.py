"""Write Markdown: CommonMark with GFM tables, which every parser reads back as the same text.

The output tree is written block by block. A block is a text of one or more lines, which the list or quote around it
indents. The depth of the tree is limited.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from bonmun.kernel import load_kernel
from bonmun.outputs.front_matter import write_front_matter
from bonmun.outputs.markdown.escape import START_CHARS, escape_line_starts, escape_task
from bonmun.outputs.markdown.phrases import WRITER, write_marked, write_phrases
from bonmun.outputs.markdown.spans import write_anchor
from bonmun.outputs.markdown.tables import write_table
from bonmun.outputs.nodes import Node, gather_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.outputs.writable import Writable

__all__ = ["write", "write_tree"]

KERNEL = load_kernel("phrases")
PHRASES = frozenset("strong em del sub sup a anchor code br img math input noteref time".split())
FENCES = re.compile("(?:^|\n) *+(`{3,}+)")
LINE_END = re.compile(r"\n(?=[^\n])")
QUOTED = re.compile(r"\n>(?=[^\n])")
CLOSING_HASHES = re.compile(r"(?:^|(?<= ))#++\Z")
# The start of a note that Markdown without footnotes would read as a link definition: a URL, and perhaps a title.
DESTINATION = re.compile(
    r"""(?:<[^<>\n]*+>|\S++)"""
    r"""(?= *+(?:\n|\Z)|\s++(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)) *+(?:\n|\Z))""",
    re.S,
)
NO_SIGN = "\u200c"  # a zero-width non-joiner, which parsers do not strip like a space
OWN_NUMBER = re.compile(r"\[?([0-9]{1,5})(\\?[.)]|\])?(?=\s)")  # at the start of an item, written as Markdown
MIN_PAIRS = 2  # terms of a definition list that is written as pairs
PAIR_CHARS = 100  # maximum length of a definition in a pair
OTHER_MARKER = {"-": "*", "*": "-", ".": ")", ")": "."}

MarkdownKind = Literal["text", "paragraph", "heading", "code", "list", "quote", "table", "note"]


class MarkdownBlock(NamedTuple):
    """A block of Markdown."""

    kind: MarkdownKind
    text: str
    marker: str = ""  # of the items of a list
    can_interrupt: bool = False  # whether a list can follow a line of text directly: bullets, or numbers from 1


def write(doc: Writable) -> str:
    """Write the output tree, with front matter if the options include it."""
    markdown = write_tree(doc.nodes, as_html=doc.options.tables == "html")
    return f"{write_front_matter(doc)}\n{markdown}" if doc.options.front_matter else markdown


def write_tree(tree: Node, *, as_html: bool = False) -> str:
    """Write a tree; with `as_html`, tables are written as HTML."""
    return MarkdownWriter(as_html=as_html).write(tree)


class MarkdownWriter:
    """Writes elements of the output tree; with `as_html`, tables are written as HTML."""

    def __init__(self, *, as_html: bool = False) -> None:
        self.as_html = as_html
        self.writers: dict[str, Callable[[Node, list[MarkdownBlock]], None]] = {
            **{f"h{level}": self.add_heading for level in range(1, 7)},
            "p": self.add_paragraph,
            "hr": self.add_rule,
            "pre": self.add_code,
            "blockquote": self.add_quote,
            "ul": self.add_list,
            "ol": self.add_list,
            "dl": self.add_definitions,
            "table": self.add_table,
            "note": self.add_note,
            "article": self.add_post,
            "header": self.add_paragraph,
        }
        self.kernel: Any = KERNEL and KERNEL.BlockWriter(
            *(WRITER, self.writers, PHRASES, START_CHARS, MarkdownBlock),
            *(write_marked, escape_line_starts, escape_task),
        )

    def write(self, tree: Node) -> str:
        """Return a tree as Markdown."""
        return "\n\n".join(block.text for block in self.write_blocks(tree.children))

    def write_blocks(self, nodes: list[Node | str], kind: MarkdownKind = "paragraph") -> list[MarkdownBlock]:
        """Return nodes as blocks; inline nodes between blocks become a block of this kind."""
        if self.kernel:
            written: list[MarkdownBlock] = self.kernel.write(nodes, kind)
            return written
        blocks: list[MarkdownBlock] = []
        words: list[Node | str] = []
        for node in nodes:
            if isinstance(node, str) or node.tag in PHRASES:
                words.append(node)
                continue
            if words:
                _add_words(words, blocks, kind)
                words = []
            writer = self.writers.get(node.tag)
            if writer:
                writer(node, blocks)
            else:
                blocks += self.write_blocks(node.children)
        if words:
            _add_words(words, blocks, kind)
        return blocks

    def add_paragraph(self, element: Node, blocks: list[MarkdownBlock]) -> None:
        """Add a paragraph."""
        _add_words(element.children, blocks, "paragraph")

    def add_rule(self, _: Node, blocks: list[MarkdownBlock]) -> None:
        """Add a thematic break; at the start, it would be read as front matter."""
        if blocks:
            blocks.append(MarkdownBlock("paragraph", "---"))

    def add_heading(self, element: Node, blocks: list[MarkdownBlock]) -> None:
        """Add a heading, on one line. A # at its end is escaped, since it would not be read as text."""
        text = write_phrases(element.children, " ")
        if text:
            text = CLOSING_HASHES.sub(r"\\\g<0>", text) if text[-1] == "#" else text
            blocks.append(MarkdownBlock("heading", f"{'#' * int(element.tag[1])} {text}"))

    def add_code(self, element: Node, blocks: list[MarkdownBlock]) -> None:
        """Add a code block, in a fence that is longer than any in the code. The ids in it are written above."""
        anchors = [child for child in element.children if isinstance(child, Node) and child.tag == "anchor"]
        if anchors:
            blocks.append(MarkdownBlock("paragraph", "".join(map(write_anchor, anchors))))
        code = gather_text(element).strip("\n")
        inner = element.find("code")
        language = (inner.attr("class") or "").removeprefix("language-") if inner is not None else ""
        fences = FENCES.findall(code) if "```" in code else []
        fence = "`" * max([3, *(len(found) + 1 for found in fences)])
        blocks.append(MarkdownBlock("code", f"{fence}{language.replace('`', '')}\n{code}\n{fence}"))

    def add_quote(self, element: Node, blocks: list[MarkdownBlock]) -> None:
        """Add a quote."""
        inner = "\n\n".join(block.text for block in self.write_blocks(element.children))
        if inner:
            blocks.append(MarkdownBlock("quote", "> " + QUOTED.sub("\n> ", inner.replace("\n", "\n>"))))

    def add_post(self, element: Node, blocks: list[MarkdownBlock]) -> None:
        """Add a post of a thread; a reply is a quote below the post that it replies to."""
        if element.attr("data-depth"):
            self.add_quote(element, blocks)
        else:
            blocks += self.write_blocks(element.children)

    def add_list(self, element: Node, blocks: list[MarkdownBlock]) -> None:
        """Add a list."""
        is_ordered = element.tag == "ol"
        number = int(element.attr("start") or 1) if is_ordered else 0
        items = self.write_items(element.children)
        is_counted = is_ordered and not _have_own_numbers(items, number)  # else every item would have two numbers
        self.add_items(items, blocks, number if is_counted else None)

    def write_items(self, nodes: list[Node | str]) -> list[list[MarkdownBlock]]:
        """Return each of some items as blocks, without those that are empty."""
        if self.kernel:
            items: list[list[MarkdownBlock]] = self.kernel.write_items(nodes)
            return items
        all_items = (self.write_blocks(item.children, "text") for item in nodes if isinstance(item, Node))
        return [item for item in all_items if item]

    def add_items(self, items: list[list[MarkdownBlock]], blocks: list[MarkdownBlock], number: int | None) -> None:
        """Add the items of a list, numbered from `number`, or with bullets if it is None."""
        if not items:
            return
        marker = "-" if number is None else "."
        if blocks and blocks[-1].marker == marker:  # otherwise two adjacent lists would be read as one
            marker = OTHER_MARKER[marker]
        bodies = [_join_item(item) for item in items]
        gap = "\n\n" if any(is_loose for _, is_loose in bodies) else "\n"
        lines = []
        for place, (body, _) in enumerate(bodies):
            mark = f"{marker} " if number is None else f"{number + place}{marker} "
            lines.append(mark + (LINE_END.sub("\n" + " " * len(mark), body) if "\n" in body else body))
        blocks.append(MarkdownBlock("list", gap.join(lines), marker, number is None or number == 1))

    def add_definitions(self, element: Node, blocks: list[MarkdownBlock]) -> None:
        """Add a definition list: each term as a bold line, with its definitions as a list below.

        If every term has one short definition, both are an item of a list.
        """
        if pairs := self.write_pairs(element):
            self.add_items([[MarkdownBlock("text", pair)] for pair in pairs], blocks, None)
            return
        terms: list[str] = []
        definitions: list[list[MarkdownBlock]] = []
        for child in element.children:
            if isinstance(child, str):
                continue
            if child.tag == "dt":
                self.add_items(definitions, blocks, None)
                definitions = []
                if term := write_phrases(child.children, " ", is_bold=True):
                    terms.append(term)
                continue
            if terms:
                blocks.append(MarkdownBlock("paragraph", "  \n".join(terms)))
                terms = []
            item = self.write_blocks(child.children, "text")
            is_list = len(item) == 1 and item[0].kind == "list"
            if is_list and not definitions and not (blocks and blocks[-1].kind == "list"):
                blocks += item  # not in the item of another list
            elif item:
                definitions.append(item)
        if terms:
            blocks.append(MarkdownBlock("paragraph", "  \n".join(terms)))
        self.add_items(definitions, blocks, None)

    def write_pairs(self, element: Node) -> list[str]:
        """Return the terms of a definition list with their definitions, if every term has one of a short line."""
        children = [child for child in element.children if isinstance(child, Node)]
        if len(children) < MIN_PAIRS * 2 or [child.tag for child in children] != ["dt", "dd"] * (len(children) // 2):
            return []
        pairs: list[str] = []
        for term, definition in zip(children[::2], children[1::2], strict=True):
            written = self.write_blocks(definition.children, "text")
            name = write_phrases(term.children, " ", is_bold=True)
            if len(written) != 1 or written[0].kind != "text" or not name or len(gather_text(definition)) > PAIR_CHARS:
                return []
            if "\n" in written[0].text:
                return []
            colon = "" if gather_text(term).rstrip().endswith((":", "：", "?", "？")) else ":"
            pairs.append(f"{name}{colon} {written[0].text}")
        return pairs

    def add_note(self, element: Node, blocks: list[MarkdownBlock]) -> None:
        """Add a footnote; all lines but the first are indented."""
        inner = "\n\n".join(block.text for block in self.write_blocks(element.children))
        if inner:
            inner = LINE_END.sub("\n    ", _escape_definition(inner))
            blocks.append(MarkdownBlock("note", f"[^{element.attr('label')}]: {inner}"))

    def add_table(self, element: Node, blocks: list[MarkdownBlock]) -> None:
        """Add a table, after its caption."""
        caption = element.find("caption")
        if caption is not None:
            _add_words(caption.children, blocks, "paragraph")
        text = write_table(element, as_html=self.as_html)
        if text:
            blocks.append(MarkdownBlock("table", text))


def _add_words(nodes: list[Node | str], blocks: list[MarkdownBlock], kind: MarkdownKind) -> None:
    """Add inline nodes as a block, unless they are empty."""
    text = escape_line_starts(write_phrases(nodes))
    if kind == "text" and not blocks and (isinstance(nodes[0], str) or nodes[0].tag != "input"):
        text = escape_task(text)
    if text:
        blocks.append(MarkdownBlock(kind, text))


def _escape_definition(note: str) -> str:
    """Return the text of a note, with a sign that is not shown after its first word if it could be a link definition.

    Readers without footnotes would turn the references to a note `javascript:x` into links.
    """
    found = DESTINATION.match(note)
    if not found:
        return note
    if note.startswith("```"):  # nothing may follow on this line
        return f"{NO_SIGN} {NO_SIGN}\n\n{note}"
    return f"{found[0]} {NO_SIGN}{note[found.end() :]}"


def _have_own_numbers(items: list[list[MarkdownBlock]], first: int) -> bool:
    """Whether every item starts with a number, and these are consecutive; without a sign, they count from `first`."""
    found = [OWN_NUMBER.match(item[0].text) for item in items]
    numbers = [int(each[1]) for each in found if each]
    are_plain = any(each and not each[2] for each in found)
    start = first if are_plain or not numbers else numbers[0]
    return len(numbers) == len(items) > 1 and numbers == [*range(start, start + len(numbers))]


def _join_item(blocks: list[MarkdownBlock]) -> tuple[str, bool]:
    """Return the text of a list item, and whether it has empty lines: only where Markdown needs them."""
    text = blocks[0].text
    is_loose = False
    if len(blocks) == 1:
        return text, is_loose
    for last, block in pairwise(blocks):
        is_close = block.kind != "paragraph" and (
            last.kind in ("heading", "code")
            or (last.kind == "text" and (block.kind in ("heading", "code", "quote") or block.can_interrupt))
        )
        is_loose |= not is_close
        text += ("\n" if is_close else "\n\n") + block.text
    return text, is_loose
