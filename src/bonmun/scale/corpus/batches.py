"""The work on many pages: pure functions from an Arrow record batch to an Arrow record batch, a row a page.

Any engine can call them: the processes of one machine (engine.py), `mapInArrow` of a cluster. A page that fails has its
reason in the column `error`, and fails alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bonmun.algorithms import METHODS
from bonmun.errors import MissingExtra
from bonmun.extraction import Extraction
from bonmun.options import DEFAULTS, Options
from bonmun.outputs import CHUNKS
from bonmun.page import Page
from bonmun.page.parse.decode import decode, find_encoding
from bonmun.pipeline import extract
from bonmun.settings import parse_date
from bonmun.sites.keys import Normalisation, count_leaves, hash_bytes
from bonmun.snapshots import is_snapshot, read_snapshot

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtra("Many pages are worked on with pyarrow: pip install 'bonmun[corpus]'.") from None

from bonmun.scale.corpus.columns import (
    ERROR,
    HTML,
    RECORD_COLUMNS,
    check_names,
    clean,
    default_columns,
    make_schema,
    read_value,
)
from bonmun.scale.corpus.result_batches import join_all, join_rows, make_row, try_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bonmun.document import Document
    from bonmun.scale.corpus.sources.records import Record

__all__ = ["COUNTS", "PAGES", "CountJob", "ExtractJob", "count_batch", "extract_batch", "make_batches", "raw_key"]

BATCH_PAGES = 64  # at most
BATCH_BYTES = 4_000_000  # at most, or one page
PAGES = pa.schema(
    [
        ("id", pa.string()),
        ("url", pa.string()),
        ("site", pa.string()),
        ("html", pa.large_binary()),
        ("charset", pa.string()),  # what the HTTP header said
        ("crawled", pa.string()),  # when it was collected: 2026-03-04T09:00:00Z
        ("anchor", pa.string()),  # the text of the link that led to it
    ]
)
LEAF = pa.struct(
    [
        ("text", pa.uint64()),
        ("place", pa.uint64()),
        ("string", pa.string()),
        ("first", pa.uint32()),
        ("placed", pa.uint32()),
        ("occurrences", pa.uint32()),
        ("plain", pa.uint32()),
        ("size", pa.uint32()),
    ]
)
STRING = LEAF.get_field_index("string")
COUNTS = pa.schema(
    [
        ("id", pa.string()),
        ("site", pa.string()),
        ("raw", pa.uint64()),  # of the page as it came: whether it was counted before
        ("page", pa.uint64()),  # of all that it says: pages of a site that say the same count once
        ("leaves", pa.list_(LEAF)),
        ("error", pa.string()),
    ]
)
ANY_PAGE = b"<title>A page</title><p>What can be said of any page can be said of this one.</p>"


@dataclass(frozen=True)
class ExtractJob:
    """Extract pages: `columns` (see columns.py) of each, or the default columns of the format."""

    extraction: Extraction = field(default_factory=Extraction)
    columns: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise what would fail on every page."""
        check_names(self.names)
        page = Page.parse(ANY_PAGE, encoding=self.extraction.encoding)
        doc = extract(page, method=self.extraction.method, options=self.extraction)
        self._read(doc, {"html": ANY_PAGE, "url": None, "charset": None})

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of what comes out; why a page failed is always among them."""
        names = self.columns or default_columns(self.extraction.format)
        return names if ERROR in names else (*names, ERROR)

    @property
    def schema(self) -> pa.Schema:
        """The same with their types."""
        return make_schema(self.names)

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None] | None = None) -> Iterator[pa.RecordBatch]:
        """Extract pages; what comes out comes in pieces of some megabytes."""
        return join_rows(try_row(row, self._make_row, self._make_failure) for row in _each_row(batch, at))

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        """What comes out for pages that could not be worked on."""
        return join_all((self._make_failure(row, reason) for row in _each_row(batch)), self.schema)

    def _make_row(self, row: dict[str, Any]) -> pa.RecordBatch:
        page = _parse_row(row, self.extraction)
        doc = extract(page, method=self.extraction.method, options=self._fit_to(row))
        return make_row(self._read(doc, row), self.schema)

    def _fit_to(self, row: dict[str, Any]) -> Extraction:
        """Return the settings for one page: when it was crawled, its site, and the text of the link that led to it."""
        site_model = self.extraction.site_model
        anchor = row.get("anchor") or ""
        return replace(
            self.extraction,
            crawled=parse_date(row.get("crawled") or "") or self.extraction.crawled,
            site_model=site_model.only(row["site"] or "") if site_model is not None else None,
            title=anchor if self.takes_anchors and anchor.strip() else self.extraction.title,
        )

    def _read(self, doc: Document, row: dict[str, Any]) -> dict[str, Any]:
        """What is asked for of a page and its document, by column."""
        values: dict[str, Any] = {ERROR: None}
        for name in self.names:
            if name == HTML:
                values[name] = clean(_read_source(row, self.extraction))
            elif name == CHUNKS:
                values[name] = self._make_chunks(doc)
            elif name in RECORD_COLUMNS:
                values[name] = row.get(name)
            elif name != ERROR:
                values[name] = read_value(doc, name)
        return values

    @property
    def takes_anchors(self) -> bool:
        """Whether the method is told the text of the link that led to a page, as its title."""
        method = self.extraction.method
        return method in METHODS and "title" in METHODS[method].takes

    def _make_chunks(self, doc: Document) -> list[dict[str, Any]]:
        chunks = (chunk.to_dict() for chunk in doc.chunks())
        return [_clean_row(chunk) | {"headings": [*map(clean, chunk["headings"])]} for chunk in chunks]

    def _make_failure(self, row: dict[str, Any], reason: str) -> pa.RecordBatch:
        return make_row({name: row.get(name) for name in RECORD_COLUMNS} | {ERROR: reason}, self.schema)


def extract_batch(
    batch: pa.RecordBatch, how: ExtractJob | None = None, at: Callable[[int], None] | None = None
) -> pa.RecordBatch:
    """Pages in (see PAGES), documents out; `at` is told the number of each page before it is worked on."""
    how = how or ExtractJob()
    return join_all(how.run(batch, at), how.schema)


@dataclass(frozen=True, slots=True)
class CountJob:
    """How pages are counted."""

    normal: Normalisation = field(default_factory=Normalisation)
    options: Options = DEFAULTS

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None] | None = None) -> Iterator[pa.RecordBatch]:
        """Count pages; what comes out comes in pieces of some megabytes."""
        return join_rows(try_row(row, self._make_row, self._make_failure) for row in _each_row(batch, at))

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        """What comes out for pages that could not be worked on."""
        rows = [{"id": row["id"], "site": row["site"], "error": reason} for row in _each_row(batch)]
        return pa.RecordBatch.from_pylist(rows, schema=COUNTS)

    def _make_row(self, row: dict[str, Any]) -> pa.RecordBatch:
        page = _parse_row(row, self.options)
        says, counted = count_leaves(page, self.normal)
        columns: list[Any] = list(zip(*counted, strict=True)) or [()] * LEAF.num_fields
        columns[STRING] = [clean(string) for string in columns[STRING]]
        parts = [pa.array(column, part.type) for column, part in zip(columns, LEAF, strict=True)]
        leaves = pa.StructArray.from_arrays(parts, fields=list(LEAF))
        listed = pa.ListArray.from_arrays(pa.array([0, len(leaves)], pa.int32()), leaves)
        says_all = hash_bytes(f"{row['site'] or ''} {says}".encode("utf-8", "replace"))
        values = [row["id"], row["site"], _find_raw_key(row), says_all, listed, None]
        arrays = [
            value if value is listed else pa.array([value], part.type)
            for value, part in zip(values, COUNTS, strict=True)
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=COUNTS)

    def _make_failure(self, row: dict[str, Any], reason: str) -> pa.RecordBatch:
        known = {"id": row["id"], "site": row["site"], "raw": _find_raw_key(row), "leaves": [], "error": reason}
        return make_row(known, COUNTS)


def count_batch(
    batch: pa.RecordBatch, how: CountJob | None = None, at: Callable[[int], None] | None = None
) -> pa.RecordBatch:
    """Pages in (see PAGES), the counts of their leaves out (see COUNTS)."""
    return join_all((how or CountJob()).run(batch, at), COUNTS)


def raw_key(site: str, html: bytes) -> int:
    """A key for a page as it came."""
    return hash_bytes(site.encode("utf-8", "replace") + b"\n" + html)


def _find_raw_key(row: dict[str, Any]) -> int:
    return raw_key(row["site"] or "", row["html"] or b"")


def make_batches(records: Iterable[Record]) -> Iterator[pa.RecordBatch]:
    """Records as batches, which are small enough to keep memory flat."""
    rows: list[dict[str, Any]] = []
    size = 0
    for record in records:
        rows.append({name: getattr(record, name) for name in PAGES.names})
        size += len(record.html)
        if len(rows) == BATCH_PAGES or size >= BATCH_BYTES:
            yield pa.RecordBatch.from_pylist([_clean_row(row) for row in rows], schema=PAGES)
            rows, size = [], 0
    if rows:
        yield pa.RecordBatch.from_pylist([_clean_row(row) for row in rows], schema=PAGES)


def _each_row(batch: pa.RecordBatch, at: Callable[[int], None] | None = None) -> Iterator[dict[str, Any]]:
    """One page after the other: as Python values they take memory."""
    for number in range(batch.num_rows):
        if at:
            at(number)
        yield {name: _read_cell(batch.column(name)[number]) for name in batch.schema.names}


def _read_cell(value: Any) -> Any:
    try:
        return value.as_py()
    except UnicodeDecodeError:  # other engines accept any bytes as text
        return value.as_buffer().to_pybytes().decode("utf-8", "replace")


def _parse_row(row: dict[str, Any], options: Options) -> Page:
    encoding = _choose_encoding(row, options)
    return Page.parse(row["html"], row["url"], encoding, max_bytes=options.max_bytes, ruby=options.ruby)


def _choose_encoding(row: dict[str, Any], options: Options) -> str | None:
    charset = (row["charset"] or "").strip(" \t\"'")
    return charset if charset and find_encoding(charset) else options.encoding  # servers say all kinds of things


def _read_source(row: dict[str, Any], options: Options) -> str:
    """A page as it came, as text; of a snapshot, its HTML."""
    if is_snapshot(row["html"]):
        return read_snapshot(row["html"]).html
    return decode(row["html"], _choose_encoding(row, options), row["url"])[0]


def _clean_row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: clean(value) if isinstance(value, str) else value for name, value in row.items()}
