"""Tokenise XML, broken or not, into tags and texts.

Nothing is fetched. Only the entities of XML and HTML and numeric references are expanded, not those that a document
declares (`<!ENTITY …>`), so no sitemap or feed can read a file or grow exponentially. Time and memory are linear.
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

__all__ = ["MAX_BODY_BYTES", "XmlToken", "decode_xml", "read_attribute", "read_tokens"]

MAX_BODY_BYTES = 50_000_000  # of a sitemap or feed after decompression; the rest is not read
MAX_TOKENS = 2_000_000  # of a document; a sitemap with 50,000 URLs has about 800,000
CHUNK_BYTES = 1 << 16  # decompressed at a time
MAX_GZIP_MEMBERS = 1_000  # the rest is not read
GZIP = b"\x1f\x8b"
# A tag, or the start of a comment, CDATA section, declaration or instruction. Possessive, so that it takes linear time.
TOKEN = re.compile(
    r"<(?:(/?)(?:([A-Za-z_][\w.-]*+):)?+([A-Za-z_][\w.-]*+)([^<>]*+)>|(!--|!\[CDATA\[|[!?]))",
)
ENDS = {"!--": "-->", "![CDATA[": "]]>"}
VALUE = re.compile(r"""(?<![\w.:-])([\w.:-]++)\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')""")


class XmlToken(NamedTuple):
    """A tag or a text. `<a/>` becomes a start and an end tag."""

    kind: str  # "start", "end" or "text"
    name: str = ""  # in lower case, without the prefix
    prefix: str = ""
    text: str = ""  # the text, or the attributes of the tag


def decode_xml(body: bytes) -> str:
    """Return the decompressed and decoded text of a body, up to MAX_BODY_BYTES; empty if it is not text."""
    if body.startswith(GZIP):
        body = _decompress(body)
    try:
        return decode(body[:MAX_BODY_BYTES])[0]
    except Undecodable:
        return ""


def _decompress(body: bytes) -> bytes:
    """Decompress gzip up to the limit or to the first damaged byte; twice, because some servers compress twice."""
    for _ in range(2):
        if body.startswith(GZIP):
            body = _decompress_once(body)
    return body


def _decompress_once(body: bytes) -> bytes:
    found, at = bytearray(), 0
    for _ in range(MAX_GZIP_MEMBERS):
        inflate = zlib.decompressobj(31)
        while at < len(body) and not inflate.eof and len(found) < MAX_BODY_BYTES:
            chunk = body[at : at + CHUNK_BYTES]
            try:
                found += inflate.decompress(chunk, MAX_BODY_BYTES - len(found))
            except zlib.error:
                return bytes(found)
            at += len(chunk) - len(inflate.unused_data) - len(inflate.unconsumed_tail)
        if not body.startswith(GZIP, at) or len(found) >= MAX_BODY_BYTES:
            break
    return bytes(found)


def read_tokens(text: str) -> Iterator[XmlToken]:
    """Yield the tags and texts of a document, in order."""
    at = 0
    for _ in range(MAX_TOKENS):
        token = TOKEN.search(text, at)
        if plain := text[at : token.start() if token else len(text)].strip():
            yield XmlToken("text", text=unescape(plain) if "&" in plain else plain)
        if not token:
            break
        at = token.end()
        closes, prefix, name, attributes, mark = token.groups()
        if mark:
            end = text.find(ENDS.get(mark, ">"), at)
            end = end if end >= 0 else len(text)  # an unclosed comment or CDATA section extends to the end
            if mark == "![CDATA[":
                yield XmlToken("text", text=text[at:end].strip())
            at = end + len(ENDS.get(mark, ">"))
            continue
        name, prefix = name.lower(), prefix.lower() if prefix else ""
        if not closes:
            yield XmlToken("start", name, prefix, attributes)
        if closes or attributes.endswith("/"):
            yield XmlToken("end", name, prefix)


def read_attribute(attributes: str, name: str) -> str | None:
    """Return the value of an attribute in the attributes of a tag, or None."""
    return next(
        (unescape(found[2] or found[3] or "") for found in VALUE.finditer(attributes) if found[1] == name), None
    )
