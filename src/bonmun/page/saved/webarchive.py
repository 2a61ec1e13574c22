"""Safari's web archives in, their page out: property lists, binary or XML, whose main resource is the page.

A binary list is read here, and only on the way to the page: it may refer to its objects any number of times, and
whoever reads all of them takes more than linear time.
"""

from __future__ import annotations

import struct
from typing import Any

from bonmun.errors import NotHtml
from bonmun.page.saved.mhtml import SavedPage

__all__ = ["is_webarchive", "read_webarchive"]

BINARY, XML = b"bplist00", b"<plist"
HEAD_BYTES = 1024  # in which an XML list says that it is one
MAIN = "WebMainResource"
KEYS = ("WebResourceData", "WebResourceURL", "WebResourceTextEncodingName")
TRAILER_BYTES = 32
PAIRS = 1000  # keys of a dictionary, at most
DAMAGED = (ValueError, TypeError, LookupError, OverflowError, AttributeError, RecursionError, struct.error)


def is_webarchive(data: bytes) -> bool:
    """Whether bytes start as a property list does, and name a main resource."""
    return (data.startswith(BINARY) or XML in data[:HEAD_BYTES]) and MAIN.encode() in data


def read_webarchive(data: bytes) -> SavedPage:
    """The main resource of a web archive."""
    try:
        main = _BinaryList(data).read_main() if data.startswith(BINARY) else _read_xml(data)
        html, url, encoding = (main.get(key) for key in KEYS)
    except DAMAGED as problem:
        raise NotHtml("This is a damaged web archive of Safari.") from problem
    if not isinstance(html, bytes):
        raise NotHtml("This is a web archive of Safari without a page in it.")
    url = url if isinstance(url, str) and url.lower().startswith(("http://", "https://")) else None
    return SavedPage(html, url, encoding if isinstance(encoding, str) else None, None)


def _read_xml(data: bytes) -> Any:
    import plistlib  # loaded for such pages only; it takes linear time on XML, and refuses entities
    from xml.parsers.expat import ExpatError

    try:
        return plistlib.loads(data, fmt=plistlib.FMT_XML)[MAIN]
    except ExpatError as problem:
        raise ValueError from problem


class _BinaryList:
    """A binary property list: objects by number, each read when it is asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        trailer = struct.unpack(">6xBBQQQ", data[-TRAILER_BYTES:])
        self.offset_bytes, self.number_bytes, self.count, self.top, self.table = trailer

    def read_main(self) -> dict[str, Any]:
        """The main resource: what its keys lead to, but dictionaries and lists."""
        main = self._find(self.top, (MAIN,))[MAIN]
        return {key: self._read(number) for key, number in self._find(main, KEYS).items()}

    def _find(self, number: int, keys: tuple[str, ...]) -> dict[str, int]:
        """The numbers of what some keys of a dictionary lead to."""
        kind, count, place = self._open(number)
        if kind != 0xD0 or count > PAIRS:
            raise ValueError("no dictionary")
        names = [self._read(self._read_number(place + index * self.number_bytes)) for index in range(count)]
        place += count * self.number_bytes
        return {
            name: self._read_number(place + index * self.number_bytes)
            for index, name in enumerate(names)
            if name in keys
        }

    def _read(self, number: int) -> bytes | str | None:
        """A text or bytes; None for all else."""
        kind, count, place = self._open(number)
        if kind == 0x60:
            return self._cut(place, 2 * count).decode("utf-16-be")
        data = self._cut(place, count) if kind in (0x40, 0x50) else None
        return data.decode("ascii") if data is not None and kind == 0x50 else data

    def _open(self, number: int) -> tuple[int, int, int]:
        """The kind of an object, its size, and where it starts after that."""
        if number >= self.count:
            raise IndexError(number)
        place = self._read_integer(self.table + number * self.offset_bytes, self.offset_bytes)
        token = self.data[place]
        kind, size, place = token & 0xF0, token & 0x0F, place + 1
        if size == 0x0F and kind >= 0x40:  # the size is an integer of its own
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
