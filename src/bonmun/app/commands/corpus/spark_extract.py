"""`bonmun spark extract`: pages of a cluster into a folder of Parquet."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, cast

import typer

from bonmun.app.commands.shared.arguments import (
    MAX_BYTES,
    ChunkOverlap,
    ChunkWords,
    Columns,
    Comments,
    Favour,
    Format,
    HtmlColumn,
    Images,
    Links,
    MaxPageBytes,
    MethodName,
    PageSeconds,
    Partitions,
    PathLists,
    SiteName,
    SparkSources,
    UrlColumn,
)
from bonmun.app.commands.shared.inputs import gather_sources, report_reader
from bonmun.app.commands.shared.shell import check_format, complain, corpus_errors
from bonmun.options import Options
from bonmun.outputs import DEFAULT_WORDS

if TYPE_CHECKING:
    from bonmun.options import Favour as FavourName

__all__ = ["spark_extract_command"]


def spark_extract_command(
    output: Annotated[str, typer.Option("--output", "-o", metavar="DIR", help="A new folder of Parquet files.")],
    sources: SparkSources = None,
    paths: PathLists = None,
    counts: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="A site model, or counts: no method keeps what repeats on a site."),
    ] = None,
    method: MethodName = "auto",
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Weights of `bonmun train`, at this place on every machine.")
    ] = None,
    favour: Favour = "balanced",
    format_: Format = "text",
    columns: Columns = None,
    html_column: HtmlColumn = None,
    url_column: UrlColumn = None,
    site: SiteName = None,
    links: Links = False,
    images: Images = False,
    comments: Comments = False,
    chunk_words: ChunkWords = DEFAULT_WORDS,
    chunk_overlap: ChunkOverlap = 0,
    seconds: PageSeconds = 30.0,
    max_bytes: MaxPageBytes = MAX_BYTES,
    partitions: Partitions = None,
) -> None:
    """Extract pages with Apache Spark: the rows of `bonmun corpus extract`, in a folder.

    The column `number` says which of all pages a row is: sorted by it, the rows stand as the local command gives them.
    """
    with corpus_errors(None, f"{output} has no _SUCCESS, so it is no result; delete it."):
        from bonmun.scale.corpus.batches import Extraction
        from bonmun.scale.corpus.columns import parse_column_names
        from bonmun.scale.spark.counts import find_site_model
        from bonmun.scale.spark.extraction import extract, refuse_existing, summarise, write_rows
        from bonmun.scale.spark.pages import Report, read_pages
        from bonmun.scale.spark.session import make_session, spark_errors
        from bonmun.scale.spark.work import Limits

        format_ = check_format(format_)
        names = parse_column_names(columns, format_)
        options = Options(
            max_bytes=max_bytes, links=links, images=images, comments=comments, favour=cast("FavourName", favour)
        )
        with spark_errors():
            session = make_session()
            refuse_existing(session, output)
            report = Report(session)
            pages = read_pages(
                session,
                gather_sources(sources, paths),
                site=site,
                max_bytes=max_bytes,
                report=report,
                html_column=html_column,
                url_column=url_column,
            )
            site_model = find_site_model(session, counts) if counts else None
            extraction = Extraction(method, format_, options, site_model, chunk_words, chunk_overlap, names, model)
            spread = pages.repartition(partitions, "number") if partitions else pages
            write_rows(extract(spread, extraction, Limits(seconds)), output)
            done, failed = summarise(session, output)
        status = report_reader(report)
        what = f"{failed:,} of them failed: the column `error` says why" if failed else "none failed"
        complain(f"{output}: {done:,} pages, {what}.")
        raise typer.Exit(status)
