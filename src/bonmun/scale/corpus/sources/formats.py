"""Read records from HTML, JSON Lines and WARC files, one at a time.

Each reader takes an open file, the name of the source (the site of pages without another), and the name of the file
(the id of pages without another). A damaged file raises one of DAMAGE_ERRORS.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from bonmun.errors import BonmunError, MissingExtra
from bonmun.page.saved.decode_saved import open_saved
from bonmun.scale.corpus.sources.compression import decode_body, decompress
from bonmun.scale.corpus.sources.warc_stream import MAX_HEADER_BYTES, JunkFound, RecordStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.scale.corpus.sources.records import Record, RecordMaker

__all__ = ["read_jsonl", "read_page", "read_warc"]

HTML_TYPES = ("text/html", "application/xhtml+xml")
CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;,\"']+)")
ANCHOR = re.compile(rb"^anchor:[ \t]*([^\r\n]+)", re.I | re.M)  # in a WARC metadata record
METADATA_BYTES = 1 << 16  # searched for the anchor, which comes before the links of the page
MAX_ESCAPED_BYTES = 6  # that one byte of a page takes in JSON
# Of a line without its strings: a page has few values besides its HTML, and lists take 20 times their size in memory.
MAX_PLAIN_BYTES = 1_000_000
STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)


def read_page(file: BinaryIO, source: str, name: str, maker: RecordMaker) -> Iterator[Record]:
    """Yield the page of a file. MHTML and web archive files also contain its URL and date."""
    data = decompress(file).read(maker.max_bytes + 1)
    saved = None
    with suppress(BonmunError):  # a damaged file: the extraction of this page fails
        saved = open_saved(data) if len(data) <= maker.max_bytes else None
    if saved is None:
        yield maker.make(name, source, data)
        return
    crawled = saved.saved.isoformat() if saved.saved else None
    yield maker.make(name, source, saved.html, saved.url, charset=saved.encoding, crawled=crawled)


def read_jsonl(file: BinaryIO, source: str, name: str, maker: RecordMaker) -> Iterator[Record]:
    """Yield a page per line; unknown columns are ignored."""
    lines = decompress(file)
    limit = MAX_ESCAPED_BYTES * maker.max_bytes
    number = 0
    while line := lines.readline(limit + 1):
        number += 1
        if len(line) > limit:
            while not line.endswith(b"\n") and (line := lines.readline(limit)):
                pass
            maker.skip("a line over the limit")
        elif line.strip():
            values = _read_json(line, maker)
            if isinstance(values, str):
                maker.skip(values)
            else:
                yield maker.make_from_columns(values, source, f"{name}:{number}")


def _read_json(line: bytes, maker: RecordMaker) -> dict[str, Any] | str:
    """Return the values of a line by standard column name, or the reason why it is skipped."""
    if len(line) > MAX_PLAIN_BYTES and len(STRING.sub(b"", line)) > MAX_PLAIN_BYTES:
        return "a line that is not a page"
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return "a line that is not JSON"
    html = maker.columns["html"]
    if not isinstance(values, dict) or not isinstance(values.get(html), str):
        if isinstance(values, dict) and html not in values:
            maker.unused = maker.unused or list(values)
        return f"a line without {html}"
    return {key: values.get(column) for key, column in maker.columns.items()}


def read_warc(file: BinaryIO, source: str, name: str, maker: RecordMaker) -> Iterator[Record]:
    """Yield the pages of response records. The anchor text of a page is read from the metadata record before it."""
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError:
        raise MissingExtra("Reading WARC files needs FastWARC: pip install 'bonmun[corpus]'.") from None
    stream = RecordStream(decompress(file))  # decompressed here, since FastWARC does not report truncated files
    records = ArchiveIterator(
        stream,
        record_types=WarcRecordType.response | WarcRecordType.metadata | WarcRecordType.revisit,
        parse_http=True,
        auto_decode="none",  # decoded below, since FastWARC stops at an unknown encoding
        max_header_len=MAX_HEADER_BYTES,
        quirks_mode=True,
    )
    number = 0
    anchors: dict[str, str] = {}  # of the next page, by record id
    for record in records:
        if record.record_type == WarcRecordType.metadata:
            anchors = _read_anchor(record)
            continue
        if record.record_type == WarcRecordType.revisit:
            maker.skip("a copy of an earlier record")
            continue
        number += 1
        if reason := _find_skip_reason(record):
            maker.skip(reason)
            continue
        headers = _join_headers(record.http_headers)
        body = _read_body(record, headers, maker.max_bytes + 1)
        charset = CHARSET.search(headers.get("content-type", ""))
        yield maker.make(
            (record.record_id or f"{name}:{number}").strip("<>"),
            source,
            body,
            url=(record.headers.get("WARC-Target-URI") or "").strip("<>") or None,
            charset=charset[1] if charset else None,
            crawled=record.headers.get("WARC-Date"),
            anchor=anchors.get(record.record_id or ""),
        )
    if stream.count and not stream.tail.endswith(b"\n\n") and not stream.tail.endswith(b"\r\n\r\n"):
        raise EOFError("it ends within a record")
    if stream.ends_in_junk:
        raise EOFError("its last bytes do not belong to a record")
    if stream.junk:
        raise JunkFound(f"{stream.junk:,} bytes before or between its records do not belong to a record")


def _read_anchor(record: Any) -> dict[str, str]:
    """Return the anchor text of a page by record id; an empty dict if there is none."""
    page = record.headers.get("WARC-Concurrent-To")
    found = ANCHOR.search(record.reader.read(METADATA_BYTES)) if page else None
    anchor = found[1].decode("utf-8", "replace").strip() if found else ""
    return {page: anchor} if anchor else {}


def _find_skip_reason(record: Any) -> str | None:
    """Return why a response record is skipped; None for a page."""
    http = record.http_headers
    if http is None or not http.status_code:
        if record.content_length and not record.reader.read(1):
            raise EOFError("it ends within a record")
        return "a response that is not HTTP"
    if not 200 <= http.status_code < 300:
        return f"HTTP status {http.status_code}"
    if (record.http_content_type or "text/html").lower() not in HTML_TYPES:
        return "not HTML"
    return None


def _join_headers(http: Any) -> dict[str, str]:
    """Return headers in lower case, by name; repeated headers are joined by commas."""
    headers: dict[str, list[str]] = {}
    for key, value in http.items():
        headers.setdefault(key.lower(), []).append(value.strip().lower())
    return {key: ",".join(values) for key, values in headers.items()}


def _read_body(record: Any, headers: dict[str, str], limit: int) -> bytes:
    """Return the decoded body of a record, up to a limit of bytes."""
    body: bytes = record.reader.read(limit)
    if len(body) < min(record.content_length, limit):
        raise EOFError("it ends within a record")
    return (
        decode_body(body, headers, limit) if len(body) < limit else body
    )  # otherwise it is too big, even if it is compressed
