"""Bytes as they were before they were packed: files by gzip, xz or zstd, pages for their way over HTTP."""

from __future__ import annotations

import gzip
import io
import lzma
import zlib
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from bonmun.errors import MissingExtra
from bonmun.options import DEFAULTS

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DAMAGED", "unpacked", "unpacked_body"]

MAGIC = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "xz", b"(\xb5/\xfd": "zstd"}
DAMAGED = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)  # what reading a damaged file raises


def unpacked(file: BinaryIO) -> BinaryIO:
    """A stream as it was before it was packed, if its first bytes say that it was."""
    stream = file if isinstance(file, io.BufferedReader) else io.BufferedReader(cast("io.RawIOBase", file))
    start = stream.peek(6)[:6]
    kind = next((kind for magic, kind in MAGIC.items() if start.startswith(magic)), None)
    if kind == "gzip":
        return cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    if kind == "xz":
        return cast("BinaryIO", lzma.LZMAFile(stream))
    if kind == "zstd":
        try:
            import pyarrow
        except ImportError:
            raise MissingExtra("Zstandard is read with pyarrow: pip install 'bonmun[corpus]'.") from None
        return cast("BinaryIO", pyarrow.CompressedInputStream(stream, "zstd"))
    return cast("BinaryIO", stream)


def unpacked_body(body: bytes, headers: dict[str, str], limit: int) -> bytes:
    """A page as it was before it was packed for the way; as it is, where the header lies about that."""
    from fastwarc.stream_io import BrotliReader, ChunkedReader, GzipReader, ZstdReader

    coders: dict[str, Callable[[io.BytesIO], Any]] = {
        "chunked": ChunkedReader,
        "gzip": GzipReader,
        "x-gzip": GzipReader,
        "br": BrotliReader,
        "zstd": ZstdReader,
        "deflate": _inflated,
    }
    codings = f"{headers.get('content-encoding', '')},{headers.get('transfer-encoding', '')}".split(",")
    for coding in reversed(codings):
        if coder := coders.get(coding.strip()):
            try:
                body = coder(io.BytesIO(body)).read(limit) or body
            except (OSError, zlib.error):
                continue
    return body


def _inflated(stream: io.BytesIO) -> io.BytesIO:
    """Both things that servers call deflate."""
    data = stream.read()
    for bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        try:
            return io.BytesIO(zlib.decompressobj(bits).decompress(data, DEFAULTS.max_bytes + 1))
        except zlib.error:
            continue
    return io.BytesIO(data)
