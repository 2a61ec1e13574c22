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

from bonmun.errors import BadInput
from bonmun.scale.corpus.sources.formats import read_warc
from bonmun.scale.corpus.sources.records import RecordMaker
from bonmun.scale.crawl.archive.warc_files import WARC_FOLDER
from bonmun.scale.crawl.fetch.layouts import SNAPSHOT_FOLDER
from bonmun.scale.crawl.status import has_begun, open_to_read

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bonmun.scale.corpus.sources.records import Record

__all__ = ["FetchPlace", "FetchedPage", "Follower"]

POLL_SECONDS = 0.25  # between checks for new pages
BATCH_ROWS = 256
FETCHES = """
    select f.id, f.file, f.offset, f.length, f.snapshot, f.fetched, f.canonical, u.url, u.anchor
    from fetches f join urls u on u.id = f.url
    where f.is_page and f.id > ? and (f.copy_of is null or f.snapshot is not null) order by f.id limit ?"""


class FetchPlace(NamedTuple):
    """Where a page of a crawl is stored."""

    number: int  # increases with every request
    file: str  # WARC file, and the place of the record in it
    offset: int
    length: int
    snapshot: str | None  # file of the rendered page
    fetched: float  # seconds since 1970
    declared: str | None  # canonical URL
    url: str
    anchor: str | None

    @property
    def canonical(self) -> str | None:
        """The canonical URL if it is another one."""
        return self.declared if self.declared != self.url else None


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
                fetches = _list_next(sql, last)
                for fetch in fetches:
                    last = fetch.number
                    if skip:
                        skip -= 1
                        continue
                    yield self.read(fetch)
                if not fetches:
                    if not was_running:
                        return
                    yield None
                    time.sleep(POLL_SECONDS)

    def list_fetches(self) -> Iterator[FetchPlace]:
        """Yield all pages of a finished crawl, without reading them."""
        with closing(open_to_read(self.folder)) as sql:
            last = 0
            while fetches := _list_next(sql, last):
                yield from fetches
                last = fetches[-1].number

    def read(self, fetch: FetchPlace) -> FetchedPage:
        """Read a page from its WARC file or snapshot."""
        if fetch.snapshot:
            record = self._read_snapshot(fetch.snapshot, fetch.url, fetch.fetched)
        else:
            record = self._read_record(fetch)
        return FetchedPage(replace(record, id=fetch.url, anchor=fetch.anchor), fetch.canonical)

    def _read_snapshot(self, name: str, url: str, fetched: float) -> Record:
        """Return the record of a rendered page; all methods accept a snapshot instead of HTML."""
        data = (self.folder / SNAPSHOT_FOLDER / name).read_bytes()
        crawled = datetime.fromtimestamp(fetched, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        return self.maker.make(url, name, data, url, crawled=crawled)

    def _read_record(self, fetch: FetchPlace) -> Record:
        path = self.warc_folder / fetch.file
        try:
            with path.open("rb") as stream:
                stream.seek(fetch.offset)
                data = stream.read(fetch.length)
        except OSError as problem:
            raise BadInput(
                f"{path} cannot be read: {problem.strerror}. Pages are extracted from this file; put it back."
            ) from problem
        return next(read_warc(io.BytesIO(data), fetch.file, fetch.file, self.maker))


def _list_next(sql: sqlite3.Connection, last: int) -> list[FetchPlace]:
    """Return the next pages after a request."""
    return [FetchPlace(*row) for row in sql.execute(FETCHES, [last, BATCH_ROWS])]
