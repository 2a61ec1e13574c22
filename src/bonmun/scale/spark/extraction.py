"""Documents of pages, as a DataFrame: the same rows that the local engine gives."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadConfig
from bonmun.scale.corpus.batches import ExtractJob
from bonmun.scale.spark.hadoop import escape_glob, name_place
from bonmun.scale.spark.pages import NUMBERED_PAGES
from bonmun.scale.spark.session import from_arrow_schema
from bonmun.scale.spark.work import Limits, Work, make_signed
from bonmun.sites.keys import hash_bytes

if TYPE_CHECKING:
    import pyarrow as pa

    from bonmun.scale.corpus.engine import BatchJob

__all__ = ["apply_job", "check_pages", "extract", "read_rows", "refuse_existing", "summarise", "write_rows"]


def extract(pages: Any, extraction: ExtractJob | None = None, limits: Limits | None = None) -> Any:
    """Documents of pages, which are as `read_pages` gives them; a row each, with the number of the page."""
    how = extraction or ExtractJob()
    how.check()
    return apply_job(pages, how, how.schema, limits)


def apply_job(pages: Any, job: BatchJob, results: pa.Schema, limits: Limits | None = None) -> Any:
    """What a job of the local engine makes of pages; `results` are its columns."""
    check_pages(pages)
    session = pages.sparkSession
    name = f"{hash_bytes(pickle.dumps(job)):016x}"
    work = Work(session.sparkContext.broadcast(job), name, limits or Limits())
    chosen = pages.select(*NUMBERED_PAGES.names)
    return chosen.mapInArrow(work, from_arrow_schema(make_signed(results)))


def check_pages(pages: Any) -> None:
    """Raise if a column is missing or of another kind: else every page would fail, one by one."""
    wanted = {part.name: part.dataType for part in from_arrow_schema(NUMBERED_PAGES)}
    given = {part.name: part.dataType for part in pages.schema}
    if missing := [name for name in wanted if name not in given]:
        raise BadConfig(
            f"The pages have no column {', '.join(missing)}: give all of {', '.join(wanted)}, with nulls where nothing "
            "is known, and a number of its own for each page."
        )
    for name, kind in wanted.items():
        if given[name] != kind:
            raise BadConfig(
                f"The column {name} is {given[name].simpleString()}: cast it to {kind.simpleString()}"
                f"{' (pages are bytes: encode text first)' if name == 'html' else ''}."
            )


def refuse_existing(session: Any, folder: str) -> None:
    """Raise if there is something at a place where results should go; asked before any work is done."""
    from pyspark.errors import PySparkException

    try:
        found = session.read.format("binaryFile").load(escape_glob(name_place(folder)))
        found.schema  # noqa: B018 - asks whether the folder is there
    except PySparkException:
        return
    raise BadConfig(f"{folder}: it is there already, and nothing was done; delete it or give another name.")


def write_rows(rows: Any, folder: str) -> None:
    """Write a folder of Parquet files.

    Each task writes in a place of its own, which Spark's commit protocol moves into the folder when the task is done:
    what a task that died has written is never seen, nor what a second copy of a task has. `_SUCCESS` comes last.
    """
    rows.write.mode("errorifexists").option("compression", "zstd").parquet(name_place(folder))


def read_rows(session: Any, folder: str) -> Any:
    """Read what `write_rows` has written."""
    return session.read.parquet(escape_glob(name_place(folder)))


def summarise(session: Any, folder: str) -> tuple[int, int]:
    """How many pages are in a folder of results, and how many of them failed."""
    pages, failed = read_rows(session, folder).selectExpr("count(*)", "count(error)").first()
    return pages, failed
