"""Read the bodies of requests within limits on size, time and memory."""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fastapi import HTTPException

from bonmun.app.serve.forms import FORM_TYPES
from bonmun.app.serve.jobs import MEDIA_TYPES, JobRequest
from bonmun.errors import TooBig, TooBusy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastapi import Request

    from bonmun.app.serve.settings import ServiceOptions
    from bonmun.errors import BonmunError

__all__ = ["BodyMemory", "choose_format", "read_json_object", "read_request"]

PAGE_TYPES = frozenset(  # "": no header
    {"", "text/html", "application/xhtml+xml", "application/xml", "text/xml", "text/plain", "application/octet-stream"}
)
JSON_TYPE = "application/json"
MAX_LENGTH_DIGITS = 18  # of Content-Length that are parsed; a longer number is too large anyway
MAX_ACCEPTED_TYPES = 50  # in an Accept header; the rest is ignored


class BodyMemory:
    """The memory that the bodies of all open requests use together."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0

    @contextmanager
    def reserve(self) -> Iterator[_BodyUsage]:
        """Count the memory of one request while the block runs."""
        usage = _BodyUsage(self)
        try:
            yield usage
        finally:
            self.size -= usage.size


class _BodyUsage:
    """The memory that the body of one request uses."""

    def __init__(self, memory: BodyMemory) -> None:
        self.memory = memory
        self.size = 0

    def add(self, size: int) -> None:
        """Count more bytes; raises TooBusy if all requests together exceed the limit."""
        self.size += size
        self.memory.size += size
        if self.memory.size > self.memory.limit:
            raise TooBusy("The open requests use too much memory; try again later.")


async def read_request(
    request: Request, formats: Sequence[str], settings: ServiceOptions, usage: _BodyUsage
) -> JobRequest:
    """Read the body and the headers of a request."""
    declared = request.headers.get("content-type", "")
    kind, charset = _read_type(declared)
    if kind not in PAGE_TYPES and kind not in FORM_TYPES and kind != JSON_TYPE:
        raise HTTPException(415, f"The Content-Type must be text/html, application/json or a form, not {kind[:100]!r}.")
    if request.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise HTTPException(415, "The body must not be compressed: send it without Content-Encoding.")
    body = await _read_body(request, settings, usage)
    query = request.scope["query_string"].decode("latin-1")
    accepted = choose_format(request.headers.get("accept", ""), formats)
    return JobRequest(body, kind == JSON_TYPE, declared if kind in FORM_TYPES else "", charset, query, accepted)


async def read_json_object(request: Request, max_bytes: int, what: str, error: type[BonmunError]) -> dict[str, Any]:
    """Return the JSON object in the body of a request; `what` names it in messages, `error` is raised if it is none."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_bytes:
            raise TooBig(f"The {what} is larger than {max_bytes:,} bytes, the maximum.")
    try:
        values = await asyncio.to_thread(json.loads, body or b"{}")
    except (ValueError, RecursionError):
        raise error(f"The body is not JSON: send the {what} as a JSON object.") from None
    if not isinstance(values, dict):
        raise error(f"The {what} must be a JSON object.")
    return values


async def _read_body(request: Request, settings: ServiceOptions, usage: _BodyUsage) -> bytes:
    """Read a body up to the maximum page size; the Content-Length header is not trusted."""
    too_big = TooBig(f"The page is larger than {settings.max_bytes:,} bytes, the maximum of this service.")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:MAX_LENGTH_DIGITS]) > settings.max_bytes:
        raise too_big
    chunks: list[bytes] = []
    try:
        async with asyncio.timeout(settings.body_seconds):
            async for chunk in request.stream():
                usage.add(len(chunk))
                if usage.size > settings.max_bytes:
                    raise too_big
                chunks.append(chunk)
    except TimeoutError:
        raise HTTPException(408, f"The body was not received within {settings.body_seconds:g} seconds.") from None
    return b"".join(chunks)


def _read_type(header: str) -> tuple[str, str | None]:
    """Return the media type in a Content-Type header, and its charset."""
    kind, _, rest = header.partition(";")
    for part in rest.split(";"):
        name, _, value = part.partition("=")
        if name.strip().lower() == "charset":
            return kind.strip().lower(), value.strip(" \t\"'") or None
    return kind.strip().lower(), None


def choose_format(header: str, formats: Sequence[str]) -> str | None:
    """Return the format that an Accept header prefers, or None if it names none of the formats."""
    names = {MEDIA_TYPES[name].partition(";")[0]: name for name in formats}
    names |= {other: "xml" for other in ("application/xml", "text/xml") if "xml" in formats}
    best, found = 0.0, None
    for part in header.split(",")[:MAX_ACCEPTED_TYPES]:
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
