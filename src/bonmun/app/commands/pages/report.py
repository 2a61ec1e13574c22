"""`bonmun report`: write a report on many pages that opens without bonmun."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import PAGES_HELP
from bonmun.app.commands.shared.failures import name_once
from bonmun.app.commands.shared.inputs import report_passed
from bonmun.app.commands.shared.open_pages import open_inputs
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, output_to, say_count, stoppable, wrong_use
from bonmun.extraction import Extraction
from bonmun.scale.corpus.corpus_options import LimitOptions
from bonmun.work.progress import is_terminal, show_progress

__all__ = ["report_command"]


@take_settings(Extraction, into="extraction", only="method rules encoding max_bytes allow_private timeout")
@take_settings(LimitOptions, into="limits")
def report_command(
    names: Annotated[list[str], typer.Argument(metavar="SRC...", help=PAGES_HELP)],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Output folder for the report.")],
    extraction: Extraction,
    limits: LimitOptions,
    compare: Annotated[
        list[str] | None, typer.Option("--compare", help="Another method to show; may be repeated (default: rules).")
    ] = None,
    heading: Annotated[str | None, typer.Option(help="Heading of the report.")] = None,
) -> None:
    """Write a report on many pages: a table of them, and each page in the inspector. Open DIR/index.html.

    Pages that are in the report are kept: an interrupted run is resumed by the same command.
    """
    with wrong_use(), output_to(str(output)), stoppable("run the same command to resume."):
        from bonmun.algorithms import make_method
        from bonmun.app.inspector.report import write_report
        from bonmun.rules.rule_set import load_rules

        methods = tuple(dict.fromkeys([extraction.method, *(compare or ["rules"])]))
        for name in methods:
            make_method(name)  # reports a wrong name before anything starts
        passed: Counter[str] = Counter()
        open_pages = open_inputs(names, extraction, passed=passed)
        report_passed(passed)
        title = heading or Path(names[0].rstrip("/")).name or names[0]
        with show_progress("Reporting", len(open_pages), shown=is_terminal(sys.stderr)) as progress:
            found = write_report(
                open_pages,
                output,
                methods,
                title=title,
                workers=limits.workers,
                seconds=limits.seconds,
                rules=load_rules(extraction.rules) if extraction.rules is not None else None,
                report_failure=lambda name, says: complain(name_once(name, says)),
                progress=lambda done: progress.update(done, done, "pages"),
            )
        if found.before:
            complain(f"The report already had {say_count(found.before, 'page')}.")
        complain(f"{output / 'index.html'}: {say_count(found.done, 'page')}, {found.failed:,} failed.")
        raise typer.Exit(1 if found.failed else 0)
