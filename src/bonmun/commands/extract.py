"""`bonmun extract`: the main text of pages."""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, cast

import typer

from bonmun.commands.arguments import (
    MAX_BYTES,
    AllowPrivate,
    ChunkOverlap,
    ChunkWords,
    Comments,
    Format,
    Images,
    Links,
    MethodName,
    Title,
)
from bonmun.commands.render import Files, Network, Viewport, read_render_options
from bonmun.commands.shell import check_encoding, check_format, complain, output_to, stoppable, wrong_use
from bonmun.commands.sources import Source, find_sources
from bonmun.commands.writer import Writer
from bonmun.errors import BadConfig, BonmunError, RenderFailed
from bonmun.metadata.ago import read_moment
from bonmun.methods import make_method
from bonmun.options import Options
from bonmun.outputs.chunking import DEFAULT_WORDS, check_chunks
from bonmun.page import Page
from bonmun.pipeline import extract
from bonmun.work.progress import is_terminal, show_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

    from bonmun.browser import RenderOptions
    from bonmun.methods import Method
    from bonmun.options import Tables

__all__ = ["extract_command"]


def extract_command(
    inputs: Annotated[list[str], typer.Argument(metavar="PATH|URL|-...", help="Files, folders, URLs; - is stdin.")],
    format_: Format = "text",
    method: MethodName = "auto",
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE|DIR", help="A folder gets one file for each page."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every decision and what it was made from, not the document.")
    ] = False,
    url: Annotated[str | None, typer.Option(help="Where the page on stdin, or a single file, came from.")] = None,
    title: Title = None,
    site_model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What repeats on sites, made by `bonmun corpus site-model`.")
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="A file with weights, for a method that takes one: of `bonmun train` for auto."
        ),
    ] = None,
    favour: Annotated[
        str, typer.Option(metavar="precision|balanced|recall", help="Keep less but surer, or more, with auto.")
    ] = "balanced",
    links: Links = False,
    images: Images = False,
    embeds: Annotated[bool, typer.Option("--embeds", help="Keep players of videos and the like, as links.")] = False,
    tables: Annotated[str, typer.Option(metavar="gfm|html", help="How Markdown has tables.")] = "gfm",
    front_matter: Annotated[
        bool, typer.Option("--front-matter", help="Title, author and the like as YAML over the Markdown.")
    ] = False,
    posts: Annotated[bool, typer.Option("--posts", help="Say in Markdown who wrote each post of a thread.")] = False,
    ruby: Annotated[bool, typer.Option("--ruby", help="Keep readings: 漢字(かんじ).")] = False,
    comments: Comments = False,
    chunk_words: ChunkWords = DEFAULT_WORDS,
    chunk_overlap: ChunkOverlap = 0,
    encoding: Annotated[str | None, typer.Option(help="What the pages are written in, if you know.")] = None,
    max_bytes: Annotated[int, typer.Option(help="Refuse larger pages.")] = MAX_BYTES,
    allow_private: AllowPrivate = False,
    crawled: Annotated[
        str | None, typer.Option(metavar="DATE", help='When the pages were fetched, for dates such as "2 days ago".')
    ] = None,
    render: Annotated[
        bool, typer.Option("--render", help="Lay the pages out in a browser first, with scripts.")
    ] = False,
    files: Files = None,
    viewport: Viewport = "1280x800",
    network: Network = False,
) -> None:
    """Extract the main text of pages.

    One bad input never stops the rest: each is named on stderr, and the exit status is 1.
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
        labeller = _make_method(method, title, site_model, model, None if favour == "balanced" else favour)
        check_encoding(encoding)
        format_ = check_format(format_)
        for name, wanted in (("--front-matter", front_matter), ("--posts", posts)):
            if wanted and format_ != "markdown":
                raise BadConfig(f"{name} is for Markdown: add --format markdown.")
        sources = list(find_sources(inputs))
        for name, value in (("--url", url), ("--title", title)):
            if value and len(sources) > 1:
                raise BadConfig(f"{name} is for one page; there are several.")
        from_folder = [source.name for source in sources] != inputs
        if (files or network) and not render:
            raise BadConfig("--files and --network are for pages that a browser lays out: add --render.")
        browser_options = read_render_options(viewport, network=network, allow_private=allow_private)
        check_chunks(chunk_words, chunk_overlap)
        writer = Writer(
            format_,
            output,
            several=len(sources) > 1,
            from_folder=from_folder,
            explain=explain,
            front_matter=front_matter,
            posts=posts,
            chunk_words=chunk_words,
            chunk_overlap=chunk_overlap,
        )

    failed = 0
    shown = len(sources) > 1 and not is_terminal(sys.stdout)  # which has the results on it
    with ExitStack() as stack:
        stack.enter_context(wrong_use())
        stack.enter_context(output_to(output))
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
                complain(f"{source.name}: {problem}")
            progress.advance()
    raise typer.Exit(1 if failed else 0)


@contextmanager
def _open_browser(
    browser_options: RenderOptions, files: Path | None
) -> Iterator[Callable[[Source, Options, str | None], Page]]:
    """What loads a source in a browser, which lives as long as the block."""
    from bonmun.browser import Browser
    from bonmun.browser.answers import open_answers
    from bonmun.commands.jobs import make_job

    answers = open_answers(files) if files else None
    with stoppable("what was done is written."), Browser(browser_options) as browser:

        def load(source: Source, options: Options, url: str | None = None) -> Page:
            [done] = browser.render_all([make_job(source, options, answers, url)])
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


def _make_method(
    name: str, title: str | None, site_model: Path | None, model: Path | None, favour: str | None
) -> Method:
    try:
        sites = None
        if site_model:
            from bonmun.sites.model import SiteModel

            sites = SiteModel.load(site_model)
        return make_method(name, title=title, site=sites, model=model, favour=favour)
    except BonmunError as problem:
        raise BadConfig(str(problem)) from None
