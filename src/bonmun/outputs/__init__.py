"""One decision, five renderings: each takes a finished Document and changes nothing about what is kept."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig

if TYPE_CHECKING:
    from bonmun.outputs.writable import Writable

__all__ = ["DEFAULT_WORDS", "FORMATS", "SHORT_NAMES", "render"]

# The formats, and the ending of a file that holds one. Each is a module with a function `write(doc)`.
FORMATS = {"text": ".txt", "markdown": ".md", "html": ".html", "json": ".json", "xml": ".xml"}
WRITERS = {
    "text": "bonmun.outputs.text",
    "markdown": "bonmun.outputs.markdown.writer",
    "html": "bonmun.outputs.html",
    "json": "bonmun.outputs.json",
    "xml": "bonmun.outputs.xml",
}
SHORT_NAMES = {"md": "markdown"}
DEFAULT_WORDS = 200  # of a chunk, at most


def render(doc: Writable, name: str) -> str:
    """Write the document in the named format."""
    name = SHORT_NAMES.get(name, name)
    if name not in FORMATS:
        raise BadConfig(f"Unknown format {name!r}: choose one of {', '.join(FORMATS)}.")
    written: str = import_module(WRITERS[name]).write(doc)
    return written
