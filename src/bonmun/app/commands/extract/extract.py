"""`bonmun extract`: the main text of pages."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, cast

import typer

from bonmun.app.commands.extract.presentation import Presentation
from bonmun.app.commands.extract.recipe import Recipe
from bonmun.app.commands.extract.writer import Writer, find_table
from bonmun.app.commands.pages.render import Files, Network, Viewport, read_render_options
from bonmun.app.commands.shared.arguments import (
    MAX_BYTES,
    AllowPrivate,
    ChunkOverlap,
    ChunkWords,
    Comments,
    Favour,
    Format,
    Images,
    Links,
    MethodName,
    ModelFile,
    Title,
)
from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.groups import Command
from bonmun.app.commands.shared.inputs import report_passed
from bonmun.app.commands.shared.shell import (
    check_encoding,
    check_format,
    complain,
    corpus_errors,
    output_to,
    stoppable,
    wrong_use,
)
from bonmun.app.commands.shared.sources import Source, find_sources, read_list
from bonmun.errors import BadConfig, BonmunError, RenderFailed
from bonmun.metadata.dates.relative import read_moment
from bonmun.options import Options
from bonmun.outputs import DEFAULT_WORDS
from bonmun.outputs.chunks.chunking import check_chunks
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.work.progress import is_terminal, show_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

    from bonmun.options import Tables
    from bonmun.scale.browser import RenderOptions

__all__ = ["ExtractCommand", "extract_command"]

PAUSE_SECONDS = 1.0  # as in bonmun.scale.web.download_many, which loads asyncio


class ExtractCommand(Command):
    """The command with its options in panels: in none are those that most people need."""

    panels: ClassVar = {
        "What is kept": "method model site_model title images embeds comments ruby explain",
        "Markdown and chunks": "tables front_matter posts chunk_words chunk_overlap",
        "Reading": "url encoding crawled max_bytes",
        "Fetching": "pause allow_private",
        "Rendering": "render files viewport network",
    }


def extract_command(
    inputs: Annotated[
        list[str] | None, typer.Argument(metavar="PATH|URL|-...", help="Files, folders, URLs; - is stdin.")
    ] = None,
    format_: Format = "text",
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE|DIR", help="A file, also .jsonl or .parquet; or a folder."),
    ] = None,
    urls: Annotated[
        str | None, typer.Option("--urls", metavar="FILE|-", help="A list of URLs or paths, one a line.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Pages at a time; with 2 or more, hosts side by side.")
    ] = None,
    links: Links = False,
    favour: Favour = "balanced",
    method: MethodName = "auto",
    model: ModelFile = None,
    site_model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What repeats on sites, made by `bonmun corpus site-model`.")
    ] = None,
    title: Title = None,
    images: Images = False,
    embeds: Annotated[bool, typer.Option("--embeds", help="Keep players of videos and the like, as links.")] = False,
    comments: Comments = False,
    ruby: Annotated[bool, typer.Option("--ruby", help="Keep readings: 漢字(かんじ).")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every decision and what it was made from, not the document.")
    ] = False,
    tables: Annotated[str, typer.Option(metavar="gfm|html", help="How Markdown has tables.")] = "gfm",
    front_matter: Annotated[
        bool, typer.Option("--front-matter", help="Title, author and the like as YAML over the Markdown.")
    ] = False,
    posts: Annotated[bool, typer.Option("--posts", help="Say in Markdown who wrote each post of a thread.")] = False,
    chunk_words: ChunkWords = DEFAULT_WORDS,
    chunk_overlap: ChunkOverlap = 0,
    url: Annotated[str | None, typer.Option(help="Where the page on stdin, or a single file, came from.")] = None,
    encoding: Annotated[str | None, typer.Option(help="What the pages are written in, if you know.")] = None,
    crawled: Annotated[
        str | None, typer.Option(metavar="DATE", help='When the pages were fetched, for dates such as "2 days ago".')
    ] = None,
    max_bytes: Annotated[int, typer.Option(help="Refuse larger pages.")] = MAX_BYTES,
    pause: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.0, help="Between two requests to the same host.")
    ] = PAUSE_SECONDS,
    allow_private: AllowPrivate = False,
    render: Annotated[
        bool, typer.Option("--render", help="Lay the pages out in a browser first, with scripts.")
    ] = False,
    files: Files = None,
    viewport: Viewport = "1280x800",
    network: Network = False,
) -> None:
    """Extract the main text of pages.

    One bad input never stops the rest: each is named on stderr, and the exit status is 1. With --urls, --jobs or
    several URLs, a run into a file or a folder that was stopped, or killed, goes on with the same command.
    """
    with wrong_use():
        options = Options(
            encoding=encoding,
            max_bytes=max_bytes,
            links=links,
            images=images,
            embeds=embeds,
            tables=cast("Tables", tables),  # Options knows which there are
            comments=comments,
            ruby=ruby,
            allow_private=allow_private,
            crawled=_read_moment(crawled),
        )
        check_encoding(encoding)
        table = find_table(output)
        check_chunks(chunk_words, chunk_overlap)
        presentation = Presentation(
            check_format(format_), explain, front_matter, posts, chunk_words, chunk_overlap, table
        )
        recipe = Recipe(
            method, title, site_model, model, None if favour == "balanced" else favour, options, presentation
        )
        labeller = recipe.make_method()
        names = [*(inputs or ()), *(read_list(urls) if urls is not None else ())]
        if inputs is None and urls is None:
            raise typer.BadParameter("Give a page, as in `bonmun extract page.html`, or a list of URLs with --urls.")
        passed: Counter[str] = Counter()
        sources = list(find_sources(names, passed))
        report_passed(passed)
        for name, value in (("--url", url), ("--title", title)):
            if value and len(sources) > 1:
                raise BadConfig(f"{name} is for one page; there are several.")
        if (files or network) and not render:
            raise BadConfig("--files and --network are for pages that a browser lays out: add --render.")
        from_list = [source.name for source in sources] != (inputs or [])  # or from a folder
        are_many = urls is not None or jobs is not None or table or sum(source.is_url for source in sources) > 1
        if render and (urls is not None or jobs is not None or table):
            raise BadConfig(
                "A browser lays out one page after the other: leave --urls, --jobs and tables out, or see "
                "`bonmun render`, which makes snapshots that `extract` reads."
            )
        browser_options = read_render_options(viewport, network=network, allow_private=allow_private)

    if are_many and not render:
        says = "the same command goes on from here." if output else "what was done is written."
        with corpus_errors(Path(output) if output else None, says):
            from bonmun.app.commands.extract.extract_many import Many, extract_many

            many = Many(sources, recipe, url, jobs or 1, pause, several=len(sources) > 1 or from_list)
            raise typer.Exit(1 if extract_many(many, output) else 0)
        return  # whoever reads the results has seen enough

    failed = 0
    shown = len(sources) > 1 and not is_terminal(sys.stdout)  # which has the results on it
    with ExitStack() as stack:
        stack.enter_context(wrong_use())
        stack.enter_context(output_to(output))
        writer = Writer(presentation, output, several=len(sources) > 1, from_folder=from_list)
        load = stack.enter_context(_open_browser(browser_options, files)) if render else Source.load
        stack.enter_context(writer)
        progress = stack.enter_context(show_progress("Extracting", len(sources), shown=shown))
        for source in sources:
            try:
                page = load(source, options, url)
                crawled_at = options.crawled or source.find_moment()
                writer.write(source, extract(page, method=labeller, options=replace(options, crawled=crawled_at)))
            except BadConfig:
                raise
            except BonmunError as problem:
                failed += 1
                complain(name_once(source.name, str(problem)))
            progress.advance()
    raise typer.Exit(1 if failed else 0)


@contextmanager
def _open_browser(
    browser_options: RenderOptions, files: Path | None
) -> Iterator[Callable[[Source, Options, str | None], Page]]:
    """What loads a source in a browser, which lives as long as the block."""
    from bonmun.app.commands.shared.render_inputs import make_job
    from bonmun.scale.browser import Browser
    from bonmun.scale.browser.saved_files import open_resources

    resources = open_resources(files) if files else None
    with stoppable("what was done is written."), Browser(browser_options) as browser:

        def load(source: Source, options: Options, url: str | None = None) -> Page:
            [done] = browser.render_all([make_job(source, options, resources, url)])
            if done.snapshot is None:
                raise done.problem or RenderFailed("The page could not be rendered.")
            if done.snapshot.problem:
                complain(f"{source.name}: rendered {done.snapshot.problem}.")
            return Page.from_snapshot(done.snapshot, max_bytes=options.max_bytes)

        yield load


def _read_moment(text: str | None) -> date | None:
    if text is None:
        return None
    if (moment := read_moment(text)) is None:
        raise BadConfig(f"--crawled is a day or a moment such as 2026-03-04 or 2026-03-04T09:00, not {text!r}.")
    return moment
