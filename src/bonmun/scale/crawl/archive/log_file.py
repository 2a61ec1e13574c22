"""The log of a crawl as Parquet: a row for each request, in the order in which they were made."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import islice
from typing import TYPE_CHECKING, Any

from bonmun.errors import MissingExtra
from bonmun.work.files import write_atomically

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    raise MissingExtra("The log of a crawl is written with pyarrow: pip install 'bonmun[crawl]'.") from None

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

__all__ = ["LOG", "LogRow", "write_log"]

GROUP_ROWS = 10_000  # of a row group: so many are in memory
LOG = pa.schema(
    [
        ("url", pa.string()),
        ("host", pa.string()),
        ("status", pa.int32()),
        ("mime", pa.string()),
        ("bytes", pa.int64()),
        ("seconds", pa.float64()),
        ("fetched", pa.timestamp("us", tz="UTC")),
        ("depth", pa.int32()),
        ("via", pa.string()),
        ("anchor", pa.string()),
        ("digest", pa.string()),
        ("duplicate_of", pa.string()),
        ("file", pa.string()),
        ("offset", pa.int64()),
        ("length", pa.int64()),
        ("tries", pa.int32()),
        ("error", pa.string()),
        ("snapshot", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """One request, and what came of it; the index of a crawl (cdxj.py) is made of the same rows."""

    url: str
    host: str
    fetched: datetime  # when it began, with its time zone
    status: int | None = None  # None: there was no answer
    mime: str | None = None
    bytes: int | None = None  # of the body, as received
    seconds: float | None = None
    depth: int = 0
    via: str | None = None
    anchor: str | None = None
    digest: str | None = None
    duplicate_of: str | None = None  # the URL of the record that holds its body: this one is a revisit
    file: str | None = None  # with `offset` and `length` its Place; None: nothing was kept
    offset: int | None = None
    length: int | None = None
    tries: int = 1
    error: str | None = None  # why there is no answer, or none that is of use
    snapshot: str | None = None  # the file with the page as a browser laid it out


def write_log(rows: Iterable[LogRow], path: Path) -> int:
    """Write the log, beside its place until it is whole; gives how many rows it has."""
    count = 0
    names = [field.name for field in fields(LogRow)]
    left = iter(rows)
    with write_atomically(path) as part, pq.ParquetWriter(part, LOG, compression="zstd") as writer:
        while group := list(islice(left, GROUP_ROWS)):
            values = [{name: _clean(getattr(row, name)) for name in names} for row in group]
            writer.write_batch(pa.RecordBatch.from_pylist(values, schema=LOG), row_group_size=GROUP_ROWS)
            count += len(group)
    return count


def _clean(value: Any) -> Any:
    """Text that can be written: without halves of characters."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) and not value.isascii() else value
