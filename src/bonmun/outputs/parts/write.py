"""Write a part of a document, or its outline, in a format."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadConfig
from bonmun.outputs.front_matter import write_front_matter
from bonmun.outputs.markdown.writer import write_tree
from bonmun.outputs.parts.outline import list_sections, write_outline
from bonmun.outputs.parts.part import DocumentPart, cut_part
from bonmun.outputs.parts.written_blocks import WrittenBlock, find_markdown_blocks, find_text_blocks

if TYPE_CHECKING:
    from bonmun.options import PartOptions
    from bonmun.outputs.parts.outline import DocumentSection
    from bonmun.outputs.writable import Writable

__all__ = [
    "PART_FORMATS",
    "check_part_format",
    "cut_lines",
    "describe_part",
    "make_part",
    "make_sections",
    "write_markdown_blocks",
    "write_part",
]

PART_FORMATS = ("text", "markdown", "json")


def check_part_format(format_: str) -> None:
    """Raise BadConfig if a format cannot be written in parts."""
    if format_ not in PART_FORMATS:
        raise BadConfig(f"Parts and outlines can be text, Markdown or JSON, not {format_}: set format to one of them.")


def make_part(doc: Writable, format_: str, options: PartOptions) -> DocumentPart:
    """Return a part of a document as text, or as Markdown for all other formats."""
    check_part_format(format_)
    text, blocks = _write(doc, format_)
    if options.outline:
        text = write_outline(list_sections(text, blocks), is_markdown=format_ != "text")
        return cut_part(text, _find_lines(text), options)
    head = f"{write_front_matter(doc)}\n" if doc.options.front_matter and format_ == "markdown" else ""
    return cut_part(text, blocks, options, head)


def make_sections(doc: Writable) -> list[DocumentSection]:
    """Return the sections of the Markdown of a document."""
    return list_sections(*_write(doc, "markdown"))


def write_part(doc: Writable, format_: str, options: PartOptions) -> str:
    """Write a part of a document with a sentence about the rest."""
    if format_ == "json":
        return json.dumps(describe_part(doc, options), ensure_ascii=False)
    return str(make_part(doc, format_, options))


def describe_part(doc: Writable, options: PartOptions) -> dict[str, Any]:
    """Return a part of a document as plain values: the metadata, the `outline` or the `markdown`, and the `rest`."""
    part = make_part(doc, "json", options)
    values = doc.summary()
    del values["text"], values["markdown"]
    if options.outline:
        before = write_outline(sections := make_sections(doc), is_markdown=True)[: options.cursor or 0].count("\n")
        lines = len(part.text.strip("\n").split("\n"))
        values["outline"] = [section.to_dict() for section in sections[before : before + lines]]
    else:
        values["markdown"] = part.text
    return values | {"rest": part.rest.to_dict() if part.rest else None}


def _write(doc: Writable, format_: str) -> tuple[str, list[WrittenBlock]]:
    return find_text_blocks(doc) if format_ == "text" else write_markdown_blocks(doc)


def write_markdown_blocks(doc: Writable) -> tuple[str, list[WrittenBlock]]:
    """Return the Markdown of a document, without front matter, and its blocks."""
    markdown = write_tree(doc.nodes, as_html=doc.options.tables == "html")
    return markdown, find_markdown_blocks(doc, markdown)


def cut_lines(text: str, options: PartOptions) -> str:
    """Return a part of a list, which ends between lines, with a sentence about the rest."""
    return str(cut_part(text, _find_lines(text), options))


def _find_lines(text: str) -> list[WrittenBlock]:
    """Return the lines of an outline as blocks."""
    found: list[WrittenBlock] = []
    start = 0
    for line in text.split("\n")[:-1]:
        found.append(WrittenBlock(start, start + len(line)))
        start += len(line) + 1
    return found
