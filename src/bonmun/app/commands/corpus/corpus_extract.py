"""`bonmun corpus extract`: extract many pages into one file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import Columns, Sources
from bonmun.app.commands.shared.inputs import describe_failures, open_reader, report_reader
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, corpus_errors, say_count
from bonmun.extraction import Extraction
from bonmun.scale.corpus.corpus_options import LimitOptions, SourceOptions
from bonmun.work.progress import show_progress

__all__ = ["corpus_extract_command"]


@take_settings(Extraction, into="extraction", stages="output method chunks read", without="title max_bytes")
@take_settings(SourceOptions, into="source_options")
@take_settings(LimitOptions, into="limits")
def corpus_extract_command(
    sources: Sources,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Output file: .parquet, .jsonl (.gz, .zst), .csv (.gz)."),
    ],
    extraction: Extraction,
    source_options: SourceOptions,
    limits: LimitOptions,
    columns: Columns = None,
) -> None:
    """Extract many pages into one file, one row per page.

    With --format chunks, the column `chunks` holds a list per page. With --columns url,html,text,title the output can
    be corrected and used by `bonmun train`. If a page fails, the column `error` says why. An interrupted run is
    resumed by the same command.
    """
    with corpus_errors(output, f"run the same command to resume; finished pages are in {output}.parts."):
        from bonmun.scale.corpus.batches import ExtractJob
        from bonmun.scale.corpus.columns import parse_column_names
        from bonmun.scale.corpus.counts import read_site_model
        from bonmun.scale.corpus.output import Output
        from bonmun.scale.corpus.runs import extract_pages, identify_extraction

        names = parse_column_names(columns, extraction.format)
        reader = open_reader(sources, source_options)
        extraction = replace(extraction, max_bytes=source_options.max_bytes)
        if extraction.site_model:
            extraction = replace(extraction, site_model=read_site_model(extraction.site_model))
        job = ExtractJob(extraction, names)
        job.check()
        with Output(output, job.schema, identify_extraction(job, reader, limits.seconds)) as written:
            if written.finished:
                complain(f"{output} is already complete; temporary files next to it are removed.")
            elif written.done:
                complain(f"Resuming after {written.done:,} finished pages.")
            with show_progress("Extracting", reader.total) as progress:
                for pages in extract_pages(written, job, reader, limits.workers, limits.seconds):
                    progress.update(reader.read, pages, "pages")
        status = report_reader(reader)
        complain(f"{output}: {say_count(written.done, 'page')}, {describe_failures(written.failed)}.")
        raise typer.Exit(status)
