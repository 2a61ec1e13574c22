"""Read Chromium's resource files (`*.pak`).

Little-endian. Version 5: u32 version, u8 encoding, 3 bytes of padding, u16 number of resources, u16 number of aliases.
Version 4: u32 version, u32 number of resources, u8 encoding. Then one row per resource, and one more: u16 id and u32
offset of its first byte. A resource ends where the next one begins. (ui/base/resource/data_pack.cc in Chromium.)

A resource may be compressed with gzip, or with Brotli, which Python cannot decompress: those stay compressed.
"""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise
from typing import TYPE_CHECKING

from bonmun.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["decompress_resource", "read_pack"]

HEADERS = {4: (struct.Struct("<IB"), 0), 5: (struct.Struct("<B3xHH"), 1)}  # and the index of the resource count
VERSION = struct.Struct("<I")
ROW = struct.Struct("<HI")
MAX_RESOURCES = 65_536  # ids have 16 bits
GZIP = b"\x1f\x8b"


def read_pack(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the id and the bytes of each resource; raise BadInput if the pack is invalid or incomplete."""
    if len(data) < VERSION.size or (version := VERSION.unpack_from(data)[0]) not in HEADERS:
        raise BadInput("This is not a resource pack of version 4 or 5.")
    header, place = HEADERS[version]
    start = VERSION.size + header.size
    if len(data) < start:
        raise BadInput("The header of the resource pack is truncated.")
    count: int = header.unpack_from(data, VERSION.size)[place]
    stop = start + (count + 1) * ROW.size
    if count > MAX_RESOURCES or stop > len(data):
        raise BadInput(f"The resource pack is too short for the {count:,} resources in its header.")
    rows = list(ROW.iter_unpack(data[start:stop]))
    for (number, first), (_, last) in pairwise(rows):
        if not stop <= first <= last <= len(data):
            raise BadInput(f"Resource {number} is outside of the pack.")
        yield number, data[first:last]


def decompress_resource(data: bytes, max_bytes: int) -> bytes:
    """Decompress a gzip resource of at most `max_bytes` bytes; return any other resource unchanged."""
    if not data.startswith(GZIP):
        return data
    decompressor = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        found = decompressor.decompress(data, max_bytes)
    except zlib.error as problem:
        raise BadInput(f"A resource of the pack is damaged: {problem}.") from problem
    if not decompressor.eof:
        raise BadInput(f"A resource of the pack is truncated, or larger than {max_bytes:,} bytes.")
    return found
