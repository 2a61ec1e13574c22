"""`bonmun corpus template`: write the texts that repeat on each site."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import CountsFile
from bonmun.app.commands.shared.shell import complain, corpus_errors, say_count

__all__ = ["corpus_template_command"]


def corpus_template_command(
    counts: CountsFile,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Output file: .parquet, .jsonl (.gz, .zst), .csv (.gz)."),
    ],
) -> None:
    """Write the texts that repeat on each site, with the number of pages that have them.

    One row per text that is on at least two pages of its site. `in_template` says whether the text stands where texts
    repeat, as menus do.
    """
    with corpus_errors(output, "run the same command to resume; rows that are written are kept."):
        from bonmun.scale.corpus.counts import Counts
        from bonmun.scale.corpus.output import Output
        from bonmun.scale.corpus.template import TEMPLATE, identify_template, list_template

        with (
            Counts(counts, read_only=True) as counted,
            Output(output, TEMPLATE, identify_template(counted)) as written,
        ):
            if written.finished:
                complain(f"{output} is already complete; temporary files next to it are removed.")
                raise typer.Exit
            for batch in list_template(counted, written.done):
                written.write([batch])
            written.finish()
        complain(f"{output}: {say_count(written.done, 'repeated text')}.")
