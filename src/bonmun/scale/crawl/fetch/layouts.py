"""A page twice: as it was fetched, and as a browser laid it out; what a crawl takes from both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bonmun.scale.crawl.discover.links import find_canonical, find_links, is_followed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page
    from bonmun.scale.crawl.discover.links import Link

__all__ = ["SNAPSHOT_FOLDER", "Layout", "name_snapshot"]

SNAPSHOT_FOLDER = "snapshots"


@dataclass(frozen=True, slots=True)
class Layout:
    """What there is of a page; the links and words of both are its own, since scripts also take some away."""

    fetched: Page
    shown: Page | None = None  # by a browser
    snapshot: bytes | None = None  # of what is shown
    problem: str | None = None  # why it was not rendered, or without its scripts

    @property
    def best(self) -> Page:
        """The page as people see it, if that is known."""
        return self.shown or self.fetched

    @property
    def is_followed(self) -> bool:
        """Whether robots may follow its links."""
        return all(map(is_followed, self._pages()))

    def find_links(self, url: str) -> list[Link]:
        """Where it leads: those of the fetched page first, each address once."""
        found: dict[str, Link] = {}
        for page in self._pages():
            for link in find_links(page, url):
                known = found.get(link.url)
                found[link.url] = _join(known, link) if known else link
        return list(found.values())

    def find_canonical(self, url: str) -> str | None:
        """The address that it says is its own; scripts may have the last word."""
        return find_canonical(self.best, url) or find_canonical(self.fetched, url)

    def list_texts(self) -> Iterator[str]:
        """All that it says, with its titles."""
        for page in self._pages():
            yield page.head_title
            yield from page.texts

    def _pages(self) -> tuple[Page, ...]:
        return (self.fetched, self.shown) if self.shown else (self.fetched,)


def _join(first: Link, second: Link) -> Link:
    kind = first.kind if first.kind != "page" else second.kind
    return replace(first, anchor=first.anchor or second.anchor, kind=kind, follow=first.follow or second.follow)


def name_snapshot(number: int, visit: int, url: str) -> str:
    """The name of a snapshot's file: by the number of its URL and how often that was fetched before, so it is unique.

    A URL that was not finished has the same name when it is fetched again, so what was left half-way is overwritten.
    """
    from bonmun.snapshots import SNAPSHOT_SUFFIX, make_stem  # which loads numpy

    return f"{number:06}-{visit}-{make_stem(url)}{SNAPSHOT_SUFFIX}"
