"""Decompress files (gzip, xz, zstd) and decode HTTP bodies."""

from __future__ import annotations

import gzip
import io
import lzma
import re
import zlib
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from bonmun.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DAMAGE_ERRORS", "decode_body", "decompress", "describe_damage"]

MAGIC_BYTES = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"(\xb5/\xfd": "zstd"}
READ_BYTES = 1 << 14  # at a time; if a file is damaged, the data decompressed from the last read is lost
CHUNK_HEADER = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
MAX_XZ_BYTES = 300_000_000  # of memory to decompress xz; `xz -9` needs 65 MB, and a file may declare any number
MAX_CODINGS = 5  # encodings of a body; the rest is not decoded
SKIPPABLE_FRAME = re.compile(rb"[\x50-\x5f]\*M\x18")
DAMAGE_ERRORS = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)  # raised by reading a damaged file
REASON_CHARS = 200


def decompress(file: BinaryIO) -> BinaryIO:
    """Return the decompressed stream; the format is detected by the first bytes."""
    stream = file if isinstance(file, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", file))
    start = stream.peek(6)[:6]
    compression = next((name for magic, name in MAGIC_BYTES.items() if start.startswith(magic)), None)
    if SKIPPABLE_FRAME.match(start):  # some zstd files begin with one
        compression = "zstd"
    elif start and any(len(start) < len(magic) and magic.startswith(start) for magic in MAGIC_BYTES):
        raise EOFError("it ends within its first bytes")
    if compression == "gzip":
        return cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    if compression == "xz":
        return cast("BinaryIO", io.BufferedReader(_XzReader(stream), READ_BYTES))
    if compression == "zstd":
        try:
            import pyarrow
        except ImportError:
            raise MissingExtra("Reading Zstandard needs pyarrow: pip install 'bonmun[corpus]'.") from None
        compressed = pyarrow.CompressedInputStream(stream, "zstd")
        return cast("BinaryIO", io.BufferedReader(compressed, READ_BYTES))
    return cast("BinaryIO", stream)


class _XzReader(io.RawIOBase):
    """Decompresses xz with limited memory; `lzma.LZMAFile` has no limit."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.decompressor: lzma.LZMADecompressor | None = None

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Decompress into a buffer; return the number of bytes, 0 at the end of the file."""
        while True:
            if self.decompressor is None or self.decompressor.eof:  # a file may consist of several streams
                rest = self.decompressor.unused_data.lstrip(b"\0") if self.decompressor else b""  # after padding
                rest = rest or self.stream.read(READ_BYTES).lstrip(b"\0" if self.decompressor else b"")
                if not rest:
                    return 0
                self.decompressor = lzma.LZMADecompressor(memlimit=MAX_XZ_BYTES)
                data = self.decompressor.decompress(rest, len(buffer))
            elif self.decompressor.needs_input:
                rest = self.stream.read(READ_BYTES)
                if not rest:
                    raise EOFError("it ends within its compressed data")
                data = self.decompressor.decompress(rest, len(buffer))
            else:
                data = self.decompressor.decompress(b"", len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)


def describe_damage(problem: BaseException) -> str:
    """Return the reason of an error in one line, without the full stop."""
    reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
    return " ".join(reason.split()).rstrip(".")[:REASON_CHARS] or "no reason is given"


def decode_body(body: bytes, headers: dict[str, str], limit: int) -> bytes:
    """Undo the transfer and content encodings of an HTTP body. An encoding that does not fit the body is ignored."""
    from fastwarc.stream_io import BrotliReader, GzipReader, ZstdReader

    coders: dict[str, Callable[[io.BytesIO], Any]] = {
        "chunked": _join_chunks,
        "gzip": GzipReader,
        "x-gzip": GzipReader,
        "br": BrotliReader,
        "zstd": ZstdReader,
        "deflate": partial(_inflate, limit=limit),
    }
    codings = f"{headers.get('content-encoding', '')},{headers.get('transfer-encoding', '')}".split(",")
    for coding in codings[: -MAX_CODINGS - 1 : -1]:  # the last one was applied last
        if coder := coders.get(coding.strip()):
            with suppress(OSError, zlib.error):
                body = coder(io.BytesIO(body)).read(limit)
    return body


def _join_chunks(stream: io.BytesIO) -> io.BytesIO:
    """Join the chunks of a chunked body, which may be truncated. Return other data unchanged."""
    data, chunks, at = stream.read(), [], 0
    while found := CHUNK_HEADER.match(data, at):
        size = int(found[1], 16)
        chunks.append(data[found.end() : found.end() + size])
        at = found.end() + size
        at += 2 if data.startswith(b"\r\n", at) else 1 if data.startswith(b"\n", at) else 0
        if not size:
            break
    return io.BytesIO(b"".join(chunks) if at else data)


def _inflate(stream: io.BytesIO, limit: int) -> io.BytesIO:
    """Decompress deflate data, with or without a zlib header."""
    data = stream.read()
    for bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        try:
            return io.BytesIO(zlib.decompressobj(bits).decompress(data, limit))
        except zlib.error:
            continue
    return io.BytesIO(data)
