"""An HTTP request and its response, as sent and received."""

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

__all__ = ["Exchange", "Headers", "Truncation"]

Headers = tuple[tuple[bytes, bytes], ...]
Truncation = Literal["length", "time", "disconnect"]  # why a body is incomplete: the values of WARC-Truncated


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request and its response. Header names and values are bytes, because servers send any bytes."""

    url: str
    status: int
    response_headers: Headers  # as received, with order and case
    body: bytes  # as received: still compressed, but with chunks joined
    started: datetime  # timezone-aware, in UTC
    seconds: float = 0.0  # until the last byte was received
    method: str = "GET"
    request_headers: Headers = ()  # as sent
    http_version: str = "1.1"
    reason: bytes = b""
    ip: str | None = None
    truncated: Truncation | None = None

    def get_header(self, name: str) -> str:
        """Return the values of a response header, joined by commas; empty if there are none."""
        wanted = name.lower().encode()
        values = [value.decode("latin-1").strip() for key, value in self.response_headers if key.lower() == wanted]
        return ", ".join(values)

    @property
    def content_type(self) -> str:
        """The media type of the response, such as text/html; empty if there is none."""
        return re.split("[;,]", self.get_header("content-type"))[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The encoding in the Content-Type header; None if it is missing or unknown."""
        found = CHARSET.search(self.get_header("content-type"))
        return found[1] if found and find_encoding(found[1]) else None

    @property
    def digest(self) -> str:
        """The digest of the body as received, in the format of WARC-Payload-Digest."""
        return f"sha1:{base64.b32encode(hashlib.sha1(self.body, usedforsecurity=False).digest()).decode()}"

    def decode_body(self, max_bytes: int) -> bytes:
        """Return the decompressed body.

        Raise TooBig if it is over the limit, FetchFailed if it is corrupt or in a content coding that was not accepted.
        """
        codings = [coding.strip() for coding in self.get_header("content-encoding").lower().split(",")]
        coding = ", ".join(coding for coding in codings if coding not in ("", "identity")) or "identity"
        return decompress_body([self.body] if self.body else [], coding, shorten_url(self.url), max_bytes)
