"""An exchange's request and answer as HTTP wrote them, from the first line to the empty one, for a WARC record.

Bodies are kept with their chunks joined, so a header that says `chunked` would mislead whoever reads them, and so would
a length that is none. Such headers stay, with `X-Crawler-` before their names, as in the files of Common Crawl; a
`Content-Length` that is true takes their place. All else stands as it was sent: names, values, order, case, bytes.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    from bonmun.scale.crawl.fetch.exchange import Exchange, Headers

__all__ = ["KEPT_AS", "clean_url", "write_request_head", "write_response_head"]

KEPT_AS = b"X-Crawler-"  # before the names of headers that are not true of the bytes in the record
NOT_IN_VALUES = re.compile(rb"[\r\n\0]+")  # they would end the line, and begin another header
NOT_IN_NAMES = re.compile(rb"[\x00-\x20\x7f:]")
NOT_IN_URLS = re.compile(r"[^!-;=?-~]")  # all but printable ASCII without < and >
AUTHORITY = re.compile(r"(https?://)([^/?#@:]+)", re.I)
VERSIONS = {"1.0", "1.1"}  # others have no such lines; they are written as the newest that has
# FastWARC reads 32 kB of headers, of WARC and of HTTP each, and nothing of a file behind longer ones
HEADERS_BYTES = 20_000
URL_BYTES = 8_000
REASON_BYTES = 200
NEEDED = (b"content-", b"location:", b"host:")  # what names of headers begin with that are kept first
BODILESS = 304  # its length is that of a body that was not sent


def write_request_head(exchange: Exchange) -> bytes:
    """The request line, and the headers as they were sent."""
    parts = urlsplit(clean_url(exchange.url))
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    method = NOT_IN_NAMES.sub(b"_", exchange.method.encode("ascii", "replace"))[:REASON_BYTES] or b"GET"
    line = b"%s %s HTTP/%s\r\n" % (method, target.encode("ascii"), _find_version(exchange))
    return line + _write_headers(exchange.request_headers)


def write_response_head(exchange: Exchange) -> bytes:
    """The status line, and the headers as they came, but for those that are not true of the body that is kept."""
    reason = NOT_IN_VALUES.sub(b" ", exchange.reason).strip()[:REASON_BYTES]
    line = b"HTTP/%s %d %s\r\n" % (_find_version(exchange), exchange.status, reason)
    return line + _write_headers(_correct_headers(exchange))


def clean_url(url: str) -> str:
    """A URL as it goes over the wire: ASCII on one line, whatever it was; one that is too long is cut.

    pywb fails on others, in records and in the index.
    """
    url = url.strip()
    found = None if url.isascii() else AUTHORITY.match(url)
    if found:
        with suppress(UnicodeError):  # no name that can be looked up
            url = found[1] + found[2].encode("idna").decode("ascii") + url[found.end() :]
    return NOT_IN_URLS.sub(lambda found: quote(found[0].encode("utf-8", "replace")), url)[:URL_BYTES]


def _correct_headers(exchange: Exchange) -> Headers:
    """The headers of the answer, with a length that is true, and without a coding that is undone."""
    headers = exchange.response_headers
    names = [name.lower() for name, _ in headers]
    lengths = [value.strip() for name, value in headers if name.lower() == b"content-length"]
    size = b"%d" % len(exchange.body)
    chunked = b"transfer-encoding" in names
    is_true = lengths in ([], [size]) or (exchange.status == BODILESS and not exchange.body)
    if is_true and not chunked:
        return headers
    renamed = {b"transfer-encoding"} if lengths == [size] else {b"transfer-encoding", b"content-length"}
    corrected: list[tuple[bytes, bytes]] = []
    for name, value in headers:
        is_first = name.lower() in renamed and not any(key.startswith(KEPT_AS) for key, _ in corrected)
        if is_first and lengths != [size]:
            corrected.append((b"Content-Length", size))
        corrected.append((KEPT_AS + name if name.lower() in renamed else name, value))
    return tuple(corrected)


def _write_headers(headers: Headers) -> bytes:
    lines = []
    for name, value in headers:
        safe_name = NOT_IN_NAMES.sub(b"_", name) or b"_"
        lines.append(b"%s: %s\r\n" % (safe_name, NOT_IN_VALUES.sub(b" ", value).strip()))
    if sum(map(len, lines)) > HEADERS_BYTES:
        lines = _leave_out_long(lines)
    return b"".join(lines) + b"\r\n"


def _leave_out_long(lines: list[bytes]) -> list[bytes]:
    """As many headers as readers take: first those that say how to read the body, then the short ones; and a count."""
    room, kept = HEADERS_BYTES, set()
    by_need = sorted(range(len(lines)), key=lambda at: (not lines[at].lower().startswith(NEEDED), len(lines[at])))
    for at in by_need:
        room -= len(lines[at])
        if room < 0:
            break
        kept.add(at)
    left_out = b"%sHeaders-Left-Out: %d\r\n" % (KEPT_AS, len(lines) - len(kept))
    return [*(line for at, line in enumerate(lines) if at in kept), left_out]


def _find_version(exchange: Exchange) -> bytes:
    return exchange.http_version.encode() if exchange.http_version in VERSIONS else b"1.1"
