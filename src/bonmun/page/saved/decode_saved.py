"""Pages as browsers save them, in a file of their own form: MHTML, Safari's web archives, pages of SingleFile.

The first two are opened before anything is decoded: what they hold is the page. A page of SingleFile is HTML, with a
comment that says where it came from and when.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from bonmun.page.parse.decode import check_bytes, decode, find_encoding

if TYPE_CHECKING:
    from datetime import datetime

    from bonmun.page.saved.mhtml import SavedPage

__all__ = ["Decoded", "decode_page", "open_saved"]

NOTE_CHARS = 8192  # of a page in which the comment of SingleFile is looked for: it stands before <head>
NOTE_WORDS = "Page saved with SingleFile"
NOTE = re.compile(
    r"<!--\s{0,9}" + NOTE_WORDS + r"\s{1,9}url: (https?://\S{1,4000})\s{1,9}(?:saved date: ([^\n<]{1,80}))?"
)


class Decoded(NamedTuple):
    """A page as text, and what is known of it."""

    html: str
    encoding: str | None  # of its bytes
    url: str | None
    saved: datetime | None  # when a browser saved it


def decode_page(data: str | bytes, encoding: str | None = None, url: str | None = None) -> Decoded:
    """The text of a page in whatever it was saved as; `encoding` and `url` count more than what the file says.

    Raises NotHtml for other kinds of files, and Undecodable for what is no text.
    """
    name = saved = None
    if isinstance(data, bytes):
        if found := open_saved(data):
            data, saved, url = found.html, found.saved, url or found.url
            encoding = encoding or (found.encoding and find_encoding(found.encoding)) or None
        check_bytes(data)
        data, name = decode(data, encoding, url)
    noted, noted_time = _read_note(data)
    return Decoded(data, name, url or noted, saved or noted_time)


def open_saved(data: bytes) -> SavedPage | None:
    """The page in a file of MHTML or in a web archive; None where the bytes are neither. NotHtml says what is wrong."""
    from bonmun.page.saved.mhtml import is_mhtml, read_mhtml
    from bonmun.page.saved.webarchive import is_webarchive, read_webarchive

    if is_mhtml(data):
        return read_mhtml(data)
    return read_webarchive(data) if is_webarchive(data) else None


def _read_note(html: str) -> tuple[str | None, datetime | None]:
    """Where a page that SingleFile saved came from, and when; None where it says nothing.

    >>> _read_note("<html><!-- Page saved with SingleFile  url: https://a.example/  --><p>")
    ('https://a.example/', None)
    """
    found = NOTE.search(html, 0, NOTE_CHARS) if html.find(NOTE_WORDS, 0, NOTE_CHARS) >= 0 else None
    if not found:
        return None, None
    said = (found[2] or "").partition("(")[0].replace("GMT+", "+").replace("GMT-", "-")  # as scripts write it
    if not said:
        return found[1], None
    from bonmun.page.saved.mhtml import read_time

    return found[1], read_time(said)
