"""Format WARC metadata records: where a page was found, and its outlinks.

    via: https://portal.example/search?p=2
    anchor: 등대에 다시 불이 켜지다
    hopsFromSeed: 2
    fetchTimeMs: 84
    outlink: https://pier.example/2 page The next story

The anchor is near the start, so readers need not read the whole record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bonmun.scale.crawl.fetch.http_heads import clean_url

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["OutLink", "WarcMetadata", "format_metadata"]

MAX_ANCHOR_CHARS = 1000
MAX_OUTLINK_BYTES = 4_000_000  # of all outlinks of a page


class OutLink(Protocol):
    """A link of a page, such as `discover.links.PageLink`."""

    @property
    def url(self) -> str:
        """The target."""

    @property
    def anchor(self) -> str:
        """The text of the link."""

    @property
    def kind(self) -> str:
        """The kind of the target in one word: page, feed, …."""

    @property
    def follow(self) -> bool:
        """Whether robots may follow the link."""


@dataclass(frozen=True, slots=True)
class WarcMetadata:
    """Where a page was found, and its outlinks."""

    via: str | None = None  # the page with the link to it
    anchor: str | None = None  # the text of that link
    depth: int = 0  # links from a seed
    links: Sequence[OutLink] = ()


def format_metadata(metadata: WarcMetadata, seconds: float) -> bytes:
    """Return the lines of a metadata record; outlinks over the limit are omitted and counted."""
    lines = [f"via: {clean_url(metadata.via)}"] if metadata.via else []
    if metadata.anchor and (anchor := _fold(metadata.anchor)):
        lines.append(f"anchor: {anchor}")
    lines += [f"hopsFromSeed: {metadata.depth}", f"fetchTimeMs: {round(seconds * 1000)}"]
    size = 0
    for number, link in enumerate(metadata.links):
        kind = link.kind if link.follow else f"{link.kind}/nofollow"
        line = f"outlink: {clean_url(link.url)} {kind} {_fold(link.anchor)}".rstrip()
        size += len(line.encode("utf-8", "replace"))
        if size > MAX_OUTLINK_BYTES:
            lines.append(f"outlinksLeftOut: {len(metadata.links) - number}")
            break
        lines.append(line)
    return "".join(f"{line}\r\n" for line in lines).encode("utf-8", "replace")


def _fold(text: str) -> str:
    """Return a text on one line, without unprintable characters."""
    line = " ".join(text[: 4 * MAX_ANCHOR_CHARS].split())[:MAX_ANCHOR_CHARS]
    return line if line.isprintable() else " ".join("".join(c if c.isprintable() else " " for c in line).split())
