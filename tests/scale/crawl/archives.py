"""Generated exchanges, and WARC files read with FastWARC and warcio."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from bonmun.scale.crawl.fetch.exchange import Exchange

if TYPE_CHECKING:
    from pathlib import Path

STARTED = datetime(2026, 3, 4, 9, 0, 7, 654321, UTC)
HTML = "<!doctype html><title>등대</title><p>마을 끝의 낡은 등대가 올봄 다시 불을 밝혔다.</p>".encode()


class Link(NamedTuple):
    url: str
    anchor: str = ""
    kind: str = "page"
    follow: bool = True


class Read(NamedTuple):
    """A record as read by a tool."""

    kind: str
    headers: dict[str, str]  # of WARC
    http: list[tuple[str, str]]
    payload: bytes

    @property
    def id(self) -> str:
        return self.headers["WARC-Record-ID"]


def make_exchange(url: str = "https://pier.example/a?b=1", body: bytes = HTML, **more: Any) -> Exchange:
    headers = ((b"Content-Type", b"text/html; charset=utf-8"), (b"Content-Length", b"%d" % len(body)))
    known: dict[str, Any] = {
        "status": 200,
        "reason": b"OK",
        "request_headers": ((b"Host", b"pier.example"), (b"user-AGENT", b"bonmun")),
        "response_headers": headers,
        "started": STARTED,
        "seconds": 0.0844,
        "ip": "192.0.2.7",
    }
    return Exchange(url=url, body=body, **(known | more))


def read_fast(data: bytes) -> list[Read]:
    """Read records with FastWARC and check all digests."""
    from fastwarc.warc import ArchiveIterator  # imported here because the import raises a warning

    found = []
    for record in ArchiveIterator(io.BytesIO(data), parse_http=False):
        headers = dict(record.headers.items())
        kind = headers["WARC-Type"]
        record.freeze()
        assert record.verify_block_digest(), headers
        if record.is_http:
            record.parse_http()
            if kind != "revisit":
                assert record.verify_payload_digest(), headers
        http = list(record.http_headers.items()) if record.http_headers else []
        found.append(Read(kind, headers, http, record.reader.read()))
    return found


def read_warcio(data: bytes, *, decoded: bool = False) -> list[Read]:
    """Read records with warcio and check all digests; with `decoded`, decompress bodies."""
    found = []
    for record in WarcioIterator(io.BytesIO(data), check_digests="raise"):
        headers = dict(record.rec_headers.headers)
        http = record.http_headers.headers if record.http_headers else []
        stream = record.content_stream() if decoded else record.raw_stream
        found.append(Read(record.rec_type, headers, http, stream.read()))
    return found


def read_all(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("*.warc.gz")))
