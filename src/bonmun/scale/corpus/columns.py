"""The columns of an extraction: their names, their types, and how their values are read from a document.

There is a column for each field of `Metadata`. Values without a fixed structure are JSON text; the metadata of their
Arrow field says so, and JSON Lines files contain them as objects.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields, is_dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from bonmun.document import Document
from bonmun.errors import BadConfig
from bonmun.metadata import Metadata
from bonmun.objects.schemas import OBJECT_TYPES
from bonmun.outputs import CHUNKS, FORMATS
from bonmun.outputs.tree import build_tree
from bonmun.outputs.tree_json import dump_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "COLUMN_NAMES",
    "ERROR",
    "FORMAT_COLUMNS",
    "HTML",
    "RECORD_COLUMNS",
    "TREE",
    "check_names",
    "clean",
    "default_columns",
    "is_json",
    "make_schema",
    "parse_column_names",
    "read_value",
]

HTML, ERROR = "html", "error"  # the source of the page, decoded; why there is no document
RECORD_COLUMNS = ("id", "url", "site", "crawled", "anchor")  # copied from the record of the page
FORMAT_COLUMNS = {name: "clean_html" if name == HTML else name for name in (*FORMATS, CHUNKS)}
DEFAULT_FORMAT = "text"
DEFAULT_METADATA = ("title", "author", "date", "language", "kind")
CONTENT_KEY, JSON = b"content", b"json"  # metadata of an Arrow field that contains JSON text
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
        ("post", pa.string()),
    ]
)
ARROW_TYPES = {  # by the declared type of a metadata field; all others become JSON
    "str": pa.string(),
    "bool": pa.bool_(),
    "int": pa.int64(),
    "float": pa.float64(),
    "tuple[str, ...]": pa.list_(pa.string()),
}
COLUMN_OF_ATTRIBUTE = {"fields": "facts"}  # attributes of Metadata whose column has another name
METADATA_TYPES = {
    COLUMN_OF_ATTRIBUTE.get(each.name, each.name): ARROW_TYPES.get(str(each.type).removesuffix(" | None"))
    for each in fields(Metadata)
}
OBJECTS = "objects"  # all of them, with sources; a column "objects.Recipe" has the values of one type
OBJECT_COLUMNS = (OBJECTS, *(f"{OBJECTS}.{name}" for name in OBJECT_TYPES))
TREE = "tree"  # the output tree, with the ids that links may lead to
OTHER_TYPES: dict[str, pa.DataType | None] = {
    **dict.fromkeys((*RECORD_COLUMNS, HTML), pa.string()),
    **{column: None if name == "json" else pa.string() for name, column in FORMAT_COLUMNS.items()},
    CHUNKS: pa.list_(CHUNK),
    **dict.fromkeys((*OBJECT_COLUMNS, TREE)),
    "comments": pa.string(),
    "method": pa.string(),
    "confidence": pa.float32(),
    "cut": pa.bool_(),
    "fingerprint": pa.string(),
    ERROR: pa.string(),
}
COLUMN_NAMES = tuple(dict.fromkeys((*RECORD_COLUMNS, HTML, *METADATA_TYPES, *OTHER_TYPES)))


def default_columns(format_: str) -> tuple[str, ...]:
    """Return the columns of an extraction into one format."""
    content = FORMAT_COLUMNS.get(format_, format_)
    return ("id", "url", "site", *DEFAULT_METADATA, content, "confidence", "cut", "fingerprint", ERROR)


def parse_column_names(text: str | None, format_: str) -> tuple[str, ...]:
    """Return the column names of a comma-separated list; none for None. Raise BadConfig if a name is invalid."""
    names = tuple(name.strip() for name in text.split(",")) if text is not None else ()
    check_names(names)
    if names and format_ != DEFAULT_FORMAT:
        column = FORMAT_COLUMNS[format_]
        raise BadConfig(f"--columns and --format exclude each other: add the column {column} to --columns instead.")
    return names


def check_names(names: Sequence[str]) -> None:
    """Raise BadConfig if a column does not exist or is repeated."""
    for name in names:
        if name not in COLUMN_NAMES:
            raise BadConfig(f"Unknown column {name!r}: choose from {', '.join(COLUMN_NAMES)}.")
        if names.count(name) > 1:
            raise BadConfig(f"The column {name} is given twice.")


def make_schema(names: Sequence[str]) -> pa.Schema:
    """Return the schema of columns."""
    types = METADATA_TYPES | OTHER_TYPES
    return pa.schema([pa.field(name, *_make_field(types[name])) for name in names])


def _make_field(kind: pa.DataType | None) -> tuple[pa.DataType, bool, Mapping[bytes, bytes] | None]:
    """Return the type, nullability and metadata of an Arrow field; None stands for JSON."""
    return (kind, True, None) if kind is not None else (pa.string(), True, {CONTENT_KEY: JSON})


def is_json(field: pa.Field) -> bool:
    """Return whether a column contains JSON text."""
    return bool(field.metadata and field.metadata.get(CONTENT_KEY) == JSON)


def read_value(doc: Document, name: str) -> Any:
    """Return the value of a column, except for the columns of the record and chunks."""
    if name == "comments":
        return clean("\n\n".join(block.text for block in doc.comments))
    if name in OBJECT_COLUMNS:
        return clean(json.dumps(_list_objects(doc, name.partition(".")[2]), ensure_ascii=False))
    if name == TREE:
        return clean(dump_tree(build_tree(doc, ids=True)))
    if name in FORMAT_COLUMNS.values():
        return clean(doc.render(HTML if name == FORMAT_COLUMNS[HTML] else name))
    value = doc.metadata.fields if name == "facts" else getattr(doc if hasattr(Document, name) else doc.metadata, name)
    if name in METADATA_TYPES and METADATA_TYPES[name] is None:
        return clean(json.dumps(_make_plain(value), ensure_ascii=False))
    return [*map(clean, value)] if isinstance(value, tuple) else clean(value) if isinstance(value, str) else value


def _list_objects(doc: Document, type_: str) -> list[dict[str, Any]]:
    """Return the values of the objects of a type; without a type, all objects with the sources of their fields."""
    return [each.values if type_ else each.to_dict() for each in doc.objects if type_ in ("", each.type)]


def _make_plain(value: Any) -> Any:
    """Convert dataclasses and tuples so that they can be written as JSON."""
    if isinstance(value, dict):
        return {name: _make_plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_make_plain(each) for each in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def clean(text: str | None) -> str | None:
    """Return text that can be encoded: lone surrogates are replaced."""
    return text if text is None or text.isascii() else text.encode("utf-8", "replace").decode()
