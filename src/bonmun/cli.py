"""The `bonmun` command.

Results go to stdout, everything else to stderr; exit 0: done, 1: some inputs failed, 2: wrong use.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from bonmun._version import __version__
from bonmun.commands import bench, corpus
from bonmun.commands.shell import complain, output_to, show, wrong_use
from bonmun.commands.sources import find_sources
from bonmun.commands.train import train_command
from bonmun.commands.writer import Writer
from bonmun.errors import BadConfig, BonmunError
from bonmun.metadata.ago import moment_of
from bonmun.methods import Method, get, methods
from bonmun.options import Options
from bonmun.outputs import FORMATS
from bonmun.page.decode import known
from bonmun.pipeline import extract
from bonmun.work.progress import is_terminal, show_progress

__all__ = ["main"]

TITLE_HELP = "The headline, if you know it, such as the text of the link that led to the page."

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="The main text of web pages, with a reason for every decision.",
)


app.add_typer(corpus.app, name="corpus", help="Many pages: count what repeats, extract them all.")
app.add_typer(bench.app, name="bench", help="Measure methods and peers on labelled pages.")
app.command("train")(train_command)


def main() -> None:
    """Run the command line."""
    app()


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bonmun {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Take web pages, give back what a reader came for."""


@app.command("methods")
def methods_command() -> None:
    """List the methods: their names, what each needs, and what it does."""
    rows = methods()
    widths = [max(len(getattr(row, column)) for row in rows) for column in ("name", "needs")]
    for row in rows:
        typer.echo(f"{row.name:{widths[0]}}  {row.needs:{widths[1]}}  {row.says}")


@app.command("extract")
def extract_command(
    inputs: Annotated[list[str], typer.Argument(metavar="PATH|URL|-...", help="Files, folders, URLs; - is stdin.")],
    format_: Annotated[str, typer.Option("--format", "-f", metavar="|".join(FORMATS))] = "text",
    method: Annotated[str, typer.Option("--method", "-m", help="See `bonmun methods`.")] = "auto",
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE|DIR", help="A folder gets one file for each page."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every decision and what it was made from, not the document.")
    ] = False,
    url: Annotated[str | None, typer.Option(help="Where the page on stdin, or a single file, came from.")] = None,
    title: Annotated[str | None, typer.Option(help=TITLE_HELP)] = None,
    site: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What repeats on sites: a model made by `bonmun corpus model`.")
    ] = None,
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A model made by `bonmun train`, for the method auto.")
    ] = None,
    favour: Annotated[
        str, typer.Option(metavar="precision|balanced|recall", help="Keep less but surer, or more, with auto.")
    ] = "balanced",
    links: Annotated[bool, typer.Option("--links", help="Keep links.")] = False,
    images: Annotated[bool, typer.Option("--images", help="Keep images.")] = False,
    comments: Annotated[bool, typer.Option("--comments", help="Add the readers' comments.")] = False,
    encoding: Annotated[str | None, typer.Option(help="What the pages are written in, if you know.")] = None,
    max_bytes: Annotated[int, typer.Option(help="Refuse larger pages.")] = 20_000_000,
    allow_private: Annotated[bool, typer.Option("--allow-private", help="URLs may lead into this network.")] = False,
    crawled: Annotated[
        str | None, typer.Option(metavar="DATE", help='When the pages were fetched, for dates such as "2 days ago".')
    ] = None,
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
            comments=comments,
            allow_private=allow_private,
            crawled=_moment(crawled),
        )
        labeller = _method(method, title, site, model, None if favour == "balanced" else favour)
        _check_encoding(encoding)
        if format_ not in FORMATS:
            raise BadConfig(f"Unknown format {format_!r}: choose one of {', '.join(FORMATS)}.")
        sources = list(find_sources(inputs))
        for name, value in (("--url", url), ("--title", title)):
            if value and len(sources) > 1:
                raise BadConfig(f"{name} is for one page; there are several.")
        from_folder = [source.name for source in sources] != inputs
        writer = Writer(format_, output, several=len(sources) > 1, from_folder=from_folder, explain=explain)

    failed = 0
    shown = len(sources) > 1 and not is_terminal(sys.stdout)  # which has the results on it
    with wrong_use(), output_to(output), writer, show_progress("Extracting", len(sources), shown=shown) as progress:
        for source in sources:
            try:
                page = source.load(options, url)
                moment = options.crawled or (datetime.now().astimezone() if source.is_url else None)
                document = extract(page, method=labeller, options=replace(options, crawled=moment))
                writer.write(source, document)
            except BadConfig:
                raise
            except BonmunError as problem:
                failed += 1
                complain(f"{source.name}: {problem}")
            progress.advance()
    raise typer.Exit(1 if failed else 0)


@app.command("compare")
def compare_command(
    name: Annotated[
        str, typer.Argument(metavar="PATH|URL|-", help="A file, a folder with one page, a URL; - is stdin.")
    ],
    method: Annotated[
        list[str] | None, typer.Option("--method", "-m", help="Compare these; give it more than once. Else all.")
    ] = None,
    gold: Annotated[Path | None, typer.Option(metavar="FILE", help="The right text, for the F1 of each.")] = None,
    format_: Annotated[str, typer.Option("--format", "-f", metavar="text|json")] = "text",
    url: Annotated[str | None, typer.Option(help="Where the page on stdin, or the file, came from.")] = None,
    title: Annotated[str | None, typer.Option(help=TITLE_HELP)] = None,
    encoding: Annotated[str | None, typer.Option(help="What the page is written in, if you know.")] = None,
    max_bytes: Annotated[int, typer.Option(help="Refuse a larger page.")] = 20_000_000,
    allow_private: Annotated[bool, typer.Option("--allow-private", help="The URL may lead into this network.")] = False,
) -> None:
    """Show what each method makes of one page, and how far any two agree."""
    from bonmun.compare import compare, make_methods

    with wrong_use():
        make_methods(method or (), title)  # wrong ones are told before the page is read
        options = Options(encoding=encoding, max_bytes=max_bytes, allow_private=allow_private)
        if format_ not in ("text", "json"):
            raise BadConfig(f"Unknown format {format_!r}: choose text or json.")
        _check_encoding(encoding)
        right = _read_gold(gold) if gold else None
        sources = list(find_sources([name]))
        if len(sources) != 1:
            raise BadConfig(f"compare takes one page; there are {len(sources)} in {name!r}.")
    source = sources[0]
    try:
        with wrong_use():
            found = compare(source.load(options, url), method or (), right, title)
    except BonmunError as problem:
        complain(f"{source.name}: {problem}")
        raise typer.Exit(1) from None
    with output_to(None):
        values = {"input": source.name} | found.to_dict()
        show(json.dumps(values, ensure_ascii=False) if format_ == "json" else found.table())


def _moment(text: str | None) -> date | None:
    if text is None:
        return None
    if (moment := moment_of(text)) is None:
        raise BadConfig(f"--crawled is a day or a moment such as 2026-03-04 or 2026-03-04T09:00, not {text!r}.")
    return moment


def _check_encoding(encoding: str | None) -> None:
    if encoding and not known(encoding):
        raise BadConfig(f"Unknown encoding {encoding!r}: give a name such as 'utf-8', 'euc-kr' or 'windows-1251'.")


def _method(name: str, title: str | None, site: Path | None, model: Path | None, favour: str | None) -> Method:
    try:
        known = None
        if site:
            from bonmun.sites.model import SiteModel

            known = SiteModel.load(site)
        return get(name, title=title, site=known, model=model, favour=favour)
    except BonmunError as problem:
        raise BadConfig(str(problem)) from None


def _read_gold(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise BadConfig(f"{path}: cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise BadConfig(f"{path}: the right text is read as UTF-8, and this is not.") from None
