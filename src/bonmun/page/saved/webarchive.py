"""Read the page in a Safari web archive: a binary or XML property list whose main resource is the page.

Binary property lists are parsed here, and only as far as the page needs: objects may be referenced any number of times,
so reading all of them could take more than linear time and memory. For the same reason the size of an object is checked
before it is copied.
"""

from __future__ import annotations

import struct
from typing import Any

from bonmun.errors import NotHtml
from bonmun.page.saved.mhtml import SavedPage

__all__ = ["is_webarchive", "read_webarchive"]

BINARY, XML = b"bplist00", b"<plist"
MAX_HEAD_BYTES = 1024  # bytes in which an XML property list is recognised
MAIN = "WebMainResource"
DATA = "WebResourceData"
KEYS = (DATA, "WebResourceURL", "WebResourceTextEncodingName")
TRAILER_BYTES = 32
MAX_KEYS = 1000  # keys of a dictionary
MAX_KEY_CHARS = max(map(len, (MAIN, *KEYS)))  # of a key; longer ones are of no use
MAX_STRING_CHARS = 4_000  # of the URL and the encoding; longer ones are ignored
DAMAGE_ERRORS = (ValueError, TypeError, LookupError, OverflowError, AttributeError, RecursionError, struct.error)


def is_webarchive(data: bytes) -> bool:
    """Return whether bytes start like a property list and contain a main resource."""
    return (data.startswith(BINARY) or XML in data[:MAX_HEAD_BYTES]) and MAIN.encode() in data


def read_webarchive(data: bytes) -> SavedPage:
    """Return the main resource of a web archive."""
    try:
        main = _BinaryList(data).read_main() if data.startswith(BINARY) else _read_xml(data)
        html, url, encoding = (main.get(key) for key in KEYS)
    except DAMAGE_ERRORS as problem:
        raise NotHtml("This Safari web archive is damaged.") from problem
    if not isinstance(html, bytes):
        raise NotHtml("This Safari web archive contains no page.")
    url = url if isinstance(url, str) and url.lower().startswith(("http://", "https://")) else None
    return SavedPage(html, url, encoding if isinstance(encoding, str) else None, None)


def _read_xml(data: bytes) -> Any:
    import plistlib  # imported for web archives only; it takes linear time on XML and rejects entities
    from xml.parsers.expat import ExpatError

    try:
        return plistlib.loads(data, fmt=plistlib.FMT_XML)[MAIN]
    except ExpatError as problem:
        raise ValueError from problem


class _BinaryList:
    """A binary property list, whose objects are read on demand."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        trailer = struct.unpack(">6xBBQQQ", data[-TRAILER_BYTES:])
        self.offset_bytes, self.number_bytes, self.count, self.top, self.table = trailer

    def read_main(self) -> dict[str, Any]:
        """Return the values of the main resource, except dictionaries and lists."""
        main = self._find(self.top, (MAIN,))[MAIN]
        found = self._find(main, KEYS)
        return {key: self._read_bytes(found[key]) if key == DATA else self._read_string(found[key]) for key in found}

    def _find(self, number: int, keys: tuple[str, ...]) -> dict[str, int]:
        """Return the object numbers of the values of some keys of a dictionary."""
        kind, count, place = self._open(number)
        if kind != 0xD0 or count > MAX_KEYS:
            raise ValueError("not a dictionary")
        numbers = (self._read_number(place + index * self.number_bytes) for index in range(count))
        names = [self._read_string(number, MAX_KEY_CHARS) for number in numbers]
        place += count * self.number_bytes
        return {
            name: self._read_number(place + index * self.number_bytes)
            for index, name in enumerate(names)
            if name in keys
        }

    def _read_bytes(self, number: int) -> bytes | None:
        """Return the bytes of an object; None for other kinds."""
        kind, size, place = self._open(number)
        return self._cut(place, size) if kind == 0x40 else None

    def _read_string(self, number: int, max_chars: int = MAX_STRING_CHARS) -> str | None:
        """Return a string; None if it is longer than the limit, and for other kinds of objects."""
        kind, chars, place = self._open(number)
        if kind not in (0x50, 0x60) or chars > max_chars:
            return None
        return (
            self._cut(place, chars).decode("ascii") if kind == 0x50 else self._cut(place, 2 * chars).decode("utf-16-be")
        )

    def _open(self, number: int) -> tuple[int, int, int]:
        """Return the kind of an object, its size, and the offset of its content."""
        if number >= self.count:
            raise IndexError(number)
        place = self._read_integer(self.table + number * self.offset_bytes, self.offset_bytes)
        token = self.data[place]
        kind, size, place = token & 0xF0, token & 0x0F, place + 1
        if size == 0x0F and kind >= 0x40:  # the size follows as an integer object
            width = 1 << (self.data[place] & 0x0F)
            size, place = self._read_integer(place + 1, width), place + 1 + width
        return kind, size, place

    def _read_number(self, place: int) -> int:
        return self._read_integer(place, self.number_bytes)

    def _read_integer(self, place: int, width: int) -> int:
        return int.from_bytes(self._cut(place, width), "big")

    def _cut(self, place: int, size: int) -> bytes:
        if place + size > len(self.data):
            raise IndexError(place)
        return self.data[place : place + size]
