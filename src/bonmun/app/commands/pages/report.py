"""`bonmun report`: a folder of web pages that shows what became of many pages, for people without bonmun."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import (
    CORES,
    MAX_BYTES,
    AllowPrivate,
    MaxPageBytes,
    MethodName,
    PageSeconds,
    Workers,
)
from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.inputs import report_passed
from bonmun.app.commands.shared.open_pages import open_inputs
from bonmun.app.commands.shared.shell import complain, output_to, stoppable, wrong_use
from bonmun.options import Options
from bonmun.work.progress import is_terminal, show_progress

__all__ = ["report_command"]


def report_command(
    names: Annotated[
        list[str],
        typer.Argument(metavar="SRC...", help="HTML files, folders of them, URLs, .snapshot, .jsonl, .warc, .parquet."),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="A folder for the report.")],
    method: MethodName = "auto",
    compare: Annotated[
        list[str] | None, typer.Option("--compare", help="Also what this method says; give it more than once.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="What stands over the table.")] = None,
    seconds: PageSeconds = 30.0,
    workers: Workers = CORES,
    allow_private: AllowPrivate = False,
    max_bytes: MaxPageBytes = MAX_BYTES,
) -> None:
    """Write a report on many pages: a table of them, and each one in the inspector; open DIR/index.html.

    Pages that are in the report already are not made anew: a run that was stopped goes on with the same command.
    """
    with wrong_use(), output_to(str(output)), stoppable("the same command goes on from here."):
        from bonmun.algorithms import make_method
        from bonmun.app.inspector.report import write_report

        methods = tuple(dict.fromkeys([method, *(compare or ["rules"])]))
        for name in methods:
            make_method(name)  # a wrong one is named before anything starts
        passed: Counter[str] = Counter()
        open_pages = open_inputs(names, Options(max_bytes=max_bytes, allow_private=allow_private), passed=passed)
        report_passed(passed)
        title = title or Path(names[0].rstrip("/")).name or names[0]
        with show_progress("Reporting", len(open_pages), shown=is_terminal(sys.stderr)) as progress:
            found = write_report(
                open_pages,
                output,
                methods,
                title=title,
                workers=workers,
                seconds=seconds,
                tell=lambda name, says: complain(name_once(name, says)),
                step=lambda done: progress.move(done, done, "pages"),
            )
        if found.before:
            complain(f"{found.before:,} pages were in the report before, and are not made anew.")
        complain(f"{output / 'index.html'}: {found.done:,} pages, {found.failed:,} failed.")
        raise typer.Exit(1 if found.failed else 0)
