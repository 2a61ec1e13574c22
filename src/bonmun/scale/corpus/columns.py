"""The columns that an extraction can give, by name: of which type each is, and where its value comes from.

The facts are the fields of `Metadata`, whichever it has. Lists, and objects without a fixed shape, are told by their
type: a column whose field is noted as JSON holds JSON text, which files of JSON lines carry as an object.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields, is_dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from bonmun.document import Document
from bonmun.errors import BadConfig
from bonmun.metadata import Metadata
from bonmun.outputs import CHUNKS, FORMATS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "COLUMN_NAMES",
    "ERROR",
    "FORMAT_COLUMNS",
    "HTML",
    "RECORD_COLUMNS",
    "check_names",
    "clean",
    "default_columns",
    "is_json",
    "make_schema",
    "parse_column_names",
    "read_value",
]

HTML, ERROR = "html", "error"  # the page as it came, decoded; why there is no document
RECORD_COLUMNS = ("id", "url", "site", "crawled", "anchor")  # what is known of a page before it is read
FORMAT_COLUMNS = {name: "clean_html" if name == HTML else name for name in (*FORMATS, CHUNKS)}
DEFAULT_FORMAT = "text"
DEFAULT_FACTS = ("title", "author", "date", "language", "kind")
NOTE, JSON = b"content", b"json"  # the note on a field that holds JSON text
CHUNK = pa.struct(
    [
        ("number", pa.int64()),
        ("text", pa.string()),
        ("headings", pa.list_(pa.string())),
        ("kinds", pa.list_(pa.string())),
        ("size", pa.int64()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("first", pa.string()),
        ("last", pa.string()),
    ]
)
TYPES = {  # of facts, by how their fields are declared; all others are told as JSON
    "str": pa.string(),
    "bool": pa.bool_(),
    "int": pa.int64(),
    "float": pa.float64(),
    "tuple[str, ...]": pa.list_(pa.string()),
}
COLUMN_OF_ATTRIBUTE = {"fields": "facts"}  # attributes of Metadata whose column has another name
FACTS = {
    COLUMN_OF_ATTRIBUTE.get(each.name, each.name): TYPES.get(str(each.type).removesuffix(" | None"))
    for each in fields(Metadata)
}
OTHERS: dict[str, pa.DataType | None] = {
    **dict.fromkeys((*RECORD_COLUMNS, HTML), pa.string()),
    **{column: None if name == "json" else pa.string() for name, column in FORMAT_COLUMNS.items()},
    CHUNKS: pa.list_(CHUNK),
    "comments": pa.string(),
    "method": pa.string(),
    "confidence": pa.float32(),
    "cut": pa.bool_(),
    "fingerprint": pa.string(),
    ERROR: pa.string(),
}
COLUMN_NAMES = tuple(dict.fromkeys((*RECORD_COLUMNS, HTML, *FACTS, *OTHERS)))


def default_columns(format_: str) -> tuple[str, ...]:
    """The columns of an extraction into one format."""
    said = FORMAT_COLUMNS.get(format_, format_)
    return ("id", "url", "site", *DEFAULT_FACTS, said, "confidence", "cut", "fingerprint", ERROR)


def parse_column_names(text: str | None, format_: str) -> tuple[str, ...]:
    """The columns that are named between commas; none if nothing is said. Raises if one of them cannot be given."""
    names = tuple(name.strip() for name in text.split(",")) if text is not None else ()
    check_names(names)
    if names and format_ != DEFAULT_FORMAT:
        said = FORMAT_COLUMNS[format_]
        raise BadConfig(f"--columns names all that comes out: add {said} to it, if you want it, and no --format.")
    return names


def check_names(names: Sequence[str]) -> None:
    """Raise if a column does not exist, or is asked for twice."""
    for name in names:
        if name not in COLUMN_NAMES:
            raise BadConfig(f"There is no column {name!r}: choose from {', '.join(COLUMN_NAMES)}.")
        if names.count(name) > 1:
            raise BadConfig(f"The column {name} is asked for twice.")


def make_schema(names: Sequence[str]) -> pa.Schema:
    """The columns of these names."""
    types = FACTS | OTHERS
    return pa.schema([pa.field(name, *_note_json(types[name])) for name in names])


def _note_json(kind: pa.DataType | None) -> tuple[pa.DataType, bool, Mapping[bytes, bytes] | None]:
    """A type, that it may be null, and what is noted of it."""
    return (kind, True, None) if kind is not None else (pa.string(), True, {NOTE: JSON})


def is_json(field: pa.Field) -> bool:
    """Whether a column holds JSON text, which is an object where a file can carry one."""
    return bool(field.metadata and field.metadata.get(NOTE) == JSON)


def read_value(doc: Document, name: str) -> Any:
    """What a document says under the name of a column, but for those of the record and chunks."""
    if name == "comments":
        return clean("\n\n".join(block.text for block in doc.comments))
    if name in FORMAT_COLUMNS.values():
        return clean(doc.render(HTML if name == FORMAT_COLUMNS[HTML] else name))
    value = doc.metadata.fields if name == "facts" else getattr(doc if hasattr(Document, name) else doc.metadata, name)
    if name in FACTS and FACTS[name] is None:
        return clean(json.dumps(_make_plain(value), ensure_ascii=False))
    return [*map(clean, value)] if isinstance(value, tuple) else clean(value) if isinstance(value, str) else value


def _make_plain(value: Any) -> Any:
    """A fact as plain values."""
    if isinstance(value, dict):
        return {name: _make_plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_make_plain(each) for each in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def clean(text: str | None) -> str | None:
    """Text that can be written: without halves of characters."""
    return text if text is None or text.isascii() else text.encode("utf-8", "replace").decode()
