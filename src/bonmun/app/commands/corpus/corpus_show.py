"""`bonmun corpus show`: which texts repeat."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import CountsFile  # noqa: TC001 - typer reads the annotations
from bonmun.app.commands.shared.shell import corpus_errors, show
from bonmun.work.files import write_text

__all__ = ["corpus_show_command"]


def corpus_show_command(
    counts: CountsFile,
    site: Annotated[str | None, typer.Option(help="Only this site; else over all.")] = None,
    top: Annotated[int, typer.Option(min=1, help="So many of the highest ranks.")] = 20,
    gold: Annotated[
        Path | None, typer.Option(metavar="DATA", help="Labelled pages: show accuracy against rank, too.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the last picture here, as SVG.")] = None,
) -> None:
    """Show which texts repeat, as the first paper does: by frequency; with gold, how right each rank would be."""
    with corpus_errors(svg, "nothing was changed."):
        from bonmun.lab.evaluate.repeated_texts import (
            accuracy_svg,
            accuracy_table,
            frequency_svg,
            frequency_table,
            measure_accuracy,
        )
        from bonmun.lab.gold.datasets import read_dataset
        from bonmun.scale.corpus.counts import Counts

        with Counts(counts, read_only=True) as counted:
            summary = counted.summary(site)
            rows = list(counted.rank_texts(site))
            show(frequency_table(summary, rows, top))
            picture = frequency_svg(summary, rows, top)
            if gold:
                found = measure_accuracy(counted, read_dataset(gold), site)
                show(f"\n{accuracy_table(found, top)}")
                picture = accuracy_svg(found)
        if svg:
            write_text(svg, picture)
