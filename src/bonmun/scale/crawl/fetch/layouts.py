"""A page as fetched and as rendered, and what a crawl reads from both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bonmun.scale.crawl.discover.links import allows_following, find_canonical, find_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.page import Page
    from bonmun.scale.crawl.discover.links import PageLink

__all__ = ["SNAPSHOT_FOLDER", "PageVersions", "name_snapshot"]

SNAPSHOT_FOLDER = "snapshots"


@dataclass(frozen=True, slots=True)
class PageVersions:
    """A page as fetched and, if a browser rendered it, as rendered.

    Links and texts are taken from both, because scripts also remove some.
    """

    fetched: Page
    rendered: Page | None = None

    @property
    def best(self) -> Page:
        """The rendered page, else the fetched one."""
        return self.rendered or self.fetched

    @property
    def allows_following(self) -> bool:
        """Whether both versions allow robots to follow their links."""
        return all(map(allows_following, self._pages()))

    def find_links(self, url: str) -> list[PageLink]:
        """Return the links of both versions, those of the fetched page first, each URL once."""
        found: dict[str, PageLink] = {}
        for page in self._pages():
            for link in find_links(page, url):
                first = found.get(link.url)
                found[link.url] = _merge(first, link) if first else link
        return list(found.values())

    def find_canonical(self, url: str) -> str | None:
        """Return the canonical URL of the rendered page, else of the fetched one."""
        return find_canonical(self.best, url) or find_canonical(self.fetched, url)

    def list_texts(self) -> Iterator[str]:
        """Yield the titles and texts of both versions."""
        for page in self._pages():
            yield page.head_title
            yield from page.texts

    def _pages(self) -> tuple[Page, ...]:
        return (self.fetched, self.rendered) if self.rendered else (self.fetched,)


def _merge(first: PageLink, second: PageLink) -> PageLink:
    kind = first.kind if first.kind != "page" else second.kind
    return replace(first, anchor=first.anchor or second.anchor, kind=kind, follow=first.follow or second.follow)


def name_snapshot(number: int, visit: int, url: str) -> str:
    """Return a unique file name for a snapshot, made of the id of its URL and the number of earlier fetches.

    A URL whose fetch was interrupted gets the same name again, so an incomplete snapshot is overwritten.
    """
    from bonmun.snapshots import SNAPSHOT_SUFFIX, make_stem  # loads numpy

    return f"{number:06}-{visit}-{make_stem(url)}{SNAPSHOT_SUFFIX}"
