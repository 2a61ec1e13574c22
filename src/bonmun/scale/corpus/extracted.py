"""Files of extracted pages, read again: Parquet and JSON lines, batch by batch, with all their columns."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from bonmun.errors import BadConfig, BadInput
from bonmun.scale.corpus.sources.compression import DAMAGE_ERRORS, decompress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["ExtractedPages"]

FORMAT = re.compile(r"\.(?:(?P<parquet>parquet)|(?P<jsonl>jsonl|ndjson)(?:\.gz|\.xz|\.zst)?)$", re.I)
BATCH_ROWS = 64
BATCH_BYTES = 8_000_000  # of lines, at most, and one line more


class ExtractedPages:
    """The rows of some files, in order. `schema` has the columns of all; to know it, lines of JSON are read once."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = list(paths)
        self.read = 0  # bytes, of all passes
        self.total = 0  # bytes
        self.schema = pa.schema([])
        for path in self.paths:
            if not path.is_file():
                raise BadConfig(f"{path}: there is no such file.")
            if not FORMAT.search(path.name):
                raise BadConfig(f"{path}: extracted pages are read from .parquet and .jsonl (.gz, .xz, .zst) files.")
            self.total += path.stat().st_size
        for path in self.paths:
            schemas = [_read_schema(path)] if _is_parquet(path) else _infer_schemas(path)
            for schema in schemas:
                self._add_schema(path, schema)

    def identify(self) -> list[list[Any]]:
        """What tells these files from others."""
        found = ((path, path.stat()) for path in self.paths)
        return [[str(path.resolve()), each.st_size, each.st_mtime_ns] for path, each in found]

    def _add_schema(self, path: Path, schema: pa.Schema) -> None:
        try:
            self.schema = pa.unify_schemas([self.schema, schema], promote_options="permissive")
        except (pa.ArrowInvalid, pa.ArrowTypeError) as problem:
            raise BadInput(f"{path}: a column is of two kinds: {_join_lines(str(problem))}.") from None

    def read_batches(self, names: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """All rows, or some columns of them, null where a file has none."""
        schema = self.schema if names is None else pa.schema([self.schema.field(name) for name in names])
        for path in self.paths:
            before = self.read
            for batch, share in _read_parquet(path, schema) if _is_parquet(path) else _convert_lines(path, schema):
                self.read = before + int(share * path.stat().st_size)
                yield batch
            self.read = before + path.stat().st_size


def _is_parquet(path: Path) -> bool:
    return path.name.lower().endswith(".parquet")


def _read_schema(path: Path) -> pa.Schema:
    try:
        return pq.read_schema(path).remove_metadata()
    except DAMAGE_ERRORS as problem:
        raise BadInput(f"{path}: cannot be read as Parquet: {_join_lines(str(problem))}.") from None


def _read_parquet(path: Path, schema: pa.Schema) -> Iterator[tuple[pa.RecordBatch, float]]:
    """Batches, and which share of the file is read."""
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            names = [name for name in schema.names if name in file.schema_arrow.names]
            rows, done = max(file.metadata.num_rows, 1), 0
            for batch in file.iter_batches(BATCH_ROWS, columns=names):
                done += batch.num_rows
                yield _widen(batch, schema), done / rows
    except DAMAGE_ERRORS as problem:
        raise BadInput(f"{path}: damaged: {_join_lines(str(problem))}.") from None


def _widen(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """A batch with all columns of a schema; those that it lacks are null."""
    arrays = [
        batch.column(part.name).cast(part.type)
        if part.name in batch.schema.names
        else pa.nulls(batch.num_rows, part.type)
        for part in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _convert_lines(path: Path, schema: pa.Schema) -> Iterator[tuple[pa.RecordBatch, float]]:
    size = max(path.stat().st_size, 1)
    for rows, at in _read_lines(path):
        yield pa.RecordBatch.from_pylist(rows, schema=schema), at / size


def _read_lines(path: Path) -> Iterator[tuple[list[dict[str, Any]], int]]:
    """Some lines at a time, as values by column, and how many bytes of the file are read."""
    rows: list[dict[str, Any]] = []
    size = number = 0
    try:
        with path.open("rb") as file:
            for line in decompress(file):
                number += 1
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise ValueError("no object")
                    rows.append(row)
                    size += len(line)
                if len(rows) == BATCH_ROWS or size >= BATCH_BYTES:
                    yield rows, file.tell()
                    rows, size = [], 0
            if rows:
                yield rows, file.tell()
    except (RecursionError, *DAMAGE_ERRORS) as problem:
        raise BadInput(f"{path}: line {number} cannot be read: {_join_lines(str(problem))}.") from None


def _infer_schemas(path: Path) -> Iterator[pa.Schema]:
    """The columns of lines, as they are learnt from some at a time."""
    try:
        for rows, _ in _read_lines(path):
            names = dict.fromkeys(name for row in rows for name in row)
            yield pa.RecordBatch.from_pydict({name: [row.get(name) for row in rows] for name in names}).schema
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as problem:
        raise BadInput(f"{path}: a column is of two kinds: {_join_lines(str(problem))}.") from None


def _join_lines(text: str) -> str:
    return " ".join(text.split()).rstrip(".")[:200]
