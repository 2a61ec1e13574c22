"""Decode pages, including those saved by browsers: MHTML, Safari web archives and SingleFile.

The first two are containers, from which the page is taken before it is decoded. SingleFile writes HTML with a comment
that contains the URL and the time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.kernel import load_kernel
from bonmun.page.parse.decode import check_bytes, decode, find_encoding

if TYPE_CHECKING:
    from datetime import datetime

    from bonmun.page.saved.mhtml import SavedPage

__all__ = ["DecodedPage", "decode_page", "open_saved"]

KERNEL = load_kernel("signs")
MAX_COMMENT_CHARS = 8192  # characters searched for the comment of SingleFile, which comes before <head>
MIN_EXTRA_CHARS = 8  # that a page has if its UTF-8 was read as Latin-1; a page about such mistakes may have fewer
COMMENT_WORDS = "Page saved with SingleFile"
COMMENT = re.compile(
    r"<!--\s{0,9}" + COMMENT_WORDS + r"\s{1,9}url: (https?://\S{1,4000})\s{1,9}(?:saved date: ([^\n<]{1,80}))?"
)


class DecodedPage(NamedTuple):
    """The text of a page, with its encoding, URL, and the time when it was saved."""

    html: str
    encoding: str | None
    url: str | None
    saved: datetime | None


def decode_page(data: str | bytes, encoding: str | None = None, url: str | None = None) -> DecodedPage:
    """Decode a page in any saved form; `encoding` and `url` take precedence over what the file says.

    Raises NotHtml for other kinds of files, and Undecodable for bytes that are not text.
    """
    name = saved = None
    if isinstance(data, bytes):
        if found := open_saved(data):
            data, saved, url = found.html, found.saved, url or found.url
            encoding = encoding or (found.encoding and find_encoding(found.encoding)) or None
        check_bytes(data)
        data, name = decode(data, encoding, url)
    data = _decode_twice(data)
    commented_url, commented_time = _read_comment(data)
    return DecodedPage(data, name, url or commented_url, saved or commented_time)


def _decode_twice(html: str) -> str:
    """Return a page whose UTF-8 was once read as Latin-1 as it should be; other pages are returned unchanged.

    >>> _decode_twice("<p>본문 추출".encode().decode("latin-1")), _decode_twice("<p>déjà vu")
    ('<p>본문 추출', '<p>déjà vu')
    """
    if html.isascii() or (KERNEL and not KERNEL.may_be_read_twice(html)):
        return html
    try:
        decoded = html.encode("latin-1").decode("utf-8")  # fails at the first character that disproves it
    except UnicodeError:
        return html
    return decoded if len(html) - len(decoded) >= MIN_EXTRA_CHARS else html


def open_saved(data: bytes) -> SavedPage | None:
    """Return the page in an MHTML file or web archive; None for other bytes. Raises NotHtml if it contains no page."""
    from bonmun.page.saved.mhtml import is_mhtml, read_mhtml
    from bonmun.page.saved.webarchive import is_webarchive, read_webarchive

    if is_mhtml(data):
        return read_mhtml(data)
    return read_webarchive(data) if is_webarchive(data) else None


def _read_comment(html: str) -> tuple[str | None, datetime | None]:
    """Return the URL and the time in the comment of SingleFile, each None if missing.

    >>> _read_comment("<html><!-- Page saved with SingleFile  url: https://a.example/  --><p>")
    ('https://a.example/', None)
    """
    found = COMMENT.search(html, 0, MAX_COMMENT_CHARS) if html.find(COMMENT_WORDS, 0, MAX_COMMENT_CHARS) >= 0 else None
    if not found:
        return None, None
    time = (found[2] or "").partition("(")[0].replace("GMT+", "+").replace("GMT-", "-")  # a JavaScript date
    if not time:
        return found[1], None
    from bonmun.page.saved.mhtml import read_time

    return found[1], read_time(time)
