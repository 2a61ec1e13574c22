"""Bytes as they were before they were packed: files by gzip, xz or zstd, pages for their way over HTTP."""

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

__all__ = ["DAMAGE_ERRORS", "decode_body", "decompress"]

MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"(\xb5/\xfd": "zstd"}
READ_BYTES = 1 << 14  # at a time: what was unpacked of them when a file turns out to be damaged is lost
CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
SKIPPABLE = re.compile(rb"[\x50-\x5f]\*M\x18")
DAMAGE_ERRORS = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)  # what reading a damaged file raises


def decompress(file: BinaryIO) -> BinaryIO:
    """A stream as it was before it was packed, if its first bytes say that it was."""
    stream = file if isinstance(file, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", file))
    start = stream.peek(6)[:6]
    packing = next((packing for magic, packing in MAGIC.items() if start.startswith(magic)), None)
    if SKIPPABLE.match(start):  # a frame to be skipped, which some writers of zstd begin with
        packing = "zstd"
    elif start and any(len(start) < len(magic) and magic.startswith(start) for magic in MAGIC):
        raise EOFError("it ends within its first bytes")
    if packing == "gzip":
        return cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    if packing == "xz":
        return cast("BinaryIO", lzma.LZMAFile(stream))
    if packing == "zstd":
        try:
            import pyarrow
        except ImportError:
            raise MissingExtra("Zstandard is read with pyarrow: pip install 'bonmun[corpus]'.") from None
        packed = pyarrow.CompressedInputStream(stream, "zstd")
        return cast("BinaryIO", io.BufferedReader(packed, READ_BYTES))
    return cast("BinaryIO", stream)


def decode_body(body: bytes, headers: dict[str, str], limit: int) -> bytes:
    """A page as it was before it was packed for the way; as it is, where the header lies about that."""
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
    for coding in reversed(codings):
        if coder := coders.get(coding.strip()):
            with suppress(OSError, zlib.error):
                body = coder(io.BytesIO(body)).read(limit)
    return body


def _join_chunks(stream: io.BytesIO) -> io.BytesIO:
    """Chunks as one, up to where they end or are cut; anything else as it is."""
    data, chunks, at = stream.read(), [], 0
    while found := CHUNK.match(data, at):
        size = int(found[1], 16)
        chunks.append(data[found.end() : found.end() + size])
        at = found.end() + size
        at += 2 if data.startswith(b"\r\n", at) else 1 if data.startswith(b"\n", at) else 0
        if not size:
            break
    return io.BytesIO(b"".join(chunks) if at else data)


def _inflate(stream: io.BytesIO, limit: int) -> io.BytesIO:
    """Both things that servers call deflate."""
    data = stream.read()
    for bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        try:
            return io.BytesIO(zlib.decompressobj(bits).decompress(data, limit))
        except zlib.error:
            continue
    return io.BytesIO(data)
