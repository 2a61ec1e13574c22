"""Tables of results as the bytes of a file, in each of the formats that results are written in."""

from __future__ import annotations

import csv
import gzip
import io
import json
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from bonmun.scale.corpus.columns import is_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["HEADS", "PACKERS", "pack_parquet"]

FORMULA_STARTS = tuple("=+-@\t\r＝＋－＠")  # a spreadsheet takes a cell that begins so for a formula, and runs it


def pack_parquet(table: pa.Table, file: BinaryIO) -> None:
    """As Parquet: a file of its own."""
    pq.write_table(table, file, compression="zstd")


def _pack_jsonl(table: pa.Table, file: BinaryIO) -> None:
    file.writelines(_make_lines(table))


def _pack_jsonl_gzip(table: pa.Table, file: BinaryIO) -> None:
    _gzip(_make_lines(table), file)


def _pack_csv(table: pa.Table, file: BinaryIO) -> None:
    file.writelines(_make_csv(_list_cells(row) for row in _each_row(table)))


def _pack_csv_gzip(table: pa.Table, file: BinaryIO) -> None:
    _gzip(_make_csv(_list_cells(row) for row in _each_row(table)), file)


def _pack_zstd(table: pa.Table, file: BinaryIO) -> None:
    with pa.CompressedOutputStream(pa.PythonFile(_KeptOpen(file), "w"), "zstd") as packed:
        for line in _make_lines(table):
            packed.write(line)


def _head_csv(schema: pa.Schema, file: BinaryIO) -> None:
    file.writelines(_make_csv([schema.names]))


def _head_csv_gzip(schema: pa.Schema, file: BinaryIO) -> None:
    _gzip(_make_csv([schema.names]), file)


def _gzip(lines: Iterable[bytes], file: BinaryIO) -> None:
    with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:  # no clock and no name: always the same bytes
        packed.writelines(lines)


def _each_row(table: pa.Table) -> Iterator[dict[str, Any]]:
    """One row after the other: as Python values they take memory."""
    for batch in table.to_batches():
        for number in range(batch.num_rows):
            yield batch.slice(number, 1).to_pylist()[0]


def _make_lines(table: pa.Table) -> Iterator[bytes]:
    """A row a line; what is JSON already stands in it as it is: an object, not a text."""
    ready = {field.name for field in table.schema if is_json(field)}
    for row in _each_row(table):
        parts = (
            f"{_encode(name)}: {value if name in ready and value is not None else _encode(value)}"
            for name, value in row.items()
        )
        yield f"{{{', '.join(parts)}}}\n".encode("utf-8", "replace")


_encode = json.JSONEncoder(ensure_ascii=False).encode


def _make_csv(rows: Iterable[list[str]]) -> Iterator[bytes]:
    """Rows as RFC 4180 has them, in UTF-8: a cell with a comma, a quotation mark or a line break is quoted."""
    for row in rows:
        line = io.StringIO(newline="")
        csv.writer(line, lineterminator="\n").writerow(row)
        yield line.getvalue().encode("utf-8", "replace")


def _list_cells(row: dict[str, Any]) -> list[str]:
    return [_make_cell(value) for value in row.values()]


def _make_cell(value: Any) -> str:
    """A value as a cell: null is empty, lists are JSON, and no text is taken for a formula."""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(FORMULA_STARTS) else value
    return "" if value is None else _encode(value)


class _KeptOpen:
    """A file that stays open when pyarrow is done with it."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self.write, self.flush = file.write, file.flush

    def close(self) -> None:
        """Nothing: the file is not ours."""


PACKERS: dict[str, Callable[[pa.Table, BinaryIO], None]] = {  # by how the name of the file ends
    ".parquet": pack_parquet,
    ".jsonl": _pack_jsonl,
    ".jsonl.gz": _pack_jsonl_gzip,
    ".jsonl.zst": _pack_zstd,
    ".csv": _pack_csv,
    ".csv.gz": _pack_csv_gzip,
}
HEADS: dict[str, Callable[[pa.Schema, BinaryIO], None]] = {  # what stands before all rows, where something does
    ".csv": _head_csv,
    ".csv.gz": _head_csv_gzip,
}
