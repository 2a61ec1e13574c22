"""Records of a URL in the frontier: found, claimed for fetching, and fetched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Claim", "EarlierFetch", "Fetch", "FoundUrl"]


class FoundUrl(NamedTuple):
    """A URL found by the crawl."""

    url: str
    kind: str = "page"
    depth: int = 0
    hops: int = 0
    via: str | None = None
    anchor: str | None = None


class Claim(NamedTuple):
    """A URL that was taken from the frontier to be fetched now."""

    id: int
    url: str
    host: str
    kind: str
    depth: int
    hops: int
    via: str | None
    anchor: str | None
    tries: int  # before this one
    ready: float  # earliest time of the request
    etag: str | None
    modified: str | None


class EarlierFetch(NamedTuple):
    """An earlier fetch with the same body."""

    id: int
    url: str
    fetched: float
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """The outcome of a request."""

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
