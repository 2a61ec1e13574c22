"""Counts of texts over many pages, in one DuckDB file: by site, text and place, how many leaves and pages.

Pages are added in transactions, so what a killed process leaves is whole, and a page that was counted is known by its
bytes and is not counted again. Runs of rows are added up when all pages are in.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bonmun.corpus.sql import ADD, BY_NAME, MODEL, PLACES, SUM_UP, TABLES, TEXTS
from bonmun.errors import BadConfig, BadInput, BonmunError, MissingExtra, MissingInput
from bonmun.sites.keys import Normal, key
from bonmun.sites.model import KEPT, Ranks, Site, SiteModel, highest

try:
    import duckdb
    import pyarrow as pa
except ImportError:
    raise MissingExtra("Counts are kept by DuckDB: pip install 'bonmun[corpus]'.") from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

__all__ = ["Counts", "Frequency", "Summary"]

FORMAT = "1"
MEMORY = "400MB"  # for DuckDB; what does not fit waits on disk, beside the file
THREADS = 2
DAMAGED = "cannot be read as counts; it is damaged, or no DuckDB file."


class Summary(NamedTuple):
    """What was counted."""

    pages: int
    sites: int
    texts: int
    leaves: int
    k: int  # different frequencies, as the first paper counts
    limit: int  # the highest that is main text


class Frequency(NamedTuple):
    """Texts that are equally frequent."""

    rank: int  # 1 for the lowest
    frequency: int
    texts: int
    examples: tuple[str, ...]


class Counts:
    """A file of counts; a context manager, since only one process may have it open for writing.

    with Counts("counts.duckdb") as counts:
        counts.add(tables)
        counts.finish()
    """

    def __init__(self, path: str | Path, normal: Normal | None = None, *, read_only: bool = False) -> None:
        self.path = Path(path)
        if read_only and not self.path.exists():
            raise MissingInput(f"{path}: there is no such file; make it with `bonmun corpus count`.")
        self.duck = _opened(self.path, read_only=read_only)
        try:
            self.normal = self._begun(normal, read_only=read_only)
        except BaseException:
            self.duck.close()
            raise

    def _begun(self, normal: Normal | None, *, read_only: bool) -> Normal:
        """Make the tables, or see that they are ours; and how texts are taken for the same."""
        names = {row[0] for row in self._ask("select table_name from information_schema.tables")}
        if not names and not read_only:
            made = normal or Normal()
            values = {"format": FORMAT, "digits": str(int(made.digits)), "case": str(int(made.case))}
            with self._transaction():
                self.duck.execute(TABLES)
                self.duck.executemany("insert into about values (?, ?)", list(values.items()))
            return made
        columns = self._ask("select column_name from information_schema.columns where table_name = 'about' order by 1")
        if not {"about", "pages", "sites", "leaves", "strings"} <= names or columns != [("name",), ("value",)]:
            raise BadInput(f"{self.path}: a file of something else, not of counts; give another name.")
        about = dict(self._ask("select name, value from about"))
        if about.get("format") != FORMAT or not {"digits", "case"} <= about.keys():
            raise BadInput(f"{self.path}: counts of another version of bonmun; count anew into another file.")
        known = Normal(about["digits"] == "1", about["case"] == "1")
        if normal is not None and normal != known:
            raise BadConfig(f"{self.path}: counted with other settings for digits or case; use the same ones.")
        return known

    def __enter__(self) -> Counts:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let others have the file."""
        self.duck.close()

    # --- writing ------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Pages that were counted, with those that say what another does."""
        return int(self._one("select count(*) from pages"))

    def known(self, raws: list[int]) -> set[int]:
        """Which of these pages, by the keys of their bytes, were counted."""
        self.duck.register("wanted", pa.table({"raw": pa.array(raws, pa.uint64())}))
        return {row[0] for row in self._ask("select raw from wanted where raw in (select raw from pages)")}

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
                "hash_of": pa.array([key(site.encode()) for site in sites], pa.uint64()),
            }
        )
        self.duck.register("new", new)
        self.duck.register("names", names)
        try:
            with self._transaction():
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
        self.duck.execute(f"attach {_quoted(path)} as other (read_only)")
        try:
            both = self._one("select count(*) from other.pages where page in (select page from pages)")
            if both:
                raise BadConfig(
                    f"{path}: {both:,} of its pages were counted here already, and would count twice; count the pages "
                    "themselves instead."
                )
            with self._transaction():
                for name in ("pages", "sites", "leaves"):
                    self.duck.execute(f"insert into {name} select * from other.{name}")
                self.duck.execute(
                    "insert into strings select * from other.strings where text not in (select text from strings)"
                )
                self.duck.execute("insert or replace into about values ('summed', '0')")
        finally:
            self.duck.execute("detach other")

    def finish(self) -> None:
        """Add up rows of a kind, once all pages are in."""
        if self._one("select count(*) from about where name = 'summed' and value = '0'"):
            with self._transaction():
                self.duck.execute(SUM_UP)
                self.duck.execute("insert or replace into about values ('summed', '1')")
            self.duck.execute("checkpoint")

    # --- reading ------------------------------------------------------------------------------------------------

    def summary(self, site: str | None = None) -> Summary:
        """How much was counted, over all or of one site."""
        where = self._where(site)
        pages, sites = self._row(f"select coalesce(sum(pages), 0), count(distinct site) from sites {where}")
        texts, leaves = self._row(f"select count(distinct text), coalesce(sum(occurrences), 0) from leaves {where}")
        frequencies = self.ranked(site)
        return Summary(
            int(pages), sites, texts, int(leaves), len(frequencies), frequencies[-3] if len(frequencies) > 2 else 0
        )

    def sites(self) -> list[tuple[str, int]]:
        """The sites by name, with their pages."""
        return [(name, pages) for name, pages in self._ask(BY_NAME)]

    def frequencies(self, site: str | None = None, examples: int = 3) -> Iterator[Frequency]:
        """Texts by frequency, as the first paper counts it, the most frequent first (its Fig. 2)."""
        where = self._where(site)
        asked = f"""
            with by_text as (
                select text, sum(plain) as frequency from leaves {where} group by text having sum(plain) > 0),
            ranked as (select frequency, count(*) as texts, min_by(string, (string is null, text), {examples}) as found
                       from by_text left join strings using (text) group by frequency)
            select dense_rank() over (order by frequency), frequency::bigint, texts, found
            from ranked order by frequency desc"""
        for rank, frequency, texts, some in self._ask(asked):
            yield Frequency(rank, frequency, texts, tuple(text for text in some or () if text))

    def frequencies_of(self, texts: list[int], site: str | None = None) -> dict[int, int]:
        """How frequent these texts are, as the first paper counts, by key; without those that were not counted."""
        where = self._where(site)
        self.duck.register("wanted", pa.table({"text": pa.array(sorted(set(texts)), pa.uint64())}))
        asked = f"""
            select text, sum(plain)::bigint as f from leaves semi join wanted using (text) {where}
            group by text having f > 0"""
        return dict(self._ask(asked))

    def model(self) -> SiteModel:
        """What repeats, as a model (see sites.py)."""
        texts: dict[int, list[Any]] = {}
        places: dict[int, list[Any]] = {}
        sites = self._ask("select site, name, sum(pages)::bigint from sites group by all order by name")
        for step in MODEL:
            self._ask(step)
        for site, *row in self._ask(TEXTS):
            texts.setdefault(site, []).append(row)
        for site, *row in self._ask(PLACES):
            places.setdefault(site, []).append(row)
        made = {}
        for site, name, pages in sites:
            by_text, by_place = texts.pop(site, []), places.pop(site, [])
            made[name] = Site(name, pages, *_columns(by_text, 3), *_columns(by_place, 3))
        return SiteModel(made, self._ranks(), self.normal)

    def _ranks(self) -> Ranks:
        frequencies = self.ranked()
        limit = frequencies[-3] if len(frequencies) > 2 else 0
        asked = f"""
            with by_text as (select text, sum(plain)::bigint as f from leaves group by text having f > 0),
            common as (select min(f) as f from (select f from by_text order by f desc limit {KEPT}))
            select text, f from by_text where f >= least({limit + 1}, (select f from common)) order by text"""
        texts, counts = _columns(self._ask(asked), 2)
        return highest(np.array(frequencies, np.int64), texts, counts)

    def ranked(self, site: str | None = None) -> list[int]:
        """The different frequencies, the lowest first: that of rank 1."""
        where = self._where(site)
        asked = f"select distinct sum(plain)::bigint as f from leaves {where} group by text having f > 0 order by f"
        return [row[0] for row in self._ask(asked)]

    def _where(self, site: str | None) -> str:
        if site is None:
            return ""
        site = site.encode("utf-8", "replace").decode()
        if not self._one("select count(*) from sites where name = ?", site):
            known = ", ".join(name for name, _ in self.sites()[:10])
            raise BadConfig(f"No page of {site!r} was counted; these sites were: {known}.")
        return f"where site = {key(site.encode())}"

    def _ask(self, asked: str, *values: Any) -> list[tuple[Any, ...]]:
        """All rows at once: a result that is open keeps others waiting."""
        try:
            return self.duck.execute(asked, list(values)).fetchall()
        except duckdb.Error as problem:
            raise BadInput(f"{self.path}: {DAMAGED}") from problem

    def _row(self, asked: str, *values: Any) -> tuple[Any, ...]:
        return self._ask(asked, *values)[0]

    def _one(self, asked: str, *values: Any) -> Any:
        return self._row(asked, *values)[0]

    def _transaction(self) -> _Transaction:
        return _Transaction(self.duck, self.path)


class _Transaction:
    """All or nothing; what DuckDB says of a full disk becomes an OSError, as everywhere."""

    def __init__(self, duck: duckdb.DuckDBPyConnection, path: Path) -> None:
        self.duck = duck
        self.path = path

    def __enter__(self) -> None:
        self.duck.execute("begin")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.duck.execute("commit" if kind is None else "rollback")
        except duckdb.Error as problem:
            error = error or problem
        if isinstance(error, duckdb.Error):
            says = " ".join(str(error).split("\n")[0].split())
            raise BonmunError(f"{self.path}: the counts cannot be written, and stay as they were: {says}") from error


def _opened(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    settings: dict[str, Any] = {
        "memory_limit": MEMORY,
        "threads": THREADS,
        "preserve_insertion_order": False,
        "autoinstall_known_extensions": False,  # nothing is ever fetched
        "autoload_known_extensions": False,
    }
    try:
        return duckdb.connect(str(path), read_only=read_only, config=settings)
    except duckdb.Error as problem:
        says = str(problem)
        if "set lock" in says.lower():
            raise BadConfig(f"{path}: another process is at work on these counts; wait for it.") from None
        if path.is_file():
            raise BadInput(f"{path}: {DAMAGED}") from problem
        raise BadConfig(f"{path}: cannot be made there: {' '.join(says.split())}") from problem


def _quoted(path: str | Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _columns(rows: list[Any], count: int) -> list[Any]:
    """Rows as columns: keys, and numbers that go with them."""
    return [np.array([row[at] for row in rows], np.int64 if at else np.uint64) for at in range(count)]
