"""`bonmun extract`: extract the main text of pages."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.app.commands.extract.page_loading import PageLoader
from bonmun.app.commands.extract.presentation import Presentation
from bonmun.app.commands.extract.writer import DocumentWriter, find_table
from bonmun.app.commands.pages.render import Files
from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.inputs import report_passed
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import (
    check_encoding,
    complain,
    corpus_errors,
    output_to,
    wrong_use,
)
from bonmun.app.commands.shared.sources import Source, find_sources, read_list
from bonmun.errors import BadConfig, BonmunError
from bonmun.extraction import Extraction
from bonmun.joined import collect_pages, join_documents
from bonmun.options import Options, PartOptions
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.scale.browser.render_options import RenderChoice
from bonmun.work.progress import is_terminal, show_progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bonmun.algorithms import Method
    from bonmun.app.commands.extract.presentation import TableType
    from bonmun.document import Document

__all__ = ["extract_command"]

LoadPage = Callable[[Source, Options, str | None], Page]
PAUSE_SECONDS = 1.0  # as in bonmun.scale.web.download_many, which loads asyncio


@take_settings(Extraction, into="extraction")
@take_settings(PartOptions, into="part")
@take_settings(RenderChoice, into="rendering", only="render viewport network wait wait_for scroll click")
def extract_command(
    extraction: Extraction,
    part: PartOptions,
    rendering: RenderChoice,
    inputs: Annotated[
        list[str] | None, typer.Argument(metavar="PATH|URL|-...", help="Files, folders or URLs; - reads stdin.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE|DIR", help="Output file (also .jsonl, .parquet) or folder."),
    ] = None,
    urls: Annotated[
        str | None, typer.Option("--urls", metavar="FILE|-", help="File that lists URLs or paths, one per line.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, help="Number of child processes; with 2 or more, URLs are fetched in parallel."
        ),
    ] = None,
    all_pages: Annotated[
        bool,
        typer.Option(
            "--all-pages", help="Follow the links to the next page; files are the pages of one article, in order."
        ),
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every decision and its reason instead of the document.")
    ] = False,
    url: Annotated[
        str | None, typer.Option(help="URL of the page on stdin or in a single file.", rich_help_panel="Reading")
    ] = None,
    pause: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0.0, help="Seconds between two requests to a host.", rich_help_panel="Fetching"
        ),
    ] = PAUSE_SECONDS,
    files: Files = None,
) -> None:
    """Extract the main text of pages.

    An input that fails is reported on stderr, the others are still extracted, and the exit status is 1. To resume an
    interrupted run, repeat the command; this needs --output, and --urls, --jobs or several URLs.
    """
    with wrong_use():
        check_encoding(extraction.encoding)
        table = find_table(output)
        presentation = Presentation(extraction, explain, table, part)
        labeller = presentation.make_method()
        names = [*(inputs or ()), *(read_list(urls) if urls is not None else ())]
        if inputs is None and urls is None:
            raise typer.BadParameter("Give a page, as in `bonmun extract page.html`, or a list of URLs with --urls.")
        passed: Counter[str] = Counter()
        sources = list(find_sources(names, passed))
        report_passed(passed)
        for name, value in (("--url", url), ("--title", extraction.title)):
            if value and len(sources) > 1:
                raise BadConfig(f"{name} only applies to a single page; there are several.")
        is_rendering = rendering.render != "never"
        if not is_rendering and (files or rendering != RenderChoice(viewport=rendering.viewport)):
            raise BadConfig(
                "--files, --network, --wait, --wait-for, --scroll and --click only apply to rendered pages: "
                "add --render auto."
            )
        if all_pages:
            _check_all_pages(sources, explain=explain, has_jobs=jobs is not None, table=table)
        from_list = [source.name for source in sources] != (inputs or [])  # or from a folder
        are_many = urls is not None or jobs is not None or table or sum(source.is_url for source in sources) > 1
        if is_rendering and (urls is not None or jobs is not None or table):
            raise BadConfig(
                "--render renders one page at a time: leave out --urls, --jobs and tables, or make snapshots with "
                "`bonmun render` and extract those."
            )

    if are_many and not is_rendering and not all_pages:
        says = "run the same command to resume." if output else "finished pages have been written."
        with corpus_errors(Path(output) if output else None, says):
            from bonmun.app.commands.extract.extract_many import ManyInputs, extract_many

            many = ManyInputs(sources, presentation, url, jobs or 1, pause, several=len(sources) > 1 or from_list)
            raise typer.Exit(1 if extract_many(many, output) else 0)
        return  # the reader of stdout has closed it

    # files are the pages of one article, and every URL is an article
    articles = [sources] if all_pages and not sources[0].is_url else [[source] for source in sources]
    failed = 0
    shown = len(sources) > 1 and not is_terminal(sys.stdout)  # else the results are on the terminal
    with ExitStack() as stack:
        stack.enter_context(wrong_use())
        stack.enter_context(output_to(output))
        writer = DocumentWriter(presentation, output, several=len(articles) > 1, from_folder=from_list)
        load: LoadPage = Source.load
        if is_rendering:
            rendering = replace(rendering, allow_private=extraction.allow_private)
            load = stack.enter_context(PageLoader(rendering, files)).load
        stack.enter_context(writer)
        progress = stack.enter_context(show_progress("Extracting", len(articles), shown=shown))
        for article in articles:
            try:
                documents = []
                for source in article:
                    documents.append(_extract(source, load, presentation, labeller, url))
                if all_pages and source.is_url:

                    def follow(address: str) -> Document:
                        time.sleep(pause)
                        return _extract(Source(address, Path()), load, presentation, labeller, None)

                    documents = collect_pages(documents[0], follow)
                document = join_documents(documents)
                writer.write(article[0], document)
                if document.hint and not explain:
                    complain(f"{article[0].name}: {document.hint}")
            except BadConfig:
                raise
            except BonmunError as problem:
                failed += 1
                complain(name_once(source.name, str(problem)))
            progress.advance()
    raise typer.Exit(1 if failed else 0)


def _extract(source: Source, load: LoadPage, presentation: Presentation, method: Method, url: str | None) -> Document:
    page = load(source, presentation.extraction, url)
    options = presentation.choose_options(presentation.extraction.crawled or source.find_moment())
    return extract(page, method=method, options=options)


def _check_all_pages(sources: Sequence[Source], *, explain: bool, has_jobs: bool, table: TableType | None) -> None:
    """Raise BadConfig if the settings do not go together with --all-pages."""
    if explain:
        raise BadConfig("--explain shows the decisions on one page: leave out --all-pages.")
    if has_jobs or table:
        raise BadConfig("--all-pages reads one article after the other: leave out --jobs, and tables as --output.")
    if len({source.is_url for source in sources}) > 1:
        raise BadConfig("--all-pages takes URLs, or the files of one article; there are both.")
