"""`bonmun spark site-model`: make a site model from the counts of `bonmun spark count`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.inputs import report_site_model
from bonmun.app.commands.shared.shell import corpus_errors
from bonmun.work.files import check_folder

__all__ = ["spark_site_model_command"]


def spark_site_model_command(
    counts: Annotated[str, typer.Argument(metavar="DIR", help="Output folder of `bonmun spark count`.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Site model file: news.sites.")],
) -> None:
    """Make a site model: a small file of the texts that repeat on each site, as `bonmun corpus site-model` does."""
    with corpus_errors(output, "nothing was written."):
        from bonmun.scale.spark.counts import make_site_model, read_counts
        from bonmun.scale.spark.session import make_session, spark_errors

        check_folder(output)
        with spark_errors():
            site_model = make_site_model(read_counts(make_session(), counts))
        site_model.save(output)
        report_site_model(output, site_model)
