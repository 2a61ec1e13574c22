"""`bonmun corpus dedupe`: mark duplicates among extracted pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, corpus_errors, say_count
from bonmun.scale.corpus.corpus_options import LimitOptions
from bonmun.work.progress import show_progress

__all__ = ["corpus_dedupe_command"]

PASSES = 2  # over the files: one to compare, one to write


@take_settings(LimitOptions, into="limits", only="workers")
def corpus_dedupe_command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Output of `bonmun corpus extract`: .parquet, .jsonl (.gz, .xz, .zst)."),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Output file: .parquet, .jsonl (.gz, .zst), .csv (.gz)."),
    ],
    limits: LimitOptions,
) -> None:
    """Mark extracted pages that are exact or near duplicates of an earlier page.

    All rows are kept. `copy_of` is the id of the first page with the same text, `copy_kind` is exact or near, and
    `similarity` is the share of word pairs that both texts have.
    """
    with corpus_errors(output, "run the same command to start again; rows that are written are kept."):
        from bonmun.scale.corpus.dedupe import DedupeRun, choose_text, identify_dedupe, make_marked_schema
        from bonmun.scale.corpus.extracted import ExtractedPages
        from bonmun.scale.corpus.output import Output

        pages = ExtractedPages(files)
        choose_text(pages.schema)
        with Output(output, make_marked_schema(pages.schema), identify_dedupe(pages)) as written:
            if written.finished:
                complain(f"{output} is already complete; temporary files next to it are removed.")
                raise typer.Exit
            run = DedupeRun(pages, written)
            with show_progress("Comparing", PASSES * pages.total) as progress:
                for count in run.steps(limits.workers):
                    progress.update(pages.read, count, "pages")
        complain(f"{say_count(run.rows, 'page')}: {run.exact:,} exact copies, {run.near:,} near copies.")
