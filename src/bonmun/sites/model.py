"""What repeats on a site: which texts stand on many of its pages, and at which places texts repeat.

A leaf is template if the share of pages that have its text, and the share of the text at its place that repeats, add
up to TEMPLATE. So a menu goes, and so do a date and a related title that never stood there before; a greeting that
every third post begins with stays, since what stands at its place is new on every page. The pages are those of the site
or, if that share is larger, those that have the place: a blog may have one of many skins.

A page on which next to nothing is new is a copy of another, or a front page; then only what most pages have is
template.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.errors import BadConfig, BadInput, MissingInput
from bonmun.sites.domains import host_of, site_name
from bonmun.sites.keys import Normal, count_leaves, key, place_keys, text_keys
from bonmun.work.array_files import UNREADABLE, save_arrays

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from bonmun.page import Page

    Keys = NDArray[np.uint64]
    Counts = NDArray[np.int64]

__all__ = ["KEPT", "LEAST", "RARE", "THIN", "Ranks", "Site", "SiteModel", "Verdicts", "highest"]

# Chosen by word F1 on half of the sites of five labelled sets, and on the same with every page counted three times;
# ARCHITECTURE.md says what else was tried.
TEMPLATE = 0.65  # what the two shares of a leaf must add up to
COMMON = 0.7  # the share of a site's pages that makes a text template in any case
NEW = 0.2  # of the text outside of links that is not common, at least, is new on a page that is no copy
LEAST = 0.05  # smaller shares say nothing and are not kept, so a model stays small however many pages it was made from
THIN = 3  # fewer pages say nothing of a site
RARE = 3  # leaves: a place with fewer says nothing
FORMAT = 1  # of the file
KEPT = 1000  # texts over all sites, the most frequent ones, that are kept for models to be added


def repeats_from(pages: int) -> float:
    """On how many pages of a site a text must stand to repeat: more on a large one, where pages may have copies."""
    return max(2.0, sqrt(pages) / 2)


class Verdicts(NamedTuple):
    """What a site says of the blocks of a page; shares are means over their leaves, by length."""

    site: Site
    counts: list[int]  # pages that have its text: that of the longest leaf that others have
    of: list[int]  # of so many: the site's, or those that have its place
    shares: list[float]  # of the other pages
    repeated: list[float]  # the share of the text at this place that repeats
    template: list[bool]

    @property
    def rows(self) -> list[int]:
        """The blocks that are template."""
        return [row for row, template in enumerate(self.template) if template]

    def reason(self, row: int) -> str:
        """Why a block is template."""
        pages, of = self.counts[row], self.of[row]
        if not pages:
            return "where the site repeats itself"
        return f"on {pages} of {of} pages {'of the site' if of == self.site.pages else 'of its kind'}"


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """What repeats on one site; keys are ascending."""

    name: str
    pages: int
    texts: Keys
    counts: Counts  # pages that have the text
    of: Counts  # of so many: the site's, or those that have its place
    places: Keys
    sizes: Counts  # bytes of text at the place, over all pages
    repeated: Counts  # of them, in texts that repeat

    def judge(self, page: Page, normal: Normal) -> Verdicts:
        """Say of every block whether it is template: at least half of it."""
        if not page.starts:
            return Verdicts(self, [], [], [], [], [])
        texts = np.array(text_keys(page, normal), np.uint64)
        counts, of = (_look_up(texts, self.texts, column) for column in (self.counts, self.of))
        shares = np.maximum(counts - 1, 0) / np.maximum(of - 1, 1)  # of the other pages
        places = np.array(place_keys(page), np.uint64)
        repeated = _look_up(places, self.places, self.repeated) / np.maximum(
            _look_up(places, self.places, self.sizes), 1
        )
        sizes = np.array([len(text) if text.isascii() else len(text.encode()) for text in page.texts], np.float64)
        starts = np.array(page.starts)
        total = np.add.reduceat(sizes, starts)
        share, again = ((np.add.reduceat(sizes * each, starts) / total).tolist() for each in (shares, repeated))
        order = np.lexsort((sizes * (counts > 0), np.repeat(np.arange(len(starts)), np.diff([*starts, len(sizes)]))))
        longest = order[np.array(page.stops) - 1]
        template = np.add.reduceat(sizes * (shares + repeated >= TEMPLATE), starts) * 2 >= total
        common = np.add.reduceat(sizes * (counts >= COMMON * self.pages), starts) * 2 >= total
        weights = np.array([size - link for size, link in zip(*page.block_sizes, strict=True)])
        if weights[~template].sum() < NEW * weights[~common].sum():
            template = common
        return Verdicts(self, counts[longest].tolist(), of[longest].tolist(), share, again, template.tolist())

    def __add__(self, other: Site) -> Site:
        pages = self.pages + other.pages
        # a text that only one of them knows stands on none of the other's pages, as many as of its kind may be
        mine, theirs = (
            np.where(np.isin(a.texts, b.texts), a.of, np.round(a.of * pages / a.pages)).astype(np.int64)
            for a, b in ((self, other), (other, self))
        )
        texts, (counts, of) = _sums(self.texts, [self.counts, mine], other.texts, [other.counts, theirs])
        often = counts >= LEAST * of
        columns = [(site.sizes, site.repeated) for site in (self, other)]
        places, (sizes, repeated) = _sums(self.places, columns[0], other.places, columns[1])
        return Site(self.name, pages, texts[often], counts[often], of[often], places, sizes, repeated)


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The first paper's counts over all pages: the different frequencies, and the texts with the highest ones."""

    frequencies: Counts  # ascending: that of rank 1 first
    texts: Keys  # ascending
    counts: Counts

    @property
    def k(self) -> int:
        """How many different frequencies there are."""
        return len(self.frequencies)

    @property
    def limit(self) -> int:
        """The frequency of rank k - 2, the highest that main text has; 0 where k is under 3."""
        return int(self.frequencies[self.k - 3]) if self.k > 2 else 0

    def __add__(self, other: Ranks) -> Ranks:
        texts, (counts,) = _sums(self.texts, [self.counts], other.texts, [other.counts])
        lower = [each.frequencies[~np.isin(each.frequencies, each.counts)] for each in (self, other)]
        return highest(np.unique(np.concatenate([*lower, counts])), texts, counts)


def highest(frequencies: Counts, texts: Keys, counts: Counts) -> Ranks:
    """Ranks that keep no more texts than it takes."""
    ranks = Ranks(frequencies, texts, counts)
    common = int(np.sort(counts)[-KEPT]) if len(counts) > KEPT else 0
    kept = counts >= max(1, min(common, ranks.limit + 1))
    return Ranks(frequencies, texts[kept], counts[kept])


@dataclass(frozen=True, slots=True, eq=False)
class SiteModel:
    """What repeats on sites: a small file that any method can use.

    model = SiteModel.fit(pages)                        # parsed pages of one or more sites
    bonmun.extract(html, url=url, site=model)           # any method, with what the model knows of the page's site
    model.save("news.sites"); SiteModel.load("news.sites")
    model + SiteModel.fit(more)                         # two crawls as one
    """

    sites: dict[str, Site]
    ranks: Ranks  # over all sites
    normal: Normal = field(default_factory=Normal)

    @classmethod
    def fit(cls, pages: Iterable[Page], site: str | None = None, normal: Normal | None = None) -> SiteModel:
        """Count the texts of pages; `site` is the name of the site that all are of, else their URLs say it.

        Pages of a site that say the very same count once.
        """
        normal = normal or Normal()
        tallies: dict[str, _Tally] = {}
        for page in pages:
            name = site if site is not None else site_name(page.url)
            tallies.setdefault(name, _Tally()).add(page, normal)
        everywhere: dict[int, int] = {}
        for tally in tallies.values():
            for (text, _), row in tally.rows.items():
                everywhere[text] = everywhere.get(text, 0) + row[PLAIN]
        texts = np.array(sorted(text for text, count in everywhere.items() if count), np.uint64)
        counts = np.array([everywhere[int(text)] for text in texts], np.int64)
        sites = {name: tallies[name].site(name) for name in sorted(tallies)}
        return cls(sites, highest(np.unique(counts), texts, counts), normal)

    def __add__(self, other: SiteModel) -> SiteModel:
        """Both as one. What stood on one page of each is in neither, so counts of all pages are more exact."""
        if self.normal != other.normal:
            raise BadConfig("The two models take different texts for the same; make both with the same settings.")
        sites = dict(self.sites)
        for name, site in other.sites.items():
            sites[name] = sites[name] + site if name in sites else site
        return SiteModel(dict(sorted(sites.items())), self.ranks + other.ranks, self.normal)

    def only(self, name: str) -> SiteModel:
        """The same model with one site, which it then has for every page; with none, if it does not know the site."""
        return SiteModel({name: self.sites[name]} if name in self.sites else {}, self.ranks, self.normal)

    def find(self, url: str | None) -> Site | None:
        """The site that an address is of: the longest end of its host that the model knows; the only one, if so."""
        if len(self.sites) == 1:
            return next(iter(self.sites.values()))
        parts = host_of(url).split(".")
        ends = (".".join(parts[start:]) for start in range(len(parts)))
        return next((self.sites[end] for end in ends if end in self.sites), None)

    def judge(self, page: Page) -> Verdicts | None:
        """What the page's site says of its blocks; None where the model knows too little of the site."""
        site = self.find(page.url)
        return site.judge(page, self.normal) if site and site.pages >= THIN else None

    def save(self, path: str | Path) -> None:
        """Write a file that is the same for the same counts; it appears when it is whole."""
        save_arrays(path, self._columns())

    def digest(self) -> str:
        """The same for two models iff they are the same."""
        return f"{key(b''.join(column.tobytes() for column in self._columns().values())):016x}"

    def _columns(self) -> dict[str, Any]:
        """All of it, as arrays."""
        sites = list(self.sites.values())
        about = {
            "format": FORMAT,
            "digits": self.normal.digits,
            "case": self.normal.case,
            "sites": [[site.name, site.pages, len(site.texts), len(site.places)] for site in sites],
        }
        columns: dict[str, Any] = {
            "about": np.frombuffer(json.dumps(about).encode(), np.uint8),
            "frequencies": self.ranks.frequencies,
            "frequent": self.ranks.texts,
            "frequent_counts": self.ranks.counts,
        }
        for name, kind in COLUMNS.items():
            columns[name] = np.concatenate([np.empty(0, kind), *(getattr(site, name) for site in sites)])
        return columns

    @classmethod
    def load(cls, path: str | Path) -> SiteModel:
        """Read what `save` wrote."""
        try:
            with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as saved:
                about = json.loads(saved["about"].tobytes())
                if about["format"] != FORMAT:
                    raise BadInput(f"{str(path)!r} is of another version: make it anew with `bonmun corpus model`.")
                ranks = Ranks(saved["frequencies"], saved["frequent"], saved["frequent_counts"])
                columns = {name: saved[name] for name in COLUMNS}
                sites = {site.name: site for site in _parted(about["sites"], columns)}
                return cls(sites, ranks, Normal(about["digits"], about["case"]))
        except FileNotFoundError:
            raise MissingInput(f"There is no file {str(path)!r}: make one with `bonmun corpus model`.") from None
        except UNREADABLE as exc:
            raise BadInput(f"{str(path)!r} is no site model: make one with `bonmun corpus model`.") from exc


COLUMNS = {
    "texts": np.uint64,
    "counts": np.int64,
    "of": np.int64,
    "places": np.uint64,
    "sizes": np.int64,
    "repeated": np.int64,
}

PLAIN = 4  # where plain occurrences stand in a row
BY_TEXT = ("texts", "counts", "of")


class _Tally:
    """Counts of one site while pages come in."""

    def __init__(self) -> None:
        self.pages: set[int] = set()
        self.rows: dict[tuple[int, int], list[int]] = {}  # by text and place

    def add(self, page: Page, normal: Normal) -> None:
        known, leaves = count_leaves(page, normal)
        if known in self.pages:
            return
        self.pages.add(known)
        for leaf in leaves:
            row = self.rows.setdefault((leaf.text, leaf.place), [0, 0, 0, 0, 0, leaf.size])
            for column, value in enumerate((leaf.first, leaf.placed, 1, leaf.occurrences, leaf.plain)):
                row[column] += value

    def site(self, name: str) -> Site:
        """The same reduction as that of corpus/counts.py, which a test holds it to."""
        pages = len(self.pages)
        keys = np.array(list(self.rows), np.uint64).reshape(-1, 2)
        rows = np.array(list(self.rows.values()), np.int64).reshape(-1, 6)
        first, placed, here, occurrences, _, size = rows.T
        texts, which = np.unique(keys[:, 0], return_inverse=True)
        places, where = np.unique(keys[:, 1], return_inverse=True)
        on_pages = _added(which, first, len(texts))
        with_place = _added(where, placed, len(places))
        # the text's largest share: of the site's pages, or of those with one of its places
        common = with_place[where] >= max(RARE, repeats_from(pages))
        shares = np.where(common, here / np.maximum(with_place[where], 1), 0.0)
        order = np.lexsort((with_place[where], shares, which))
        last = order[np.append(np.flatnonzero(np.diff(which[order])), len(order) - 1)] if len(order) else order
        site_wide = on_pages / max(pages, 1) >= shares[last]
        counts = np.where(site_wide, on_pages, here[last])
        of = np.where(site_wide, pages, with_place[where[last]])
        often = (counts > 1) & (counts >= LEAST * of)
        repeats = on_pages[which] >= repeats_from(pages)
        sizes = _added(where, occurrences * size, len(places))
        repeated = _added(where, occurrences * size * repeats, len(places))
        kept = (_added(where, occurrences, len(places)) >= RARE) & (repeated >= LEAST * sizes) & (repeated > 0)
        chosen = texts[often], counts[often], of[often]
        return Site(name, pages, *chosen, places[kept], sizes[kept], repeated[kept])


def _added(which: NDArray[np.intp], values: Counts, length: int) -> Counts:
    """Sums of values by number."""
    return np.bincount(which, values, length).astype(np.int64)


def _look_up(keys: Keys, among: Keys, values: Counts) -> Counts:
    """The value of each key, 0 for one that is not there."""
    if not len(among):
        return np.zeros(len(keys), np.int64)
    places = np.minimum(np.searchsorted(among, keys), len(among) - 1)
    return np.where(among[places] == keys, values[places], 0)


def _sums(one: Keys, mine: Sequence[Counts], other: Keys, theirs: Sequence[Counts]) -> tuple[Keys, list[Counts]]:
    """The keys of both, and the sums of each pair of columns."""
    keys, which = np.unique(np.concatenate([one, other]), return_inverse=True)
    sums = []
    for a, b in zip(mine, theirs, strict=True):
        total = np.zeros(len(keys), np.int64)
        np.add.at(total, which, np.concatenate([a, b]))
        sums.append(total)
    return keys, sums


def _parted(about: list[tuple[str, int, int, int]], columns: dict[str, Any]) -> Iterator[Site]:
    text = place = 0
    for name, pages, texts, places in about:
        by_text, by_place = slice(text, text + texts), slice(place, place + places)
        parts = {each: column[by_text if each in BY_TEXT else by_place] for each, column in columns.items()}
        yield Site(name, pages, **parts)
        text, place = text + texts, place + places
