"""`bonmun crawl`: crawl the web into WARC files."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, corpus_errors, say_count
from bonmun.extraction import Extraction
from bonmun.scale.corpus.corpus_options import LimitOptions
from bonmun.scale.crawl.plan import CrawlPlan
from bonmun.work.progress import is_terminal, show_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.scale.corpus.batches import ExtractJob
    from bonmun.scale.crawl.running import CrawlProcess
    from bonmun.scale.crawl.status import Status

__all__ = ["crawl_command"]

UPDATE_SECONDS = 0.5
EXTRACTION = "Extraction (with --extract)"
MAX_REPORTED = 10  # failed URLs


@take_settings(CrawlPlan, into="plan_settings")
@take_settings(
    Extraction,
    into="extraction",
    stages="output method chunks read",
    without="title max_bytes site_model crawled",
    heading=EXTRACTION,
)
@take_settings(LimitOptions, into="limits", heading=EXTRACTION)
def crawl_command(
    seeds: Annotated[
        list[str], typer.Argument(metavar="SEED...", help="URLs to start from: pages, sitemaps or feeds.")
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="Output folder. An unfinished crawl in it is resumed."),
    ],
    plan_settings: dict[str, Any],
    extraction: Extraction,
    limits: LimitOptions,
    again: Annotated[
        bool,
        typer.Option("--again", help="Fetch pages that have changed since the last crawl.", rich_help_panel="Scope"),
    ] = False,
    extract: Annotated[
        bool,
        typer.Option(
            "--extract",
            help="Extract pages during the crawl, into DIR/pages/; with -f markdown, also into files in DIR/markdown/.",
            rich_help_panel=EXTRACTION,
        ),
    ] = False,
) -> None:
    """Crawl the web from seed URLs, politely, into WARC files with an index and a log.

    An interrupted crawl is resumed by the same command; nothing is lost.
    """
    with corpus_errors(output, f"run the same command to resume; finished pages are in {output}."):
        from bonmun.scale.corpus.batches import ExtractJob
        from bonmun.scale.crawl.running import CrawlProcess, begin, hold_folder, write_index
        from bonmun.scale.crawl.status import read_status

        plan = CrawlPlan(seeds=tuple(seeds), **plan_settings)
        job = ExtractJob(replace(extraction, max_bytes=plan.max_bytes)) if extract else None
        if job:
            job.check()
        with hold_folder(output):
            if begin(output, plan, again=again):
                complain(f"Resuming the crawl in {output} after {say_count(read_status(output).pages, 'page')}.")
            try:
                with CrawlProcess(output) as process:
                    if job:
                        _extract(process, output, plan, job, limits)
                    else:
                        _watch(process, output)
                    process.check()
            finally:
                write_index(output)
        if not _summarise(output, plan):
            raise typer.Exit(1)


def _watch(process: CrawlProcess, folder: Path) -> None:
    """Show progress until the crawl ends."""
    line = _Line(folder)
    while process.is_alive:
        process.wait(UPDATE_SECONDS)
        line.show()


def _extract(process: CrawlProcess, folder: Path, plan: CrawlPlan, job: ExtractJob, limits: LimitOptions) -> None:
    """Extract pages as they are fetched, until the crawl ends. Then write Markdown files, if that is the format."""
    from bonmun.scale.crawl.export.crawl_export import MARKDOWN_FOLDER, export_markdown
    from bonmun.scale.crawl.follow import Follower
    from bonmun.scale.crawl.live_extraction import LiveExtraction
    from bonmun.scale.crawl.second_pass import SecondPass

    line = _Line(folder)
    with LiveExtraction(folder, job) as live:
        follower = Follower(folder, job.extraction.max_bytes)
        pages = follower.follow(live.done, lambda: process.is_alive)
        for _ in live.steps(pages, limits.workers, limits.seconds, lambda: line.show(live.pages)):
            pass
        second = SecondPass(live, follower)
        for done in second.steps(limits.workers, limits.seconds):
            show_line(f"{done:,} of {say_count(second.pages, 'page')} extracted again with what repeats on their site")
        complain(f"{live.path}: {say_count(live.pages, 'page')}.")
        if live.store is not None:
            files = export_markdown(folder, plan, live.store, tables_as_html=job.extraction.tables == "html")
            complain(f"{folder / MARKDOWN_FOLDER}: {say_count(files, 'file')}; start with index.md or llms.txt.")


class _Line:
    """The progress line on a terminal, updated twice a second."""

    def __init__(self, folder: Path) -> None:
        from bonmun.scale.crawl.status import read_status

        self.read: Callable[[], Status] = partial(read_status, folder)
        self.first = self.read().requests
        self.start = time.monotonic()
        self.next = 0.0

    def show(self, extracted: int | None = None) -> None:
        """Update the line if it is due."""
        now = time.monotonic()
        if now < self.next or not is_terminal(sys.stderr):
            return
        self.next = now + UPDATE_SECONDS
        status = self.read()
        rate = (status.requests - self.first) / max(now - self.start, 1e-9)
        done = f", {extracted:,} extracted" if extracted is not None else ""
        show_line(
            f"{say_count(status.pages, 'page')}{done}, {status.waiting:,} queued, {say_count(status.hosts, 'host')}, "
            f"{status.failed:,} failed, {status.bytes / 1e6:,.0f} MB, {rate:,.1f} requests/s"
        )


def _summarise(folder: Path, plan: CrawlPlan) -> bool:
    """Report the result of the crawl. Return whether it has pages, and all seeds and hosts could be reached."""
    from bonmun.scale.crawl.discover.urls import normalise_url
    from bonmun.scale.crawl.status import list_failures, list_unreached, list_unrendered, read_status

    status = read_status(folder)
    show_line("")
    complain(
        f"{folder}: {say_count(status.pages, 'page')} of {say_count(status.hosts, 'host')}, "
        f"{status.copies:,} of them duplicates; "
        f"{status.requests:,} requests, {status.retries:,} of them retries, {status.bytes / 1e6:,.1f} MB."
    )
    if status.rendered:
        complain(f"{say_count(status.rendered, 'page')} rendered; snapshots are in {folder}/snapshots.")
    for url, error in list_unrendered(folder, MAX_REPORTED):
        complain(f"{url}: {error}")
    if status.waiting:
        complain(
            f"{status.waiting:,} URLs are still queued: run the same command with more --pages or --bytes to continue."
        )
    for reason, count in status.left_out:
        if count:  # zero if URLs that were skipped have been fetched since
            complain(f"Skipped: {count:,} × {reason}.")
    for url, error in list_failures(folder, MAX_REPORTED):
        complain(f"Failed: {error}" if url in error else f"Failed: {url}: {error}")
    if status.failed > MAX_REPORTED:
        complain(f"{status.failed - MAX_REPORTED:,} more failed: see {folder}/log.parquet.")
    unreached = list_unreached(folder, [normalise_url(seed) or seed for seed in plan.seeds])
    for name in unreached[:MAX_REPORTED]:
        complain(f"Not reached: {name}.")
    if not status.pages:
        complain("No pages were fetched; check the seeds and the messages above.")
    return bool(status.pages) and not unreached
