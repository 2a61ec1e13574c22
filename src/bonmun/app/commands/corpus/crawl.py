"""`bonmun crawl`: from some addresses to a collection of pages."""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from bonmun.app.commands.shared.arguments import (
    CORES,
    MAX_BYTES,
    AllowPrivate,
    Format,
    MaxPageBytes,
    MethodName,
    PageSeconds,
)
from bonmun.app.commands.shared.groups import Command
from bonmun.app.commands.shared.shell import check_format, complain, corpus_errors
from bonmun.options import Options
from bonmun.work.progress import is_terminal, show_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.scale.corpus.batches import Extraction
    from bonmun.scale.crawl.running import CrawlProcess
    from bonmun.scale.crawl.status import Status

__all__ = ["CrawlCommand", "crawl_command"]

LOOK_SECONDS = 0.5
NAMED_FAILURES = 10


class CrawlCommand(Command):
    """The command with its options in panels."""

    panels: ClassVar = {
        "Which pages": "domain include exclude keyword portal articles no_sitemaps again",
        "How much": "pages depth max_total host_pages max_bytes",
        "How gently": "delay connections agent resolve allow_private",
        "In a browser": "render render_url",
        "Extraction": "extract method format_ seconds workers",
    }


def crawl_command(
    seeds: Annotated[
        list[str], typer.Argument(metavar="SEED...", help="Addresses to begin at: pages, sitemaps, feeds.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="A folder, made or gone on with.")],
    pages: Annotated[int | None, typer.Option(min=1, help="Pages, at most.")] = None,
    depth: Annotated[int | None, typer.Option(min=0, help="Clicks from a seed, at most.")] = None,
    max_total: Annotated[int | None, typer.Option("--bytes", min=1, help="Bytes received, at most.")] = None,
    host_pages: Annotated[int | None, typer.Option(min=1, help="Pages of one host, at most.")] = None,
    domain: Annotated[
        list[str] | None,
        typer.Option(help="Follow links to this host and those below it; may be repeated. Else the seeds' sites."),
    ] = None,
    include: Annotated[list[str] | None, typer.Option(help="Follow only URLs like this: '*/blog/*'.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Follow no URLs like this.")] = None,
    keyword: Annotated[
        list[str] | None, typer.Option(help="Keep only pages with this word, or another one given.")
    ] = None,
    portal: Annotated[
        bool, typer.Option("--portal", help="The seeds are result pages: fetch the articles they lead to.")
    ] = False,
    articles: Annotated[str | None, typer.Option(help="What articles of a portal are like: '*/article/*'.")] = None,
    no_sitemaps: Annotated[bool, typer.Option("--no-sitemaps", help="Read no sitemaps and feeds.")] = False,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between two requests to a host.")] = 1.0,
    connections: Annotated[int, typer.Option(min=1, help="To one host at a time.")] = 1,
    agent: Annotated[str, typer.Option(help="Our name for robots.txt.")] = "bonmun",
    render: Annotated[
        str,
        typer.Option(
            metavar="never|auto|always",
            help="Lay pages out in a browser: those that are empty without scripts, or all.",
        ),
    ] = "never",
    render_url: Annotated[
        list[str] | None, typer.Option(help="Lay pages out whose URL is like this, too: '*/app/*'; may be repeated.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Fetch anew what has changed since the last crawl into this folder.")
    ] = False,
    extract: Annotated[bool, typer.Option("--extract", help="Extract pages while they come, into DIR/pages/.")] = False,
    method: MethodName = "auto",
    format_: Format = "text",
    seconds: PageSeconds = 30.0,
    workers: Annotated[int, typer.Option(min=1, help="Pages that are extracted at a time.")] = CORES,
    max_bytes: MaxPageBytes = MAX_BYTES,
    allow_private: AllowPrivate = False,
    resolve: Annotated[
        str | None, typer.Option(metavar="ADDRESS:PORT", help="Where all hosts are: for mirrors and tests.")
    ] = None,
) -> None:
    """Crawl from some addresses, gently, into WARC files with an index and a log.

    A crawl that was stopped or killed goes on with the same command; nothing is lost.
    """
    with corpus_errors(output, f"the same command goes on from here; what is done is in {output}."):
        from bonmun.scale.corpus.batches import Extraction
        from bonmun.scale.crawl.plan import CrawlPlan, check_rendering
        from bonmun.scale.crawl.running import CrawlProcess, begin, hold_folder, write_index
        from bonmun.scale.crawl.status import read_status

        plan = CrawlPlan(
            seeds=tuple(seeds),
            domains=tuple(domain or ()),
            include=tuple(include or ()),
            exclude=tuple(exclude or ()),
            depth=depth,
            pages=pages,
            bytes=max_total,
            host_pages=host_pages,
            keywords=tuple(keyword or ()),
            portal=portal,
            articles=articles,
            sitemaps=not no_sitemaps,
            delay=delay,
            connections=connections,
            agent=agent,
            render=check_rendering(render),
            render_urls=tuple(render_url or ()),
            max_bytes=max_bytes,
            allow_private=allow_private,
            resolve=resolve,
        )
        extraction = Extraction(method, check_format(format_), Options(max_bytes=max_bytes)) if extract else None
        if extraction:
            extraction.check()
        with hold_folder(output):
            if begin(output, plan, again=again):
                complain(f"{output}: {read_status(output).pages:,} pages were fetched before; going on from there.")
            try:
                with CrawlProcess(output) as process:
                    if extraction:
                        _extract(process, output, extraction, workers, seconds)
                    else:
                        _watch(process, output)
                    process.check()
            finally:
                write_index(output)
        _summarise(output)


def _watch(process: CrawlProcess, folder: Path) -> None:
    """Show how far the crawl is until it ends."""
    line = _Line(folder)
    while process.is_alive:
        process.wait(LOOK_SECONDS)
        line.show()


def _extract(process: CrawlProcess, folder: Path, extraction: Extraction, workers: int, seconds: float) -> None:
    """Extract pages while they come, until there are no more."""
    from bonmun.scale.crawl.follow import Follower
    from bonmun.scale.crawl.live_extraction import LiveExtraction

    line = _Line(folder)
    with LiveExtraction(folder, extraction) as live:
        pages = Follower(folder, extraction.options.max_bytes).follow(live.done, lambda: process.is_alive)
        for _ in live.steps(pages, workers, seconds, lambda: line.show(live.pages)):
            pass
    complain(f"{live.path}: {live.pages:,} pages.")


class _Line:
    """The line on a terminal that says how far it is, anew twice a second."""

    def __init__(self, folder: Path) -> None:
        from bonmun.scale.crawl.status import read_status

        self.read: Callable[[], Status] = partial(read_status, folder)
        self.first = self.read().requests
        self.start = time.monotonic()
        self.next = 0.0

    def show(self, extracted: int | None = None) -> None:
        """Show it, if it is time."""
        now = time.monotonic()
        if now < self.next or not is_terminal(sys.stderr):
            return
        self.next = now + LOOK_SECONDS
        status = self.read()
        rate = (status.requests - self.first) / max(now - self.start, 1e-9)
        done = f", {extracted:,} extracted" if extracted is not None else ""
        show_line(
            f"{status.pages:,} pages{done}, {status.waiting:,} URLs wait, {status.hosts:,} hosts, "
            f"{status.failed:,} failed, {status.bytes / 1e6:,.0f} MB, {rate:,.1f} requests a second"
        )


def _summarise(folder: Path) -> None:
    """What came of it, in some lines."""
    from bonmun.scale.crawl.status import list_failures, list_unrendered, read_status

    status = read_status(folder)
    show_line("")
    complain(
        f"{folder}: {status.pages:,} pages of {status.hosts:,} host{'s' * (status.hosts != 1)}, "
        f"{status.copies:,} of them copies of others; "
        f"{status.requests:,} requests, {status.again:,} of them made again, {status.bytes / 1e6:,.1f} MB."
    )
    if status.rendered:
        complain(f"{status.rendered:,} pages were laid out by a browser; their snapshots are in {folder}/snapshots.")
    for url, error in list_unrendered(folder, NAMED_FAILURES):
        complain(f"{url}: {error}")
    if status.waiting:
        complain(f"{status.waiting:,} URLs still wait: more --pages or --bytes, with the same command, go on.")
    for reason, count in status.left_out:
        complain(f"Left out: {count:,} × {reason}.")
    for url, error in list_failures(folder, NAMED_FAILURES):
        complain(f"Failed: {error}" if url in error else f"Failed: {url}: {error}")
    if status.failed > NAMED_FAILURES:
        complain(f"{status.failed - NAMED_FAILURES:,} more failed: see {folder}/log.parquet.")
