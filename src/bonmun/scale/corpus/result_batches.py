"""Results row by row, joined to pieces of some megabytes: no batch of pages makes a batch of results without bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from bonmun.errors import BonmunError, TooBig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["join_all", "join_rows", "make_row", "try_row"]

PIECE_BYTES = 8_000_000  # of a piece, and one row more
ROW_CHARS = 256_000_000  # of one text in a row: in UTF-8 that is less than the 2 GB that Arrow can hold
REASON_CHARS = 200  # of why a page failed, at most


def make_row(values: dict[str, Any], schema: pa.Schema) -> pa.RecordBatch:
    """One row as a batch; raises if a text is too long for it."""
    for name, value in values.items():
        if isinstance(value, str) and len(value) > ROW_CHARS:
            raise TooBig(f"The {name} of the page has {len(value):,} characters, more than {ROW_CHARS:,}.")
    return pa.RecordBatch.from_pylist([values], schema=schema)


def try_row(
    row: dict[str, Any],
    make: Callable[[dict[str, Any]], pa.RecordBatch],
    make_failure: Callable[[dict[str, Any], str], pa.RecordBatch],
) -> pa.RecordBatch:
    """What comes of a page, or of why nothing does."""
    try:
        return make(row)
    except Exception as problem:  # whatever one page does, the others go on
        reason = _describe(problem)
    return make_failure(row, reason)  # out here, where all that the page has filled the memory with is gone


def join_rows(rows: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows in pieces, in order."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += row.nbytes
        if size >= PIECE_BYTES:
            yield join_all(waiting, row.schema)
            waiting, size = [], 0
    if waiting:
        yield join_all(waiting, waiting[0].schema)


def join_all(pieces: Iterable[pa.RecordBatch], schema: pa.Schema) -> pa.RecordBatch:
    """Pieces as one batch, for those whose results are small enough for that."""
    some = list(pieces)
    if len(some) == 1:
        return some[0]
    joined = pa.Table.from_batches(some, schema).combine_chunks().to_batches()
    if len(joined) > 1:
        raise TooBig("The results of these pages are over 2 GB, more than one batch can hold; give smaller batches.")
    return joined[0] if joined else pa.RecordBatch.from_pylist([], schema=schema)


def _describe(problem: Exception) -> str:
    if isinstance(problem, MemoryError):
        return "The page needs more memory than its process may take."
    reason = str(problem) if isinstance(problem, BonmunError) else f"{type(problem).__name__}: {problem}"
    return " ".join(reason.encode("utf-8", "replace").decode().split())[:REASON_CHARS]
