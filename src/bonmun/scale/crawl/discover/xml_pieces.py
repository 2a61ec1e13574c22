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

__all__ = [
    "MAX_BODY_BYTES",
    "FieldTexts",
    "XmlToken",
    "decode_xml",
    "expand_references",
    "read_attribute",
    "read_tokens",
]

MAX_BODY_BYTES = 50_000_000  # of a sitemap or feed after decompression; the rest is not read
MAX_TOKENS = 2_000_000  # of a document; a sitemap with 50,000 URLs has about 800,000
CHUNK_BYTES = 1 << 16  # decompressed at a time
MAX_GZIP_MEMBERS = 1_000  # the rest is not read
MAX_FIELD_CHARS = 20_000  # of the text of an element; the rest is not read. No URL, title or date is as long
GZIP = b"\x1f\x8b"
# A tag, or the start of a comment, CDATA section, declaration or instruction. Possessive, so that it takes linear time.
TOKEN = re.compile(
    r"<(?:(/?)(?:([A-Za-z_][\w.-]*+):)?+([A-Za-z_][\w.-]*+)([^<>]*+)>|(!--|!\[CDATA\[|[!?]))",
)
ENDS = {"!--": "-->", "![CDATA[": "]]>"}
# A numeric reference beyond all characters. Python refuses to convert more than 4,300 digits.
HUGE_REFERENCE = re.compile(r"&#[0-9]{10,}+;?")
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
            yield XmlToken("text", text=expand_references(plain))
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
        (expand_references(found[2] or found[3] or "") for found in VALUE.finditer(attributes) if found[1] == name),
        None,
    )


def expand_references(text: str) -> str:
    """Return a text with its character references expanded; a number that is no character becomes U+FFFD.

    >>> expand_references("caf&eacute; &#" + "9" * 5000 + "; &#65;")
    'café \ufffd A'
    """
    return unescape(HUGE_REFERENCE.sub("\ufffd", text)) if "&" in text else text


class FieldTexts:
    """The texts of named elements. A text may arrive in any number of pieces; it is cut at MAX_FIELD_CHARS."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[str]] = {}
        self._chars: dict[str, int] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._pieces

    def add(self, name: str, text: str) -> None:
        """Add a piece to the text of an element."""
        chars = self._chars.get(name, 0)
        if chars < MAX_FIELD_CHARS:
            self._pieces.setdefault(name, []).append(text[: MAX_FIELD_CHARS - chars])
            self._chars[name] = chars + len(text)

    def get(self, name: str) -> str:
        """Return the text of an element; empty if there is none."""
        return "".join(self._pieces.get(name, ()))
