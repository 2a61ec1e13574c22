"""`bonmun bench` and `bonmun bench align`: how good and how fast, on labelled pages."""

from __future__ import annotations

import errno
import gzip
import json
import os
import platform
import shlex
import signal
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, cast

import typer
from typer.core import TyperGroup

from bonmun._version import __version__
from bonmun.commands.shell import complain, output_to, show, stoppable, wrong_use
from bonmun.errors import BadConfig, BonmunError
from bonmun.work.files import write_beside
from bonmun.work.progress import show_progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.gold.datasets import Dataset
    from bonmun.gold.examples import Example

__all__ = ["app"]


class _Group(TyperGroup):
    """`bonmun bench DATA` is `bonmun bench run DATA`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=_Group, add_completion=False, pretty_exceptions_enable=False)
Data = Annotated[
    list[Path], typer.Argument(metavar="DATA", help="Labelled sets: JSON lines, or folders of a known form.")
]
Limit = Annotated[int | None, typer.Option(help="So many pages of each set, evenly from all of it.")]
Workers = Annotated[int, typer.Option(min=1, help="Pages at a time.")]
CORES = os.cpu_count() or 1


@app.command("run")
def run_command(
    data: Data,
    peer: Annotated[
        list[str] | None, typer.Option("--peer", "-p", help="Measure this peer, all, or a module:function of your own.")
    ] = None,
    method: Annotated[
        list[str] | None, typer.Option("--method", "-m", help="Measure this method, or all; else auto.")
    ] = None,
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

    Answers are kept, so a run that was stopped goes on where it was. `bonmun bench align` gives labels for training.
    """
    from bonmun.evaluate.cache import Cache, cache_file
    from bonmun.evaluate.report import write_report
    from bonmun.evaluate.runner import ROUNDS, run, time_systems
    from bonmun.evaluate.summary import terminal
    from bonmun.evaluate.systems import choose

    with wrong_use(), output_to(None), stoppable("the same command goes on from here."):
        systems, missing = choose(method or ["auto"], peer or [], folds)
        if reference and reference not in {system.name for system in systems if system.group != "oracle"}:
            raise BadConfig(f"The reference {reference!r} is not among the systems that are timed.")
        for line in missing:
            complain(line)
        datasets = [_read(path, limit) for path in data]
        _check_names(datasets)
        pages = sum(dataset.facts.count for dataset in datasets)
        if report:  # rather now than after all the work
            report.mkdir(parents=True, exist_ok=True)
        with Cache(cache or cache_file()) as kept:
            with show_progress("Measuring", pages * len(systems)) as progress:
                results = run(datasets, systems, kept, workers=workers, limit=seconds, progress=progress.advance)
            if timed:
                with show_progress("Timing", min(timed, pages) * ROUNDS * (len(systems) - 1)) as progress:
                    time_systems(datasets, systems, results, pages=timed, limit=seconds, progress=progress.advance)
            if report:
                files = write_report(report, results, datasets, systems, kept, reference=reference, made=_made())
                complain(f"Written: {', '.join(str(file) for file in files)}")
            show(terminal(results, reference))


@app.command("align")
def align_command(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="A labelled set.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="JSON lines; .gz packs them. Else stdout.")
    ] = None,
    limit: Limit = None,
    workers: Workers = CORES,
) -> None:
    """Find the leaves and blocks of pages that their gold texts were made of: labels for training.

    A line a page: id, url, lang, kind; `f1`, `precision`, `recall` of the words of these leaves against the gold, which
    say how far the labels can be trusted; `blocks` and `leaves`, the numbers of those that are in, and how many there
    are.
    """
    from multiprocessing import get_context

    says = "nothing was written." if output else "not all pages are there."
    with wrong_use(), output_to(str(output) if output else None), stoppable(says):
        dataset = _read(data, limit)
        total, failed = 0.0, 0
        with (
            _sink(output) as sink,
            get_context("spawn").Pool(workers, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool,
            show_progress("Aligning", dataset.facts.count) as progress,
        ):
            for line in pool.imap(_align, dataset, chunksize=4):
                progress.advance()
                if "problem" in line:
                    failed += 1
                    complain(f"{line['id']}: {line['problem']}")
                    continue
                total += line["f1"]
                sink.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        good = dataset.facts.count - failed
        complain(f"{good:,} pages aligned, {failed} not; word F1 of their leaves {total / max(good, 1):.4f}.")
        raise typer.Exit(1 if failed else 0)


def _align(example: Example) -> dict[str, Any]:
    from bonmun.gold.alignment import align
    from bonmun.page import Page

    if example.text is None:
        return {"id": example.id, "problem": "it has snippets, but no gold text."}
    try:
        page = Page.parse(example.html, example.url)
        found = align(page, example.text)
    except BonmunError as problem:
        return {"id": example.id, "problem": str(problem)}
    facts = {key: getattr(example, key) for key in ("id", "url", "lang", "kind")}
    quality = {key: round(getattr(found.words, key), 4) for key in ("f1", "precision", "recall")}
    marks = {name: [row for row, kept in enumerate(getattr(found, name)) if kept] for name in ("blocks", "leaves")}
    return facts | quality | marks | {"of_blocks": len(found.blocks), "of_leaves": len(found.leaves)}


@contextmanager
def _sink(output: Path | None) -> Iterator[BinaryIO]:
    """A file that is written beside its place and renamed when it is whole; else standard output."""
    if output is None:
        if sys.stdout is None:  # closed by the caller
            raise OSError(errno.EBADF, "it is closed")
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    with (
        write_beside(output) as part,
        gzip.open(part, "wb") if output.name.endswith(".gz") else part.open("wb") as file,
    ):
        yield cast("BinaryIO", file)


def _read(path: Path, limit: int | None) -> Dataset:
    """A set, with what is broken in it told; raises BadConfig where nothing can be used."""
    from bonmun.gold.datasets import read_dataset

    dataset = read_dataset(path, limit)
    dataset.check()
    broken = dataset.facts.broken
    for record in broken[:10]:
        complain(f"{dataset.name}: {record}")
    if len(broken) > 10:
        complain(f"{dataset.name}: {len(broken) - 10} more records cannot be used.")
    return dataset


def _check_names(datasets: list[Dataset]) -> None:
    names = [dataset.name for dataset in datasets]
    if len(set(names)) < len(names):
        paths = ", ".join(str(dataset.path) for dataset in datasets)
        raise BadConfig(f"Two sets have the same name, and would be one in the tables; rename one: {paths}.")


def _made() -> str:
    """How and when, for the report."""
    now = datetime.now(UTC)
    machine = f"{platform.machine()}, {CORES} cores, Python {platform.python_version()}"
    return f"`bonmun bench {shlex.join(sys.argv[2:])}`\n\n{now:%Y-%m-%d %H:%M} UTC, bonmun {__version__}, {machine}."
