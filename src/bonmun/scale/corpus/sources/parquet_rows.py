"""Pages in Parquet files, a row each. One row is read at a time, and of a value no more than may be used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.bounds import MAX_FIELD_CHARS
from bonmun.errors import MissingExtra
from bonmun.scale.corpus.sources.records import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bonmun.scale.corpus.sources.records import Record, RecordMaker

__all__ = ["read_parquet", "read_value"]

BUFFER_BYTES = 1 << 16  # of a file that are read at a time
ROWS_AT_ONCE = 1  # a row may be as large as it likes, and many of them take a few bytes of a file


def read_parquet(
    path: Path, source: str, name: str, maker: RecordMaker, at: Callable[[float], None]
) -> Iterator[Record]:
    """A page a row; `at` is told which share of the rows is read."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("Parquet is read with pyarrow: pip install 'bonmun[corpus]'.") from None
    with pq.ParquetFile(path, pre_buffer=False, buffer_size=BUFFER_BYTES) as file:  # else a row group at once
        schema, rows = file.schema_arrow, file.metadata.num_rows
        html = maker.columns["html"]
        if html not in schema.names:
            raise ValueError(f"no column is called {html}, only {', '.join(schema.names)}")
        known = {key: each for key, each in maker.columns.items() if each in schema.names}
        plain = {key: each for key, each in known.items() if _is_plain(schema.field(each).type)}
        if "html" not in plain:
            maker.skip(f"a row without {html}", rows)
            return
        read = file.iter_batches(ROWS_AT_ONCE, columns=list(dict.fromkeys(plain.values())))
        for number, batch in enumerate(read, 1):
            values = {
                key: read_value(batch.column(each)[0], maker.max_bytes, key == "html") for key, each in plain.items()
            }
            if isinstance(values["html"], bytes):
                yield maker.make_from_columns(dict.fromkeys(COLUMNS) | values, source, f"{name}:{number}")
            else:
                maker.skip(f"a row without {html}")
            at(number / max(rows, 1))


def _is_plain(kind: Any) -> bool:
    """Whether a column has one value a row: lists may be without end."""
    import pyarrow.types as types

    if types.is_dictionary(kind):
        return _is_plain(kind.value_type)
    return not types.is_nested(kind)


def read_value(value: Any, max_bytes: int, is_html: bool) -> Any:
    """A value of a row: bytes of a page, up to one over the limit; of other columns what is not too long."""
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
    except (ValueError, OverflowError):  # no time that Python knows
        return None
