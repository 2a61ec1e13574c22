"""Join rows of results into batches of a few megabytes, so that their size is limited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from bonmun.errors import BonmunError, TooBig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["join_all", "join_rows", "make_row", "try_row"]

BATCH_BYTES = 8_000_000  # the last row of a batch may exceed it
MAX_TEXT_CHARS = 256_000_000  # of one value: less than 2 GB in UTF-8, the maximum of Arrow
MAX_REASON_CHARS = 200


def make_row(values: dict[str, Any], schema: pa.Schema) -> pa.RecordBatch:
    """Return a batch of one row. Raise TooBig if a text is too long."""
    for name, value in values.items():
        if isinstance(value, str) and len(value) > MAX_TEXT_CHARS:
            raise TooBig(f"The {name} of the page has {len(value):,} characters, more than {MAX_TEXT_CHARS:,}.")
    return pa.RecordBatch.from_pylist([values], schema=schema)


def try_row(
    row: dict[str, Any],
    make: Callable[[dict[str, Any]], pa.RecordBatch],
    make_failure: Callable[[dict[str, Any], str], pa.RecordBatch],
) -> pa.RecordBatch:
    """Return the row of a page, or a row with the reason if that fails."""
    try:
        return make(row)
    except Exception as problem:  # an unexpected error must not stop the other pages
        reason = _describe(problem)
    return make_failure(row, reason)  # outside of the handler, where the memory of the page is free again


def join_rows(rows: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield rows joined into batches, in order."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += row.nbytes
        if size >= BATCH_BYTES:
            yield join_all(waiting, row.schema)
            waiting, size = [], 0
    if waiting:
        yield join_all(waiting, waiting[0].schema)


def join_all(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> pa.RecordBatch:
    """Join batches into one. Raise TooBig if it would be over 2 GB."""
    parts = list(batches)
    if len(parts) == 1:
        return parts[0]
    joined = pa.Table.from_batches(parts, schema).combine_chunks().to_batches()
    if len(joined) > 1:
        raise TooBig("The results of these pages are over 2 GB, the maximum of a batch; use smaller batches.")
    return joined[0] if joined else pa.RecordBatch.from_pylist([], schema=schema)


def _describe(problem: Exception) -> str:
    if isinstance(problem, MemoryError):
        return "The page needs more memory than its process may use."
    reason = str(problem) if isinstance(problem, BonmunError) else f"{type(problem).__name__}: {problem}"
    return " ".join(reason.encode("utf-8", "replace").decode().split())[:MAX_REASON_CHARS]
