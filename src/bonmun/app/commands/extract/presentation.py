"""How `bonmun extract` turns a page into bytes: the extraction, and the form of the result."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from bonmun.algorithms import make_method
from bonmun.errors import BadConfig, BonmunError
from bonmun.explain import explain, write_explanation
from bonmun.options import WHOLE, MethodOptions, PartOptions
from bonmun.outputs import CHUNKS, FORMATS
from bonmun.outputs.parts.write import check_part_format, describe_part, write_part

if TYPE_CHECKING:
    from datetime import date

    from bonmun.algorithms import Method
    from bonmun.document import Document
    from bonmun.extraction import Extraction

__all__ = ["Presentation", "TableType"]

LINE_FORMATS = frozenset({"json", CHUNKS})  # lines that carry the name of their input
JOINABLE_FORMATS = LINE_FORMATS | {"text", "markdown"}  # several results can share a stream
METADATA = ("url", "title", "author", "date", "language", "kind", "confidence", "cut")

TableType = Literal["jsonl", "parquet"]


@dataclass(frozen=True, slots=True)
class Presentation:
    """How documents are extracted and written. It is sent to every child process once."""

    extraction: Extraction
    explain: bool = False  # write the decisions instead of the document
    table: TableType | None = None  # each document is a row
    part: PartOptions = WHOLE

    def __post_init__(self) -> None:
        if not self.part.is_whole:
            check_part_format(self.format)
            if self.explain:
                raise BadConfig("--explain shows all decisions: leave out --max-tokens, --outline and other parts.")
        if self.explain and self.format not in ("text", "json"):
            raise BadConfig(f"--explain writes text or json, not {self.format}: choose one with --format.")

    @property
    def format(self) -> str:
        """The output format."""
        return self.extraction.format

    def make_method(self) -> Method:
        """Return the method; raise BadConfig if one of its settings cannot be used."""
        given = self.extraction.list_method_settings()
        try:
            if Path(given.get("site_model") or "").suffix == ".duckdb":  # counts need bonmun[corpus]
                from bonmun.scale.corpus.counts import read_site_model

                given["site_model"] = read_site_model(Path(given["site_model"]))
            return make_method(self.extraction.method, **given)
        except BonmunError as problem:
            raise BadConfig(str(problem)) from None

    def choose_options(self, crawled: date | None) -> Extraction:
        """Return the options for a page. Those of the method are left out: `make_method` has applied them."""
        return replace(self.extraction, crawled=crawled, **vars(MethodOptions()))

    @property
    def is_joinable(self) -> bool:
        """Whether several documents fit into one file."""
        return self.table is not None or self.format in JOINABLE_FORMATS

    @property
    def has_names(self) -> bool:
        """Whether each result carries the name of its input; otherwise it needs a heading."""
        return self.table is not None or self.format in LINE_FORMATS

    @property
    def suffix(self) -> str:
        """The suffix of files that hold one document."""
        suffix = ".chunks.jsonl" if self.format == CHUNKS else FORMATS[self.format].suffix
        return f".explain{suffix}" if self.explain else suffix

    def write(self, document: Document, name: str) -> bytes:
        """Write the document of the input `name`; the result ends with a newline."""
        if self.table == "parquet" or (self.table and self.format not in LINE_FORMATS):
            text = _encode(self._make_row(document, name))
        elif self.format == "json":
            text = _encode({"input": name} | self._describe(document))
        else:
            text = self._render(document, {"input": name})
        data = text.encode("utf-8", "replace")
        return data if data.endswith(b"\n") or self.format == CHUNKS else data + b"\n"

    def _describe(self, document: Document) -> dict[str, Any]:
        if self.explain:
            return explain(document)
        return document.to_dict() if self.part.is_whole else describe_part(document, self.part)

    def write_failure(self, name: str, error: str) -> bytes:
        """Write the line of an input that failed."""
        return f"{_encode({'input': name, 'error': error})}\n".encode("utf-8", "replace")

    def _make_row(self, document: Document, name: str) -> dict[str, Any]:
        is_split = self.format == CHUNKS
        said = [chunk.to_dict() for chunk in document.chunks()] if is_split else self._render(document)
        metadata = {field: getattr(document, field) for field in METADATA}
        return {"input": name, **metadata, self.format: said, "error": None}

    def _render(self, document: Document, more: dict[str, str] | None = None) -> str:
        if self.explain:
            return _encode(explain(document)) if self.format == "json" else write_explanation(document)
        if not self.part.is_whole:
            return write_part(document, self.format, self.part)
        return self.extraction.write(document, more)


def _encode(values: dict[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False)
