"""A stream of WARC records that leaves out the bytes between records and counts them.

FastWARC, which parses the records, would silently skip such bytes and the record after them.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import BinaryIO

__all__ = ["MAX_HEADER_BYTES", "JunkFound", "RecordStream"]

MAX_HEADER_BYTES = 1 << 20  # of a record
LINE_BYTES = 1 << 16  # longer lines are read in pieces
RECORD_START = re.compile(rb"WARC/\d+\.\d+[ \t]*\r?\n\Z")  # at the end of a line that may begin with junk
CONTENT_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*\r?$", re.I | re.M)


class JunkFound(ValueError):
    """Some bytes of a file do not belong to a record; all its records were read."""


class RecordStream(io.RawIOBase):
    """A stream of complete records."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.count = 0  # bytes returned so far
        self.tail = b""  # the last of them
        self.junk = 0  # bytes that do not belong to a record
        self.ends_in_junk = False  # whether no record follows them
        self.header = b""  # the rest of the current header
        self.content = 0  # the rest of the current record after its header, in bytes

    def readable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the number of bytes read, also if the underlying stream cannot tell."""
        return self.count

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes; none at the end."""
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
        """Find the next record and read its header. Blank lines are passed on."""
        kept = b""  # end of the last piece of a long line: the start of a record may be split
        while line := self.stream.readline(LINE_BYTES):
            if not line.strip(b"\r\n") and not kept:
                self.header = line
                return
            found = RECORD_START.search(kept + line)
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
        while size <= MAX_HEADER_BYTES and (line := self.stream.readline(MAX_HEADER_BYTES)):
            parts.append(line)
            size += len(line)
            if not line.strip(b"\r\n"):
                break
        self.header = b"".join(parts)
        if size > MAX_HEADER_BYTES:
            self.junk += size
            self.header = b""
            return
        length = CONTENT_LENGTH.search(self.header)
        self.content = int(length[1]) if length else 0
