"""Count texts over many pages in a DuckDB file: leaves and pages by site, text and place.

Pages are added in transactions, so the file is consistent even if the process is killed. A page is identified by its
bytes and is counted only once. Equal rows are summed after all pages have been added.
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
    raise MissingExtra("Counting needs DuckDB: pip install 'bonmun[corpus]'.") from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "SITE_MODEL_TABLES",
    "Counts",
    "RankedTexts",
    "Summary",
    "assemble_site_model",
    "choose_limit",
    "read_site_model",
]

FORMAT = "1"  # version of the file format
ZIP_MAGIC = b"PK"  # first bytes of a site model file
SITE_MODEL_TABLES = {  # queries by table name, in this order: each may use the tables before it
    "site_pages": SITE_PAGES,
    "by_text": BY_TEXT,
    "by_place": BY_PLACE,
    "frequencies": FREQUENCIES,
}


class Summary(NamedTuple):
    """The size of the counts."""

    pages: int
    sites: int
    texts: int
    leaves: int
    k: int  # number of distinct frequencies, as in the first paper
    limit: int  # highest frequency of main text


class RankedTexts(NamedTuple):
    """The texts of one rank: they have the same frequency."""

    rank: int  # 1 is the lowest frequency
    frequency: int
    texts: int  # number of texts
    examples: tuple[str, ...]


class Counts(DuckFile):
    """A DuckDB file of counts.

    with Counts("counts.duckdb") as counts:
        counts.add(tables)
        counts.finish()
    """

    def __init__(self, path: str | Path, normal: Normalisation | None = None, *, read_only: bool = False) -> None:
        if read_only and not Path(path).exists():
            raise MissingInput(f"{path}: there is no such file; create it with `bonmun corpus count`.")
        super().__init__(path, read_only=read_only)
        try:
            self.normal = self._prepare(normal, read_only=read_only)
        except BaseException:
            self.close()
            raise

    def _prepare(self, normal: Normalisation | None, *, read_only: bool) -> Normalisation:
        """Create the tables or check the existing ones. Return the normalisation of the texts."""
        names = {row[0] for row in self.query("select table_name from information_schema.tables")}
        if not names and not read_only:
            made = normal or Normalisation()
            values = {"format": FORMAT, "digits": str(int(made.digits)), "case": str(int(made.case))}
            with self.transaction():
                self.connection.execute(TABLES)
                self.connection.executemany("insert into about values (?, ?)", list(values.items()))
            return made
        columns = self.query("select column_name from information_schema.columns where table_name = 'about' order by 1")
        if not {"about", "pages", "sites", "leaves", "strings"} <= names or columns != [("name",), ("value",)]:
            raise BadInput(f"{self.path}: not a file of counts; use another file.")
        about = dict(self.query("select name, value from about"))
        if about.get("format") != FORMAT or not {"digits", "case"} <= about.keys():
            raise BadInput(f"{self.path}: made by another version of bonmun; count again into another file.")
        used = Normalisation(about["digits"] == "1", about["case"] == "1")
        if normal is not None and normal != used:
            raise BadConfig(f"{self.path}: counted with other settings for digits or case; use the same settings.")
        return used

    # --- writing ------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return the number of pages that were added, including pages with the same texts."""
        return int(self.query_value("select count(*) from pages"))

    def find_counted(self, raws: list[int]) -> set[int]:
        """Return the pages that were counted before; pages are given by the keys of their bytes."""
        self.connection.register("wanted", pa.table({"raw": pa.array(raws, pa.uint64())}))
        return {row[0] for row in self.query("select raw from wanted where raw in (select raw from pages)")}

    def add(self, batches: Iterable[pa.RecordBatch]) -> None:
        """Add the results of `count_batch` in one transaction."""
        added = list(batches)
        if not added:
            return
        table = pa.Table.from_batches(added)
        new = table.append_column("number", pa.array(range(table.num_rows), pa.int64()))
        sites = table.column("site").unique().to_pylist()
        names = pa.table(
            {
                "site": pa.array(sites, pa.string()),
                "hash_of": pa.array([hash_bytes(site.encode()) for site in sites], pa.uint64()),
            }
        )
        self.connection.register("new", new)
        self.connection.register("names", names)
        try:
            with self.transaction():
                self.connection.execute(ADD)
                self.connection.execute("insert or replace into about values ('summed', '0')")
        finally:
            self.connection.unregister("new")
            self.connection.unregister("names")

    def merge(self, path: str | Path) -> None:
        """Add the counts of another file. Raise BadConfig if the files have pages in common."""
        if Path(path).exists() and self.path.samefile(path):
            raise BadConfig(f"{path}: counts cannot be added to themselves; give another file.")
        with Counts(path, self.normal, read_only=True):
            pass  # raises an error if the file is invalid
        with self.attach(path, "other"):
            shared = self.query_value("select count(*) from other.pages where page in (select page from pages)")
            if shared:
                raise BadConfig(
                    f"{path}: {shared:,} of its pages are already counted and would be counted twice; count the pages "
                    "themselves instead."
                )
            with self.transaction():
                for name in ("pages", "sites", "leaves"):
                    self.connection.execute(f"insert into {name} select * from other.{name}")
                self.connection.execute(
                    "insert into strings select * from other.strings where text not in (select text from strings)"
                )
                self.connection.execute("insert or replace into about values ('summed', '0')")

    def finish(self) -> None:
        """Sum equal rows, after all pages have been added."""
        if self.query_value("select count(*) from about where name = 'summed' and value = '0'"):
            with self.transaction():
                self.connection.execute(SUM_UP)
                self.connection.execute("insert or replace into about values ('summed', '1')")
            self.connection.execute("checkpoint")

    # --- reading ------------------------------------------------------------------------------------------------

    def summary(self, site: str | None = None) -> Summary:
        """Return the size of the counts, of all sites or of one."""
        where = self._where(site)
        pages, sites = self.query_row(f"select coalesce(sum(pages), 0), count(distinct site) from sites {where}")
        texts, leaves = self.query_row(
            f"select count(distinct text), coalesce(sum(occurrences), 0) from leaves {where}"
        )
        frequencies = self.list_frequencies(site)
        return Summary(int(pages), sites, texts, int(leaves), len(frequencies), choose_limit(frequencies))

    def sites(self) -> list[tuple[str, int]]:
        """Return the names of the sites and their numbers of pages."""
        return [(name, pages) for name, pages in self.query(SITES_BY_NAME)]

    def rank_texts(self, site: str | None = None, examples: int = 3) -> Iterator[RankedTexts]:
        """Yield texts by frequency as in the first paper (its Fig. 2), the most frequent first."""
        where = self._where(site)
        query = f"""
            with by_text as (
                select text, sum(plain) as frequency from leaves {where} group by text having sum(plain) > 0),
            ranked as (select frequency, count(*) as texts, min_by(string, (string is null, text), {examples}) as found
                       from by_text left join strings using (text) group by frequency)
            select dense_rank() over (order by frequency), frequency::bigint, texts, found
            from ranked order by frequency desc"""
        for rank, frequency, texts, found in self.query(query):
            yield RankedTexts(rank, frequency, texts, tuple(text for text in found or () if text))

    def find_frequencies(self, texts: list[int], site: str | None = None) -> dict[int, int]:
        """Return the frequencies of texts as in the first paper, by key. Texts that were not counted are missing."""
        where = self._where(site)
        self.connection.register("wanted", pa.table({"text": pa.array(sorted(set(texts)), pa.uint64())}))
        query = f"""
            select text, sum(plain)::bigint as f from leaves semi join wanted using (text) {where}
            group by text having f > 0"""
        return dict(self.query(query))

    def make_site_model(self) -> SiteModel:
        """Return the site model: what repeats on each site (see sites/model.py)."""
        names = {"leaves": "leaves", "sites": "sites"}
        for name, query in SITE_MODEL_TABLES.items():
            self.query(f"create or replace temp table {name} as {query.format(**names)}")
            names[name] = name
        frequencies = self.list_frequencies()
        return assemble_site_model(
            self.query("select site, name, sum(pages)::bigint from sites group by all"),
            self.query(TEXTS.format(**names)),
            self.query(PLACES.format(**names)),
            frequencies,
            self.query(FREQUENT.format(**names, limit=choose_limit(frequencies) + 1)),
            self.normal,
        )

    def list_frequencies(self, site: str | None = None) -> list[int]:
        """Return the distinct frequencies in ascending order: by rank."""
        where = self._where(site)
        query = f"select distinct sum(plain)::bigint as f from leaves {where} group by text having f > 0 order by f"
        return [row[0] for row in self.query(query)]

    def _where(self, site: str | None) -> str:
        if site is None:
            return ""
        site = site.encode("utf-8", "replace").decode()
        if not self.query_value("select count(*) from sites where name = ?", site):
            counted = ", ".join(name for name, _ in self.sites()[:10])
            raise BadConfig(f"No page of {site!r} was counted; the counted sites are {counted}.")
        return f"where site = {hash_bytes(site.encode())}"


def assemble_site_model(
    sites: list[Any],
    texts: list[Any],
    places: list[Any],
    frequencies: list[int],
    frequent: list[Any],
    normal: Normalisation,
) -> SiteModel:
    """Make a site model from rows in any order: sites (key, name, pages), and results of TEXTS, PLACES and FREQUENT."""
    by_text, by_place = _group_by_site(texts), _group_by_site(places)
    made = {}
    for site, name, pages in sorted(sites, key=itemgetter(1)):
        columns = *_make_columns(by_text.pop(site, []), 3), *_make_columns(by_place.pop(site, []), 3)
        made[name] = Site(name, pages, *columns)
    return SiteModel(made, make_ranks(np.array(frequencies, np.int64), *_make_columns(frequent, 2)), normal)


def _group_by_site(rows: list[Any]) -> dict[int, list[Any]]:
    """Group rows by their first value, and remove it."""
    grouped: dict[int, list[Any]] = {}
    for site, *row in rows:
        grouped.setdefault(site, []).append(row)
    return grouped


def choose_limit(frequencies: list[int]) -> int:
    """Return the highest frequency of main text: that of rank k - 2, as in the first paper."""
    return frequencies[-3] if len(frequencies) > 2 else 0


def _make_columns(rows: list[Any], count: int) -> list[Any]:
    """Return rows as columns: ascending keys, and their numbers."""
    rows.sort(key=itemgetter(0))
    return [np.array([row[at] for row in rows], np.int64 if at else np.uint64) for at in range(count)]


def read_site_model(path: Path) -> SiteModel:
    """Read a site model from a file, or make one from a file of counts."""
    try:
        with path.open("rb") as file:
            is_site_model = file.read(len(ZIP_MAGIC)) == ZIP_MAGIC
    except OSError as problem:
        raise BadConfig(f"{path}: cannot be read: {problem.strerror}.") from None
    if is_site_model:
        return SiteModel.load(path)
    with Counts(path, read_only=True) as counts:
        return counts.make_site_model()
