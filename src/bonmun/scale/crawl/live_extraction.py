"""Extract pages while a crawl runs, in child processes, with site models that improve as pages arrive.

The first pages of each site are also counted. Once a site has enough of them, a site model is built, and rebuilt each
time their number has doubled. The child processes load it from its file. At the end of the crawl, a last model is built
from all counted pages; `second_pass.py` extracts pages again that had another one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from bonmun.errors import BadConfig
from bonmun.scale.corpus.batches import COUNTS, PAGES, ExtractJob, count_batch, extract_batch
from bonmun.scale.corpus.columns import FORMAT_COLUMNS
from bonmun.scale.corpus.counts import Counts
from bonmun.scale.corpus.engine import run
from bonmun.scale.corpus.output import Output
from bonmun.scale.corpus.result_batches import join_rows
from bonmun.scale.crawl.export.page_store import PAGE_COLUMNS, STORE_NAME, PageStore
from bonmun.sites.keys import hash_bytes
from bonmun.sites.model import SiteModel
from bonmun.sites.site import MIN_PAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from bonmun.scale.crawl.follow import FetchedPage

__all__ = ["COPY_OF", "SITE_PAGES", "CopyFinder", "LiveExtraction", "LiveJob", "count_site_pages"]

MIN_MODEL_PAGES = 10  # of a site, for its first model
MAX_COUNTED_PAGES = 160  # of a site; more pages add nothing new about its template
PAUSE_FACTOR = 20  # the time between two models, in multiples of the time that a model takes
NEVER = 1 << 62  # a number of pages that no site has
BATCH_PAGES = 32
BATCH_BYTES = 2_000_000
PAGES_FOLDER = "pages"
MODEL_NAME, COUNTS_NAME = "live.sites", "live.duckdb"
COUNTED = [COUNTS.field(name) for name in ("raw", "page", "leaves")]
SITE_PAGES = pa.field("site_pages", pa.int64())  # number of pages in the model of its site; null: no model
COPY_OF = pa.field("copy_of", pa.string())  # the first page with the same text, or the canonical URL


@dataclass(frozen=True, slots=True)
class LiveJob:
    """The job of the child processes: extract pages with the newest model, and count them if requested."""

    job: ExtractJob
    model: Path

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None]) -> Iterator[pa.RecordBatch]:
        """Extract the pages of a batch one by one."""
        model = _load_model(self.model)
        job = replace(self.job, extraction=replace(self.job.extraction, site_model=model))

        def extract_one(number: int) -> pa.RecordBatch:
            at(number)
            page = batch.slice(number, 1)
            pages = count_site_pages(model, page.column("site")[0].as_py())
            counted = count_batch(page) if page.column("is_counted")[0].as_py() else None
            return _add_columns(extract_batch(page, job), pages, counted)

        return join_rows(map(extract_one, range(batch.num_rows)))

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        """Return the rows of pages that could not be processed."""
        return _add_columns(self.job.make_failures(batch, reason), None, None)


def count_site_pages(model: SiteModel | None, name: str) -> int | None:
    """Return the number of pages in the model of a site; None if the model is not used, since it has too few."""
    site = model.sites.get(name) if model else None
    return site.pages if site and site.pages >= MIN_PAGES else None


def _add_columns(rows: pa.RecordBatch, site_pages: int | None, counted: pa.RecordBatch | None) -> pa.RecordBatch:
    rows = rows.append_column(SITE_PAGES, pa.array([site_pages] * rows.num_rows, SITE_PAGES.type))
    for field in COUNTED:
        empty = pa.nulls(rows.num_rows, field.type)
        rows = rows.append_column(field, counted.column(field.name) if counted is not None else empty)
    return rows


_loaded: tuple[int, SiteModel] | None = None  # in a child process: the model and the time of its file


def _load_model(path: Path) -> SiteModel | None:
    global _loaded
    try:
        modified = path.stat().st_mtime_ns
    except OSError:
        return None
    if _loaded is None or _loaded[0] != modified:
        _loaded = modified, SiteModel.load(path)
    return _loaded[1]


class CopyFinder:
    """Finds pages with the same text among pages that are given in order."""

    def __init__(self) -> None:
        self.first: dict[int, str] = {}  # the first page with a text, by hash of the text

    def find(self, id_: str, text: Any, canonical: str | None) -> str | None:
        """Return the first page with the same text, else the canonical URL."""
        if not text:
            return canonical
        first = self.first.setdefault(hash_bytes(str(text).encode("utf-8", "replace")), id_)
        return first if first != id_ else canonical

    def add_file(self, path: Path, text_column: str) -> int:
        """Note the texts of pages that are marked already. Return the number of pages."""
        names = ["id", text_column]
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(columns=names):
                for id_, text in zip(*(batch.column(name).to_pylist() for name in names), strict=True):
                    self.find(id_, text, None)
            return int(file.metadata.num_rows)


class LiveExtraction:
    """Extracts the pages of a crawl into one Parquet file per run, and can be resumed."""

    def __init__(self, folder: Path, job: ExtractJob) -> None:
        self.folder = folder
        self.path = folder / PAGES_FOLDER
        self.path.mkdir(exist_ok=True)
        self.parts = sorted(self.path.glob("part-*.parquet"))  # of earlier runs
        self.format = job.extraction.format
        self.text_column = FORMAT_COLUMNS[self.format]
        self.schema = pa.schema([*job.schema, SITE_PAGES, COPY_OF])
        self.store: PageStore | None = None  # of pages that become Markdown files
        if self.format == "markdown":
            self.store = PageStore(folder / STORE_NAME)
            job = replace(job, columns=tuple(dict.fromkeys((*job.names, *PAGE_COLUMNS))))
        self.job = LiveJob(job, folder / MODEL_NAME)
        rules = job.extraction.rules
        self.identity = {
            "settings": repr(replace(job.extraction, rules=None)),
            "rules": rules.digest if rules is not None else None,
        }
        self.output = Output(self.path / f"part-{len(self.parts):06}.parquet", self.schema, self.identity)
        self.counts = Counts(folder / COUNTS_NAME)
        self.counted: Counter[str] = Counter(dict(self.counts.sites()))  # pages to count, by site
        self.answered = Counter(self.counted)  # the same without those in progress
        self.counting: set[str] = set()  # those in progress
        self.due = dict.fromkeys(self.counted, MIN_MODEL_PAGES)  # number of pages for the next model
        self.copies = CopyFinder()
        self.canonicals: dict[str, str] = {}  # of pages being extracted
        self.done = 0  # pages of earlier runs
        self.pages = 0  # of all runs
        self.next_model = 0.0  # time before which no model is built

    def __enter__(self) -> LiveExtraction:
        self.output.__enter__()
        for path in (*self.parts, *self.output.shards()):
            if self.text_column not in pq.read_schema(path).names:
                raise BadConfig(
                    f"{self.path} has pages in another format; use the format of the first run, or delete the folder."
                )
            self.done += self.copies.add_file(path, self.text_column)
        self.pages = self.done
        return self

    def __exit__(self, *error: Any) -> None:
        self.output.__exit__(*error)
        self.counts.close()
        if self.store is not None:
            self.store.close()

    def steps(
        self, pages: Iterator[FetchedPage | None], workers: int, seconds: float, tick: Callable[[], None]
    ) -> Iterator[int]:
        """Extract pages as they arrive, and yield the number done. `tick` is called regularly."""
        for results in run(self.job, self._make_batches(pages, tick), workers, seconds):
            for batch in results:
                self._take(batch)
            tick()
            yield self.pages
        self.output.finish()
        self.counts.finish()
        self.counts.make_site_model().save(self.job.model)

    def _make_batches(self, pages: Iterator[FetchedPage | None], tick: Callable[[], None]) -> Iterator[pa.RecordBatch]:
        schema = PAGES.append(pa.field("is_counted", pa.bool_()))
        rows: list[dict[str, Any]] = []
        size = 0
        for page in pages:
            tick()
            if page is not None:
                record = page.record
                if page.canonical:
                    self.canonicals[record.id] = page.canonical
                is_counted = self.counted[record.site] < MAX_COUNTED_PAGES
                if is_counted:
                    self.counted[record.site] += 1
                    self.counting.add(record.id)
                rows.append({name: getattr(record, name) for name in PAGES.names} | {"is_counted": is_counted})
                size += len(record.html)
            if rows and (page is None or len(rows) == BATCH_PAGES or size >= BATCH_BYTES):
                yield pa.RecordBatch.from_pylist(rows, schema=schema)
                rows, size = [], 0
        if rows:
            yield pa.RecordBatch.from_pylist(rows, schema=schema)

    def _take(self, batch: pa.RecordBatch) -> None:
        """Write extracted pages, and update the counts and the site model."""
        ids, texts = batch.column("id").to_pylist(), batch.column(self.text_column).to_pylist()
        copies = [
            self.copies.find(id_, text, self.canonicals.pop(id_, None)) for id_, text in zip(ids, texts, strict=True)
        ]
        kept = batch.select(self.schema.names[:-1]).append_column(COPY_OF, pa.array(copies, COPY_OF.type))
        # Pages in the output are not extracted again, so everything else comes first.
        if self.store is not None:
            self.store.add_batch(batch, copies)
        counted = batch.filter(batch.column("leaves").is_valid())
        if counted.num_rows:
            self._count(counted)
        self.output.write([kept])
        self.pages += batch.num_rows
        for id_, site in zip(ids, batch.column("site").to_pylist(), strict=True):
            if id_ in self.counting:
                self.counting.remove(id_)
                self.answered[site] += 1
        self._make_model()

    def _count(self, counted: pa.RecordBatch) -> None:
        """Add counts, except for pages that an interrupted run has already added."""
        raws = counted.column("raw").to_pylist()
        known = self.counts.find_counted(raws)
        rows = counted.filter(pa.array([raw not in known for raw in raws]))
        if rows.num_rows:
            arrays = [rows.column(name) for name in COUNTS.names]
            self.counts.add([pa.RecordBatch.from_arrays(arrays, schema=COUNTS)])

    def _make_model(self) -> None:
        """Rebuild the model if a site has twice as many pages as when it was last built, or all that are counted."""
        if monotonic() < self.next_model:
            return
        due = [site for site, count in self.answered.items() if count >= self.due.get(site, MIN_MODEL_PAGES)]
        if not due:
            return
        for site in due:
            count = self.answered[site]
            self.due[site] = min(2 * count, MAX_COUNTED_PAGES) if count < MAX_COUNTED_PAGES else NEVER
        start = monotonic()
        self.counts.make_site_model().save(self.job.model)
        self.next_model = monotonic() + PAUSE_FACTOR * (monotonic() - start)
