"""The bytes of a WARC file, record by record: what stands between records and is none is left out, and known.

FastWARC, which reads the records, passes over such bytes in silence, and over the record behind them.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["HEADER_BYTES", "JunkFound", "RecordStream"]

HEADER_BYTES = 1 << 20  # of a record, at most
LINE_BYTES = 1 << 16  # of a line that is read at once
START = re.compile(rb"WARC/\d+\.\d+[ \t]*\r?\n\Z")  # of a record, at the end of a line that may begin with junk
LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?$", re.I | re.M)


class JunkFound(ValueError):
    """Bytes of a file belong to no record; all its records were read."""


class RecordStream(io.RawIOBase):
    """A stream of whole records."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.count = 0  # bytes that were given
        self.tail = b""  # the last of them
        self.junk = 0  # bytes that belong to no record
        self.ends_in_junk = False  # no record comes after them
        self.header = b""  # what is left of the one that is given
        self.content = 0  # bytes of the record that come after it

    def readable(self) -> bool:
        """Yes."""
        return True

    def tell(self) -> int:
        """How far it was read, also where the stream itself does not know."""
        return self.count

    def read(self, size: int | None = -1) -> bytes:
        """What comes next; nothing at the end."""
        size = LINE_BYTES if size is None or size < 0 else size
        if not self.header and not self.content:
            self._find_record()
        if self.header:
            data, self.header = self.header[:size], self.header[size:]
        else:
            data = self.stream.read(min(size, self.content))
            self.content = self.content - len(data) if data else 0
        self.count += len(data)
        self.tail = (self.tail + data[-4:])[-4:]
        return data

    def _find_record(self) -> None:
        """Go to the next record, and read its header; blank lines are given as they are."""
        kept = b""  # of a line that is so long that it comes in pieces: a record may begin in two of them
        while line := self.stream.readline(LINE_BYTES):
            if not line.strip(b"\r\n") and not kept:
                self.header = line
                return
            found = START.search(kept + line)
            if found:
                self.junk += found.start() - len(kept)
                self.header = found[0]
                self._read_header()
                if self.header:
                    self.ends_in_junk = False
                    return
                kept = b""
                continue
            self.junk += len(line)
            self.ends_in_junk = True
            kept = b"" if line.endswith(b"\n") else line[-32:]

    def _read_header(self) -> None:
        parts = [self.header]
        size = len(self.header)
        while size <= HEADER_BYTES and (line := self.stream.readline(HEADER_BYTES)):
            parts.append(line)
            size += len(line)
            if not line.strip(b"\r\n"):
                break
        self.header = b"".join(parts)
        if size > HEADER_BYTES:
            self.junk += size
            self.header = b""
            return
        length = LENGTH.search(self.header)
        self.content = int(length[1]) if length else 0
