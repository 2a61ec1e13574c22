"""Counts of texts, and site models, as DataFrames; equal to those of scale/corpus/counts.py.

    pages ─count→ a row a page, with its leaves ─sum_up→ CountTables: sites and leaves ─make_site_model→ SiteModel

Rows are grouped by site, text and place, and never by site alone: a site of a million pages is no more work for one
task than for the others.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.errors import BadInput
from bonmun.scale.corpus.batches import COUNTS, CountJob
from bonmun.scale.corpus.counts import PREPARED, assemble_site_model, choose_limit, read_site_model
from bonmun.scale.corpus.sql import FREQUENT, PLACES, TEXTS
from bonmun.scale.spark.extraction import apply_job, read_rows, write_rows
from bonmun.scale.spark.hadoop import has_scheme
from bonmun.sites.keys import Normalisation

if TYPE_CHECKING:
    from bonmun.scale.spark.work import Limits
    from bonmun.sites.model import SiteModel

__all__ = ["CountTables", "count", "find_site_model", "make_site_model", "read_counts", "sum_up", "write_counts"]

KEYS = 1 << 64  # how many there are
ABOUT = "digits boolean, case boolean"  # which texts were taken for the same
# Of pages that say the same the first counts, by number, in whatever order they come.
FIRST = "select page, min(number) as number from {counted} where error is null group by page"
FRESH = "select xxhash64(site) as site, site as name, leaves from {counted} join {first} using (page, number)"
SITES = "select site, name, count(*) as pages from {fresh} group by site, name"
LEAVES = """
select site, leaf.text, leaf.place, sum(leaf.first) as first, sum(leaf.placed) as placed, count(*) as here,
       sum(leaf.occurrences) as occurrences, sum(leaf.plain) as plain, any_value(leaf.size) as size,
       min(leaf.string) as string
from (select site, explode(leaves) as leaf from {fresh}) group by site, leaf.text, leaf.place
"""


class CountTables(NamedTuple):
    """Counts: what is in the tables `sites` and `leaves` of a file of counts, with keys of signed numbers."""

    sites: Any  # site, name, pages
    leaves: Any  # site, text, place, first, placed, here, occurrences, plain, size, string
    normal: Normalisation


def count(pages: Any, counting: CountJob | None = None, limits: Limits | None = None) -> Any:
    """The counts of each page, which are as `read_pages` gives them; write them before they are summed up."""
    return apply_job(pages, counting or CountJob(), COUNTS, limits)


def sum_up(counted: Any, normal: Normalisation | None = None) -> CountTables:
    """Add up what `count` gave, best read from where it was written: it is asked three times."""
    ask = counted.sparkSession.sql
    first = ask(FIRST, counted=counted)
    fresh = ask(FRESH, counted=counted, first=first)
    return CountTables(ask(SITES, fresh=fresh), ask(LEAVES, fresh=fresh), normal or Normalisation())


def make_site_model(counted: CountTables) -> SiteModel:
    """What repeats on each site; the same as `Counts.make_site_model` gives for the same pages."""
    session = counted.leaves.sparkSession
    tables: dict[str, Any] = {"leaves": counted.leaves, "sites": counted.sites}
    try:
        for name, asked in PREPARED.items():
            tables[name] = session.sql(asked, **tables).persist()
        frequencies = sorted(row.f for row in tables["frequencies"].select("f").distinct().collect())
        limit = choose_limit(frequencies) + 1
        return assemble_site_model(
            [tuple(row) for row in counted.sites.select("site", "name", "pages").collect()],
            _collect(session.sql(TEXTS, **tables)),
            _collect(session.sql(PLACES, **tables)),
            frequencies,
            [(text % KEYS, f) for text, f in session.sql(FREQUENT, **tables, limit=limit).collect()],
            counted.normal,
        )
    finally:
        for name in PREPARED.keys() & tables.keys():
            tables[name].unpersist()


def _collect(rows: Any) -> list[tuple[int, ...]]:
    """Rows of a site, a key, and numbers; the key without its sign."""
    return [(site, key % KEYS, *numbers) for site, key, *numbers in rows.collect()]


def write_counts(counted: Any, normal: Normalisation, folder: str) -> CountTables:
    """Write what `count` gives, and what it sums up to: a folder of Parquet.

    `about` comes last: a folder without it is not whole.
    """
    session = counted.sparkSession
    write_rows(counted, f"{folder}/pages")
    summed = sum_up(read_rows(session, f"{folder}/pages"), normal)
    write_rows(summed.sites, f"{folder}/sites")
    write_rows(summed.leaves, f"{folder}/leaves")
    write_rows(session.createDataFrame([(normal.digits, normal.case)], ABOUT), f"{folder}/about")
    return read_counts(session, folder)


def read_counts(session: Any, folder: str) -> CountTables:
    """The counts that `write_counts` has written."""
    from pyspark.errors import PySparkException

    try:
        about = read_rows(session, f"{folder}/about").first()
    except PySparkException:
        about = None
    if about is None:
        raise BadInput(f"{folder}: no counts, or counts that were not finished; make them with `bonmun spark count`.")
    sites, leaves = (read_rows(session, f"{folder}/{name}") for name in ("sites", "leaves"))
    return CountTables(sites, leaves, Normalisation(about.digits, about.case))


def find_site_model(session: Any, path: str) -> SiteModel:
    """The site model in a file of this machine, or one made of counts: a file, or a folder that Spark has written."""
    is_folder = has_scheme(path) or Path(path).is_dir()
    return make_site_model(read_counts(session, path)) if is_folder else read_site_model(Path(path))
