"""`bonmun watch`: what changed on pages since the last time."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import check_encoding, complain, corpus_errors, say_count, show
from bonmun.app.commands.shared.sources import read_list
from bonmun.errors import BadConfig, BonmunError
from bonmun.extraction import Extraction
from bonmun.pipeline import extract
from bonmun.text.changes import write_changes

if TYPE_CHECKING:
    from bonmun.scale.web.watched import ChangedPage, Watch

__all__ = ["watch_command"]

FORMATS = ("text", "json", "rss")
MIN_SECONDS = 1.0  # between two passes


@take_settings(
    Extraction,
    into="extraction",
    only="method model favour rules comments encoding max_bytes allow_private timeout",
)
def watch_command(
    extraction: Extraction,
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="URL...", help="Pages to watch.", show_default=False)
    ] = None,
    url_file: Annotated[
        str | None, typer.Option("--urls", metavar="FILE", help="File with one URL per line; - reads stdin.")
    ] = None,
    state: Annotated[
        Path, typer.Option("--state", metavar="DIR", help="Folder that remembers the last versions.")
    ] = Path("bonmun-watch"),
    format_: Annotated[str, typer.Option("--format", "-f", metavar="text|json|rss", help="Output format.")] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File for the feed (default: stdout).")
    ] = None,
    every: Annotated[
        float | None, typer.Option("--every", metavar="SECONDS", min=MIN_SECONDS, help="Repeat after this time.")
    ] = None,
) -> None:
    """Fetch pages again, and show what changed in their main text since the last time.

    The first time, the pages are only saved. The feed (-f rss) has the changes of earlier runs, too.
    """
    with corpus_errors(state, f"the versions seen so far are in {state}."):
        import asyncio  # takes long to load, and help needs this module

        from bonmun.scale.web.watched import Watch

        if format_ not in FORMATS:
            raise BadConfig(f"Unknown format {format_!r}: choose one of {', '.join(FORMATS)}.")
        if output and format_ != "rss":
            raise BadConfig("--output is for feeds: add -f rss.")
        check_encoding(extraction.encoding)
        names = list(dict.fromkeys([*(urls or ()), *(read_list(url_file) if url_file else ())]))
        if not names:
            raise BadConfig("There is nothing to watch: give URLs, or a file of URLs with --urls.")
        watch = Watch(state)
        while True:
            failed = asyncio.run(_check_pages(watch, names, extraction, format_))
            if format_ == "rss":
                _write_feed(watch, names, output)
            if every is None:
                break
            sleep(every)
    if failed:
        raise typer.Exit(1)


async def _check_pages(watch: Watch, urls: list[str], extraction: Extraction, format_: str) -> int:
    """Fetch the pages once and show what has changed. Return the number of pages that failed."""
    from bonmun.scale.web.download_many import fetch_many

    failed = 0
    async for fetched in fetch_many(urls, extraction):
        try:
            if fetched.error:
                raise fetched.error
            assert fetched.page
            doc = extract(fetched.page, method=extraction.method, options=extraction)
            changed = watch.update(fetched.url, doc, datetime.now(UTC))
        except BonmunError as problem:
            failed += 1
            complain(name_once(fetched.url, str(problem)))
            continue
        if changed.is_first:
            complain(f"{changed.url}: saved; changes are shown from the next time on.")
        elif not changed.changes:
            complain(f"{changed.url}: no changes.")
        if format_ == "json":
            show(json.dumps(changed.to_dict(), ensure_ascii=False))
        elif format_ == "text" and changed.changes:
            show(_write_text(changed))
    return failed


def _write_text(changed: ChangedPage) -> str:
    count = say_count(len(changed.changes), "change")
    return f"{changed.url} ({count}, {changed.time})\n\n{write_changes(changed.changes)}\n"


def _write_feed(watch: Watch, urls: list[str], output: Path | None) -> None:
    from bonmun.scale.web.change_feed import write_feed
    from bonmun.work.files import write_text

    feed = write_feed(watch.list_changed(urls))
    if output:
        write_text(output, feed)
    else:
        show(feed.rstrip("\n"))
