"""Count texts and make site models with DataFrames. The results equal those of scale/corpus/counts.py.

    pages ─count→ a row per page, with its leaves ─sum_up→ CountTables: sites and leaves ─make_site_model→ SiteModel

Rows are grouped by site, text and place, never by site alone, so a very large site does not slow down a single task.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.errors import BadInput
from bonmun.scale.corpus.batches import COUNTS, CountJob
from bonmun.scale.corpus.counts import SITE_MODEL_TABLES, assemble_site_model, choose_limit, read_site_model
from bonmun.scale.corpus.sql import FREQUENT, PLACES, TEXTS
from bonmun.scale.spark.extraction import apply_job, read_rows, write_rows
from bonmun.scale.spark.hadoop import has_scheme
from bonmun.sites.keys import Normalisation

if TYPE_CHECKING:
    from bonmun.scale.spark.work import Limits
    from bonmun.sites.model import SiteModel

__all__ = ["CountTables", "count", "find_site_model", "make_site_model", "read_counts", "sum_up", "write_counts"]

KEY_RANGE = 1 << 64  # to convert signed keys to unsigned keys
ABOUT = "digits boolean, case boolean"  # the normalisation of texts
# Of several pages with the same texts, only the one with the lowest number is counted.
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
    """The tables `sites` and `leaves` of a file of counts as DataFrames, with signed keys."""

    sites: Any  # site, name, pages
    leaves: Any  # site, text, place, first, placed, here, occurrences, plain, size, string
    normal: Normalisation


def count(pages: Any, job: CountJob | None = None, limits: Limits | None = None) -> Any:
    """Count the pages of `read_pages`; return a row per page. Write the rows before you sum them up."""
    return apply_job(pages, job or CountJob(), COUNTS, limits)


def sum_up(counted: Any, normal: Normalisation | None = None) -> CountTables:
    """Sum up the results of `count`. They are read three times, so they should be read from files."""
    sql = counted.sparkSession.sql
    first = sql(FIRST, counted=counted)
    fresh = sql(FRESH, counted=counted, first=first)
    return CountTables(sql(SITES, fresh=fresh), sql(LEAVES, fresh=fresh), normal or Normalisation())


def make_site_model(counted: CountTables) -> SiteModel:
    """Return the site model; it equals that of `Counts.make_site_model` for the same pages."""
    session = counted.leaves.sparkSession
    tables: dict[str, Any] = {"leaves": counted.leaves, "sites": counted.sites}
    try:
        for name, query in SITE_MODEL_TABLES.items():
            tables[name] = session.sql(query, **tables).persist()
        frequencies = sorted(row.f for row in tables["frequencies"].select("f").distinct().collect())
        limit = choose_limit(frequencies) + 1
        return assemble_site_model(
            [tuple(row) for row in counted.sites.select("site", "name", "pages").collect()],
            _collect(session.sql(TEXTS, **tables)),
            _collect(session.sql(PLACES, **tables)),
            frequencies,
            [(text % KEY_RANGE, f) for text, f in session.sql(FREQUENT, **tables, limit=limit).collect()],
            counted.normal,
        )
    except (TypeError, ValueError, OverflowError):  # missing or invalid numbers
        raise BadInput("The counts are damaged; make them again with `bonmun spark count`.") from None
    finally:
        for name in SITE_MODEL_TABLES.keys() & tables.keys():
            tables[name].unpersist()


def _collect(rows: Any) -> list[tuple[int, ...]]:
    """Return rows of a site, an unsigned key, and numbers."""
    return [(site, key % KEY_RANGE, *numbers) for site, key, *numbers in rows.collect()]


def write_counts(counted: Any, normal: Normalisation, folder: str) -> CountTables:
    """Write the results of `count` and their sums as a folder of Parquet files, and return the sums.

    The subfolder `about` is written last: without it, the folder is incomplete.
    """
    session = counted.sparkSession
    write_rows(counted, f"{folder}/pages")
    summed = sum_up(read_rows(session, f"{folder}/pages"), normal)
    write_rows(summed.sites, f"{folder}/sites")
    write_rows(summed.leaves, f"{folder}/leaves")
    write_rows(session.createDataFrame([(normal.digits, normal.case)], ABOUT), f"{folder}/about")
    return read_counts(session, folder)


def read_counts(session: Any, folder: str) -> CountTables:
    """Read the counts that `write_counts` has written."""
    from pyspark.errors import PySparkException

    try:
        about = read_rows(session, f"{folder}/about").first()
    except PySparkException:
        about = None
    if about is None or not {"digits", "case"} <= about.asDict().keys():
        raise BadInput(f"{folder}: no counts, or unfinished counts; make them with `bonmun spark count`.")
    sites, leaves = (read_rows(session, f"{folder}/{name}") for name in ("sites", "leaves"))
    return CountTables(sites, leaves, Normalisation(bool(about.digits), bool(about.case)))


def find_site_model(session: Any, path: str) -> SiteModel:
    """Read a site model from a local file, or make one from counts: a local file, or a folder written by Spark."""
    is_folder = has_scheme(path) or Path(path).is_dir()
    return make_site_model(read_counts(session, path)) if is_folder else read_site_model(Path(path))
