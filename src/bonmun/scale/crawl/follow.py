"""Read the pages of a running or finished crawl as records, in the order fetched, each body once.

Rendered pages are read from their snapshots, and all of them are returned: the HTML of script-based sites is often the
same for all pages.
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
from bonmun.scale.crawl.archive.warc_files import WARC_FOLDER
from bonmun.scale.crawl.fetch.layouts import SNAPSHOT_FOLDER
from bonmun.scale.crawl.status import has_begun, open_to_read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bonmun.scale.corpus.sources.records import Record

__all__ = ["FetchedPage", "Follower"]

POLL_SECONDS = 0.25  # between checks for new pages
BATCH_ROWS = 256


class FetchedPage(NamedTuple):
    """A page, and its canonical URL if that is different."""

    record: Record
    canonical: str | None


class Follower:
    """Reads the pages written by a crawl, and waits for more while it runs."""

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self.folder = folder
        self.warc_folder = folder / WARC_FOLDER
        self.maker = RecordMaker(None, max_bytes)

    def follow(self, skip: int, is_running: Callable[[], bool]) -> Iterator[FetchedPage | None]:
        """Yield the pages after the first `skip`, and None while waiting for more; end with the crawl."""
        while not has_begun(self.folder):
            if not is_running():
                return  # it failed to start, and reports that itself
            yield None
            time.sleep(POLL_SECONDS)
        with closing(open_to_read(self.folder)) as sql:
            last = 0
            while True:
                was_running = is_running()  # checked before the query, so that the last pages are not missed
                rows = sql.execute(
                    "select f.id, f.file, f.offset, f.length, f.snapshot, f.fetched, f.canonical, u.url, u.anchor "
                    "from fetches f join urls u on u.id = f.url where f.is_page and f.id > ? "
                    "and (f.copy_of is null or f.snapshot is not null) order by f.id limit ?",
                    [last, BATCH_ROWS],
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
                    if not was_running:
                        return
                    yield None
                    time.sleep(POLL_SECONDS)

    def _read_snapshot(self, name: str, url: str, fetched: float) -> Record:
        """Return the record of a rendered page; all methods accept a snapshot instead of HTML."""
        data = (self.folder / SNAPSHOT_FOLDER / name).read_bytes()
        crawled = datetime.fromtimestamp(fetched, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return self.maker.make(url, name, data, url, crawled=crawled)

    def _read(self, file: str, offset: int, length: int) -> Record:
        """Return the record at a location in a WARC file."""
        with (self.warc_folder / file).open("rb") as stream:
            stream.seek(offset)
            data = stream.read(length)
        return next(read_warc(io.BytesIO(data), file, file, self.maker))
