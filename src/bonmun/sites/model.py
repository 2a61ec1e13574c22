"""Site models: the texts and places that repeat on sites, in a small file."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.errors import BadConfig, BadInput, MissingInput
from bonmun.sites.domains import find_host, find_site_name
from bonmun.sites.keys import Normalisation, hash_bytes
from bonmun.sites.ranks import Ranks
from bonmun.sites.site import MIN_PAGES, Site, Verdicts
from bonmun.sites.tally import Tally, rank_texts
from bonmun.work.array_files import MAX_JSON_VALUES, READ_ERRORS, load_arrays, read_json, save_arrays

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bonmun.page import Page

__all__ = ["SiteModel"]

FORMAT = 1  # version of the file format
BY_TEXT = {"texts": np.uint64, "counts": np.int64, "of": np.int64}  # the columns of a site in the file
BY_PLACE = {"places": np.uint64, "sizes": np.int64, "repeated": np.int64}
COLUMNS = BY_TEXT | BY_PLACE
RANKS = {"frequencies": np.int64, "frequent": np.uint64, "frequent_counts": np.int64}  # over all sites


@dataclass(frozen=True, slots=True, eq=False)
class SiteModel:
    """The texts and places that repeat on sites, for any method.

    sites = SiteModel.fit(pages)                        # parsed pages of one or more sites
    options = bonmun.Options(site_model=sites)
    bonmun.extract(html, url=url, options=options)      # any method, without the site's template
    sites.save("news.sites"); SiteModel.load("news.sites")
    sites + SiteModel.fit(more)                         # merge two crawls
    """

    sites: dict[str, Site]
    ranks: Ranks  # over all sites
    normal: Normalisation = field(default_factory=Normalisation)

    @classmethod
    def fit(cls, pages: Iterable[Page], site: str | None = None, normal: Normalisation | None = None) -> SiteModel:
        """Count the texts of pages. `site` names the site of all pages; by default it is derived from their URLs.

        Pages of a site with the same text count once.
        """
        normal = normal or Normalisation()
        tallies: dict[str, Tally] = {}
        for page in pages:
            name = site if site is not None else find_site_name(page.url)
            tallies.setdefault(name, Tally()).add(page, normal)
        sites = {name: tallies[name].make_site(name) for name in sorted(tallies)}
        return cls(sites, rank_texts(tallies.values()), normal)

    def __add__(self, other: SiteModel) -> SiteModel:
        """Merge two models. Texts on one page of each are lost, so a model of all pages at once is more exact."""
        if self.normal != other.normal:
            raise BadConfig("The two models normalise texts differently; make both with the same settings.")
        sites = dict(self.sites)
        for name, site in other.sites.items():
            sites[name] = sites[name] + site if name in sites else site
        return SiteModel(dict(sorted(sites.items())), self.ranks + other.ranks, self.normal)

    def only(self, name: str) -> SiteModel:
        """Return a model with this site only, which is then used for every page; it is empty if the site is unknown."""
        return SiteModel({name: self.sites[name]} if name in self.sites else {}, self.ranks, self.normal)

    def find(self, url: str | None) -> Site | None:
        """Return the site of a URL: the longest known suffix of its host, or the only site of the model."""
        if len(self.sites) == 1:
            return next(iter(self.sites.values()))
        parts = find_host(url).split(".")
        ends = (".".join(parts[start:]) for start in range(len(parts)))
        return next((self.sites[end] for end in ends if end in self.sites), None)

    def judge(self, page: Page) -> Verdicts | None:
        """Say which blocks of the page are template; None if too few pages of its site were counted."""
        site = self.find(page.url)
        return site.judge(page, self.normal) if site and site.pages >= MIN_PAGES else None

    def save(self, path: str | Path) -> None:
        """Write the model to a file, atomically; equal models give equal files."""
        save_arrays(path, self._to_columns())

    def digest(self) -> str:
        """Return a short hash that is equal for equal site models."""
        return f"{hash_bytes(b''.join(column.tobytes() for column in self._to_columns().values())):016x}"

    def _to_columns(self) -> dict[str, Any]:
        """Return the whole model as arrays."""
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
        for name, dtype in COLUMNS.items():
            columns[name] = np.concatenate([np.empty(0, dtype), *(getattr(site, name) for site in sites)])
        return columns

    @classmethod
    def load(cls, path: str | Path) -> SiteModel:
        """Read a file that `save` wrote."""
        try:
            with Path(path).open("rb") as file:
                saved = load_arrays(file)
            # a site has four values, and takes more bytes than that
            about = read_json(saved["about"], max(MAX_JSON_VALUES, Path(path).stat().st_size))
            if about["format"] != FORMAT:
                raise BadInput(
                    f"{str(path)!r} was made by another version of bonmun: run `bonmun corpus site-model` again."
                )
            columns = {name: _check_column(saved[name], kind) for name, kind in (COLUMNS | RANKS).items()}
            ranks = Ranks(*(columns.pop(name) for name in RANKS))
            if len(ranks.texts) != len(ranks.counts):
                raise ValueError("texts without counts")
            sites = {site.name: site for site in _split_columns(about["sites"], columns)}
            return cls(sites, ranks, Normalisation(bool(about["digits"]), bool(about["case"])))
        except FileNotFoundError:
            raise MissingInput(f"There is no file {str(path)!r}: make one with `bonmun corpus site-model`.") from None
        except READ_ERRORS as exc:
            raise BadInput(f"{str(path)!r} is not a site model: make one with `bonmun corpus site-model`.") from exc


def _check_column(column: Any, kind: type) -> Any:
    """Reject columns of the wrong type or shape, and negative counts."""
    if column.dtype != kind or column.ndim != 1 or (kind is np.int64 and len(column) and column.min() < 0):
        raise ValueError("invalid counts")
    return column


def _split_columns(about: list[tuple[str, int, int, int]], columns: dict[str, Any]) -> Iterator[Site]:
    """Yield each site; `about` has its name, pages, number of texts and number of places."""
    text = place = 0
    sizes = {sum(row[2] for row in about), *(len(columns[each]) for each in BY_TEXT)}
    if len(sizes) > 1 or len({sum(row[3] for row in about), *(len(columns[each]) for each in BY_PLACE)}) > 1:
        raise ValueError("columns of different lengths")
    for name, pages, texts, places in about:
        if not isinstance(name, str) or not all(isinstance(each, int) and each >= 0 for each in (pages, texts, places)):
            raise ValueError("invalid site")
        by_text, by_place = slice(text, text + texts), slice(place, place + places)
        parts = {each: column[by_text if each in BY_TEXT else by_place] for each, column in columns.items()}
        yield Site(name, pages, **parts)
        text, place = text + texts, place + places
