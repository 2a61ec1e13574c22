"""Extract pages with DataFrames. The rows equal those of the local engine."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from bonmun.errors import BadConfig
from bonmun.scale.corpus.batches import ExtractJob
from bonmun.scale.spark.hadoop import escape_glob, make_uri
from bonmun.scale.spark.pages import NUMBERED_PAGES
from bonmun.scale.spark.session import from_arrow_schema
from bonmun.scale.spark.work import JobRunner, Limits, make_signed
from bonmun.sites.keys import hash_bytes

if TYPE_CHECKING:
    import pyarrow as pa

    from bonmun.scale.corpus.engine import BatchJob

__all__ = ["apply_job", "check_pages", "extract", "read_rows", "refuse_existing", "summarise", "write_rows"]


def extract(pages: Any, job: ExtractJob | None = None, limits: Limits | None = None) -> Any:
    """Extract the pages of `read_pages`; return a row per page, with its number."""
    job = job or ExtractJob()
    job.check()
    return apply_job(pages, job, job.schema, limits)


def apply_job(pages: Any, job: BatchJob, results: pa.Schema, limits: Limits | None = None) -> Any:
    """Run a job of the local engine on pages; `results` is the schema of its results."""
    check_pages(pages)
    session = pages.sparkSession
    name = f"{hash_bytes(pickle.dumps(job)):016x}"
    runner = JobRunner(session.sparkContext.broadcast(job), name, limits or Limits())
    selected = pages.select(*NUMBERED_PAGES.names)
    return selected.mapInArrow(runner, from_arrow_schema(make_signed(results)))


def check_pages(pages: Any) -> None:
    """Raise BadConfig if a column is missing or has another type; otherwise every page would fail."""
    wanted = {part.name: part.dataType for part in from_arrow_schema(NUMBERED_PAGES)}
    given = {part.name: part.dataType for part in pages.schema}
    if missing := [name for name in wanted if name not in given]:
        raise BadConfig(
            f"The pages have no column {', '.join(missing)}; they need {', '.join(wanted)}, with null for unknown "
            "values and a unique number for each page."
        )
    for name, kind in wanted.items():
        if given[name] != kind:
            raise BadConfig(
                f"The column {name} has the type {given[name].simpleString()}; cast it to {kind.simpleString()}"
                f"{' (pages are bytes; encode text first)' if name == 'html' else ''}."
            )


def refuse_existing(session: Any, folder: str) -> None:
    """Raise BadConfig if the output folder exists; called before any work is done."""
    from pyspark.errors import PySparkException

    try:
        found = session.read.format("binaryFile").load(escape_glob(make_uri(folder)))
        found.schema  # noqa: B018 - raises if the folder does not exist
    except PySparkException:
        return
    raise BadConfig(f"{folder}: the folder already exists; delete it or use another name.")


def write_rows(rows: Any, folder: str) -> None:
    """Write a folder of Parquet files.

    Each task writes to a temporary folder, and the commit protocol of Spark moves its files when the task is finished.
    So the files of failed and duplicate tasks never appear. The file `_SUCCESS` is written last.
    """
    rows.write.mode("errorifexists").option("compression", "zstd").parquet(make_uri(folder))


def read_rows(session: Any, folder: str) -> Any:
    """Read the rows that `write_rows` has written."""
    return session.read.parquet(escape_glob(make_uri(folder)))


def summarise(session: Any, folder: str) -> tuple[int, int]:
    """Return the number of pages in a folder of results, and how many of them failed."""
    pages, failed = read_rows(session, folder).selectExpr("count(*)", "count(error)").first()
    return pages, failed
