"""One request and its answer, as they went over the wire: what a crawl knows of a URL that it has fetched."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from bonmun.page.parse.decode import find_encoding
from bonmun.scale.web.download import CHARSET, decompress_body, shorten_url

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["Cut", "Exchange", "Headers"]

Headers = tuple[tuple[bytes, bytes], ...]
Cut = Literal["length", "time", "disconnect"]  # why a body is not whole, in the words of WARC-Truncated


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request, and the answer to it. Names and values of headers are bytes, since servers send any."""

    url: str
    status: int
    response_headers: Headers  # as received: order and case kept
    body: bytes  # as received: still compressed; only chunking is undone
    started: datetime  # in UTC, with its time zone
    seconds: float = 0.0  # until the last byte was there
    method: str = "GET"
    request_headers: Headers = ()  # as sent
    http_version: str = "1.1"
    reason: bytes = b""
    ip: str | None = None
    cut: Cut | None = None

    def get_header(self, name: str) -> str:
        """The values of a header of the answer, with commas between them; empty if there is none."""
        wanted = name.lower().encode()
        values = [value.decode("latin-1").strip() for key, value in self.response_headers if key.lower() == wanted]
        return ", ".join(values)

    @property
    def content_type(self) -> str:
        """What the answer says it is: text/html; empty if it says nothing."""
        return re.split("[;,]", self.get_header("content-type"))[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The encoding that the header names, if there is one of that name."""
        found = CHARSET.search(self.get_header("content-type"))
        return found[1] if found and find_encoding(found[1]) else None

    @property
    def digest(self) -> str:
        """The digest of the body as it was received, as WARC-Payload-Digest has it: two of a kind are duplicates."""
        return f"sha1:{base64.b32encode(hashlib.sha1(self.body, usedforsecurity=False).digest()).decode()}"

    def decode_body(self, max_bytes: int) -> bytes:
        """The body as it was before it was compressed for the way.

        TooBig is raised where it goes over the limit, FetchFailed where it is broken, or compressed in a way that
        was not asked for.
        """
        codings = [coding.strip() for coding in self.get_header("content-encoding").lower().split(",")]
        coding = ", ".join(coding for coding in codings if coding not in ("", "identity")) or "identity"
        return decompress_body([self.body] if self.body else [], coding, shorten_url(self.url), max_bytes)
