"""`bonmun corpus show`: show which texts repeat."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import CountsFile
from bonmun.app.commands.shared.shell import corpus_errors, show
from bonmun.work.files import write_text

__all__ = ["corpus_show_command"]


def corpus_show_command(
    counts: CountsFile,
    site: Annotated[str | None, typer.Option(help="Show only this site.")] = None,
    top: Annotated[int, typer.Option(min=1, help="Number of ranks to show.")] = 20,
    gold: Annotated[
        Path | None, typer.Option(metavar="DATA", help="Labelled pages; also shows accuracy by rank.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the last plot to this file.")] = None,
) -> None:
    """Show which texts repeat, by frequency, and with --gold the accuracy of each rank (paper 1, Fig. 2 and 5)."""
    with corpus_errors(svg, "nothing was changed."):
        from bonmun.lab.evaluate.repeated_texts import (
            draw_accuracy,
            draw_frequencies,
            format_accuracy,
            format_frequencies,
            measure_accuracy,
        )
        from bonmun.lab.gold.datasets import read_dataset
        from bonmun.scale.corpus.counts import Counts

        with Counts(counts, read_only=True) as counted:
            summary = counted.summary(site)
            rows = list(counted.rank_texts(site))
            show(format_frequencies(summary, rows, top))
            picture = draw_frequencies(summary, rows, top)
            if gold:
                found = measure_accuracy(counted, read_dataset(gold), site)
                show(f"\n{format_accuracy(found, top)}")
                picture = draw_accuracy(found)
        if svg:
            write_text(svg, picture)
