"""Read the page in an MHTML file, as saved by Chrome, Edge and Internet Explorer, or in an HTML email.

Headers are parsed by the standard library. Parts are split at their boundary, up to the page, so that the time is
linear in the size of the file. Nested parts are searched a few levels deep.
"""

from __future__ import annotations

import base64
import binascii
import re
from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import NotHtml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from email.message import Message

__all__ = ["SavedPage", "is_mhtml", "read_mhtml", "read_time"]

MAX_HEAD_BYTES = 16_384  # headers of the file and of each part; longer ones contain nothing of use
MAX_TYPE_CHARS = 400  # content type; parsing its parameters takes more than linear time
MAX_PARTS = 200  # parts searched in all; the page is usually the first
MAX_DEPTH = 4  # levels of nested parts
START = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,99}[A-Za-z][\w-]{0,60}:")
KIND = re.compile(rb"^content-type:\s{0,9}(?:multipart/|text/html)", re.I | re.M)
VERSION = re.compile(rb"^mime-version:", re.I | re.M)
NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
PAGE_TYPES = ("text/html", "application/xhtml+xml")


class SavedPage(NamedTuple):
    """The page in a file, with its URL, its encoding, and the time when it was saved."""

    html: bytes
    url: str | None
    encoding: str | None
    saved: datetime | None


def is_mhtml(data: bytes) -> bool:
    """Return whether bytes start like MHTML: with headers that announce parts or HTML."""
    if not START.match(data):
        return False
    head = _split_head(data.lstrip(b"\xef\xbb\xbf\r\n\t "), 0)[0]
    return bool(KIND.search(head) and VERSION.search(head))


def read_mhtml(data: bytes) -> SavedPage:
    """Return the page of an MHTML file: the part declared as root, else the first HTML part."""
    data = data.lstrip(b"\xef\xbb\xbf\r\n\t ")
    headers, start = _read_headers(data, 0)
    found = _find_page(data, start, len(data), headers, MAX_DEPTH, iter(range(MAX_PARTS)))
    if found is None:
        raise NotHtml("This is MHTML or an email without an HTML part.")
    part, body = found
    url = _read_url(headers["Snapshot-Content-Location"]) or _read_url(part["Content-Location"])
    return SavedPage(_decode_body(part, body), url, _read_param(part, "charset"), read_time(str(headers["Date"] or "")))


def read_time(text: str) -> datetime | None:
    """Parse a time as emails and browsers write it, and return it in UTC; None if it is invalid.

    >>> str(read_time("Wed, 4 Mar 2026 09:00:00 +0900")), read_time("soon")
    ('2026-03-04 00:00:00+00:00', None)
    """
    from email.utils import parsedate_to_datetime  # imported for saved pages only

    try:
        return parsedate_to_datetime(text[:80]).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _find_page(
    data: bytes, start: int, stop: int, headers: Message, depth: int, budget: Iterator[int]
) -> tuple[Message, bytes] | None:
    """Return the headers and the bytes of the page in `data[start:stop]`; None if the budget of parts is used up."""
    if headers.get_content_type() in PAGE_TYPES:
        return headers, data[start:stop]
    if headers.get_content_maintype() != "multipart" or not depth:
        return None
    boundary = (_read_param(headers, "boundary") or "").rstrip()
    if not boundary:
        raise NotHtml("This is damaged MHTML: it declares no boundary between its parts.")
    root = _read_param(headers, "start")
    first = None
    for begin, end in _cut_parts(data, start, stop, b"--" + boundary.encode("ascii", "replace")):
        if next(budget, None) is None:
            break
        part, inside = _read_headers(data, begin, end)
        found = _find_page(data, inside, end, part, depth - 1, budget)
        if found and (not root or part["Content-ID"] == root):
            return found
        first = first or found
    return first


def _cut_parts(data: bytes, start: int, stop: int, mark: bytes) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each part; a truncated part ends with the data."""
    place = start if data.startswith(mark, start) else _find_line(data, mark, start, stop)
    while place >= 0 and not data.startswith(b"--", place + len(mark)):
        begin = data.find(b"\n", place, stop) + 1
        if not begin:
            return
        place = _find_line(data, mark, begin - 1, stop)
        yield begin, place if place >= 0 else stop


def _find_line(data: bytes, mark: bytes, start: int, stop: int) -> int:
    """Return the start of the next line that is a boundary or the closing boundary; -1 if there is none."""
    while (place := data.find(b"\n" + mark, start, stop)) >= 0:
        after = place + 1 + len(mark)
        if data[after : after + 1] in (b"", b"\r", b"\n", b" ", b"\t", b"-"):  # else: the boundary of a nested part
            return place + 1
        start = after
    return -1


def _read_headers(data: bytes, start: int, stop: int | None = None) -> tuple[Message, int]:
    """Return the headers at a position, and the start of the body."""
    from email.parser import BytesHeaderParser

    head, after = _split_head(data, start, stop)
    headers = BytesHeaderParser().parsebytes(head)
    kind = headers["Content-Type"]
    if kind is not None and len(str(kind)) > MAX_TYPE_CHARS:
        headers.replace_header("Content-Type", str(kind)[:MAX_TYPE_CHARS])
    return headers, after


def _split_head(data: bytes, start: int, stop: int | None = None) -> tuple[bytes, int]:
    end = min(start + MAX_HEAD_BYTES, len(data) if stop is None else stop)
    if data[start : start + 1] == b"\n" or data[start : start + 2] == b"\r\n":  # no headers
        return b"", data.index(b"\n", start) + 1
    ends = [(place, len(blank)) for blank in (b"\n\r\n", b"\n\n") if (place := data.find(blank, start, end)) >= 0]
    place, width = min(ends, default=(end, 0))
    return data[start : place + 1], place + width


def _decode_body(part: Message, body: bytes) -> bytes:
    """Decode the transfer encoding of a part, ignoring errors."""
    coding = str(part["Content-Transfer-Encoding"] or "").strip().lower()
    if coding == "quoted-printable":
        return binascii.a2b_qp(body)
    if coding != "base64":
        return body
    letters = NOT_BASE64.sub(b"", body)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]  # a single letter does not encode a byte
    return base64.b64decode(letters + b"=" * (-len(letters) % 4))


def _read_param(headers: Message, name: str) -> str | None:
    """Return a parameter of the content type; None if it is missing or damaged."""
    try:
        value = headers.get_param(name)
    except ValueError:  # such as a continuation with a number of thousands of digits
        return None
    # RFC 2231: character set, language and value. The set is ignored: Python may raise any error for its name.
    return value[2] if isinstance(value, tuple) else value


def _read_url(value: object) -> str | None:
    url = re.sub(r"\s+", "", str(value or ""))  # long headers are folded
    return url if url.lower().startswith(("http://", "https://")) else None
