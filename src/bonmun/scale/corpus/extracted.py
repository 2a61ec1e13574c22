"""Read extracted pages from Parquet and JSON Lines files, with all their columns."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from bonmun.errors import BadConfig, BadInput
from bonmun.scale.corpus.sources.compression import DAMAGE_ERRORS, decompress, describe_damage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["ExtractedPages"]

EXTENSION = re.compile(r"\.(?:(?P<parquet>parquet)|(?P<jsonl>jsonl|ndjson)(?:\.gz|\.xz|\.zst)?)$", re.I)
BATCH_ROWS = 64
BATCH_BYTES = 8_000_000  # of JSON lines; the last line of a batch may exceed it


class ExtractedPages:
    """The rows of several files, in order. `schema` has the columns of all files; for JSON Lines it is inferred."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = list(paths)
        self.read = 0  # bytes read, over all passes
        self.total = 0  # bytes of all files
        self.schema = pa.schema([])
        for path in self.paths:
            if not path.is_file():
                raise BadConfig(f"{path}: there is no such file.")
            if not EXTENSION.search(path.name):
                raise BadConfig(
                    f"{path}: not supported; extracted pages are .parquet or .jsonl (.gz, .xz, .zst) files."
                )
            self.total += path.stat().st_size
        for path in self.paths:
            schemas = [_read_schema(path)] if _is_parquet(path) else _infer_schemas(path)
            for schema in schemas:
                self._add_schema(path, schema)

    def identify(self) -> list[list[Any]]:
        """Return what identifies the files: their paths, sizes and times."""
        stats = ((path, path.stat()) for path in self.paths)
        return [[str(path.resolve()), stat.st_size, stat.st_mtime_ns] for path, stat in stats]

    def _add_schema(self, path: Path, schema: pa.Schema) -> None:
        try:
            self.schema = pa.unify_schemas([self.schema, schema], promote_options="permissive")
        except (pa.ArrowInvalid, pa.ArrowTypeError) as problem:
            raise BadInput(f"{path}: a column has two types: {describe_damage(problem)}.") from None

    def read_batches(self, names: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield all rows, or some of their columns; a column that a file lacks is null."""
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
        raise BadInput(f"{path}: cannot be read as Parquet: {describe_damage(problem)}.") from None


def _read_parquet(path: Path, schema: pa.Schema) -> Iterator[tuple[pa.RecordBatch, float]]:
    """Yield batches, and the share of the file that is read."""
    try:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            names = [name for name in schema.names if name in file.schema_arrow.names]
            rows, done = max(file.metadata.num_rows, 1), 0
            for batch in file.iter_batches(BATCH_ROWS, columns=names):
                done += batch.num_rows
                yield _widen(batch, schema), done / rows
    except DAMAGE_ERRORS as problem:
        raise BadInput(f"{path}: damaged: {describe_damage(problem)}.") from None


def _widen(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Return a batch with all columns of a schema; missing columns are null."""
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
    """Yield rows in batches, and the number of bytes that are read."""
    rows: list[dict[str, Any]] = []
    size = number = 0
    try:
        with path.open("rb") as file:
            for line in decompress(file):
                number += 1
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise ValueError("not a JSON object")
                    rows.append(row)
                    size += len(line)
                if len(rows) == BATCH_ROWS or size >= BATCH_BYTES:
                    yield rows, file.tell()
                    rows, size = [], 0
            if rows:
                yield rows, file.tell()
    except (RecursionError, *DAMAGE_ERRORS) as problem:
        raise BadInput(f"{path}: line {number} cannot be read: {describe_damage(problem)}.") from None


def _infer_schemas(path: Path) -> Iterator[pa.Schema]:
    """Yield the schema of each batch of lines."""
    try:
        for rows, _ in _read_lines(path):
            names = dict.fromkeys(name for row in rows for name in row)
            yield pa.RecordBatch.from_pydict({name: [row.get(name) for row in rows] for name in names}).schema
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as problem:
        raise BadInput(f"{path}: a column has two types: {describe_damage(problem)}.") from None
