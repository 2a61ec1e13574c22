"""Counts of texts over many pages, in one DuckDB file: by site, text and place, how many leaves and pages.

Pages are added in transactions, so what a killed process leaves is whole, and a page that was counted is known by its
bytes and is not counted again. Runs of rows are added up when all pages are in.
"""

from __future__ import annotations

from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.errors import BadConfig, BadInput, MissingExtra, MissingInput
from bonmun.scale.corpus.duck_file import DuckFile
from bonmun.scale.corpus.sql import (
    ADD,
    BY_PLACE,
    BY_TEXT,
    FREQUENCIES,
    FREQUENT,
    PLACES,
    SITE_PAGES,
    SITES_BY_NAME,
    SUM_UP,
    TABLES,
    TEXTS,
)
from bonmun.sites.keys import Normalisation, hash_bytes
from bonmun.sites.model import SiteModel
from bonmun.sites.ranks import make_ranks
from bonmun.sites.site import Site

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtra("Counts are kept by DuckDB: pip install 'bonmun[corpus]'.") from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["PREPARED", "Counts", "RankedTexts", "Summary", "assemble_site_model", "choose_limit", "read_site_model"]

FORMAT = "1"  # of the file
ZIP_MAGIC = b"PK"  # how a site model begins, and counts do not
PREPARED = {  # tables that a site model is made of, in this order: each may ask those before it
    "site_pages": SITE_PAGES,
    "by_text": BY_TEXT,
    "by_place": BY_PLACE,
    "frequencies": FREQUENCIES,
}


class Summary(NamedTuple):
    """What was counted."""

    pages: int
    sites: int
    texts: int
    leaves: int
    k: int  # different frequencies, as the first paper counts
    limit: int  # the highest that is main text


class RankedTexts(NamedTuple):
    """A rank, and the texts that have it: they are equally frequent."""

    rank: int  # 1 for the lowest frequency
    frequency: int
    texts: int  # how many
    examples: tuple[str, ...]


class Counts(DuckFile):
    """A file of counts.

    with Counts("counts.duckdb") as counts:
        counts.add(tables)
        counts.finish()
    """

    def __init__(self, path: str | Path, normal: Normalisation | None = None, *, read_only: bool = False) -> None:
        if read_only and not Path(path).exists():
            raise MissingInput(f"{path}: there is no such file; make it with `bonmun corpus count`.")
        super().__init__(path, read_only=read_only)
        try:
            self.normal = self._prepare(normal, read_only=read_only)
        except BaseException:
            self.close()
            raise

    def _prepare(self, normal: Normalisation | None, *, read_only: bool) -> Normalisation:
        """Make the tables, or see that they are ours; and how texts are taken for the same."""
        names = {row[0] for row in self.ask("select table_name from information_schema.tables")}
        if not names and not read_only:
            made = normal or Normalisation()
            values = {"format": FORMAT, "digits": str(int(made.digits)), "case": str(int(made.case))}
            with self.transaction():
                self.duck.execute(TABLES)
                self.duck.executemany("insert into about values (?, ?)", list(values.items()))
            return made
        columns = self.ask("select column_name from information_schema.columns where table_name = 'about' order by 1")
        if not {"about", "pages", "sites", "leaves", "strings"} <= names or columns != [("name",), ("value",)]:
            raise BadInput(f"{self.path}: a file of something else, not of counts; give another name.")
        about = dict(self.ask("select name, value from about"))
        if about.get("format") != FORMAT or not {"digits", "case"} <= about.keys():
            raise BadInput(f"{self.path}: counts of another version of bonmun; count anew into another file.")
        used = Normalisation(about["digits"] == "1", about["case"] == "1")
        if normal is not None and normal != used:
            raise BadConfig(f"{self.path}: counted with other settings for digits or case; use the same ones.")
        return used

    # --- writing ------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Pages that were counted, with those that say what another does."""
        return int(self.ask_one("select count(*) from pages"))

    def find_counted(self, raws: list[int]) -> set[int]:
        """Which of these pages, by the keys of their bytes, were counted."""
        self.duck.register("wanted", pa.table({"raw": pa.array(raws, pa.uint64())}))
        return {row[0] for row in self.ask("select raw from wanted where raw in (select raw from pages)")}

    def add(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Add what `count_batch` gave, all of it or nothing."""
        some = list(batches)
        if not some:
            return
        table = pa.Table.from_batches(some)
        new = table.append_column("number", pa.array(range(table.num_rows), pa.int64()))
        sites = table.column("site").unique().to_pylist()
        names = pa.table(
            {
                "site": pa.array(sites, pa.string()),
                "hash_of": pa.array([hash_bytes(site.encode()) for site in sites], pa.uint64()),
            }
        )
        self.duck.register("new", new)
        self.duck.register("names", names)
        try:
            with self.transaction():
                self.duck.execute(ADD)
                self.duck.execute("insert or replace into about values ('summed', '0')")
        finally:
            self.duck.unregister("new")
            self.duck.unregister("names")

    def merge(self, path: str | Path) -> None:
        """Add the counts of another crawl; refuse if both have the same pages."""
        if Path(path).exists() and self.path.samefile(path):
            raise BadConfig(f"{path}: these are the counts that others are added to; give other ones.")
        with Counts(path, self.normal, read_only=True):
            pass  # raises what is wrong with it
        with self.attach(path, "other"):
            both = self.ask_one("select count(*) from other.pages where page in (select page from pages)")
            if both:
                raise BadConfig(
                    f"{path}: {both:,} of its pages were counted here already, and would count twice; count the pages "
                    "themselves instead."
                )
            with self.transaction():
                for name in ("pages", "sites", "leaves"):
                    self.duck.execute(f"insert into {name} select * from other.{name}")
                self.duck.execute(
                    "insert into strings select * from other.strings where text not in (select text from strings)"
                )
                self.duck.execute("insert or replace into about values ('summed', '0')")

    def finish(self) -> None:
        """Add up equal rows, once all pages are in."""
        if self.ask_one("select count(*) from about where name = 'summed' and value = '0'"):
            with self.transaction():
                self.duck.execute(SUM_UP)
                self.duck.execute("insert or replace into about values ('summed', '1')")
            self.duck.execute("checkpoint")

    # --- reading ------------------------------------------------------------------------------------------------

    def summary(self, site: str | None = None) -> Summary:
        """How much was counted, over all or of one site."""
        where = self._where(site)
        pages, sites = self.ask_row(f"select coalesce(sum(pages), 0), count(distinct site) from sites {where}")
        texts, leaves = self.ask_row(f"select count(distinct text), coalesce(sum(occurrences), 0) from leaves {where}")
        frequencies = self.list_frequencies(site)
        return Summary(int(pages), sites, texts, int(leaves), len(frequencies), choose_limit(frequencies))

    def sites(self) -> list[tuple[str, int]]:
        """The sites by name, with their pages."""
        return [(name, pages) for name, pages in self.ask(SITES_BY_NAME)]

    def rank_texts(self, site: str | None = None, examples: int = 3) -> Iterator[RankedTexts]:
        """Texts by frequency, as the first paper counts it, the most frequent first (its Fig. 2)."""
        where = self._where(site)
        asked = f"""
            with by_text as (
                select text, sum(plain) as frequency from leaves {where} group by text having sum(plain) > 0),
            ranked as (select frequency, count(*) as texts, min_by(string, (string is null, text), {examples}) as found
                       from by_text left join strings using (text) group by frequency)
            select dense_rank() over (order by frequency), frequency::bigint, texts, found
            from ranked order by frequency desc"""
        for rank, frequency, texts, some in self.ask(asked):
            yield RankedTexts(rank, frequency, texts, tuple(text for text in some or () if text))

    def find_frequencies(self, texts: list[int], site: str | None = None) -> dict[int, int]:
        """How frequent these texts are, as the first paper counts, by key; without those that were not counted."""
        where = self._where(site)
        self.duck.register("wanted", pa.table({"text": pa.array(sorted(set(texts)), pa.uint64())}))
        asked = f"""
            select text, sum(plain)::bigint as f from leaves semi join wanted using (text) {where}
            group by text having f > 0"""
        return dict(self.ask(asked))

    def make_site_model(self) -> SiteModel:
        """What repeats on each site, as a small file holds it (see sites/model.py)."""
        names = {"leaves": "leaves", "sites": "sites"}
        for name, asked in PREPARED.items():
            self.ask(f"create or replace temp table {name} as {asked.format(**names)}")
            names[name] = name
        frequencies = self.list_frequencies()
        return assemble_site_model(
            self.ask("select site, name, sum(pages)::bigint from sites group by all"),
            self.ask(TEXTS.format(**names)),
            self.ask(PLACES.format(**names)),
            frequencies,
            self.ask(FREQUENT.format(**names, limit=choose_limit(frequencies) + 1)),
            self.normal,
        )

    def list_frequencies(self, site: str | None = None) -> list[int]:
        """The different frequencies, the lowest first: that of rank 1."""
        where = self._where(site)
        asked = f"select distinct sum(plain)::bigint as f from leaves {where} group by text having f > 0 order by f"
        return [row[0] for row in self.ask(asked)]

    def _where(self, site: str | None) -> str:
        if site is None:
            return ""
        site = site.encode("utf-8", "replace").decode()
        if not self.ask_one("select count(*) from sites where name = ?", site):
            counted = ", ".join(name for name, _ in self.sites()[:10])
            raise BadConfig(f"No page of {site!r} was counted; these sites were: {counted}.")
        return f"where site = {hash_bytes(site.encode())}"


def assemble_site_model(
    sites: list[Any],
    texts: list[Any],
    places: list[Any],
    frequencies: list[int],
    frequent: list[Any],
    normal: Normalisation,
) -> SiteModel:
    """A site model of rows, in any order: of sites (key, name, pages), and as TEXTS, PLACES and FREQUENT give them."""
    by_text, by_place = _group_by_site(texts), _group_by_site(places)
    made = {}
    for site, name, pages in sorted(sites, key=itemgetter(1)):
        columns = *_make_columns(by_text.pop(site, []), 3), *_make_columns(by_place.pop(site, []), 3)
        made[name] = Site(name, pages, *columns)
    return SiteModel(made, make_ranks(np.array(frequencies, np.int64), *_make_columns(frequent, 2)), normal)


def _group_by_site(rows: list[Any]) -> dict[int, list[Any]]:
    """Rows by their first value, without it."""
    grouped: dict[int, list[Any]] = {}
    for site, *row in rows:
        grouped.setdefault(site, []).append(row)
    return grouped


def choose_limit(frequencies: list[int]) -> int:
    """The highest frequency that is main text: that of rank k - 2, as the first paper says."""
    return frequencies[-3] if len(frequencies) > 2 else 0


def _make_columns(rows: list[Any], count: int) -> list[Any]:
    """Rows as columns: keys, ascending, and numbers that go with them."""
    rows.sort(key=itemgetter(0))
    return [np.array([row[at] for row in rows], np.int64 if at else np.uint64) for at in range(count)]


def read_site_model(path: Path) -> SiteModel:
    """The site model in a file, or one made of the counts in it."""
    try:
        with path.open("rb") as file:
            is_site_model = file.read(len(ZIP_MAGIC)) == ZIP_MAGIC
    except OSError as problem:
        raise BadConfig(f"{path}: cannot be read: {problem.strerror}.") from None
    if is_site_model:
        return SiteModel.load(path)
    with Counts(path, read_only=True) as counts:
        return counts.make_site_model()
