"""What a crawl knows of a page beside the page, as lines of a metadata record: where it was found, where it leads.

    via: https://portal.example/search?p=2
    anchor: 등대에 다시 불이 켜지다
    hopsFromSeed: 2
    fetchTimeMs: 84
    outlink: https://pier.example/2 page The next story

The anchor is near the start, so that a reader needs no more of the record than that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bonmun.scale.crawl.fetch.http_heads import clean_url

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["OutLink", "PageNotes", "write_notes"]

ANCHOR_CHARS = 1000  # of the text of a link, at most
OUTLINK_BYTES = 4_000_000  # of all out-links of a page, at most


class OutLink(Protocol):
    """A link of a page: see `scale/crawl/discover/links.py`."""

    @property
    def url(self) -> str:
        """Where it leads."""

    @property
    def anchor(self) -> str:
        """Its text."""

    @property
    def kind(self) -> str:
        """What is behind it: page, feed, …; one word."""

    @property
    def follow(self) -> bool:
        """Whether the page allows it to be followed."""


@dataclass(frozen=True, slots=True)
class PageNotes:
    """Where a page was found, and where it leads."""

    via: str | None = None  # the page with the link to it
    anchor: str | None = None  # the text of that link
    depth: int = 0  # links from a seed
    links: Sequence[OutLink] = ()


def write_notes(notes: PageNotes, seconds: float) -> bytes:
    """The lines; those of out-links are left out from where they are too many, and counted."""
    lines = [f"via: {clean_url(notes.via)}"] if notes.via else []
    if notes.anchor and (anchor := _fold(notes.anchor)):
        lines.append(f"anchor: {anchor}")
    lines += [f"hopsFromSeed: {notes.depth}", f"fetchTimeMs: {round(seconds * 1000)}"]
    size = 0
    for number, link in enumerate(notes.links):
        kind = link.kind if link.follow else f"{link.kind}/nofollow"
        line = f"outlink: {clean_url(link.url)} {kind} {_fold(link.anchor)}".rstrip()
        size += len(line.encode("utf-8", "replace"))
        if size > OUTLINK_BYTES:
            lines.append(f"outlinksLeftOut: {len(notes.links) - number}")
            break
        lines.append(line)
    return "".join(f"{line}\r\n" for line in lines).encode("utf-8", "replace")


def _fold(text: str) -> str:
    """A text on one line, without what cannot be shown."""
    line = " ".join(text[: 4 * ANCHOR_CHARS].split())[:ANCHOR_CHARS]
    return line if line.isprintable() else " ".join("".join(c if c.isprintable() else " " for c in line).split())
