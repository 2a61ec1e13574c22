"""The work on many pages: pure functions from an Arrow record batch to an Arrow record batch, a row a page.

Any engine can call them: the processes of one machine (engine.py), `mapInArrow` of a cluster. A page that fails has its
reason in the column `error`, and fails alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bonmun.errors import BonmunError, MissingExtra
from bonmun.metadata.ago import read_moment
from bonmun.methods import make_method
from bonmun.options import DEFAULTS, Options
from bonmun.page import Page
from bonmun.page.decode import find_encoding
from bonmun.pipeline import extract
from bonmun.sites.keys import Normal, count_leaves, hash_bytes

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtra("Many pages are worked on with pyarrow: pip install 'bonmun[corpus]'.") from None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bonmun.corpus.records import Record
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
REASON_CHARACTERS = 200  # of why a page failed, at most
FACTS = ("title", "author", "date", "language", "kind")


@dataclass(frozen=True, slots=True)
class Extraction:
    """How pages are extracted."""

    method: str = "auto"
    format: str = "text"
    options: Options = DEFAULTS
    site_model: SiteModel | None = None  # what repeats on the pages' sites

    def check(self) -> None:
        """Raise what would fail on every page."""
        make_method(self.method, site=self.site_model)

    @property
    def schema(self) -> pa.Schema:
        """The columns of what comes out."""
        texts = ["id", "url", "site", *FACTS, self.format]
        return pa.schema(
            [*((name, pa.string()) for name in texts), ("confidence", pa.float32()), ("error", pa.string())]
        )

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None] | None = None) -> pa.RecordBatch:
        """Extract pages."""
        return extract_batch(batch, self, at)

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        """What comes out for pages that could not be worked on."""
        rows = [_take_names(row) | {"error": reason} for row in batch.to_pylist()]
        return pa.RecordBatch.from_pylist(rows, schema=self.schema)


def extract_batch(
    batch: pa.RecordBatch, how: Extraction | None = None, at: Callable[[int], None] | None = None
) -> pa.RecordBatch:
    """Pages in (see PAGES), documents out; `at` is told the number of each page before it is worked on."""
    how = how or Extraction()
    rows = []
    for row in _each_row(batch, at):
        try:
            rows.append(_take_names(row) | _extract_row(row, how))
        except Exception as problem:  # whatever one page does, the others go on
            rows.append(_take_names(row) | {"error": _describe(problem)})
    return pa.RecordBatch.from_pylist(rows, schema=how.schema)


def _extract_row(row: dict[str, Any], how: Extraction) -> dict[str, Any]:
    page = _parse_row(row, how.options)
    site = how.site_model.only(row["site"]) if how.site_model is not None else None
    crawled = read_moment(row.get("crawled") or "") or how.options.crawled
    doc = extract(page, method=how.method, options=replace(how.options, crawled=crawled), site=site)
    facts = {name: _clean(getattr(doc, name)) for name in FACTS}
    return facts | {how.format: _clean(doc.render(how.format)), "confidence": doc.confidence}


@dataclass(frozen=True, slots=True)
class Counting:
    """How pages are counted."""

    normal: Normal = field(default_factory=Normal)
    options: Options = DEFAULTS

    def run(self, batch: pa.RecordBatch, at: Callable[[int], None] | None = None) -> pa.RecordBatch:
        """Count pages."""
        return count_batch(batch, self, at)

    def make_failures(self, batch: pa.RecordBatch, reason: str) -> pa.RecordBatch:
        """What comes out for pages that could not be worked on."""
        rows = [{"id": row["id"], "site": row["site"], "error": reason} for row in batch.to_pylist()]
        return pa.RecordBatch.from_pylist(rows, schema=COUNTS)


def count_batch(
    batch: pa.RecordBatch, how: Counting | None = None, at: Callable[[int], None] | None = None
) -> pa.RecordBatch:
    """Pages in (see PAGES), the counts of their leaves out (see COUNTS)."""
    how = how or Counting()
    heads: list[tuple[str, str, int | None, int | None, str | None]] = []
    leaves: list[list[Any]] = [[] for _ in LEAF]
    offsets = [0]
    for row in _each_row(batch, at):
        raw = None
        try:
            raw = raw_key(row["site"], row["html"] or b"")
            page = _parse_row(row, how.options)
            says, counted = count_leaves(page, how.normal)
            for column, values in zip(leaves, zip(*counted, strict=True), strict=bool(counted)):
                column.extend(values)
            heads.append(
                (row["id"], row["site"], raw, hash_bytes(f"{row['site']} {says}".encode("utf-8", "replace")), None)
            )
        except Exception as problem:  # whatever one page does, the others go on
            heads.append((row["id"], row["site"], raw, None, _describe(problem)))
        offsets.append(len(leaves[0]))
    ids, sites, raws, pages, errors = ([head[column] for head in heads] for column in range(5))
    leaves[STRING] = [_clean(string) for string in leaves[STRING]]
    inner = pa.StructArray.from_arrays(
        [pa.array(column, part.type) for column, part in zip(leaves, LEAF, strict=True)], fields=list(LEAF)
    )
    listed = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), inner)
    columns = [ids, sites, raws, pages, listed, errors]
    arrays = [pa.array(column, part.type) for column, part in zip(columns, COUNTS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=COUNTS)


def raw_key(site: str, html: bytes) -> int:
    """A key for a page as it came."""
    return hash_bytes(site.encode("utf-8", "replace") + b"\n" + html)


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


def _each_row(batch: pa.RecordBatch, at: Callable[[int], None] | None) -> Iterator[dict[str, Any]]:
    """One page after the other: as Python values they take memory."""
    for number in range(batch.num_rows):
        if at:
            at(number)
        yield batch.slice(number, 1).to_pylist()[0]


def _parse_row(row: dict[str, Any], options: Options) -> Page:
    charset = (row["charset"] or "").strip(" \t\"'")
    encoding = charset if charset and find_encoding(charset) else options.encoding  # servers say all kinds of things
    return Page.parse(row["html"], row["url"], encoding, max_bytes=options.max_bytes)


def _take_names(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("id", "url", "site")}


def _clean_row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _clean(value) if isinstance(value, str) else value for name, value in row.items()}


def _clean(text: str | None) -> str | None:
    """Text that can be written: without halves of characters."""
    return text if text is None or text.isascii() else text.encode("utf-8", "replace").decode()


def _describe(problem: Exception) -> str:
    reason = str(problem) if isinstance(problem, BonmunError) else f"{type(problem).__name__}: {problem}"
    return " ".join(reason.encode("utf-8", "replace").decode().split())[:REASON_CHARACTERS]
