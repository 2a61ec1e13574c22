"""Tables of results as the bytes of a file, in each of the formats that results are written in."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["PACKERS", "pack_parquet"]


def pack_parquet(table: pa.Table, file: BinaryIO) -> None:
    """As Parquet: a file of its own."""
    pq.write_table(table, file, compression="zstd")


def _pack_jsonl(table: pa.Table, file: BinaryIO) -> None:
    file.writelines(_make_lines(table))


def _pack_gzip(table: pa.Table, file: BinaryIO) -> None:
    with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:  # no clock and no name: always the same bytes
        packed.writelines(_make_lines(table))


def _pack_zstd(table: pa.Table, file: BinaryIO) -> None:
    with pa.CompressedOutputStream(pa.PythonFile(_KeptOpen(file), "w"), "zstd") as packed:
        for line in _make_lines(table):
            packed.write(line)


def _make_lines(table: pa.Table) -> Iterator[bytes]:
    """A row a line, one after the other: as Python values they take memory."""
    for batch in table.to_batches():
        for number in range(batch.num_rows):
            row = batch.slice(number, 1).to_pylist()[0]
            yield f"{json.dumps(row, ensure_ascii=False)}\n".encode("utf-8", "replace")


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
    ".jsonl.gz": _pack_gzip,
    ".jsonl.zst": _pack_zstd,
}
