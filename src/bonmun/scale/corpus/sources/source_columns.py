"""Check the columns of a file before any work is done."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, BinaryIO

from bonmun.errors import BadConfig
from bonmun.scale.corpus.sources.compression import DAMAGE_ERRORS, decompress

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.scale.corpus.sources.records import RecordMaker

__all__ = ["check_columns", "describe_missing_column"]

CHECKED_LINES = 20  # of a JSON Lines file, since a line may lack columns
LINE_BYTES = 1 << 24  # longer lines are ignored
MAX_NAMED_COLUMNS = 30  # in an error message


def check_columns(path: Path, format_: str, maker: RecordMaker) -> None:
    """Raise BadConfig if a JSON Lines or Parquet file lacks a needed column.

    Ignore a file that cannot be read; its reader will report it.
    """
    try:
        columns = _list_parquet(path) if format_ == "parquet" else _list_jsonl(path) if format_ == "jsonl" else []
    except (ImportError, *DAMAGE_ERRORS):
        return
    for key, column in maker.needed.items():
        if columns and column not in columns:
            raise BadConfig(describe_missing_column(str(path), key, column, columns))


def describe_missing_column(place: str, key: str, column: str, columns: list[str]) -> str:
    """Return an error message for a missing column."""
    more = ", …" if len(columns) > MAX_NAMED_COLUMNS else ""
    named = f"{', '.join(columns[:MAX_NAMED_COLUMNS])}{more}"
    return f"{place}: there is no column {column}, only {named}; set its name with --{key}-column."


def _list_parquet(path: Path) -> list[str]:
    import pyarrow.parquet as pq

    return list(pq.read_schema(path).names)


def _list_jsonl(path: Path) -> list[str]:
    with path.open("rb") as file:
        return list(dict.fromkeys(name for row in _read_rows(decompress(file)) for name in row))


def _read_rows(lines: BinaryIO) -> Iterator[dict[str, object]]:
    for _ in range(CHECKED_LINES):
        line = lines.readline(LINE_BYTES)
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield row
