"""What the commands that read pages with Spark share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from bonmun.app.commands.shared.inputs import gather_sources

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bonmun.scale.corpus.corpus_options import SourceOptions
    from bonmun.scale.spark.pages import Report

__all__ = ["SparkRun", "open_run"]


class SparkRun(NamedTuple):
    """A Spark session, a DataFrame of pages, and what was skipped while reading them."""

    session: Any
    pages: Any
    report: Report


def open_run(
    sources: Sequence[str] | None,
    lists: Sequence[Path] | None,
    output: str,
    options: SourceOptions,
    partitions: int | None,
) -> SparkRun:
    """Start a session and read the pages; raise BadConfig if the output folder exists."""
    from bonmun.scale.spark.extraction import refuse_existing
    from bonmun.scale.spark.pages import Report, read_pages
    from bonmun.scale.spark.session import make_session

    session = make_session()
    refuse_existing(session, output)
    report = Report(session)
    pages = read_pages(
        session,
        gather_sources(sources, lists),
        site=options.site,
        max_bytes=options.max_bytes,
        report=report,
        html_column=options.html_column,
        url_column=options.url_column,
    )
    return SparkRun(session, pages.repartition(partitions, "number") if partitions else pages, report)
