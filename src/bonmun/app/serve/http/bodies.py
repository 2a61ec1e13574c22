"""Bodies of requests: read within limits on size, time and memory, and described for the children that read on."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fastapi import HTTPException

from bonmun.app.serve.jobs import MEDIA_TYPES, JobRequest
from bonmun.errors import TooBig, TooBusy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastapi import Request

    from bonmun.app.serve.settings import ServiceOptions

__all__ = ["Held", "choose_format", "read_request"]

PAGE_TYPES = frozenset(  # "" is a missing header
    {"", "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain", "application/octet-stream"}
)
JSON_TYPE = "application/json"
MOST_DIGITS = 18  # of a length that are looked at: more say that it is too long
MANY_ACCEPTED = 50  # what a header may list; more is not looked at


class Held:
    """How many bytes of bodies are held at a time, in all requests together."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0

    @contextmanager
    def count(self) -> Iterator[_Share]:
        """What one request holds, while the block runs."""
        share = _Share(self)
        try:
            yield share
        finally:
            self.size -= share.size


class _Share:
    """What one request holds of it."""

    def __init__(self, held: Held) -> None:
        self.held = held
        self.size = 0

    def add(self, size: int) -> None:
        """Hold more; raises TooBusy if all requests together hold too much."""
        self.size += size
        self.held.size += size
        if self.held.size > self.held.limit:
            raise TooBusy("The service holds as many bytes of pages as it may; ask again later.")


async def read_request(request: Request, formats: Sequence[str], settings: ServiceOptions, share: _Share) -> JobRequest:
    """Read the body of a request, and say what it asks for."""
    kind, charset = _read_type(request.headers.get("content-type", ""))
    if kind not in PAGE_TYPES and kind != JSON_TYPE:
        raise HTTPException(415, f"A body is text/html or application/json, as Content-Type says, not {kind[:100]!r}.")
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise HTTPException(415, "A body must not be compressed: send it without Content-Encoding.")
    body = await _read_body(request, settings, share)
    query = request.scope["query_string"].decode("latin-1")
    return JobRequest(
        body, kind == JSON_TYPE, charset, query, choose_format(request.headers.get("accept", ""), formats)
    )


async def _read_body(request: Request, settings: ServiceOptions, share: _Share) -> bytes:
    """Read a body, but never more than a page may have; what a header says of its length is not believed."""
    too_big = TooBig(f"The page is larger than {settings.max_bytes:,} bytes, the most that this service takes.")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:MOST_DIGITS]) > settings.max_bytes:
        raise too_big
    chunks: list[bytes] = []
    try:
        async with asyncio.timeout(settings.body_seconds):
            async for chunk in request.stream():
                share.add(len(chunk))
                if share.size > settings.max_bytes:
                    raise too_big
                chunks.append(chunk)
    except TimeoutError:
        raise HTTPException(408, f"The body did not come within {settings.body_seconds:g} seconds.") from None
    return b"".join(chunks)


def _read_type(header: str) -> tuple[str, str | None]:
    """A content type and its charset."""
    kind, _, rest = header.partition(";")
    for part in rest.split(";"):
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            return kind.strip().lower(), value.strip(" \t\"'") or None
    return kind.strip().lower(), None


def choose_format(header: str, formats: Sequence[str]) -> str | None:
    """Which of some formats a header Accept likes best; None where it likes none of them by name."""
    names = {MEDIA_TYPES[name].partition(";")[0]: name for name in formats}
    names |= {other: "xml" for other in ("application/xml", "text/xml") if "xml" in formats}
    best, found = 0.0, None
    for part in header.split(",")[:MANY_ACCEPTED]:
        kind, *rest = (piece.strip().lower() for piece in part.split(";"))
        weight = _read_weight(rest)
        if kind in names and weight > best:
            best, found = weight, names[kind]
    return found


def _read_weight(parts: Sequence[str]) -> float:
    for part in parts:
        if part.startswith("q="):
            try:
                return float(part[2:])
            except ValueError:
                return 0.0
    return 1.0
