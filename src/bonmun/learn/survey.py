"""Survey pages: group them by site, and the pages of each site by layout.

Pages are read twice: once for their skeletons, and once more, a sample of them, to extract them. So only skeletons are
held in memory, and the pages of one site at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from bonmun.learn.studied import StudiedPage
from bonmun.pipeline import extract
from bonmun.rules.rule_set import find_page_host
from bonmun.sites.domains import find_registered_domain
from bonmun.sites.keys import hash_bytes
from bonmun.sites.layouts import find_layouts, read_skeleton

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bonmun.options import Options
    from bonmun.page import Page
    from bonmun.sites.key_arrays import KeyArray

    Load = Callable[[int], "NamedPage | None"]

__all__ = [
    "NamedPage",
    "PageDigest",
    "SitePages",
    "StudiedLayout",
    "StudiedSite",
    "digest_page",
    "group_pages",
    "study_site",
    "survey_pages",
]

MAX_SITE_PAGES = 2000  # of a site that are read; more change no layout
MAX_LAYOUT_PAGES = 60  # of a layout that are extracted
MAX_PAGE_ELEMENTS = 30_000  # of a page that is studied; 99.9 % of pages have fewer
MAX_SITE_ELEMENTS = 1_000_000  # of all pages of a site that are studied, which limits memory to about 1 GB


class NamedPage(NamedTuple):
    """A page, and where it is: its URL or the name of its file."""

    name: str
    page: Page


class PageDigest(NamedTuple):
    """What a survey needs of a page."""

    name: str
    host: str  # without "www."; "" if it is unknown
    skeleton: KeyArray | None  # None for a huge page


@dataclass(slots=True)
class SitePages:
    """The pages of a site by number, with their skeletons."""

    name: str
    hosts: dict[str, int] = field(default_factory=dict)  # number of pages by host, without "www."
    numbers: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    skeletons: list[KeyArray] = field(default_factory=list)
    skipped: int = 0  # pages beyond MAX_SITE_PAGES, and huge ones

    def add(self, number: int, digest: PageDigest) -> bool:
        """Add a page; return whether it is studied."""
        if digest.host:
            self.hosts[digest.host] = self.hosts.get(digest.host, 0) + 1
        if len(self.numbers) == MAX_SITE_PAGES or digest.skeleton is None:
            self.skipped += 1
            return False
        self.numbers.append(number)
        self.names.append(digest.name)
        self.skeletons.append(digest.skeleton)
        return True


@dataclass(frozen=True, slots=True)
class StudiedLayout:
    """The pages of a layout: how many there are, and those that were extracted."""

    count: int
    pages: tuple[StudiedPage, ...]


@dataclass(frozen=True, slots=True)
class StudiedSite:
    """A site with its layouts, the one with the most pages first, and the pages that are unlike every layout."""

    name: str
    hosts: tuple[str, ...]
    count: int
    layouts: tuple[StudiedLayout, ...]
    outliers: tuple[str, ...]  # names of pages
    outlying: tuple[StudiedPage, ...]  # those of the outliers that were extracted
    skipped: int


def survey_pages(numbers: Iterable[int], load: Load, host: str | None = None) -> tuple[list[SitePages], list[str]]:
    """Return the sites of the pages that `load` returns, and the names of pages whose site is unknown.

    `host` is that of pages that have no URL and declare none. `load` returns None for a page that cannot be read.
    """
    sites: dict[str, SitePages] = {}
    unknown: list[str] = []
    for number in numbers:
        loaded = load(number)
        if loaded is None:
            continue
        digest = digest_page(loaded, host)
        if not digest.host:
            unknown.append(loaded.name)
            continue
        name = find_registered_domain(digest.host)
        sites.setdefault(name, SitePages(name)).add(number, digest)
    return sorted(sites.values(), key=lambda site: site.name), unknown


def digest_page(loaded: NamedPage, host: str | None = None) -> PageDigest:
    """Return what a survey needs of a page; `host` is that of a page that has no URL and declares none."""
    found = (find_page_host(loaded.page) or host or "").lower().removeprefix("www.")
    is_huge = len(loaded.page.tags) > MAX_PAGE_ELEMENTS
    return PageDigest(loaded.name, found, None if is_huge else read_skeleton(loaded.page))


def group_pages(site: SitePages) -> tuple[list[list[int]], list[int]]:
    """Return the positions of the pages of each layout, and those of pages that are unlike all others."""
    layouts = find_layouts(site.skeletons)
    groups: dict[int, list[int]] = {number: [] for number in range(-1, len(layouts))}  # positions by layout
    for position, skeleton in enumerate(site.skeletons):
        groups[layouts.find(skeleton)].append(position)
    outliers = groups.pop(-1)
    alone = [positions.pop() for positions in groups.values() if len(positions) == 1]
    return [group for group in groups.values() if group], sorted([*outliers, *alone])


def study_site(site: SitePages, load: Load, options: Options | None = None) -> StudiedSite:
    """Find the layouts of a site, and extract a sample of the pages of each."""
    groups, outliers = group_pages(site)
    budget = MAX_SITE_ELEMENTS
    made = []
    for positions in [*groups, outliers]:
        pages = []
        for position in _choose_sample(site, positions):
            loaded = load(site.numbers[position])
            if loaded is None or (budget := budget - len(loaded.page.tags)) < 0:
                break
            pages.append(StudiedPage(loaded.page, extract(loaded.page, options=options), loaded.name))
        made.append(StudiedLayout(len(positions), tuple(pages)))
    *studied, rest = made
    names = tuple(site.names[position] for position in outliers)
    hosts = tuple(sorted(site.hosts, key=lambda host: (-site.hosts[host], host)))
    return StudiedSite(
        site.name, hosts, len(site.numbers) + site.skipped, tuple(studied), names, rest.pages, site.skipped
    )


def _choose_sample(site: SitePages, positions: list[int]) -> list[int]:
    """Return the positions of at most MAX_LAYOUT_PAGES pages, which do not depend on the order of the pages."""
    if len(positions) <= MAX_LAYOUT_PAGES:
        return positions
    digests = {position: hash_bytes(site.names[position].encode("utf-8", "replace")) for position in positions}
    return sorted(sorted(positions, key=digests.__getitem__)[:MAX_LAYOUT_PAGES])
