"""Write rows in JSON to a Parquet file."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, BinaryIO

from bonmun.errors import MissingExtra
from bonmun.outputs import CHUNKS

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["RowWriter", "check_parquet"]

BATCH_ROWS = 500


def check_parquet() -> None:
    """Raise MissingExtra if pyarrow is not installed."""
    if find_spec("pyarrow") is None:
        raise MissingExtra("pyarrow is not installed, which writes Parquet: pip install 'bonmun[corpus]'.")


class RowWriter:
    """A Parquet file that is written row by row; a context manager."""

    def __init__(self, file: BinaryIO, format_: str) -> None:
        import pyarrow.parquet as pq

        self.schema = _make_schema(format_)
        self.writer = pq.ParquetWriter(file, self.schema, compression="zstd")
        self.rows: list[dict[str, Any]] = []

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self.writer.close()

    def add(self, row: bytes) -> None:
        """Add a row; missing columns are null."""
        self.rows.append(json.loads(row))
        if len(self.rows) == BATCH_ROWS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self.rows:
            self.writer.write_batch(pa.RecordBatch.from_pylist(self.rows, schema=self.schema))
            self.rows = []


def _make_schema(format_: str) -> pa.Schema:
    import pyarrow as pa

    from bonmun.scale.corpus.columns import CHUNK

    texts = [(name, pa.string()) for name in ("input", "url", "title", "author", "date", "language", "kind")]
    said = (format_, pa.list_(CHUNK) if format_ == CHUNKS else pa.string())
    return pa.schema([*texts, ("confidence", pa.float32()), ("cut", pa.bool_()), said, ("error", pa.string())])
