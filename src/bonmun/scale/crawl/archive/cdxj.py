"""Write the CDXJ index of a crawl: a line for each record, by which replay tools find it.

    kr,co,pier)/news/1 20260304090000 {"url": "https://pier.co.kr/news/1", "mime": "text/html", "status": "200", …}

Lines are sorted by bytes, with an external merge sort, so memory is bounded.
"""

from __future__ import annotations

import heapq
import json
import tempfile
from contextlib import ExitStack
from datetime import UTC
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

from bonmun.scale.crawl.archive.surt import make_surt
from bonmun.scale.crawl.fetch.http_heads import clean_url
from bonmun.work.files import open_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bonmun.scale.crawl.archive.log_file import LogRow

__all__ = ["write_cdxj"]

RUN_LINES = 100_000  # sorted in memory at a time
REVISIT = "warc/revisit"  # the media type of a revisit record in the index
UNKNOWN = "unk"


def write_cdxj(rows: Iterable[LogRow], path: Path) -> int:
    """Write the index of the rows that have a record, replacing the file atomically. Return their number."""
    count = 0
    lines = (_make_line(row) for row in rows if row.file is not None)
    with ExitStack() as files:
        runs: list[Iterable[bytes]] = []
        while run := sorted(islice(lines, RUN_LINES)):
            count += len(run)
            runs.append(_store(run, files) if len(run) == RUN_LINES else run)
        with open_atomically(path) as file:
            file.writelines(heapq.merge(*runs))
    return count


def _store(run: list[bytes], files: ExitStack) -> BinaryIO:
    """Write a sorted run to a temporary file."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller's stack closes it
    files.callback(file.close)
    file.writelines(run)
    file.seek(0)
    return file


def _make_line(row: LogRow) -> bytes:
    moment = row.fetched.astimezone(UTC).strftime("%Y%m%d%H%M%S")
    fields = {
        "url": clean_url(row.url),
        "mime": REVISIT if row.duplicate_of is not None else row.mime or UNKNOWN,
        "status": str(row.status) if row.status is not None else "-",
        "digest": row.digest or "-",
        "length": str(row.length),
        "offset": str(row.offset),
        "filename": row.file,
    }
    return f"{make_surt(row.url)} {moment} {json.dumps(fields)}\n".encode("ascii")
