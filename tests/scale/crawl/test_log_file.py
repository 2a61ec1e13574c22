"""The log of a crawl is written completely and in order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from bonmun.scale.crawl.archive import log_file
from bonmun.scale.crawl.archive.log_file import LOG_SCHEMA, LogRow, write_log

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FETCHED = datetime(2026, 3, 4, 9, 0, 7, 654321, UTC)


def make_rows(count: int) -> Iterator[LogRow]:
    for number in range(count):
        yield LogRow(
            url=f"https://pier.example/{number}", host="pier.example", fetched=FETCHED + timedelta(seconds=number)
        )


def test_rows_are_read_back(tmp_path: Path) -> None:
    full = LogRow(
        url="https://pier.example/등대",
        host="pier.example",
        status=200,
        mime="text/html",
        bytes=5_000_000_000,
        seconds=0.25,
        fetched=FETCHED,
        depth=2,
        via="https://pier.example/",
        anchor="half \ud83d and 등대",
        digest="sha1:A",
        duplicate_of="https://pier.example/2",
        file="pier-000000.warc.gz",
        offset=1,
        length=2,
        tries=3,
    )
    failed = LogRow(url="https://dead.example/", host="dead.example", fetched=FETCHED, error="did not answer in time")
    assert write_log([full, failed], tmp_path / "log.parquet") == 2
    table = pq.read_table(tmp_path / "log.parquet")
    assert table.schema.equals(LOG_SCHEMA)
    first, second = table.to_pylist()
    assert first == {name: getattr(full, name) for name in LOG_SCHEMA.names} | {"anchor": "half ? and 등대"}
    assert second == {name: getattr(failed, name) for name in LOG_SCHEMA.names}


def test_order_is_kept_across_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "ROW_GROUP_ROWS", 10)
    assert write_log(make_rows(35), tmp_path / "log.parquet") == 35
    file = pq.ParquetFile(tmp_path / "log.parquet")
    assert [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)] == [10, 10, 10, 5]
    assert file.read().column("url").to_pylist() == [row.url for row in make_rows(35)]


def test_a_crawl_without_requests_has_an_empty_log(tmp_path: Path) -> None:
    assert write_log([], tmp_path / "log.parquet") == 0
    assert pq.read_table(tmp_path / "log.parquet").schema.equals(LOG_SCHEMA)


def test_a_failure_leaves_the_previous_log(tmp_path: Path) -> None:
    def fail() -> Iterator[LogRow]:
        yield from make_rows(3)
        raise RuntimeError("the frontier is gone")

    write_log(make_rows(1), tmp_path / "log.parquet")
    with pytest.raises(RuntimeError, match="frontier is gone"):
        write_log(fail(), tmp_path / "log.parquet")
    assert pq.read_table(tmp_path / "log.parquet").num_rows == 1
    assert [path.name for path in tmp_path.iterdir()] == ["log.parquet"]
