"""Hosts that send too much or too slowly."""

from __future__ import annotations

import gzip
import zlib
from functools import cache
from itertools import chain, repeat
from typing import TYPE_CHECKING

from loopback import Reply, Request, link_pages
from made_text import make_paragraphs

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BombHost", "EndlessMapsHost", "SlowHost"]

MEGABYTE = 1 << 20
GIGABYTE = 1 << 30
CRC_OF_ZEROS = 0x5B64C2B0  # of a gigabyte of zeros; computing it takes half a second
BIG_PAGE_MEGABYTES = 30
TEXT = "".join(f"<p>{paragraph}</p>" for paragraph in make_paragraphs("en", 3, 20)).encode()
SHORT = TEXT[:600]
HEAD = b"<!doctype html><html lang=en><title>A long page</title><body>"


@cache
def make_bomb() -> bytes:
    """Return a gzip bomb: a megabyte that decompresses to a gigabyte of zeros."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)  # can be repeated
    head = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    end = b"\x03\x00" + CRC_OF_ZEROS.to_bytes(4, "little") + GIGABYTE.to_bytes(4, "little")
    return head + block * (GIGABYTE // MEGABYTE) + end


@cache
def make_double_bomb() -> bytes:
    """Return the bomb compressed twice: a few kilobytes."""
    return gzip.compress(make_bomb(), 9, mtime=0)


class BombHost:
    """bomb.example: bodies that decompress to far larger ones, or never end."""

    PATHS = (
        "/gzip",
        "/twice",
        "/sitemap.xml.gz",
        "/endless",
        "/endless-chunks",
        "/endless-gzip",
        "/endless-head",
        "/big",
    )

    def answer(self, request: Request) -> Reply:
        """Return one of the bombs; the front page links to all of them."""
        path = request.path
        if path == "/":
            return Reply(link_pages("Bombs", self.PATHS))
        if path == "/gzip":
            return Reply(make_bomb(), headers=(("Content-Encoding", "gzip"),))
        if path == "/twice":
            return Reply(make_double_bomb(), headers=(("Content-Encoding", "gzip, gzip"),))
        if path == "/sitemap.xml.gz":
            return Reply(make_bomb(), "application/gzip")
        if path in ("/endless", "/endless-chunks"):
            return Reply(stream=chain([HEAD], repeat(TEXT)), chunked=path == "/endless-chunks")
        if path == "/endless-gzip":
            return Reply(stream=repeat(make_bomb()[:-10]), headers=(("Content-Encoding", "gzip"),))
        if path == "/endless-head":
            return Reply(headers=tuple((f"X-Header-{number}", "x" * 1000) for number in range(20_000)))
        if path == "/big":
            times = BIG_PAGE_MEGABYTES * MEGABYTE // len(TEXT)
            return Reply(stream=chain([HEAD], repeat(TEXT, times)), headers=(("X-Size", f"{BIG_PAGE_MEGABYTES} MB"),))
        return Reply("No such page.", status=404)


class SlowHost:
    """slow.example: heads and bodies that are sent byte by byte, late, or incompletely."""

    PATHS = ("/head", "/body", "/late", "/stall", "/silence")

    def __init__(self, seconds: float = 1.0) -> None:
        self.seconds = seconds  # between two bytes, or before a late response

    def answer(self, request: Request) -> Reply:
        """Return one of the slow pages; the front page, which links to all of them, is not slow."""
        streams: dict[str, Iterator[bytes | float]] = {
            "/body": self._drip(HEAD + SHORT),
            "/stall": chain([HEAD, SHORT[:300]], repeat(self.seconds)),
        }
        if request.path == "/":
            return Reply(link_pages("Slow", self.PATHS))
        if request.path == "/head":
            return Reply(HEAD + SHORT, drip=self.seconds)
        if request.path == "/late":
            return Reply(HEAD + SHORT, delay=self.seconds)
        if request.path == "/silence":
            return Reply(delay=1e6)
        if request.path in streams:
            return Reply(stream=streams[request.path], length=len(HEAD + SHORT))
        return Reply("No such page.", status=404)

    def _drip(self, body: bytes) -> Iterator[bytes | float]:
        for byte in body:
            yield bytes([byte])
            yield self.seconds


class EndlessMapsHost:
    """maps.endless.example: two pages, and sitemap indexes that list sitemap indexes without end."""

    def answer(self, request: Request) -> Reply:
        """Return a page, or an index of a hundred new indexes."""
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: http://{request.host}/map", "text/plain")
        if request.path.startswith("/map"):
            maps = "".join(f"<sitemap><loc>{request.path}-{number}</loc></sitemap>" for number in range(100))
            return Reply(f"<sitemapindex>{maps}</sitemapindex>", "text/xml")
        return Reply(link_pages("A page", ["/", "/other"]))
