"""Read pages from Parquet files, one row at a time, and only as much of a value as is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.bounds import MAX_FIELD_CHARS
from bonmun.errors import MissingExtra
from bonmun.scale.corpus.sources.records import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pyarrow as pa

    from bonmun.scale.corpus.sources.records import Record, RecordMaker

__all__ = ["make_row_record", "read_parquet"]

BUFFER_BYTES = 1 << 16
BATCH_ROWS = 1  # the size of a row is not limited, and a small file may contain very many large rows


def read_parquet(
    path: Path, source: str, name: str, maker: RecordMaker, at: Callable[[float], None]
) -> Iterator[Record]:
    """Yield a page per row; `at` is called with the share of the rows that is read."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("Reading Parquet needs pyarrow: pip install 'bonmun[corpus]'.") from None
    with pq.ParquetFile(
        path, pre_buffer=False, buffer_size=BUFFER_BYTES
    ) as file:  # otherwise a whole row group is read at once
        schema, rows = file.schema_arrow, file.metadata.num_rows
        html = maker.columns["html"]
        if html not in schema.names:
            raise ValueError(f"there is no column {html}, only {', '.join(schema.names)}")
        known = {key: each for key, each in maker.columns.items() if each in schema.names}
        plain = {key: each for key, each in known.items() if _is_plain(schema.field(each).type)}
        if "html" not in plain:
            maker.skip(f"a row without {html}", rows)
            return
        read = file.iter_batches(BATCH_ROWS, columns=list(dict.fromkeys(plain.values())))
        for number, batch in enumerate(read, 1):
            if record := make_row_record(batch, 0, plain, maker, source, f"{name}:{number}"):
                yield record
            else:
                maker.skip(f"a row without {html}")
            at(number / max(rows, 1))


def _is_plain(kind: Any) -> bool:
    """Return whether a column has a single value per row, since the size of a list is not limited."""
    import pyarrow.types as types

    if types.is_dictionary(kind):
        return _is_plain(kind.value_type)
    return not types.is_nested(kind)


def make_row_record(
    batch: pa.RecordBatch, row: int, columns: dict[str, str], maker: RecordMaker, source: str, name: str
) -> Record | None:
    """Return the record of a row, or None if it has no page. `columns` are column names by standard name."""
    values = {
        key: _read_value(batch.column(column)[row], maker.max_bytes, key == "html") for key, column in columns.items()
    }
    if not isinstance(values["html"], bytes):
        return None
    return maker.make_from_columns(dict.fromkeys(COLUMNS) | values, source, name)


def _read_value(value: Any, max_bytes: int, is_html: bool) -> Any:
    """Return a value: the bytes of a page, up to one over the limit; None for a text that is too long."""
    import pyarrow as pa

    if isinstance(value, pa.DictionaryScalar):
        value = value.value
    if not value.is_valid:
        return None
    if hasattr(value, "as_buffer"):  # text or bytes
        data = memoryview(value.as_buffer())
        if is_html:
            return data[: max_bytes + 1].tobytes()
        return data.tobytes().decode("utf-8", "replace") if len(data) <= 4 * MAX_FIELD_CHARS else None
    try:
        return value.as_py()
    except (ValueError, OverflowError):  # a time outside the range of Python
        return None
