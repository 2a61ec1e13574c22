"""Write exchanges to WARC 1.1 files.

An exchange becomes three records, each a separate gzip member: the request, metadata (see page_notes.py), and the
response or a revisit. They are written at once, so a killed process leaves at most the last exchange incomplete;
`resume` truncates it.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from io import FileIO
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self
from uuid import uuid4

from bonmun._version import __version__
from bonmun.errors import MissingExtra
from bonmun.scale.crawl.archive.page_notes import WarcMetadata, format_metadata
from bonmun.scale.crawl.archive.warc_files import RecordLocation, find_files, name_file, truncate_files
from bonmun.scale.crawl.fetch.http_heads import clean_url, format_request_head, format_response_head

try:
    from warcio.warcwriter import WARCWriter
except ImportError:
    raise MissingExtra("WARC files are written with warcio: pip install 'bonmun[crawl]'.") from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bonmun.scale.crawl.fetch.exchange import Exchange

__all__ = ["RecordLocation", "Revisit", "WarcMetadata", "WarcWriter", "format_date"]

MAX_FILE_BYTES = 1_000_000_000  # unless a single exchange is larger
REVISIT_PROFILES = "http://netpreserve.org/warc/1.1/revisit/"
SPECIFICATION = "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


@dataclass(frozen=True, slots=True)
class Revisit:
    """An earlier exchange with the same body, which is therefore not written again."""

    url: str
    started: datetime  # of the earlier exchange
    digest: str | None = None  # of its body, for a 304 response without a body
    kind: Literal["identical-payload-digest", "server-not-modified"] = "identical-payload-digest"


class WarcWriter:
    """Writes exchanges to numbered files (`PREFIX-000000.warc.gz`, …) in a folder; never overwrites a file.

    `info` are additional fields of the warcinfo record at the start of each file, such as the user agent.
    """

    def __init__(
        self, folder: Path, prefix: str, max_bytes: int = MAX_FILE_BYTES, info: Mapping[str, str] | None = None
    ) -> None:
        name_file(prefix, 0)  # raises if the prefix is not valid
        self.folder = folder
        self.prefix = prefix
        self.max_bytes = max_bytes
        self.info = {"robots": "obey"} | dict(info or {})
        folder.mkdir(parents=True, exist_ok=True)
        self._number = max(find_files(folder, prefix), default=-1) + 1  # of the next file
        self._file: FileIO | None = None
        self._size = 0  # of the open file
        self._needs_sync = False
        self._buffer = io.BytesIO()
        self._records: Any = WARCWriter(self._buffer, gzip=True, warc_version="1.1")

    @classmethod
    def create(cls, path: Path, info: Mapping[str, str] | None = None) -> Self:
        """Return a writer of one new file of any size. Raise FileExistsError if it exists."""
        writer = cls(path.parent, "unused", sys.maxsize, info)
        writer._file = FileIO(path, "x")
        return writer

    @classmethod
    def resume(
        cls,
        folder: Path,
        prefix: str,
        locations: Iterable[RecordLocation],
        max_bytes: int = MAX_FILE_BYTES,
        info: Mapping[str, str] | None = None,
    ) -> tuple[Self, list[RecordLocation]]:
        """Resume a writer that was killed. Return it, and the locations of lost records, which must be fetched again.

        `locations` are those of all records that the caller knows. The last file is truncated after the last of them,
        because the caller will fetch later ones again.
        """
        folder.mkdir(parents=True, exist_ok=True)
        lost = truncate_files(folder, prefix, locations)
        writer = cls(folder, prefix, max_bytes, info)
        files = find_files(folder, prefix)
        if files:
            last = files[max(files)]
            writer._file, writer._size = FileIO(last, "a"), last.stat().st_size
        return writer, lost

    def write_exchange(
        self, exchange: Exchange, metadata: WarcMetadata, revisit: Revisit | None = None
    ) -> RecordLocation:
        """Write an exchange, so that it survives the end of the process. With `revisit`, the body is not written."""
        response = self._make_response(exchange, revisit)
        response_id = response.rec_headers.get_header("WARC-Record-ID")
        shared = {"WARC-Date": format_date(exchange.started), "WARC-Concurrent-To": response_id}
        shared |= _make_ip_header(exchange)
        request_id = response.rec_headers.get_header("WARC-Concurrent-To")
        request_headers = {"WARC-Type": "request", "WARC-Record-ID": request_id} | shared
        lines = format_metadata(metadata, exchange.seconds)
        url = clean_url(exchange.url)
        make = self._records.create_warc_record
        head = _HttpHead(format_request_head(exchange))
        request = make(url, "request", warc_headers_dict=request_headers, http_headers=head)
        shared = {"WARC-Type": "metadata", "WARC-Record-ID": _make_id()} | shared
        metadata_record = make(url, "metadata", io.BytesIO(lines), len(lines), warc_headers_dict=shared)
        before, data = self._serialise(request, metadata_record), self._serialise(response)
        start = self._write(before + data)
        digest = response.rec_headers.get_header("WARC-Payload-Digest") or ""
        assert self._file is not None
        return RecordLocation(Path(str(self._file.name)).name, start + len(before), len(data), digest)

    def flush(self) -> None:
        """Flush all writes to disk, so that they survive a power failure."""
        if self._file is not None and self._needs_sync:
            os.fsync(self._file.fileno())
            self._needs_sync = False

    def close(self) -> None:
        """Close the open file. The next exchange starts a new file."""
        if self._file is None:
            return
        self.flush()
        self._file.close()
        if not self._size:  # nothing could be written
            Path(str(self._file.name)).unlink()
        self._file = None

    def _make_response(self, exchange: Exchange, revisit: Revisit | None) -> Any:
        """Return the response record, or a revisit record without the body."""
        headers = {
            "WARC-Type": "revisit" if revisit else "response",
            "WARC-Record-ID": _make_id(),
            "WARC-Date": format_date(exchange.started),
            "WARC-Concurrent-To": _make_id(),
        } | _make_ip_header(exchange)
        if exchange.truncated:
            headers["WARC-Truncated"] = exchange.truncated
        if exchange.http_version.startswith(("2", "3")):
            headers["WARC-Protocol"] = f"h{exchange.http_version[0]}"
        url, head, body = clean_url(exchange.url), _HttpHead(format_response_head(exchange)), exchange.body
        make = self._records.create_warc_record
        if revisit is None:
            return make(url, "response", io.BytesIO(body), len(body), warc_headers_dict=headers, http_headers=head)
        headers["WARC-Profile"] = REVISIT_PROFILES + revisit.kind
        headers["WARC-Refers-To-Target-URI"] = clean_url(revisit.url)
        headers["WARC-Refers-To-Date"] = format_date(revisit.started)
        if digest := exchange.digest if revisit.kind == "identical-payload-digest" else revisit.digest:
            headers["WARC-Payload-Digest"] = digest
        return make(url, "revisit", warc_headers_dict=headers, http_headers=head)

    def _serialise(self, *records: Any) -> bytes:
        """Return the bytes of records in a file."""
        self._buffer.seek(0)
        self._buffer.truncate()
        for record in records:
            self._records.write_record(record)
        return self._buffer.getvalue()

    def _write(self, data: bytes) -> int:
        """Write all of an exchange or nothing, to a new file if the open one is full. Return its offset."""
        if self._file is not None and self._size + len(data) > self.max_bytes:
            self.close()
        if self._file is None:
            self._file, self._size = FileIO(self.folder / name_file(self.prefix, self._number), "x"), 0
            self._number += 1
        rest = memoryview(data if self._size else self._make_info() + data)
        size = self._size + len(rest)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except BaseException:  # disk full or interrupted: leave no partial record
            with suppress(OSError):
                self._file.truncate(self._size)
                self._file.seek(self._size)
            raise
        self._size, self._needs_sync = size, True
        return size - len(data)

    def _make_info(self) -> bytes:
        """Return the warcinfo record at the start of a file."""
        assert self._file is not None
        fields = {
            "software": f"bonmun/{__version__} (+https://pypi.org/project/bonmun/)",
            "format": "WARC File Format 1.1",
            "conformsTo": SPECIFICATION,
        } | {key: " ".join(value.split()) for key, value in self.info.items()}
        return self._serialise(self._records.create_warcinfo_record(Path(str(self._file.name)).name, fields))


class _HttpHead:
    """A formatted HTTP head in the interface that warcio expects, so that it is written unchanged."""

    def __init__(self, lines: bytes) -> None:
        self.headers_buff = lines

    def compute_headers_buffer(self, _filter: object = None) -> None:
        """Do nothing: the head is already formatted."""


def format_date(time: datetime) -> str:
    """Return a time in the format of WARC-Date, to the second."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _make_id() -> str:
    return f"<urn:uuid:{uuid4()}>"


def _make_ip_header(exchange: Exchange) -> dict[str, str]:
    """Return the header with the IP address of the server, if it is valid."""
    try:
        return {"WARC-IP-Address": str(ip_address(exchange.ip or ""))}
    except ValueError:
        return {}
