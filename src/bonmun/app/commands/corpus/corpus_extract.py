"""`bonmun corpus extract`: many pages into one file."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, cast

import typer

from bonmun.app.commands.shared.arguments import (
    CORES,
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
    ModelFile,
    PageSeconds,
    SiteName,
    Sources,
    UrlColumn,
    Workers,
)
from bonmun.app.commands.shared.inputs import report_reader
from bonmun.app.commands.shared.shell import check_format, complain, corpus_errors
from bonmun.options import Options
from bonmun.outputs import DEFAULT_WORDS
from bonmun.work.progress import show_progress

if TYPE_CHECKING:
    from bonmun.options import Favour as FavourName

__all__ = ["corpus_extract_command"]


def corpus_extract_command(
    sources: Sources,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="out.parquet, .jsonl (.gz, .zst), .csv (.gz).")
    ],
    counts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Counts, or a site model: no method keeps what repeats on a site."),
    ] = None,
    method: MethodName = "auto",
    model: ModelFile = None,
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
    workers: Workers = CORES,
    max_bytes: MaxPageBytes = MAX_BYTES,
) -> None:
    """Extract many pages into one file, a row each.

    With `--format chunks`, the column `chunks` holds a list for each page. With `--columns url,html,text,title`, `html`
    is the page as it came, and the file, corrected, is one for `bonmun train`. A page that fails has its reason in the
    column `error`. A run that was stopped or killed goes on where it was, with the same command.
    """
    with corpus_errors(output, f"the same command goes on from here; what is done is in {output}.parts."):
        from bonmun.scale.corpus.batches import Extraction
        from bonmun.scale.corpus.columns import parse_column_names
        from bonmun.scale.corpus.counts import read_site_model
        from bonmun.scale.corpus.output import Output
        from bonmun.scale.corpus.runs import extract_pages, identify_extraction
        from bonmun.scale.corpus.sources.reader import Reader

        format_ = check_format(format_)
        names = parse_column_names(columns, format_)
        options = Options(
            max_bytes=max_bytes, links=links, images=images, comments=comments, favour=cast("FavourName", favour)
        )
        reader = Reader(sources, site, max_bytes, html_column, url_column)
        reader.check_columns()
        site_model = read_site_model(counts) if counts else None
        extraction = Extraction(method, format_, options, site_model, chunk_words, chunk_overlap, names, model)
        extraction.check()
        with Output(output, extraction.schema, identify_extraction(extraction, reader, seconds)) as written:
            if written.finished:
                complain(f"{output} was finished before; what was left beside it is cleared away.")
            elif written.done:
                complain(f"{written.done:,} pages were done before; going on from there.")
            with show_progress("Extracting", reader.total) as progress:
                for pages in extract_pages(written, extraction, reader, workers, seconds):
                    progress.move(reader.read, pages, "pages")
        status = report_reader(reader)
        failed = f"{written.failed:,} of them failed: the column `error` says why" if written.failed else "none failed"
        complain(f"{output}: {written.done:,} pages, {failed}.")
        raise typer.Exit(status)
