"""Files in, records out: folders of HTML, JSON lines, Parquet, WARC, standard input. One record at a time.

What is no page is skipped and counted; a file that is damaged gives what it has before the damage, and is named.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from bonmun.corpus.compression import DAMAGED, Watched, unpacked, unpacked_body
from bonmun.errors import BadConfig, MissingExtra, MissingInput
from bonmun.options import DEFAULTS
from bonmun.sites.domains import site_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["Reader", "Record"]

KINDS = re.compile(
    r"\.(?:(?P<page>x?html?)(?:\.gz)?|(?P<jsonl>jsonl|ndjson)(?:\.gz|\.xz|\.zst)?|(?P<parquet>parquet)"
    r"|(?P<warc>warc)(?:\.gz|\.zst)?)$",
    re.I,
)
ENDINGS = ".html, .jsonl (.gz, .xz, .zst), .parquet or .warc (.gz)"
HTML_TYPES = ("text/html", "application/xhtml+xml")
COLUMNS = ("id", "url", "site", "html", "charset", "crawled")
CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;,\"']+)")
ESCAPED = 6  # bytes that one of a page may take in JSON
LONG = 1 << 20  # bytes of a header in a WARC file
ROWS = 16  # of a Parquet file at a time: pages are large


@dataclass(frozen=True, slots=True)
class Record:
    """One page as it was collected."""

    id: str
    url: str | None
    site: str
    html: bytes  # one byte over the limit, if it is too big
    charset: str | None = None  # what the HTTP header said
    crawled: str | None = None  # when it was collected: 2026-03-04T09:00:00Z


class Reader:
    """The records of some sources, in an order that is always the same.

    `site` is the name of the site that all pages are of; else a record's own `site`, else the registered domain of its
    URL, else the name of the source.
    """

    def __init__(self, names: Sequence[str], site: str | None = None, max_bytes: int = DEFAULTS.max_bytes) -> None:
        self.site = site
        self.max_bytes = max_bytes
        self.skipped: Counter[str] = Counter()  # by reason
        self.damaged: list[str] = []  # a sentence each
        self.read = 0  # bytes of the sources so far
        self.names = list(names)
        for name in names:
            _check(name)
        if self.names.count("-") > 1:
            raise BadConfig("Standard input can be read once; give - once.")
        self.total = sum(_size(Path(name)) for name in names if name != "-")

    def facts(self) -> list[list[Any]]:
        """What tells these sources from others: their names, sizes and times."""
        return [_facts(name) for name in self.names]

    def __iter__(self) -> Iterator[Record]:
        self.skipped.clear()
        self.damaged.clear()
        self.read = 0
        for name in self.names:
            if name == "-":
                yield from self._standard_input()
            elif Path(name).is_dir():
                yield from self._folder(Path(name))
            else:
                yield from self._file(Path(name), PurePosixPath(Path(name).name))

    def _folder(self, folder: Path) -> Iterator[Record]:
        """All files below a folder that we can read, by name."""
        for place, folders, files in os.walk(folder, onerror=self._unlisted):
            folders.sort()
            for file in sorted(files):
                path = Path(place, file)
                if KINDS.search(file):
                    inside = PurePosixPath(path.relative_to(folder).as_posix())
                    yield from self._file(path, inside, folder.resolve().name)

    def _unlisted(self, problem: OSError) -> None:
        self.damaged.append(f"{problem.filename}: cannot be listed: {problem.strerror}.")

    def _file(self, path: Path, name: PurePosixPath, source: str | None = None) -> Iterator[Record]:
        found = KINDS.search(path.name)
        assert found
        source = source or KINDS.sub("", path.name)
        before = self.read
        if found["parquet"]:
            yield from self._guarded(str(path), self._parquet(path, source, str(name)))
        else:
            yield from self._guarded(str(path), self._open(str(found.lastgroup), path, source, str(name)))
        self.read = before + _size(path)

    def _guarded(self, name: str, records: Iterator[Record]) -> Iterator[Record]:
        """Records up to where a source is damaged."""
        number = 0
        try:
            for record in records:
                number += 1
                yield record
        except DAMAGED as problem:
            said = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
            after = f"after {number:,} pages" if number else "at its start"
            self.damaged.append(f"{name}: damaged or cut short {after}: {_line(said)}.")

    def _open(self, kind: str, path: Path, source: str, name: str) -> Iterator[Record]:
        before = self.read
        with path.open("rb") as file:
            for record in self._stream(kind, file, source, name):
                if file.seekable():
                    self.read = before + file.tell()
                yield record

    def _stream(self, kind: str, file: BinaryIO, source: str, name: str) -> Iterator[Record]:
        readers: dict[str, Callable[..., Iterator[Record]]] = {
            "page": self._page,
            "jsonl": self._jsonl,
            "warc": self._warc,
        }
        return readers[kind](file, source, name)

    def _standard_input(self) -> Iterator[Record]:
        """WARC, JSON lines or one page, packed or not: the first bytes tell."""
        if sys.stdin is None:
            raise MissingInput("Standard input is closed.")
        stream = io.BufferedReader(cast("io.RawIOBase", sys.stdin.buffer))
        yield from self._guarded("standard input", self._sniffed(stream))

    def _sniffed(self, stream: io.BufferedReader[io.RawIOBase]) -> Iterator[Record]:
        plain = io.BufferedReader(cast("io.RawIOBase", unpacked(stream)))
        start = plain.peek(64)[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
        if start.startswith(b"PAR1"):
            raise BadConfig("Parquet cannot be read from standard input: give the file.")
        kind = "warc" if start.startswith(b"WARC/") else "jsonl" if start.startswith(b"{") else "page"
        yield from self._stream(kind, cast("BinaryIO", plain), "stdin", "stdin")

    # --- kinds --------------------------------------------------------------------------------------------------

    def _page(self, file: BinaryIO, source: str, name: str) -> Iterator[Record]:
        yield self._record(name, None, None, unpacked(file).read(self.max_bytes + 1), None, source)

    def _jsonl(self, file: BinaryIO, source: str, name: str) -> Iterator[Record]:
        lines = unpacked(file)
        limit = ESCAPED * self.max_bytes
        number = 0
        while line := lines.readline(limit + 1):
            number += 1
            if len(line) > limit:
                while not line.endswith(b"\n") and (line := lines.readline(limit)):
                    pass
                self.skipped["a line over the limit"] += 1
            elif line.strip():
                record = self._json_record(line, source, f"{name}:{number}")
                if isinstance(record, str):
                    self.skipped[record] += 1
                else:
                    yield record

    def _json_record(self, line: bytes, source: str, place: str) -> Record | str:
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            return "a line that is no JSON"
        if not isinstance(values, dict) or not isinstance(values.get("html"), str):
            return "a line without html"
        found = {key: values.get(key) for key in COLUMNS}
        return self._of_columns(found, source, place)

    def _of_columns(self, values: dict[str, Any], source: str, place: str) -> Record:
        """A record of named values; what is no text is unknown."""
        html = values["html"]
        data = html if isinstance(html, bytes) else html.encode("utf-8", "replace")
        url, site, charset, crawled = (
            values[key] if isinstance(values[key], str) and values[key] else None
            for key in ("url", "site", "charset", "crawled")
        )
        if isinstance(values["crawled"], date):  # of Parquet
            crawled = values["crawled"].isoformat()
        known = values["id"] if isinstance(values["id"], str | int) and values["id"] != "" else url or place
        return self._record(str(known), url, site, data, charset, source, crawled)

    def _parquet(self, path: Path, source: str, name: str) -> Iterator[Record]:
        try:
            import pyarrow.parquet as pq
        except ImportError:
            raise MissingExtra("Parquet is read with pyarrow: pip install 'bonmun[corpus]'.") from None
        before, size, number = self.read, _size(path), 0
        with pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 16) as file:  # else a row group at once
            names = [each for each in COLUMNS if each in file.schema_arrow.names]
            if "html" not in names:
                raise ValueError(f"no column is called html, only {', '.join(file.schema_arrow.names)}")
            for batch in file.iter_batches(ROWS, columns=names):
                for row in batch.to_pylist():
                    number += 1
                    if isinstance(row["html"], str | bytes):
                        values = dict.fromkeys(COLUMNS) | row
                        yield self._of_columns(values, source, f"{name}:{number}")
                    else:
                        self.skipped["a row without html"] += 1
                self.read = before + size * number // max(file.metadata.num_rows, 1)

    def _warc(self, file: BinaryIO, source: str, name: str) -> Iterator[Record]:
        """Response records with a page in them; `name` is for those without an id of their own."""
        try:
            from fastwarc.warc import ArchiveIterator, WarcRecordType
        except ImportError:
            raise MissingExtra("WARC files are read with FastWARC: pip install 'bonmun[corpus]'.") from None
        # decoded here: a coding that FastWARC does not know would end its reading
        stream = Watched(unpacked(file))  # unpacked here, too: FastWARC says nothing of a file that was cut short
        records = ArchiveIterator(
            stream,
            record_types=WarcRecordType.response,
            parse_http=True,
            auto_decode="none",
            max_header_len=LONG,
            quirks_mode=True,
        )
        limit = self.max_bytes + 1
        for number, record in enumerate(records, 1):
            http = record.http_headers
            if http is None or not http.status_code:
                if record.content_length and not record.reader.read(1):
                    raise EOFError("it ends within a record")
                self.skipped["a response that is no HTTP"] += 1
            elif not 200 <= http.status_code < 300:
                self.skipped[f"HTTP status {http.status_code}"] += 1
            elif (record.http_content_type or "text/html").lower() not in HTML_TYPES:
                self.skipped["no HTML"] += 1
            else:
                headers: dict[str, str] = {}
                for key, value in http.items():
                    before = headers.get(key.lower())
                    headers[key.lower()] = f"{before},{value.strip().lower()}" if before else value.strip().lower()
                body = record.reader.read(limit)
                if len(body) < min(record.content_length, limit):
                    raise EOFError("it ends within a record")
                if len(body) < limit:  # else it is too big, packed or not
                    body = unpacked_body(body, headers, limit)
                url = (record.headers.get("WARC-Target-URI") or "").strip("<>") or None
                known = record.record_id or f"{name}:{number}"
                said = CHARSET.search(headers.get("content-type", ""))
                charset, crawled = said[1] if said else None, record.headers.get("WARC-Date")
                yield self._record(known.strip("<>"), url, None, body, charset, source, crawled)
        if stream.count and not stream.tail.endswith(b"\n\n") and not stream.tail.endswith(b"\r\n\r\n"):
            raise EOFError("it ends within a record")

    def _record(
        self,
        known: str,
        url: str | None,
        site: str | None,
        html: bytes,
        charset: str | None,
        source: str,
        crawled: str | None = None,
    ) -> Record:
        where = self.site or site
        if where is None:
            try:
                where = site_name(url) if url else source
            except BadConfig:  # no address that a page could have
                where = source
        return Record(known, url, where, html[: self.max_bytes + 1], charset, crawled)


def _check(name: str) -> None:
    """Raise what is wrong with a source before any work is done."""
    path = Path(name)
    try:
        there = name == "-" or path.exists()
    except (OSError, ValueError):
        there = False
    if not there or not name:
        raise BadConfig(f"{name or 'An empty name'}: there is no such file or folder.")
    if name != "-" and not path.is_dir() and not KINDS.search(path.name):
        raise BadConfig(f"{name}: pages are read from folders and from files that end in {ENDINGS}.")


def _facts(name: str) -> list[Any]:
    path = Path(name)
    if name == "-":
        return [name]
    if path.is_dir():  # the time of a folder says nothing of what is in its folders
        return [str(path.resolve()), sum(1 for _, _, files in os.walk(path) for _ in files), _size(path)]
    found = path.stat()
    return [str(path.resolve()), found.st_size, found.st_mtime_ns]


def _size(path: Path) -> int:
    """Of a file, or of all that we can read below a folder, in bytes."""
    try:
        if not path.is_dir():
            return path.stat().st_size
        total = 0
        for place, _, files in os.walk(path):
            total += sum(Path(place, file).stat().st_size for file in files if KINDS.search(file))
    except OSError:
        return 0
    return total


def _line(text: str) -> str:
    return " ".join(text.split()).rstrip(".") or "no reason is given"
