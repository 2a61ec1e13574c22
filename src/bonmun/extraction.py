"""A whole extraction as one record: the options, the method and the output format.

Commands, service, corpus, crawl and Spark pass this record around, and each derives its interface from its settings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bonmun.algorithms import make_method
from bonmun.errors import BadConfig
from bonmun.options import Options
from bonmun.outputs import CHUNKS, FORMATS, SHORT_NAMES
from bonmun.outputs.chunks.chunking import check_chunks
from bonmun.rules.rule_set import load_rules
from bonmun.settings import setting

if TYPE_CHECKING:
    from bonmun.algorithms import Method
    from bonmun.document import Document

__all__ = ["Extraction"]

MARKDOWN_SETTINGS = ("front_matter",)  # which would be silently ignored in other formats


@dataclass(frozen=True, kw_only=True)
class Extraction(Options):
    """How pages are extracted and written. A setting that cannot be used raises BadConfig here, not on the first page.

    Extraction(method="xpath+", format="markdown", links=False)
    """

    method: str = setting(
        "auto",
        "Extraction method; `bonmun methods` lists them.",
        stage="method",
        metavar="NAME",
        flags=("--method", "-m"),
        in_file=True,
        is_remote=True,
    )
    format: str = setting(
        "text",
        "Output format.",
        stage="output",
        choices=(*FORMATS, CHUNKS),
        flags=("--format", "-f"),
        in_file=True,
        is_remote=True,
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "format", SHORT_NAMES.get(self.format, self.format))
        super().__post_init__()
        if self.rules is not None:
            object.__setattr__(self, "rules", load_rules(self.rules))
        check_chunks(self.chunk_words, self.chunk_overlap)
        for name in MARKDOWN_SETTINGS:
            if getattr(self, name) and self.format != "markdown":
                raise BadConfig(f"{name} only applies to Markdown: set format to markdown.")

    def make_method(self) -> Method:
        """Return the method with its settings."""
        return make_method(self.method, **self.list_method_settings())

    def write(self, doc: Document, more: dict[str, str] | None = None) -> str:
        """Write a document in the format; chunks are JSON lines, each with the values of `more`."""
        if self.format != CHUNKS:
            return doc.render(self.format)
        from bonmun.outputs.chunks.json_lines import write_chunks

        return write_chunks(doc, doc.chunks(self.chunk_words, self.chunk_overlap), more)
