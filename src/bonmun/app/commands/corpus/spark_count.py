"""`bonmun spark count`: count with Apache Spark on how many pages each text occurs."""

from __future__ import annotations

from typing import Annotated

import typer

from bonmun.app.commands.corpus.spark_run import open_run
from bonmun.app.commands.shared.arguments import (
    Partitions,
    PathLists,
    SparkSources,
)
from bonmun.app.commands.shared.inputs import count_sites, report_reader
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, corpus_errors, say_count
from bonmun.options import Options
from bonmun.scale.corpus.corpus_options import CountOptions, LimitOptions, SourceOptions
from bonmun.sites.keys import Normalisation

__all__ = ["spark_count_command"]


@take_settings(CountOptions, into="count_options")
@take_settings(SourceOptions, into="source_options")
@take_settings(LimitOptions, into="limits", only="seconds")
def spark_count_command(
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="Output folder of Parquet files; must be new.")
    ],
    count_options: CountOptions,
    source_options: SourceOptions,
    limits: LimitOptions,
    sources: SparkSources = None,
    paths: PathLists = None,
    partitions: Partitions = None,
) -> None:
    """Count with Apache Spark on how many pages of each site every text occurs, for `bonmun spark site-model`."""
    with corpus_errors(None, f"{output} is incomplete; delete it."):
        from bonmun.scale.corpus.batches import CountJob
        from bonmun.scale.spark.counts import count, write_counts
        from bonmun.scale.spark.extraction import summarise
        from bonmun.scale.spark.session import spark_errors
        from bonmun.scale.spark.work import Limits

        job = CountJob(
            Normalisation(count_options.digits, count_options.case), Options(max_bytes=source_options.max_bytes)
        )
        with spark_errors():
            run = open_run(sources, paths, output, source_options, partitions)
            counted = write_counts(count(run.pages, job, Limits(limits.seconds)), job.normal, output)
            done, failed = summarise(run.session, f"{output}/pages")
            sites, different = counted.sites.selectExpr("count(*)", "coalesce(sum(pages), 0)").first()
        status = report_reader(run.report)
        complain(f"{say_count(done, 'page')} read; {failed:,} failed (see the column `error` of {output}/pages).")
        complain(f"{output}: {different:,} distinct pages, {count_sites(sites)}.")
        raise typer.Exit(status)
