"""`bonmun bench`: how good and how fast, on labelled pages."""

from __future__ import annotations

import platform
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from bonmun._version import __version__
from bonmun.app.commands.shared.arguments import CORES, Data, Favour, Limit, ModelFile, Workers
from bonmun.app.commands.shared.completions import complete_methods, complete_peers
from bonmun.app.commands.shared.groups import Command
from bonmun.app.commands.shared.inputs import read_set
from bonmun.app.commands.shared.shell import complain, output_to, show, stoppable, wrong_use
from bonmun.errors import BadConfig
from bonmun.work.progress import show_progress

if TYPE_CHECKING:
    from bonmun.lab.gold.datasets import Dataset

__all__ = ["BenchRunCommand", "bench_run_command"]


class BenchRunCommand(Command):
    """The command with its options in panels."""

    panels: ClassVar = {
        "Times": "timed reference",
        "This machine": "seconds workers cache",
    }


def bench_run_command(
    data: Data,
    peer: Annotated[
        list[str] | None,
        typer.Option(
            "--peer",
            "-p",
            help="Measure this peer, all, or a module:function of your own.",
            autocompletion=complete_peers,
        ),
    ] = None,
    method: Annotated[
        list[str] | None,
        typer.Option("--method", "-m", help="Measure this method, or all; else auto.", autocompletion=complete_methods),
    ] = None,
    model: ModelFile = None,
    favour: Favour = "balanced",
    folds: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="fold-0.npz to fold-4.npz: auto is the one that has not seen a page's site."),
    ] = None,
    report: Annotated[Path | None, typer.Option(metavar="DIR", help="Write an HTML report and all rows here.")] = None,
    limit: Limit = None,
    timed: Annotated[int, typer.Option(min=0, help="Pages that times are taken on; 0 for none.")] = 20,
    reference: Annotated[
        str | None, typer.Option(help="Times are multiples of this system's. Else resiliparse, or the first.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Time limit for a system and a page.")] = 30.0,
    workers: Workers = CORES,
    cache: Annotated[Path | None, typer.Option(metavar="FILE", help="Where answers are kept.")] = None,
) -> None:
    """Measure methods and peers on labelled pages: how good, how fast.

    With `--model` or `--favour`, auto is measured as it comes and, in a row of its own, with them.

    Answers are kept, so a run that was stopped goes on where it was. `bonmun bench align` gives labels for training.
    """
    from bonmun.lab.evaluate.cache import Cache, locate_cache_file
    from bonmun.lab.evaluate.report.report import write_report
    from bonmun.lab.evaluate.report.summary import format_for_terminal
    from bonmun.lab.evaluate.runner import ROUNDS, run, time_systems
    from bonmun.lab.evaluate.systems.systems import choose_systems

    with wrong_use(), output_to(None), stoppable("the same command goes on from here."):
        systems, missing = choose_systems(method or ["auto"], peer or [], folds, model, favour)
        if reference and reference not in {system.name for system in systems if system.group != "oracle"}:
            raise BadConfig(f"The reference {reference!r} is not among the systems that are timed.")
        for line in missing:
            complain(line)
        datasets = [read_set(path, limit) for path in data]
        _check_names(datasets)
        pages = sum(dataset.summary.count for dataset in datasets)
        if report:  # rather now than after all the work
            report.mkdir(parents=True, exist_ok=True)
        with Cache(cache or locate_cache_file()) as kept:
            with show_progress("Measuring", pages * len(systems)) as progress:
                results = run(datasets, systems, kept, workers=workers, limit=seconds, progress=progress.advance)
            if timed:
                with show_progress("Timing", min(timed, pages) * ROUNDS * (len(systems) - 1)) as progress:
                    time_systems(datasets, systems, results, pages=timed, limit=seconds, progress=progress.advance)
            if report:
                made = _describe_run()
                files = write_report(report, results, datasets, systems, kept, reference=reference, made=made)
                complain(f"Written: {', '.join(str(file) for file in files)}")
            show(format_for_terminal(results, reference))


def _check_names(datasets: list[Dataset]) -> None:
    names = [dataset.name for dataset in datasets]
    if len(set(names)) < len(names):
        paths = ", ".join(str(dataset.path) for dataset in datasets)
        raise BadConfig(f"Two sets have the same name, and would be one in the tables; rename one: {paths}.")


def _describe_run() -> str:
    """How and when it was made, for the report."""
    now = datetime.now(UTC)
    machine = f"{platform.machine()}, {CORES} cores, Python {platform.python_version()}"
    return f"`bonmun bench {shlex.join(sys.argv[2:])}`\n\n{now:%Y-%m-%d %H:%M} UTC, bonmun {__version__}, {machine}."
