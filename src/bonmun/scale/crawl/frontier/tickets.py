"""A URL on its way: found, with a ticket when its turn has come, and what has come of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Copy", "Fetch", "Found", "Ticket"]


class Found(NamedTuple):
    """A URL that something has led to."""

    url: str
    kind: str = "page"
    depth: int = 0
    hops: int = 0
    via: str | None = None
    anchor: str | None = None


class Ticket(NamedTuple):
    """A URL whose turn it is."""

    id: int
    url: str
    host: str
    kind: str
    depth: int
    hops: int
    via: str | None
    anchor: str | None
    tries: int  # before this one
    ready: float  # not before this moment
    etag: str | None
    modified: str | None


class Copy(NamedTuple):
    """An earlier answer with the same body."""

    id: int
    url: str
    fetched: float
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """What has come of a request."""

    fetched: float
    seconds: float | None = None
    status: int | None = None
    mime: str | None = None
    bytes: int = 0
    is_page: bool = False
    digest: str | None = None
    copy_of: int | None = None
    canonical: str | None = None
    file: str | None = None
    offset: int | None = None
    length: int | None = None
    tries: int = 1
    error: str | None = None
    snapshot: str | None = None
