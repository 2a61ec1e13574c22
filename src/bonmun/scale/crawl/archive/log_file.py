"""Write the log of a crawl as Parquet: a row for each request, in order."""

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

__all__ = ["LOG_SCHEMA", "LogRow", "write_log"]

ROW_GROUP_ROWS = 10_000  # held in memory
LOG_SCHEMA = pa.schema(
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
    """A request and its outcome. The CDXJ index is made from the same rows."""

    url: str
    host: str
    fetched: datetime  # start of the request, timezone-aware
    status: int | None = None  # None: no response
    mime: str | None = None
    bytes: int | None = None  # of the body, as received
    seconds: float | None = None
    depth: int = 0
    via: str | None = None
    anchor: str | None = None
    digest: str | None = None
    duplicate_of: str | None = None  # for a revisit record: the URL of the record that holds the body
    file: str | None = None  # the WARC file with its record; None: nothing was stored
    offset: int | None = None
    length: int | None = None
    tries: int = 1
    error: str | None = None  # why there is no response, or no usable one
    snapshot: str | None = None  # the file with the rendered page


def write_log(rows: Iterable[LogRow], path: Path) -> int:
    """Write the log, replacing the file atomically. Return the number of rows."""
    count = 0
    names = [field.name for field in fields(LogRow)]
    remaining = iter(rows)
    with write_atomically(path) as part, pq.ParquetWriter(part, LOG_SCHEMA, compression="zstd") as writer:
        while group := list(islice(remaining, ROW_GROUP_ROWS)):
            values = [{name: _clean(getattr(row, name)) for name in names} for row in group]
            writer.write_batch(pa.RecordBatch.from_pylist(values, schema=LOG_SCHEMA), row_group_size=ROW_GROUP_ROWS)
            count += len(group)
    return count


def _clean(value: Any) -> Any:
    """Return a value with lone surrogates replaced."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) and not value.isascii() else value
