"""Extract pages of a crawl again whose site model was incomplete, so that rows do not depend on the order of the pages.

The files of extracted pages are written anew in a folder beside them, and take their place one by one. If this is
interrupted, the next run continues after the last complete shard.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import compress, groupby, islice, repeat
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from bonmun.scale.corpus.batches import make_batches
from bonmun.scale.corpus.engine import run
from bonmun.scale.corpus.output import Output
from bonmun.scale.crawl.live_extraction import COPY_OF, SITE_PAGES, CopyFinder, LiveExtraction, count_site_pages
from bonmun.sites.keys import hash_bytes
from bonmun.sites.model import SiteModel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bonmun.scale.crawl.follow import FetchPlace, Follower

__all__ = ["SecondPass"]

FOLDER_PREFIX = "pages-again-"  # of the folder of new files; ends with a hash of the site model and the settings
READ_ROWS = 256


class SecondPass:
    """Extracts pages of a finished crawl again. `pages` is their number.

    second = SecondPass(live, follower)
    for done in second.steps(workers, seconds): ...
    """

    def __init__(self, live: LiveExtraction, follower: Follower) -> None:
        self.live = live
        self.follower = follower
        model = SiteModel.load(live.job.model)
        job = live.job.job
        self.job = replace(job, extraction=replace(job.extraction, site_model=model))
        self.site_pages = {name: count_site_pages(model, name) for name in model.sites}
        digest = hash_bytes(f"{model.digest()} {json.dumps(live.identity)}".encode())
        self.folder = live.folder / f"{FOLDER_PREFIX}{digest:016x}"
        self.is_due = {path: list(self._find_due(path)) for path in sorted(live.path.glob("part-*.parquet"))}
        self.pages = sum(map(sum, self.is_due.values()))
        self.latest: dict[str, int] = {}  # the last request of each URL, for Markdown files

    def _find_due(self, path: Path) -> Iterator[bool]:
        """Yield for each row of a file whether it must be extracted again. Pages that failed would fail again."""
        names = ["site", SITE_PAGES.name, "error"]
        with pq.ParquetFile(path) as file:
            if file.schema_arrow.names != self.live.schema.names:  # written by another version
                yield from repeat(True, file.metadata.num_rows)
                return
            for batch in file.iter_batches(columns=names):
                for site, known, error in zip(*(batch.column(name).to_pylist() for name in names), strict=True):
                    yield error is None and known != self.site_pages.get(site)

    def steps(self, workers: int, seconds: float) -> Iterator[int]:
        """Extract the pages again, and replace the files. Yield the number of pages done."""
        for folder in self.live.folder.glob(f"{FOLDER_PREFIX}*"):
            if folder != self.folder or not self.pages:  # made with an earlier model
                shutil.rmtree(folder)
        if not self.pages:
            return
        self.folder.mkdir(exist_ok=True)
        if self.live.store is not None:
            self.latest = {fetch.url: fetch.number for fetch in self.follower.list_fetches()}
        copies = CopyFinder()
        start = done = 0  # rows and pages of the files before
        for path, is_due in self.is_due.items():
            if not done and not any(is_due):  # nothing changes, since copies refer to earlier pages
                copies.add_file(path, self.live.text_column)
            else:
                for count in self._rewrite(path, is_due, start, copies, workers, seconds):
                    yield done + count
            start += len(is_due)
            done += sum(is_due)
        shutil.rmtree(self.folder)

    def _rewrite(
        self, path: Path, is_due: list[bool], start: int, copies: CopyFinder, workers: int, seconds: float
    ) -> Iterator[int]:
        """Replace a file. `start` is the number of rows in the files before it."""
        new = self.folder / path.name
        text_column = self.live.text_column
        if new.exists():  # an earlier run was killed before it replaced the file
            copies.add_file(new, text_column)
        else:
            with Output(new, self.live.schema, self.live.identity) as output:
                for shard in output.shards():
                    copies.add_file(shard, text_column)
                rest = is_due[output.done :]
                start += output.done
                done = sum(is_due[: output.done])
                fetches = islice(self.follower.list_fetches(), start, start + len(rest))
                repeated = self._extract(start, rest, workers, seconds)
                for rows, is_new in _merge(_read_rows(path, output.done), rest, repeated):
                    some = [*islice(fetches, rows.num_rows)]
                    ids, texts = (rows.column(name).to_pylist() for name in ("id", text_column))
                    found = [
                        copies.find(id_, text, fetch.canonical)
                        for id_, text, fetch in zip(ids, texts, some, strict=True)
                    ]
                    self._store(rows, found, some, is_new=is_new)
                    columns = rows.select(self.live.schema.names[:-1])
                    output.write([columns.append_column(COPY_OF, pa.array(found, COPY_OF.type))])
                    done += rows.num_rows if is_new else 0
                    yield done
                output.finish()
        new.replace(path)

    def _extract(self, start: int, is_due: list[bool], workers: int, seconds: float) -> Iterator[pa.RecordBatch]:
        """Extract the due pages among some in a row, and yield their rows."""
        fetches = islice(self.follower.list_fetches(), start, start + len(is_due))
        records = (self.follower.read(fetch).record for fetch in compress(fetches, is_due))
        for results in run(self.job, make_batches(records), workers, seconds):
            for batch in results:
                sites, errors = (batch.column(name).to_pylist() for name in ("site", "error"))
                pages = [
                    self.site_pages.get(site) if error is None else None
                    for site, error in zip(sites, errors, strict=True)
                ]
                yield batch.append_column(SITE_PAGES, pa.array(pages, SITE_PAGES.type))

    def _store(self, rows: pa.RecordBatch, found: list[str | None], fetches: list[FetchPlace], *, is_new: bool) -> None:
        """Update the pages that become Markdown files. If a URL was fetched several times, the last page counts."""
        store = self.live.store
        if store is None:
            return
        is_latest = [self.latest[fetch.url] == fetch.number for fetch in fetches]
        if is_new:
            store.add_batch(rows.filter(pa.array(is_latest)), [*compress(found, is_latest)])
        else:
            store.mark_copies(
                (fetch.url, copy is not None) for fetch, copy in compress(zip(fetches, found, strict=True), is_latest)
            )


def _read_rows(path: Path, start: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a file from a number on."""
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(READ_ROWS):
            if start < batch.num_rows:
                yield batch.slice(start)
            start = max(0, start - batch.num_rows)


def _merge(
    old: Iterator[pa.RecordBatch], is_due: list[bool], repeated: Iterator[pa.RecordBatch]
) -> Iterator[tuple[pa.RecordBatch, bool]]:
    """Yield all rows in order, and whether they are new. Those that are due come from `repeated`, others from `old`."""
    new = (batch.slice(number, 1) for batch in repeated for number in range(batch.num_rows))
    flags = iter(is_due)
    for batch in old:
        at = 0
        for is_new, group in groupby(islice(flags, batch.num_rows)):
            count = len([*group])
            if is_new:
                yield from ((row, True) for row in islice(new, count))
            else:
                yield batch.slice(at, count), False
            at += count
