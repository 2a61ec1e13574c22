"""`bonmun corpus count`: count on how many pages each text occurs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import SOURCES_HELP
from bonmun.app.commands.shared.inputs import count_sites, open_reader, report_reader
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, corpus_errors, say_count
from bonmun.options import Options
from bonmun.scale.corpus.corpus_options import CountOptions, LimitOptions, SourceOptions
from bonmun.sites.keys import Normalisation
from bonmun.work.files import check_folder
from bonmun.work.progress import show_progress

__all__ = ["corpus_count_command"]


@take_settings(CountOptions, into="count_options")
@take_settings(SourceOptions, into="source_options")
@take_settings(LimitOptions, into="limits")
def corpus_count_command(
    sources: Annotated[
        list[str], typer.Argument(metavar="SRC...", help=f"{SOURCES_HELP} Counts in .duckdb files are added.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Counts file to create or add to: counts.duckdb.")
    ],
    count_options: CountOptions,
    source_options: SourceOptions,
    limits: LimitOptions,
) -> None:
    """Count on how many pages of each site every text occurs.

    Pages that were counted before are skipped: run the same command to resume, or with other sources to add pages.
    """
    with corpus_errors(output, f"run the same command to resume; {output} is intact."):
        from bonmun.scale.corpus.batches import CountJob
        from bonmun.scale.corpus.counts import Counts
        from bonmun.scale.corpus.runs import CountRun

        others = [name for name in sources if name.endswith(".duckdb")]
        reader = open_reader([name for name in sources if name not in others], source_options)
        job = CountJob(
            Normalisation(count_options.digits, count_options.case), Options(max_bytes=source_options.max_bytes)
        )
        check_folder(output)
        with Counts(output, job.normal) as counts:
            for other in others:
                counts.merge(other)
            run = CountRun(counts, job, reader)
            with show_progress("Counting", reader.total) as progress:
                for _ in run.steps(limits.workers, limits.seconds):
                    progress.update(reader.read, run.pages, "pages")
            counts.finish()
            summary = counts.summary()
        complain(f"{say_count(run.pages, 'page')} read; {run.repeated:,} were counted before, {run.failed:,} failed.")
        for reason in run.reasons:
            complain(reason)
        status = report_reader(reader)
        complain(f"{output}: {summary.pages:,} distinct pages, {count_sites(summary.sites)}.")
        raise typer.Exit(status)
