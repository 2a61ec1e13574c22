"""MHTML in, its page out: what Chrome, Edge and Internet Explorer save, and mails with HTML in them.

Headers are read with the standard library, parts are cut out by their boundary, up to the page: a file of any number of
parts takes linear time. Nested parts are looked into a few levels deep.
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

HEAD_BYTES = 16_384  # of headers, of the file and of each part; there is nothing to be read in longer ones
KIND_CHARS = 400  # of a content type: its parameters are read in more than linear time
PARTS = 200  # that are looked at, in all; the page is the first of them as a rule
DEPTH = 4  # of parts within parts
START = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,99}[A-Za-z][\w-]{0,60}:")
KIND = re.compile(rb"^content-type:\s{0,9}(?:multipart/|text/html)", re.I | re.M)
VERSION = re.compile(rb"^mime-version:", re.I | re.M)
NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
PAGE_TYPES = ("text/html", "application/xhtml+xml")


class SavedPage(NamedTuple):
    """The page that a file holds, and what the file says of it."""

    html: bytes
    url: str | None
    encoding: str | None
    saved: datetime | None  # when


def is_mhtml(data: bytes) -> bool:
    """Whether bytes start as MHTML does: with headers, one of which says that parts or HTML follow."""
    if not START.match(data):
        return False
    head = _split_head(data.lstrip(b"\xef\xbb\xbf\r\n\t "), 0)[0]
    return bool(KIND.search(head) and VERSION.search(head))


def read_mhtml(data: bytes) -> SavedPage:
    """The page of a file: the part that the file says is its root, else the first that is HTML."""
    data = data.lstrip(b"\xef\xbb\xbf\r\n\t ")
    headers, start = _read_headers(data, 0)
    found = _find_page(data, start, len(data), headers, DEPTH, iter(range(PARTS)))
    if found is None:
        raise NotHtml("This is MHTML or a mail, and there is no HTML in it.")
    part, body = found
    url = _read_url(headers["Snapshot-Content-Location"]) or _read_url(part["Content-Location"])
    return SavedPage(_decode_body(part, body), url, part.get_content_charset(), read_time(str(headers["Date"] or "")))


def read_time(text: str) -> datetime | None:
    """A time as mails and browsers write it, in UTC; None if it is none.

    >>> str(read_time("Wed, 4 Mar 2026 09:00:00 +0900")), read_time("soon")
    ('2026-03-04 00:00:00+00:00', None)
    """
    from email.utils import parsedate_to_datetime  # loaded for saved pages only

    try:
        return parsedate_to_datetime(text[:80]).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _find_page(
    data: bytes, start: int, stop: int, headers: Message, depth: int, budget: Iterator[int]
) -> tuple[Message, bytes] | None:
    """The headers and the bytes of the page between two places; None if there is none in the parts of the budget."""
    if headers.get_content_type() in PAGE_TYPES:
        return headers, data[start:stop]
    if headers.get_content_maintype() != "multipart" or not depth:
        return None
    boundary = headers.get_boundary()
    if not boundary:
        raise NotHtml("This is damaged MHTML: it does not say where its parts begin.")
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
    """Where the parts begin and end; one that is cut short ends with the data."""
    place = start if data.startswith(mark, start) else _find_line(data, mark, start, stop)
    while place >= 0 and not data.startswith(b"--", place + len(mark)):
        begin = data.find(b"\n", place, stop) + 1
        if not begin:
            return
        place = _find_line(data, mark, begin - 1, stop)
        yield begin, place if place >= 0 else stop


def _find_line(data: bytes, mark: bytes, start: int, stop: int) -> int:
    """Where the next line starts that is a mark, or the last one; -1 if none is."""
    while (place := data.find(b"\n" + mark, start, stop)) >= 0:
        after = place + 1 + len(mark)
        if data[after : after + 1] in (b"", b"\r", b"\n", b" ", b"\t", b"-"):  # else the mark of a part in a part
            return place + 1
        start = after
    return -1


def _read_headers(data: bytes, start: int, stop: int | None = None) -> tuple[Message, int]:
    """The headers at a place, and where what follows them starts."""
    from email.parser import BytesHeaderParser

    head, after = _split_head(data, start, stop)
    headers = BytesHeaderParser().parsebytes(head)
    kind = headers["Content-Type"]
    if kind is not None and len(str(kind)) > KIND_CHARS:
        headers.replace_header("Content-Type", str(kind)[:KIND_CHARS])
    return headers, after


def _split_head(data: bytes, start: int, stop: int | None = None) -> tuple[bytes, int]:
    end = min(start + HEAD_BYTES, len(data) if stop is None else stop)
    if data[start : start + 1] == b"\n" or data[start : start + 2] == b"\r\n":  # no headers
        return b"", data.index(b"\n", start) + 1
    ends = [(place, len(blank)) for blank in (b"\n\r\n", b"\n\n") if (place := data.find(blank, start, end)) >= 0]
    place, width = min(ends, default=(end, 0))
    return data[start : place + 1], place + width


def _decode_body(part: Message, body: bytes) -> bytes:
    """The bytes of a part as they were before they were made fit for mail; what is wrong in them is passed over."""
    coding = str(part["Content-Transfer-Encoding"] or "").strip().lower()
    if coding == "quoted-printable":
        return binascii.a2b_qp(body)
    if coding != "base64":
        return body
    letters = NOT_BASE64.sub(b"", body)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]  # one letter alone is no byte
    return base64.b64decode(letters + b"=" * (-len(letters) % 4))


def _read_param(headers: Message, name: str) -> str | None:
    value = headers.get_param(name)
    return value if isinstance(value, str) else None


def _read_url(value: object) -> str | None:
    url = re.sub(r"\s+", "", str(value or ""))  # long ones are folded
    return url if url.lower().startswith(("http://", "https://")) else None
