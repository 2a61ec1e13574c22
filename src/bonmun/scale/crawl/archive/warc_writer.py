"""Exchanges → WARC 1.1 files: what was sent and received, with where it was found, in records that any tool reads.

An exchange is three records, each a gzip member of its own: the request, metadata (see page_notes.py), and the response
or a revisit. They come to a file in one piece, so that what a killed process leaves ends within the last exchange at
worst; `resume` cuts it off there.
"""

from __future__ import annotations

import io
import os
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
from bonmun.scale.crawl.archive.page_notes import PageNotes, write_notes
from bonmun.scale.crawl.archive.warc_files import Place, cut_files, find_files, name_file
from bonmun.scale.crawl.fetch.http_heads import clean_url, write_request_head, write_response_head

try:
    from warcio.warcwriter import WARCWriter
except ImportError:
    raise MissingExtra("WARC files are written with warcio: pip install 'bonmun[crawl]'.") from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bonmun.scale.crawl.fetch.exchange import Exchange

__all__ = ["PageNotes", "Place", "Revisit", "WarcWriter", "write_moment"]

MAX_BYTES = 1_000_000_000  # of a file, or one exchange
PROFILES = "http://netpreserve.org/warc/1.1/revisit/"
SPECIFICATION = "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


@dataclass(frozen=True, slots=True)
class Revisit:
    """An earlier answer that holds the body of this one: the body is not written again."""

    url: str
    started: datetime  # of the earlier exchange
    digest: str | None = None  # of its body, where the server says 304 and sends none
    kind: Literal["identical-payload-digest", "server-not-modified"] = "identical-payload-digest"


class WarcWriter:
    """Writes exchanges to `PREFIX-000000.warc.gz` and so on in a folder; never to a file that is there already.

    `about` is what the first record of each file says beside the software: the robots policy, the user agent.
    """

    def __init__(
        self, folder: Path, prefix: str, max_bytes: int = MAX_BYTES, about: Mapping[str, str] | None = None
    ) -> None:
        name_file(prefix, 0)  # or it says what is wrong with the prefix
        self.folder = folder
        self.prefix = prefix
        self.max_bytes = max_bytes
        self.about = {"robots": "obey"} | dict(about or {})
        folder.mkdir(parents=True, exist_ok=True)
        self._number = max(find_files(folder, prefix), default=-1) + 1  # of the file that is begun next
        self._file: FileIO | None = None
        self._size = 0  # of the file that is open
        self._is_new = False  # whether some of that may not be on the disk
        self._buffer = io.BytesIO()
        self._records: Any = WARCWriter(self._buffer, gzip=True, warc_version="1.1")

    @classmethod
    def resume(
        cls,
        folder: Path,
        prefix: str,
        places: Iterable[Place],
        max_bytes: int = MAX_BYTES,
        about: Mapping[str, str] | None = None,
    ) -> tuple[Self, list[Place]]:
        """Go on where a writer was killed; gives the places, too, that are no longer there and must be fetched again.

        `places` are all that the caller counts as written. The last file is cut where the last of them ends: what
        comes after was not noted, so it will be fetched again.
        """
        folder.mkdir(parents=True, exist_ok=True)
        lost = cut_files(folder, prefix, places)
        writer = cls(folder, prefix, max_bytes, about)
        files = find_files(folder, prefix)
        if files:
            last = files[max(files)]
            writer._file, writer._size = FileIO(last, "a"), last.stat().st_size
        return writer, lost

    def write_exchange(self, exchange: Exchange, about: PageNotes, revisit: Revisit | None = None) -> Place:
        """Write an exchange; when this is back it outlives the process. `revisit` says where its body is already."""
        response = self._make_response(exchange, revisit)
        mine = response.rec_headers.get_header("WARC-Record-ID")
        shared = {"WARC-Date": write_moment(exchange.started), "WARC-Concurrent-To": mine} | _name_address(exchange)
        request_id = response.rec_headers.get_header("WARC-Concurrent-To")
        request_headers = {"WARC-Type": "request", "WARC-Record-ID": request_id} | shared
        notes = write_notes(about, exchange.seconds)
        url = clean_url(exchange.url)
        make = self._records.create_warc_record
        head = _Head(write_request_head(exchange))
        request = make(url, "request", warc_headers_dict=request_headers, http_headers=head)
        shared = {"WARC-Type": "metadata", "WARC-Record-ID": _make_id()} | shared
        metadata = make(url, "metadata", io.BytesIO(notes), len(notes), warc_headers_dict=shared)
        before, data = self._pack(request, metadata), self._pack(response)
        start = self._write(before + data)
        digest = response.rec_headers.get_header("WARC-Payload-Digest") or ""
        assert self._file is not None
        return Place(Path(str(self._file.name)).name, start + len(before), len(data), digest)

    def flush(self) -> None:
        """See that all that was written is on the disk, and outlives the machine's end, too."""
        if self._file is not None and self._is_new:
            os.fsync(self._file.fileno())
            self._is_new = False

    def close(self) -> None:
        """Close the file that is open; a writer that is used again begins another."""
        if self._file is None:
            return
        self.flush()
        self._file.close()
        if not self._size:  # nothing could be written
            Path(str(self._file.name)).unlink()
        self._file = None

    def _make_response(self, exchange: Exchange, revisit: Revisit | None) -> Any:
        """The record of the answer: with its body, or with where that is."""
        headers = {
            "WARC-Type": "revisit" if revisit else "response",
            "WARC-Record-ID": _make_id(),
            "WARC-Date": write_moment(exchange.started),
            "WARC-Concurrent-To": _make_id(),
        } | _name_address(exchange)
        if exchange.cut:
            headers["WARC-Truncated"] = exchange.cut
        if exchange.http_version.startswith(("2", "3")):
            headers["WARC-Protocol"] = f"h{exchange.http_version[0]}"
        url, head, body = clean_url(exchange.url), _Head(write_response_head(exchange)), exchange.body
        make = self._records.create_warc_record
        if revisit is None:
            return make(url, "response", io.BytesIO(body), len(body), warc_headers_dict=headers, http_headers=head)
        headers["WARC-Profile"] = PROFILES + revisit.kind
        headers["WARC-Refers-To-Target-URI"] = clean_url(revisit.url)
        headers["WARC-Refers-To-Date"] = write_moment(revisit.started)
        if digest := exchange.digest if revisit.kind == "identical-payload-digest" else revisit.digest:
            headers["WARC-Payload-Digest"] = digest
        return make(url, "revisit", warc_headers_dict=headers, http_headers=head)

    def _pack(self, *records: Any) -> bytes:
        """Records as they are in a file."""
        self._buffer.seek(0)
        self._buffer.truncate()
        for record in records:
            self._records.write_record(record)
        return self._buffer.getvalue()

    def _write(self, data: bytes) -> int:
        """Write all of an exchange or nothing, to a new file if the open one is full; gives where it begins."""
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
        except BaseException:  # the disk is full, a key was pressed: no half of a record may stay
            with suppress(OSError):
                self._file.truncate(self._size)
                self._file.seek(self._size)
            raise
        self._size, self._is_new = size, True
        return size - len(data)

    def _make_info(self) -> bytes:
        """The record that every file begins with."""
        assert self._file is not None
        says = {
            "software": f"bonmun/{__version__} (+https://pypi.org/project/bonmun/)",
            "format": "WARC File Format 1.1",
            "conformsTo": SPECIFICATION,
        } | {key: " ".join(value.split()) for key, value in self.about.items()}
        return self._pack(self._records.create_warcinfo_record(Path(str(self._file.name)).name, says))


class _Head:
    """The lines of HTTP before a body, as warcio wants to be given them: ready, so that it changes none of them."""

    def __init__(self, lines: bytes) -> None:
        self.headers_buff = lines

    def compute_headers_buffer(self, _filter: object = None) -> None:
        """There is nothing left to do."""


def write_moment(moment: datetime) -> str:
    """A moment as WARC-Date has it, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _make_id() -> str:
    return f"<urn:uuid:{uuid4()}>"


def _name_address(exchange: Exchange) -> dict[str, str]:
    """The server's address, if it is one."""
    try:
        return {"WARC-IP-Address": str(ip_address(exchange.ip or ""))}
    except ValueError:
        return {}
