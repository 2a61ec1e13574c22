"""Format the HTTP heads of an exchange (start line and headers) for WARC records.

Bodies are stored with chunks joined, so `Transfer-Encoding: chunked` would mislead readers, and so would a wrong
`Content-Length`. Such headers get the prefix `X-Crawler-`, as in Common Crawl's files, and a correct `Content-Length`
is added. All other headers keep their names, values, order, case and bytes.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

if TYPE_CHECKING:
    from bonmun.scale.crawl.fetch.exchange import Exchange, Headers

__all__ = ["RENAMED_PREFIX", "clean_url", "format_request_head", "format_response_head"]

RENAMED_PREFIX = b"X-Crawler-"  # for headers that do not match the stored body
ILLEGAL_IN_VALUE = re.compile(rb"[\r\n\0]+")  # would end the line and start another header
ILLEGAL_IN_NAME = re.compile(rb"[\x00-\x20\x7f:]")
ILLEGAL_IN_URL = re.compile(r"[^!-;=?-~]")  # all but printable ASCII without < and >
AUTHORITY = re.compile(r"(https?://)([^/?#@:]+)", re.I)
TEXT_VERSIONS = {"1.0", "1.1"}  # later versions have no start line; they are written as 1.1
# FastWARC reads up to 32 kB of WARC headers and of HTTP headers, and stops reading the file at longer ones.
MAX_HEADERS_BYTES = 20_000
MAX_URL_BYTES = 8_000
MAX_REASON_BYTES = 200
ESSENTIAL_PREFIXES = (b"content-", b"location:", b"host:")  # of headers that are kept first
NOT_MODIFIED = 304  # its Content-Length is that of the body that was not sent


def format_request_head(exchange: Exchange) -> bytes:
    """Return the request line and the headers as sent."""
    parts = urlsplit(clean_url(exchange.url))
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    method = ILLEGAL_IN_NAME.sub(b"_", exchange.method.encode("ascii", "replace"))[:MAX_REASON_BYTES] or b"GET"
    line = b"%s %s HTTP/%s\r\n" % (method, target.encode("ascii"), _find_version(exchange))
    return line + _format_headers(exchange.request_headers)


def format_response_head(exchange: Exchange) -> bytes:
    """Return the status line and the headers as received, with headers that do not match the body renamed."""
    reason = ILLEGAL_IN_VALUE.sub(b" ", exchange.reason).strip()[:MAX_REASON_BYTES]
    line = b"HTTP/%s %d %s\r\n" % (_find_version(exchange), exchange.status, reason)
    return line + _format_headers(_correct_headers(exchange))


def clean_url(url: str) -> str:
    """Return a URL as printable ASCII, truncated to MAX_URL_BYTES; pywb fails on anything else."""
    url = url.strip()
    found = None if url.isascii() else AUTHORITY.match(url)
    if found:
        with suppress(UnicodeError):  # not a valid host name
            url = found[1] + found[2].encode("idna").decode("ascii") + url[found.end() :]
    return ILLEGAL_IN_URL.sub(lambda found: quote(found[0].encode("utf-8", "replace")), url)[:MAX_URL_BYTES]


def _correct_headers(exchange: Exchange) -> Headers:
    """Return the response headers with a correct Content-Length and without Transfer-Encoding."""
    headers = exchange.response_headers
    names = [name.lower() for name, _ in headers]
    lengths = [value.strip() for name, value in headers if name.lower() == b"content-length"]
    size = b"%d" % len(exchange.body)
    is_chunked = b"transfer-encoding" in names
    is_correct = lengths in ([], [size]) or (exchange.status == NOT_MODIFIED and not exchange.body)
    if is_correct and not is_chunked:
        return headers
    renamed = {b"transfer-encoding"} if lengths == [size] else {b"transfer-encoding", b"content-length"}
    is_missing = lengths != [size]  # the correct length
    corrected: list[tuple[bytes, bytes]] = []
    for name, value in headers:
        if name.lower() not in renamed:
            corrected.append((name, value))
            continue
        if is_missing:
            corrected.append((b"Content-Length", size))
            is_missing = False
        corrected.append((RENAMED_PREFIX + name, value))
    return tuple(corrected)


def _format_headers(headers: Headers) -> bytes:
    lines = []
    for name, value in headers:
        safe_name = ILLEGAL_IN_NAME.sub(b"_", name) or b"_"
        lines.append(b"%s: %s\r\n" % (safe_name, ILLEGAL_IN_VALUE.sub(b" ", value).strip()))
    if sum(map(len, lines)) > MAX_HEADERS_BYTES:
        lines = _drop_long_headers(lines)
    return b"".join(lines) + b"\r\n"


def _drop_long_headers(lines: list[bytes]) -> list[bytes]:
    """Keep as many headers as fit, first those needed to read the body, then the shortest; add the number dropped."""
    left, kept = MAX_HEADERS_BYTES, set()

    def rank(at: int) -> tuple[bool, int]:
        return not lines[at].lower().startswith(ESSENTIAL_PREFIXES), len(lines[at])

    for at in sorted(range(len(lines)), key=rank):
        left -= len(lines[at])
        if left < 0:
            break
        kept.add(at)
    dropped = b"%sHeaders-Left-Out: %d\r\n" % (RENAMED_PREFIX, len(lines) - len(kept))
    return [*(line for at, line in enumerate(lines) if at in kept), dropped]


def _find_version(exchange: Exchange) -> bytes:
    return exchange.http_version.encode() if exchange.http_version in TEXT_VERSIONS else b"1.1"
