"""The formats that pages are collected in: files of HTML, JSON lines, WARC. One record at a time.

Each reader takes an open file, the name of the source, which is the site of pages that have no other,
and the name of the file, which is the id of pages that have no other. What is damaged raises one of DAMAGE_ERRORS.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from bonmun.errors import BonmunError, MissingExtra
from bonmun.page.saved.decode_saved import open_saved
from bonmun.scale.corpus.sources.compression import decode_body, decompress
from bonmun.scale.corpus.sources.warc_stream import HEADER_BYTES, JunkFound, RecordStream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.scale.corpus.sources.records import Record, RecordMaker

__all__ = ["read_jsonl", "read_page", "read_warc"]

HTML_TYPES = ("text/html", "application/xhtml+xml")
CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;,\"']+)")
ANCHOR = re.compile(rb"^anchor:[ \t]*([^\r\n]+)", re.I | re.M)  # in what a crawler notes of a page
NOTES_BYTES = 1 << 16  # of such notes that are looked at; an anchor stands before the out-links
ESCAPED_BYTES = 6  # that one byte of a page may take in JSON


def read_page(file: BinaryIO, source: str, name: str, maker: RecordMaker) -> Iterator[Record]:
    """A file that is one page; MHTML and web archives say where it came from, and when."""
    data = decompress(file).read(maker.max_bytes + 1)
    saved = None
    with suppress(BonmunError):  # it is damaged: the page says so, and fails alone
        saved = open_saved(data) if len(data) <= maker.max_bytes else None
    if saved is None:
        yield maker.make(name, source, data)
        return
    crawled = saved.saved.isoformat() if saved.saved else None
    yield maker.make(name, source, saved.html, saved.url, charset=saved.encoding, crawled=crawled)


def read_jsonl(file: BinaryIO, source: str, name: str, maker: RecordMaker) -> Iterator[Record]:
    """A page a line; columns other than ours are passed over."""
    lines = decompress(file)
    limit = ESCAPED_BYTES * maker.max_bytes
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
    """What a line says of a page, by our names, or why it holds none."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return "a line that is no JSON"
    html = maker.columns["html"]
    if not isinstance(values, dict) or not isinstance(values.get(html), str):
        if isinstance(values, dict) and html not in values:
            maker.unused = maker.unused or list(values)
        return f"a line without {html}"
    return {key: values.get(column) for key, column in maker.columns.items()}


def read_warc(file: BinaryIO, source: str, name: str, maker: RecordMaker) -> Iterator[Record]:
    """The response records that hold a page; the text of the link to it is read from the metadata record before it."""
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError:
        raise MissingExtra("WARC files are read with FastWARC: pip install 'bonmun[corpus]'.") from None
    stream = RecordStream(decompress(file))  # unpacked here: FastWARC says nothing of a file that was cut short
    records = ArchiveIterator(
        stream,
        record_types=WarcRecordType.response | WarcRecordType.metadata | WarcRecordType.revisit,
        parse_http=True,
        auto_decode="none",  # but here: a coding that FastWARC does not know would end its reading
        max_header_len=HEADER_BYTES,
        quirks_mode=True,
    )
    number = 0
    anchors: dict[str, str] = {}  # of the page that comes next, by its record's id
    for record in records:
        if record.record_type == WarcRecordType.metadata:
            anchors = _read_anchor(record)
            continue
        if record.record_type == WarcRecordType.revisit:
            maker.skip("a copy of an earlier record")
            continue
        number += 1
        if reason := _why_no_page(record):
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
        raise EOFError("its last bytes belong to no record")
    if stream.junk:
        raise JunkFound(f"{stream.junk:,} bytes before or between its records belong to none")


def _read_anchor(record: Any) -> dict[str, str]:
    """The text of the link that led to a page, by the id of the page's record; empty if nothing is said of it."""
    page = record.headers.get("WARC-Concurrent-To")
    found = ANCHOR.search(record.reader.read(NOTES_BYTES)) if page else None
    anchor = found[1].decode("utf-8", "replace").strip() if found else ""
    return {page: anchor} if anchor else {}


def _why_no_page(record: Any) -> str | None:
    """Why a response record is skipped; None for a page."""
    http = record.http_headers
    if http is None or not http.status_code:
        if record.content_length and not record.reader.read(1):
            raise EOFError("it ends within a record")
        return "a response that is no HTTP"
    if not 200 <= http.status_code < 300:
        return f"HTTP status {http.status_code}"
    if (record.http_content_type or "text/html").lower() not in HTML_TYPES:
        return "no HTML"
    return None


def _join_headers(http: Any) -> dict[str, str]:
    """Headers by name, in small letters; those of one name with commas between them."""
    headers: dict[str, str] = {}
    for key, value in http.items():
        before = headers.get(key.lower())
        headers[key.lower()] = f"{before},{value.strip().lower()}" if before else value.strip().lower()
    return headers


def _read_body(record: Any, headers: dict[str, str], limit: int) -> bytes:
    """The page of a record, unpacked, up to a limit of bytes."""
    body: bytes = record.reader.read(limit)
    if len(body) < min(record.content_length, limit):
        raise EOFError("it ends within a record")
    return decode_body(body, headers, limit) if len(body) < limit else body  # else it is too big, packed or not
