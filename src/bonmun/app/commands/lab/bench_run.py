"""`bonmun bench`: measure methods and peers on labelled pages."""

from __future__ import annotations

import platform
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun._version import __version__
from bonmun.app.commands.shared.arguments import CORES, Data, Limit, Workers
from bonmun.app.commands.shared.completions import complete_methods, complete_peers
from bonmun.app.commands.shared.inputs import read_set
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, output_to, show, stoppable, wrong_use
from bonmun.errors import BadConfig
from bonmun.extraction import Extraction
from bonmun.work.progress import show_progress

if TYPE_CHECKING:
    from bonmun.lab.gold.datasets import Dataset

__all__ = ["bench_run_command"]


@take_settings(Extraction, into="extraction", only="model favour rules")
def bench_run_command(
    data: Data,
    extraction: Extraction,
    peer: Annotated[
        list[str] | None,
        typer.Option(
            "--peer",
            "-p",
            help="Other extractor to measure: a name, all, or module:function; may be repeated.",
            autocompletion=complete_peers,
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            "-m",
            help="Method to measure, or all; may be repeated (default: auto).",
            autocompletion=complete_methods,
        ),
    ] = None,
    folds: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder with fold-0.npz to fold-4.npz for cross-validation by site."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Output folder for an HTML report and all rows.")
    ] = None,
    limit: Limit = None,
    timed: Annotated[int, typer.Option(min=0, help="Number of pages to time; 0 disables timing.")] = 20,
    reference: Annotated[
        str | None, typer.Option(help="System that times are relative to (default: resiliparse, or the first).")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time limit per page and system in seconds.")] = 30.0,
    workers: Workers = CORES,
    cache: Annotated[Path | None, typer.Option(metavar="FILE", help="Cache file of answers.")] = None,
) -> None:
    """Measure the quality and speed of methods and other extractors (peers) on labelled pages.

    With --model or --favour, auto is measured twice: with its defaults and with these settings. --rules applies to all
    methods. Answers are cached, so
    an interrupted run is resumed by the same command.
    """
    from bonmun.lab.evaluate.cache import Cache, locate_cache_file
    from bonmun.lab.evaluate.report.report import write_report
    from bonmun.lab.evaluate.report.summary import format_for_terminal
    from bonmun.lab.evaluate.runner import ROUNDS, run, time_systems
    from bonmun.lab.evaluate.systems.systems import choose_systems

    with wrong_use(), output_to(None), stoppable("run the same command to resume."):
        systems, missing = choose_systems(method or ["auto"], peer or [], folds, extraction)
        if reference and reference not in {system.name for system in systems if system.group != "oracle"}:
            raise BadConfig(f"The reference {reference!r} is not one of the systems to be timed.")
        for line in missing:
            complain(line)
        datasets = [read_set(path, limit) for path in data]
        _check_names(datasets)
        pages = sum(dataset.summary.count for dataset in datasets)
        if report:  # fail now, not after all the work
            report.mkdir(parents=True, exist_ok=True)
        with Cache(cache or locate_cache_file()) as kept:
            with show_progress("Measuring", pages * len(systems)) as progress:
                results = run(datasets, systems, kept, workers=workers, limit=seconds, progress=progress.advance)
            if timed:
                with show_progress("Timing", min(timed, pages) * ROUNDS * (len(systems) - 1)) as progress:
                    time_systems(datasets, systems, results, pages=timed, limit=seconds, progress=progress.advance)
            if report:
                introduction = _describe_run()
                files = write_report(
                    report, results, datasets, systems, kept, reference=reference, introduction=introduction
                )
                complain(f"Written: {', '.join(str(file) for file in files)}")
            show(format_for_terminal(results, reference))


def _check_names(datasets: list[Dataset]) -> None:
    names = [dataset.name for dataset in datasets]
    if len(set(names)) < len(names):
        paths = ", ".join(str(dataset.path) for dataset in datasets)
        raise BadConfig(f"Two sets have the same name; rename one of {paths}.")


def _describe_run() -> str:
    """Describe the run for the report: command, date, version and machine."""
    now = datetime.now(UTC)
    machine = f"{platform.machine()}, {CORES} cores, Python {platform.python_version()}"
    return f"`bonmun bench {shlex.join(sys.argv[2:])}`\n\n{now:%Y-%m-%d %H:%M} UTC, bonmun {__version__}, {machine}."
