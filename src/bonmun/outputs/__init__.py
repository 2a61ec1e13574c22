"""The output formats. Each has a writer that renders a finished document and changes nothing about what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from bonmun.outputs.writable import Writable

__all__ = ["CHUNKS", "FORMATS", "SHORT_NAMES", "Format", "render"]


@dataclass(frozen=True, slots=True)
class Format:
    """An output format: its name, and what files and HTTP responses that hold it are called."""

    name: str
    suffix: str  # of file names
    media_type: str
    writer: str  # module with a function `write(doc) -> str`


# A new format is one row here and one writer.
FORMATS = {
    each.name: each
    for each in (
        Format("text", ".txt", "text/plain; charset=utf-8", "bonmun.outputs.text"),
        Format("markdown", ".md", "text/markdown; charset=utf-8", "bonmun.outputs.markdown.writer"),
        Format("html", ".html", "text/html; charset=utf-8", "bonmun.outputs.html"),
        Format("json", ".json", "application/json", "bonmun.outputs.json"),
        Format("xml", ".xml", "application/tei+xml", "bonmun.outputs.xml"),
    )
}
SHORT_NAMES = {"md": "markdown"}
CHUNKS = "chunks"  # JSON lines, written by outputs/chunks/json_lines.py: several per document


def render(doc: Writable, name: str) -> str:
    """Write the document in the named format."""
    name = SHORT_NAMES.get(name, name)
    if name not in FORMATS:
        raise BadConfig(f"Unknown format {name!r}: choose one of {', '.join(FORMATS)}.")
    written: str = import_module(FORMATS[name].writer).write(doc)
    return written
