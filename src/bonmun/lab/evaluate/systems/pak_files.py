"""The files that Chromium keeps its resources in, `*.pak`: bytes in, the resources out.

Little-endian. Version 5: u32 version, u8 encoding, 3 bytes of nothing, u16 number of resources, u16 number of aliases.
Version 4: u32 version, u32 number of resources, u8 encoding. Then a row for each resource and one more, u16 id and u32
offset of its first byte; a resource ends where the next one begins. (ui/base/resource/data_pack.cc in Chromium.)

A resource may be packed with gzip, or with Brotli, which Python cannot unpack: those are left packed.
"""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise
from typing import TYPE_CHECKING

from bonmun.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_pack", "unpack_resource"]

HEADS = {4: (struct.Struct("<IB"), 0), 5: (struct.Struct("<B3xHH"), 1)}  # and which field is the number of resources
VERSION = struct.Struct("<I")
ROW = struct.Struct("<HI")
MOST_RESOURCES = 65_536  # ids have 16 bits
GZIP = b"\x1f\x8b"


def read_pack(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Give the id and the bytes of each resource; BadInput says that this is no whole pack."""
    if len(data) < VERSION.size or (version := VERSION.unpack_from(data)[0]) not in HEADS:
        raise BadInput("This is no resource pack of version 4 or 5.")
    head, place = HEADS[version]
    start = VERSION.size + head.size
    if len(data) < start:
        raise BadInput("The resource pack ends in its head.")
    count: int = head.unpack_from(data, VERSION.size)[place]
    stop = start + (count + 1) * ROW.size
    if count > MOST_RESOURCES or stop > len(data):
        raise BadInput(f"The resource pack says that it has {count:,} resources, but is too short for that.")
    rows = list(ROW.iter_unpack(data[start:stop]))
    for (number, first), (_, last) in pairwise(rows):
        if not stop <= first <= last <= len(data):
            raise BadInput(f"Resource {number} of the pack lies outside of it.")
        yield number, data[first:last]


def unpack_resource(data: bytes, most: int) -> bytes:
    """Unpack a resource of at most so many bytes; one that is not packed with gzip is as it is."""
    if not data.startswith(GZIP):
        return data
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        found = unpacker.decompress(data, most)
    except zlib.error as problem:
        raise BadInput(f"A resource of the pack is damaged: {problem}.") from problem
    if not unpacker.eof:
        raise BadInput(f"A resource of the pack is cut off, or has more than {most:,} bytes.")
    return found
