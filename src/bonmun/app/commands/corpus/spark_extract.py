"""`bonmun spark extract`: extract pages with Apache Spark."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from bonmun.app.commands.corpus.spark_run import open_run
from bonmun.app.commands.shared.arguments import (
    Columns,
    Partitions,
    PathLists,
    SparkSources,
)
from bonmun.app.commands.shared.inputs import describe_failures, report_reader
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, corpus_errors, say_count
from bonmun.extraction import Extraction
from bonmun.scale.corpus.corpus_options import LimitOptions, SourceOptions

__all__ = ["spark_extract_command"]


@take_settings(Extraction, into="extraction", stages="output method chunks read", without="title max_bytes site_model")
@take_settings(SourceOptions, into="source_options")
@take_settings(LimitOptions, into="limits", only="seconds")
def spark_extract_command(
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="DIR", help="Output folder of Parquet files; must be new.")
    ],
    extraction: Extraction,
    source_options: SourceOptions,
    limits: LimitOptions,
    sources: SparkSources = None,
    paths: PathLists = None,
    site_model: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Site model or counts; text that repeats on a site is dropped.",
            rich_help_panel="Method",
        ),
    ] = None,
    columns: Columns = None,
    partitions: Partitions = None,
) -> None:
    """Extract pages with Apache Spark into a folder with the rows of `bonmun corpus extract`.

    The column `number` gives the order of the local command. A --model file must be at the same path on every machine.
    """
    with corpus_errors(None, f"{output} has no _SUCCESS file and is incomplete; delete it."):
        from bonmun.scale.corpus.batches import ExtractJob
        from bonmun.scale.corpus.columns import parse_column_names
        from bonmun.scale.spark.counts import find_site_model
        from bonmun.scale.spark.extraction import extract, summarise, write_rows
        from bonmun.scale.spark.session import spark_errors
        from bonmun.scale.spark.work import Limits

        names = parse_column_names(columns, extraction.format)
        extraction = replace(extraction, max_bytes=source_options.max_bytes)
        with spark_errors():
            run = open_run(sources, paths, output, source_options, partitions)
            if site_model:
                extraction = replace(extraction, site_model=find_site_model(run.session, site_model))
            write_rows(extract(run.pages, ExtractJob(extraction, names), Limits(limits.seconds)), output)
            done, failed = summarise(run.session, output)
        status = report_reader(run.report)
        complain(f"{output}: {say_count(done, 'page')}, {describe_failures(failed)}.")
        raise typer.Exit(status)
