"""The work on many pages: pure functions from an Arrow record batch to an Arrow record batch, a row a page.

Any engine can call them: the processes of one machine (engine.py), `mapInArrow` of a cluster. A page that fails has its
reason in the column `error`, and fails alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bonmun.errors import MissingExtra
from bonmun.metadata.ago import read_moment
from bonmun.methods import METHODS, make_method
from bonmun.options import DEFAULTS, Options
from bonmun.outputs.chunking import DEFAULT_WORDS
from bonmun.outputs.chunks import CHUNKS
from bonmun.page import Page
from bonmun.page.decode import find_encoding
from bonmun.pipeline import extract
from bonmun.sites.keys import Normal, count_leaves, hash_bytes

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtra("Many pages are worked on with pyarrow: pip install 'bonmun[corpus]'.") from None

from bonmun.corpus.pieces import join_all, join_rows, make_row, try_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bonmun.corpus.records import Record
    from bonmun.document import Document
    from bonmun.methods import Method
    from bonmun.sites.model import SiteModel

__all__ = ["COUNTS", "PAGES", "Counting", "Extraction", "count_batch", "extract_batch", "make_batches", "raw_key"]

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
CHUNK = pa.struct(
    [
        ("number", pa.int64()),
        ("text", pa.string()),
        ("headings", pa.list_(pa.string())),
        ("kinds", pa.list_(pa.string())),
        ("size", pa.int64()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("first", pa.string()),
        ("last", pa.string()),
    ]
)
ANY_PAGE = b"<title>A page</title><p>What can be said of any page can be said of this one.</p>"
FACTS = ("title", "author", "date", "language", "kind")


@dataclass(frozen=True, slots=True)
class Extraction:
    """How pages are extracted."""

    method: str = "auto"
    format: str = "text"
    options: Options = DEFAULTS
    site_model: SiteModel | None = None  # what repeats on the pages' sites
    chunk_words: int = DEFAULT_WORDS
    chunk_overlap: int = 0

    def check(self) -> None:
        """Raise what would fail on every page."""
        page = Page.parse(ANY_PAGE, encoding=self.options.encoding)
        self._write(extract(page, method=self.method, options=self.options, site=self.site_model))

    @property
    def schema(self) -> pa.Schema:
        """The columns of what comes out."""
        texts = [(name, pa.string()) for name in ("id", "url", "site", *FACTS)]
        said = (self.format, pa.list_(CHUNK) if self.format == CHUNKS else pa.string())
        return pa.schema([*texts, said, ("confidence", pa.float32()), ("cut", pa.bool_()), ("error", pa.string())])

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None] | None = None) -> Iterator[pa.RecordBatch]:
        """Extract pages; what comes out comes in pieces of some megabytes."""
        return join_rows(try_row(row, self._make_row, self._make_failure) for row in _each_row(batch, at))

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        """What comes out for pages that could not be worked on."""
        return join_all((self._make_failure(row, reason) for row in _each_row(batch)), self.schema)

    def _make_row(self, row: dict[str, Any]) -> pa.RecordBatch:
        page = _parse_row(row, self.options)
        site = self.site_model.only(row["site"]) if self.site_model is not None else None
        crawled = read_moment(row.get("crawled") or "") or self.options.crawled
        method = self._choose_method(row.get("anchor"))
        doc = extract(page, method=method, options=replace(self.options, crawled=crawled), site=site)
        facts = {name: _clean(getattr(doc, name)) for name in FACTS}
        said = {self.format: self._write(doc), "confidence": doc.confidence, "cut": doc.cut}
        return make_row(_take_names(row) | facts | said, self.schema)

    @property
    def takes_anchors(self) -> bool:
        """Whether the method is told the text of the link that led to a page, as its title."""
        return self.method in METHODS and "title" in METHODS[self.method].takes

    def _choose_method(self, anchor: str | None) -> str | Method:
        if self.takes_anchors and anchor and anchor.strip():
            return make_method(self.method, title=anchor)
        return self.method

    def _write(self, doc: Document) -> str | list[dict[str, Any]] | None:
        """The document in the format that was asked for; chunks as a list."""
        if self.format != CHUNKS:
            return _clean(doc.render(self.format))
        chunks = (chunk.to_dict() for chunk in doc.chunks(self.chunk_words, self.chunk_overlap))
        return [_clean_row(chunk) | {"headings": [*map(_clean, chunk["headings"])]} for chunk in chunks]

    def _make_failure(self, row: dict[str, Any], reason: str) -> pa.RecordBatch:
        return make_row(_take_names(row) | {"error": reason}, self.schema)


def extract_batch(
    batch: pa.RecordBatch, how: Extraction | None = None, at: Callable[[int], None] | None = None
) -> pa.RecordBatch:
    """Pages in (see PAGES), documents out; `at` is told the number of each page before it is worked on."""
    how = how or Extraction()
    return join_all(how.run(batch, at), how.schema)


@dataclass(frozen=True, slots=True)
class Counting:
    """How pages are counted."""

    normal: Normal = field(default_factory=Normal)
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
        columns[STRING] = [_clean(string) for string in columns[STRING]]
        parts = [pa.array(column, part.type) for column, part in zip(columns, LEAF, strict=True)]
        leaves = pa.StructArray.from_arrays(parts, fields=list(LEAF))
        listed = pa.ListArray.from_arrays(pa.array([0, len(leaves)], pa.int32()), leaves)
        says_all = hash_bytes(f"{row['site']} {says}".encode("utf-8", "replace"))
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
    batch: pa.RecordBatch, how: Counting | None = None, at: Callable[[int], None] | None = None
) -> pa.RecordBatch:
    """Pages in (see PAGES), the counts of their leaves out (see COUNTS)."""
    return join_all((how or Counting()).run(batch, at), COUNTS)


def raw_key(site: str, html: bytes) -> int:
    """A key for a page as it came."""
    return hash_bytes(site.encode("utf-8", "replace") + b"\n" + html)


def _find_raw_key(row: dict[str, Any]) -> int:
    return raw_key(row["site"], row["html"] or b"")


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
        yield batch.slice(number, 1).to_pylist()[0]


def _parse_row(row: dict[str, Any], options: Options) -> Page:
    charset = (row["charset"] or "").strip(" \t\"'")
    encoding = charset if charset and find_encoding(charset) else options.encoding  # servers say all kinds of things
    return Page.parse(row["html"], row["url"], encoding, max_bytes=options.max_bytes, ruby=options.ruby)


def _take_names(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("id", "url", "site")}


def _clean_row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _clean(value) if isinstance(value, str) else value for name, value in row.items()}


def _clean(text: str | None) -> str | None:
    """Text that can be written: without halves of characters."""
    return text if text is None or text.isascii() else text.encode("utf-8", "replace").decode()
