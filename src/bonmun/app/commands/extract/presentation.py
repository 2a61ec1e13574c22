"""A document in, its bytes out: in the format that a command was asked for, or as a row of a table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from bonmun.errors import BadConfig
from bonmun.explain import explain, write_explanation
from bonmun.outputs import DEFAULT_WORDS, FORMATS
from bonmun.outputs.chunks.json_lines import CHUNKS, write_chunks

if TYPE_CHECKING:
    from bonmun.document import Document

__all__ = ["Presentation", "Table"]

LINES = frozenset({"json", CHUNKS})  # formats whose results are lines that say whose they are
JOINABLE = LINES | {"text", "markdown"}  # several results make one stream; HTML and XML pages do not
ENDINGS = FORMATS | {CHUNKS: ".chunks.jsonl"}
FACTS = ("url", "title", "author", "date", "language", "kind", "confidence", "cut")

Table = Literal["jsonl", "parquet"]


@dataclass(frozen=True, slots=True)
class Presentation:
    """How documents are written; with `explain`, it is the decisions that are."""

    format: str = "text"
    explain: bool = False
    front_matter: bool = False  # whether Markdown stands under the facts
    posts: bool = False  # and says who wrote each post
    chunk_words: int = DEFAULT_WORDS
    chunk_overlap: int = 0
    table: Table | None = None  # each document is a row of one

    def __post_init__(self) -> None:
        for name, wanted in (("--front-matter", self.front_matter), ("--posts", self.posts)):
            if wanted and self.format != "markdown":
                raise BadConfig(f"{name} is for Markdown: add --format markdown.")
        if self.explain and self.format not in ("text", "json"):
            raise BadConfig(
                f"An explanation is written as text or json, not as {self.format}: choose one with --format."
            )

    @property
    def is_joinable(self) -> bool:
        """Whether several documents fit into one file."""
        return self.table is not None or self.format in JOINABLE

    @property
    def has_names(self) -> bool:
        """Whether each result says whose it is; else it needs a line over it."""
        return self.table is not None or self.format in LINES

    @property
    def ending(self) -> str:
        """How the names of files end that hold a document each."""
        return f"{'.explain' if self.explain else ''}{ENDINGS[self.format]}"

    def write(self, document: Document, name: str) -> bytes:
        """The bytes of a document, which came from an input of this name; they end with a line."""
        if self.table == "parquet" or (self.table and self.format not in LINES):
            text = _encode(self._make_row(document, name))
        elif self.format == "json":
            text = _encode({"input": name} | (explain(document) if self.explain else document.to_dict()))
        elif self.format == CHUNKS:
            text = write_chunks(document, document.chunks(self.chunk_words, self.chunk_overlap), {"input": name})
        else:
            text = self._render(document)
        data = text.encode("utf-8", "replace")
        return data if data.endswith(b"\n") or self.format == CHUNKS else data + b"\n"

    def write_failure(self, name: str, error: str) -> bytes:
        """The line of an input that gave no document."""
        return f"{_encode({'input': name, 'error': error})}\n".encode("utf-8", "replace")

    def _make_row(self, document: Document, name: str) -> dict[str, Any]:
        said: Any = None
        if self.format == CHUNKS:
            said = [chunk.to_dict() for chunk in document.chunks(self.chunk_words, self.chunk_overlap)]
        else:
            said = self._render(document)
        facts = {fact: getattr(document, fact) for fact in FACTS}
        return {"input": name, **facts, self.format: said, "error": None}

    def _render(self, document: Document) -> str:
        if self.explain:
            return _encode(explain(document)) if self.format == "json" else write_explanation(document)
        if self.front_matter or self.posts:
            return document.to_markdown(front_matter=self.front_matter, posts=self.posts)
        return document.render(self.format)


def _encode(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)
