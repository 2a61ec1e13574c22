"""`bonmun corpus site-model`: make a site model from counts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import CountsFile
from bonmun.app.commands.shared.inputs import report_site_model
from bonmun.app.commands.shared.shell import corpus_errors
from bonmun.work.files import check_folder

__all__ = ["corpus_site_model_command"]


def corpus_site_model_command(
    counts: CountsFile,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Site model file: news.sites.")],
) -> None:
    """Make a site model: a small file of the texts that repeat on each site, for --site-model."""
    with corpus_errors(output, "nothing was written."):
        from bonmun.scale.corpus.counts import Counts

        check_folder(output)
        with Counts(counts, read_only=True) as counted:
            site_model = counted.make_site_model()
        site_model.save(output)
        report_site_model(output, site_model)
