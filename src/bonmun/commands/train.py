"""`bonmun train`: a model of one's own, from labelled pages."""

from __future__ import annotations

import os
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from bonmun.commands.shell import complain, output_to, stoppable, wrong_use
from bonmun.errors import BadConfig
from bonmun.work.progress import show_line

__all__ = ["train_command"]

CORES = os.cpu_count() or 1


def train_command(
    data: Annotated[
        list[Path], typer.Argument(metavar="DATA", help="Labelled sets: JSON lines, or folders of a known form.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.")
    ] = None,
    start: Annotated[
        str, typer.Option("--from", help="What to train on: default, another model file, or nothing.")
    ] = "default",
    fold: Annotated[
        int | None, typer.Option(min=0, max=4, help="Leave out the sites of this fold, for cross-validation.")
    ] = None,
    folds: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write a model for each of the five folds, and with --from nothing also weights for facts; "
            "what is there already stays.",
        ),
    ] = None,
    teachers: Annotated[
        int, typer.Option(min=0, help="So many larger networks first, to label pages without gold and temper the rest.")
    ] = 0,
    pages: Annotated[int | None, typer.Option(min=1, help="How many pages are shown, with repetition.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed and data give the same model on the same machine.")] = 1,
    device: Annotated[str, typer.Option(help="cpu, or cuda.")] = "cpu",
    samples: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep what was read here, or read it if it is there.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Pages at a time.")] = CORES,
    snapshots: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="What `bonmun render DATA -o DIR` made of the sets, or a folder of such folders, named as the sets: "
            "pages are also learnt as a browser shows them.",
        ),
    ] = None,
) -> None:
    """Train the network of the default method on labelled pages of your own.

    Some 30 pages of a site, on top of the default, are enough to make it better there. Use the file with
    `bonmun extract --model FILE`, or `extract(html, model="FILE")`.

    `--folds DIR` makes what `bonmun bench --folds DIR` needs to measure on sites that a model has not seen.
    """
    from bonmun.train.make import Plan, make_folds, make_model

    plan = Plan(data, start, teachers, pages, seed, device, samples, workers, snapshots)
    with wrong_use(), output_to(str(output or folds)):
        if folds and not output and fold is None:
            with stoppable("the same command goes on from here."):
                make_folds(plan, folds, complain, show_line)
        elif output and not folds:
            with stoppable("nothing was written."):
                make_model(plan, output, fold, complain, show_line)
        else:
            raise BadConfig("Say what to write: --output FILE for one model, or --folds DIR for one for each fold.")
