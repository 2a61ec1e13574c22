"""`bonmun corpus count`: on how many pages each text stands."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import (
    CORES,
    MAX_BYTES,
    SOURCES_HELP,
    HtmlColumn,
    MaxPageBytes,
    PageSeconds,
    SiteName,
    TakeCase,
    TakeDigits,
    UrlColumn,
    Workers,
)
from bonmun.app.commands.shared.inputs import count_sites, report_reader
from bonmun.app.commands.shared.shell import complain, corpus_errors
from bonmun.options import Options
from bonmun.sites.keys import Normalisation
from bonmun.work.files import check_folder
from bonmun.work.progress import show_progress

__all__ = ["corpus_count_command"]


def corpus_count_command(
    sources: Annotated[list[str], typer.Argument(metavar="SRC...", help=f"{SOURCES_HELP} A .duckdb: counts to add.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Made, or added to: counts.duckdb.")],
    html_column: HtmlColumn = None,
    url_column: UrlColumn = None,
    site: SiteName = None,
    digits: TakeDigits = False,
    case: TakeCase = False,
    seconds: PageSeconds = 30.0,
    workers: Workers = CORES,
    max_bytes: MaxPageBytes = MAX_BYTES,
) -> None:
    """Count on how many pages each text stands, by site.

    Pages that are in the counts already are not counted again: the same command goes on where it was stopped, and later
    pages can be added.
    """
    with corpus_errors(output, f"the same command goes on from here; {output} is whole."):
        from bonmun.scale.corpus.batches import Counting
        from bonmun.scale.corpus.counts import Counts
        from bonmun.scale.corpus.runs import CountRun
        from bonmun.scale.corpus.sources.reader import Reader

        others = [name for name in sources if name.endswith(".duckdb")]
        pages = [name for name in sources if name not in others]
        reader = Reader(pages, site, max_bytes, html_column, url_column)
        reader.check_columns()
        counting = Counting(Normalisation(digits, case), Options(max_bytes=max_bytes))
        check_folder(output)
        with Counts(output, counting.normal) as counts:
            for other in others:
                counts.merge(other)
            run = CountRun(counts, counting, reader)
            with show_progress("Counting", reader.total) as progress:
                for _ in run.steps(workers, seconds):
                    progress.move(reader.read, run.pages, "pages")
            counts.finish()
            summary = counts.summary()
        complain(f"{run.pages:,} pages read; {run.repeated:,} of them were counted before, {run.failed:,} failed.")
        for reason in run.reasons:
            complain(reason)
        status = report_reader(reader)
        complain(f"{output}: {summary.pages:,} pages that say different things, {count_sites(summary.sites)}.")
        raise typer.Exit(status)
