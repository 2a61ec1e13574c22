"""XML as it comes: its tags and texts one after the other, also where it is broken.

Nothing is fetched and no entity is expanded but the five of XML, those of HTML and numbers: what a document declares
(`<!ENTITY …>`) is read over, so that no sitemap or feed can reach a file or explode. Work and memory
grow with the text.
"""

from __future__ import annotations

import re
import zlib
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from bonmun.errors import Undecodable
from bonmun.page.parse.decode import decode

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BODY_BYTES", "Piece", "read_attribute", "read_pieces", "read_text"]

BODY_BYTES = 50_000_000  # of a sitemap or feed, unpacked; what comes after is not read
PIECES = 2_000_000  # of a document; a sitemap with 50,000 addresses has about 800,000
CHUNK_BYTES = 1 << 16  # unpacked at a time
MEMBERS = 1_000  # pieces that were packed one by one; further ones are not read
GZIP = b"\x1f\x8b"
# A tag, or the start of something else; names and attributes are never given back, so that no text takes long.
TOKEN = re.compile(
    r"<(?:(/?)(?:([A-Za-z_][\w.-]*+):)?+([A-Za-z_][\w.-]*+)([^<>]*+)>|(!--|!\[CDATA\[|[!?]))",
)
ENDS = {"!--": "-->", "![CDATA[": "]]>"}
VALUE = re.compile(r"""(?<![\w.:-])([\w.:-]++)\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')""")


class Piece(NamedTuple):
    """A tag or a text; a tag's name is in lower case, without its prefix. `<a/>` is followed by an end of its own."""

    kind: str  # "start", "end" or "text"
    name: str = ""
    prefix: str = ""
    text: str = ""  # a text, or the attributes of a tag


def read_text(body: bytes) -> str:
    """The text of a body, unpacked as far as it can be and no further than the limit; empty if it is none."""
    if body.startswith(GZIP):
        body = _unpack(body)
    try:
        return decode(body[:BODY_BYTES])[0]
    except Undecodable:
        return ""


def _unpack(body: bytes) -> bytes:
    """What gzip has packed, up to the limit or to where it is damaged; some servers pack what is packed already."""
    for _ in range(2):
        if body.startswith(GZIP):
            body = _unpack_once(body)
    return body


def _unpack_once(body: bytes) -> bytes:
    found, at = bytearray(), 0
    for _ in range(MEMBERS):
        inflate = zlib.decompressobj(31)
        while at < len(body) and not inflate.eof and len(found) < BODY_BYTES:
            chunk = body[at : at + CHUNK_BYTES]
            try:
                found += inflate.decompress(chunk, BODY_BYTES - len(found))
            except zlib.error:
                return bytes(found)
            at += len(chunk) - len(inflate.unused_data) - len(inflate.unconsumed_tail)
        if not body.startswith(GZIP, at) or len(found) >= BODY_BYTES:
            break
    return bytes(found)


def read_pieces(text: str) -> Iterator[Piece]:
    """The tags and texts of a document, in order."""
    at = 0
    for _ in range(PIECES):
        token = TOKEN.search(text, at)
        if plain := text[at : token.start() if token else len(text)].strip():
            yield Piece("text", text=unescape(plain) if "&" in plain else plain)
        if not token:
            break
        at = token.end()
        closes, prefix, name, attributes, mark = token.groups()
        if mark:
            end = text.find(ENDS.get(mark, ">"), at)
            end = end if end >= 0 else len(text)  # a comment or CDATA that nobody ends goes on to the end
            if mark == "![CDATA[":
                yield Piece("text", text=text[at:end].strip())
            at = end + len(ENDS.get(mark, ">"))
            continue
        name, prefix = name.lower(), prefix.lower() if prefix else ""
        if not closes:
            yield Piece("start", name, prefix, attributes)
        if closes or attributes.endswith("/"):
            yield Piece("end", name, prefix)


def read_attribute(attributes: str, name: str) -> str | None:
    """The value of an attribute of a tag, by its attributes as they are written; None where it has none."""
    return next(
        (unescape(found[2] or found[3] or "") for found in VALUE.finditer(attributes) if found[1] == name), None
    )
