"""Write tables of results as Parquet, JSON Lines or CSV."""

from __future__ import annotations

import csv
import gzip
import io
import json
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from bonmun.scale.corpus.columns import is_json
from bonmun.text.csv_cells import escape_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["HEADER_WRITERS", "WRITERS", "write_parquet"]


def write_parquet(table: pa.Table, file: BinaryIO) -> None:
    """Write a table as a complete Parquet file."""
    pq.write_table(table, file, compression="zstd")


def _write_jsonl(table: pa.Table, file: BinaryIO) -> None:
    file.writelines(_make_lines(table))


def _write_jsonl_gzip(table: pa.Table, file: BinaryIO) -> None:
    _gzip(_make_lines(table), file)


def _write_csv(table: pa.Table, file: BinaryIO) -> None:
    file.writelines(_make_csv(_list_cells(row) for row in _each_row(table)))


def _write_csv_gzip(table: pa.Table, file: BinaryIO) -> None:
    _gzip(_make_csv(_list_cells(row) for row in _each_row(table)), file)


def _write_jsonl_zstd(table: pa.Table, file: BinaryIO) -> None:
    with pa.CompressedOutputStream(pa.PythonFile(_NonClosingFile(file), "w"), "zstd") as compressed:
        for line in _make_lines(table):
            compressed.write(line)


def _write_csv_header(schema: pa.Schema, file: BinaryIO) -> None:
    file.writelines(_make_csv([schema.names]))


def _write_csv_gzip_header(schema: pa.Schema, file: BinaryIO) -> None:
    _gzip(_make_csv([schema.names]), file)


def _gzip(lines: Iterable[bytes], file: BinaryIO) -> None:
    with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as compressed:  # without time and name: reproducible bytes
        compressed.writelines(lines)


def _each_row(table: pa.Table) -> Iterator[dict[str, Any]]:
    """Yield rows one by one, since Python values take much memory."""
    for batch in table.to_batches():
        for number in range(batch.num_rows):
            yield batch.slice(number, 1).to_pylist()[0]


def _make_lines(table: pa.Table) -> Iterator[bytes]:
    """Yield a JSON object per row. Columns of JSON text are included as objects."""
    json_columns = {field.name for field in table.schema if is_json(field)}
    for row in _each_row(table):
        parts = (
            f"{_encode(name)}: {value if name in json_columns and value is not None else _encode(value)}"
            for name, value in row.items()
        )
        yield f"{{{', '.join(parts)}}}\n".encode("utf-8", "replace")


_encode = json.JSONEncoder(ensure_ascii=False).encode


def _make_csv(rows: Iterable[list[str]]) -> Iterator[bytes]:
    """Yield rows as CSV (RFC 4180) in UTF-8."""
    for row in rows:
        line = io.StringIO(newline="")
        csv.writer(line, lineterminator="\n").writerow(row)
        yield line.getvalue().encode("utf-8", "replace")


def _list_cells(row: dict[str, Any]) -> list[str]:
    return [_make_cell(value) for value in row.values()]


def _make_cell(value: Any) -> str:
    """Return a value as a CSV cell: null is empty, lists are JSON, and a formula is escaped."""
    if isinstance(value, str):
        return escape_formula(value)
    return "" if value is None else _encode(value)


class _NonClosingFile:
    """A wrapper that keeps a file open when pyarrow closes it."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self.write, self.flush = file.write, file.flush

    def close(self) -> None:
        """Do nothing."""


WRITERS: dict[str, Callable[[pa.Table, BinaryIO], None]] = {  # by extension
    ".parquet": write_parquet,
    ".jsonl": _write_jsonl,
    ".jsonl.gz": _write_jsonl_gzip,
    ".jsonl.zst": _write_jsonl_zstd,
    ".csv": _write_csv,
    ".csv.gz": _write_csv_gzip,
}
HEADER_WRITERS: dict[str, Callable[[pa.Schema, BinaryIO], None]] = {  # by extension
    ".csv": _write_csv_header,
    ".csv.gz": _write_csv_gzip_header,
}
