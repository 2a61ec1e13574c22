"""Which columns a file of pages has: looked at before any work is done, so that a wrong name costs nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, BinaryIO

from bonmun.errors import BadConfig
from bonmun.scale.corpus.sources.compression import DAMAGE_ERRORS, decompress

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.scale.corpus.sources.records import RecordMaker

__all__ = ["check_columns", "name_missing"]

LOOKED_AT_LINES = 20  # of JSON lines: not each says all
LINE_BYTES = 1 << 24  # of a line that are looked at
NAMED_COLUMNS = 30  # of those that are there


def check_columns(path: Path, format_: str, maker: RecordMaker) -> None:
    """Raise if a file of JSON lines or Parquet lacks the column of pages, or another one that was named.

    A file that cannot be read is left to its reader, which says so.
    """
    try:
        there = _list_parquet(path) if format_ == "parquet" else _list_jsonl(path) if format_ == "jsonl" else []
    except (ImportError, *DAMAGE_ERRORS):
        return
    for key, column in maker.needed.items():
        if there and column not in there:
            raise BadConfig(name_missing(str(path), key, column, there))


def name_missing(place: str, key: str, column: str, there: list[str]) -> str:
    """A sentence on a column that is missing."""
    more = ", …" if len(there) > NAMED_COLUMNS else ""
    named = f"{', '.join(there[:NAMED_COLUMNS])}{more}"
    return f"{place}: no column is called {column}, only {named}; name it with --{key}-column."


def _list_parquet(path: Path) -> list[str]:
    import pyarrow.parquet as pq

    return list(pq.read_schema(path).names)


def _list_jsonl(path: Path) -> list[str]:
    with path.open("rb") as file:
        return list(dict.fromkeys(name for row in _read_rows(decompress(file)) for name in row))


def _read_rows(lines: BinaryIO) -> Iterator[dict[str, object]]:
    for _ in range(LOOKED_AT_LINES):
        line = lines.readline(LINE_BYTES)
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row
