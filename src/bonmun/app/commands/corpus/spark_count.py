"""`bonmun spark count`: on how many pages each text stands, counted by a cluster."""

from __future__ import annotations

from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import (
    MAX_BYTES,
    HtmlColumn,
    MaxPageBytes,
    PageSeconds,
    Partitions,
    PathLists,
    SiteName,
    SparkSources,
    TakeCase,
    TakeDigits,
    UrlColumn,
)
from bonmun.app.commands.shared.inputs import count_sites, gather_sources, report_reader
from bonmun.app.commands.shared.shell import complain, corpus_errors
from bonmun.options import Options
from bonmun.sites.keys import Normalisation

__all__ = ["spark_count_command"]


def spark_count_command(
    output: Annotated[str, typer.Option("--output", "-o", metavar="DIR", help="A new folder of Parquet files.")],
    sources: SparkSources = None,
    paths: PathLists = None,
    html_column: HtmlColumn = None,
    url_column: UrlColumn = None,
    site: SiteName = None,
    digits: TakeDigits = False,
    case: TakeCase = False,
    seconds: PageSeconds = 30.0,
    max_bytes: MaxPageBytes = MAX_BYTES,
    partitions: Partitions = None,
) -> None:
    """Count with Apache Spark on how many pages each text stands, by site, for `bonmun spark site-model`."""
    with corpus_errors(None, f"{output} is not whole; delete it."):
        from bonmun.scale.corpus.batches import Counting
        from bonmun.scale.spark.counts import count, write_counts
        from bonmun.scale.spark.extraction import refuse_existing, summarise
        from bonmun.scale.spark.pages import Report, read_pages
        from bonmun.scale.spark.session import make_session, spark_errors
        from bonmun.scale.spark.work import Limits

        counting = Counting(Normalisation(digits, case), Options(max_bytes=max_bytes))
        with spark_errors():
            session = make_session()
            refuse_existing(session, output)
            report = Report(session)
            pages = read_pages(
                session,
                gather_sources(sources, paths),
                site=site,
                max_bytes=max_bytes,
                report=report,
                html_column=html_column,
                url_column=url_column,
            )
            spread = pages.repartition(partitions, "number") if partitions else pages
            counted = write_counts(count(spread, counting, Limits(seconds)), counting.normal, output)
            done, failed = summarise(session, f"{output}/pages")
            sites, different = counted.sites.selectExpr("count(*)", "coalesce(sum(pages), 0)").first()
        status = report_reader(report)
        complain(f"{done:,} pages read; {failed:,} failed: the column `error` of {output}/pages says why.")
        complain(f"{output}: {different:,} pages that say different things, {count_sites(sites)}.")
        raise typer.Exit(status)
