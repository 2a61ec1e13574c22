"""The pages of a crawl as records, while it runs and after: in the order that they were fetched, each body once.

Of a page that a browser has laid out it is the snapshot; shells are often the same for all pages of a site, so each of
these is a page of its own.
"""

from __future__ import annotations

import io
import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from bonmun.scale.corpus.sources.formats import read_warc
from bonmun.scale.corpus.sources.records import RecordMaker
from bonmun.scale.crawl.fetch.layouts import SNAPSHOT_FOLDER
from bonmun.scale.crawl.status import has_begun, open_to_read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bonmun.scale.corpus.sources.records import Record

__all__ = ["FetchedPage", "Follower"]

LOOK_SECONDS = 0.25  # between looks for more pages
WARC_FOLDER = "warc"
READ_ROWS = 256  # at a time


class FetchedPage(NamedTuple):
    """A page, and which URL it says is its own, if that is another one."""

    record: Record
    canonical: str | None


class Follower:
    """Reads the pages that a crawl has written, and waits for more while it runs."""

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self.folder = folder
        self.warc_folder = folder / WARC_FOLDER
        self.maker = RecordMaker(None, max_bytes)

    def follow(self, skip: int, goes_on: Callable[[], bool]) -> Iterator[FetchedPage | None]:
        """The pages after the first `skip`; None where there is nothing yet. Ends when the crawl has."""
        while not has_begun(self.folder):
            if not goes_on():
                return  # it ended before it began, and says why itself
            yield None
            time.sleep(LOOK_SECONDS)
        with closing(open_to_read(self.folder)) as sql:
            last = 0
            while True:
                may_come = goes_on()  # asked before we look: what was written before the end is seen
                rows = sql.execute(
                    "select f.id, f.file, f.offset, f.length, f.snapshot, f.fetched, f.canonical, u.url, u.anchor "
                    "from fetches f join urls u on u.id = f.url where f.is_page and f.id > ? "
                    "and (f.copy_of is null or f.snapshot is not null) order by f.id limit ?",
                    [last, READ_ROWS],
                ).fetchall()
                for number, file, offset, length, snapshot, fetched, canonical, url, anchor in rows:
                    last = number
                    if skip:
                        skip -= 1
                        continue
                    if snapshot:
                        record = self._read_snapshot(snapshot, url, fetched)
                    else:
                        record = self._read(file, offset, length)
                    is_other = canonical is not None and canonical != url
                    yield FetchedPage(replace(record, id=url, anchor=anchor), canonical if is_other else None)
                if not rows:
                    if not may_come:
                        return
                    yield None
                    time.sleep(LOOK_SECONDS)

    def _read_snapshot(self, name: str, url: str, fetched: float) -> Record:
        """A page as the browser had it; every method reads a snapshot in the place of HTML."""
        data = (self.folder / SNAPSHOT_FOLDER / name).read_bytes()
        crawled = datetime.fromtimestamp(fetched, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return self.maker.make(url, name, data, url, crawled=crawled)

    def _read(self, file: str, offset: int, length: int) -> Record:
        """One record, at its place."""
        with (self.warc_folder / file).open("rb") as stream:
            stream.seek(offset)
            data = stream.read(length)
        return next(read_warc(io.BytesIO(data), file, file, self.maker))
