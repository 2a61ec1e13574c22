"""`bonmun corpus dedupe`: which extracted pages say the same."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import CORES, Workers
from bonmun.app.commands.shared.shell import complain, corpus_errors
from bonmun.work.progress import show_progress

__all__ = ["corpus_dedupe_command"]

PASSES = 2  # over the files: to compare, and to write


def corpus_dedupe_command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Of `bonmun corpus extract`: .parquet, .jsonl (.gz, .xz, .zst)."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="out.parquet, .jsonl (.gz, .zst), .csv (.gz).")
    ],
    workers: Workers = CORES,
) -> None:
    """Mark the extracted pages that say the same as an earlier one, to the letter or nearly.

    All rows are kept. `copy_of` is the id of the first page that says the same, `copy_kind` is exact or near, and
    `similarity` the share of pairs of words that both have.
    """
    with corpus_errors(output, "the same command begins anew, but for what is written already."):
        from bonmun.scale.corpus.dedupe import DedupeRun, choose_text, identify_dedupe, make_marked_schema
        from bonmun.scale.corpus.extracted import ExtractedPages
        from bonmun.scale.corpus.output import Output

        pages = ExtractedPages(files)
        choose_text(pages.schema)
        with Output(output, make_marked_schema(pages.schema), identify_dedupe(pages)) as written:
            if written.finished:
                complain(f"{output} was finished before; what was left beside it is cleared away.")
                raise typer.Exit
            run = DedupeRun(pages, written)
            with show_progress("Comparing", PASSES * pages.total) as progress:
                for count in run.steps(workers):
                    progress.move(pages.read, count, "pages")
        complain(f"{run.rows:,} pages: {run.exact:,} exact copies, {run.near:,} near copies.")
