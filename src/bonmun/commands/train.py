"""`bonmun train`: a model of one's own, from labelled pages."""

from __future__ import annotations

import json
import os
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.commands.shell import complain, output_to, show, stoppable, wrong_use
from bonmun.errors import BadConfig
from bonmun.work.progress import show_line

if TYPE_CHECKING:
    from bonmun.train.lessons import Lesson

__all__ = ["train_command"]

CORES = os.cpu_count() or 1
NAME_WIDTH = 60  # characters of a page's id in the table


def train_command(
    data: Annotated[
        list[Path], typer.Argument(metavar="DATA", help="Labelled sets: JSON lines, or folders of a known form.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The model file to write; for DATA.jsonl it is DATA.npz beside it."
        ),
    ] = None,
    unmeasured: Annotated[
        bool, typer.Option("--unmeasured", help="Write the model without asking whether it is better.")
    ] = False,
    format_: Annotated[
        str, typer.Option("--format", "-f", help="How to show what came of it: text, or json.")
    ] = "text",
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
    """Teach the default method with labelled pages of your own.

    It learns on top of the default, is asked about pages that it has not seen,
    and is written only if it is better there. Ten to thirty pages of a site are
    worth most, and take a few minutes. Then: `bonmun extract --model FILE`.

    With `--from nothing`, `--fold`, `--teachers`, `--samples`, `--snapshots` or
    `--unmeasured` a model is written as it comes, for experiments. `--folds DIR`
    makes what `bonmun bench --folds DIR` needs to measure on sites that a model
    has not seen.
    """
    from bonmun.train.make import Plan, make_folds, make_model
    from bonmun.train.teach import name_output, teach

    plan = Plan(data, start, teachers, pages, seed, device, samples, workers, snapshots)
    is_measured = not (unmeasured or start == "nothing" or fold is not None or teachers or samples or snapshots)
    with wrong_use(), output_to(str(output or folds or data[0])):
        if format_ not in ("text", "json"):
            raise BadConfig(f"Unknown format {format_!r}: choose text or json.")
        if folds and not output and fold is None:
            with stoppable("the same command goes on from here."):
                make_folds(plan, folds, complain, show_line)
        elif folds or (not output and not is_measured):
            raise BadConfig("Say what to write: --output FILE for one model, or --folds DIR for one for each fold.")
        elif output and not is_measured:
            with stoppable("nothing was written."):
                make_model(plan, output, fold, complain, show_line)
        else:
            as_json = format_ == "json"
            with stoppable("nothing was written."):
                lesson = teach(
                    data,
                    output or name_output(data),
                    start=start,
                    pages=pages,
                    seed=seed,
                    device=device,
                    workers=workers,
                    tell=complain,
                    step=complain if as_json else show_line,
                )
            show_line("")
            show(json.dumps(lesson.to_dict(), ensure_ascii=False) if as_json else _format_lesson(lesson))


def _format_lesson(lesson: Lesson) -> str:
    """Every page before and after, the means, and what was decided."""
    from bonmun.text.terminal import format_table, shorten

    rows: list[list[str | float]] = [
        [shorten(page.id, NAME_WIDTH), page.before, page.after, f"{page.after - page.before:+.3f}"]
        for page in lesson.pages
    ]
    rows.append(["mean", lesson.before, lesson.after, f"{lesson.after - lesson.before:+.3f}"])
    written = [f"Written: {lesson.output}"] if lesson.output else []
    return "\n".join([format_table(["page", "before", "after", "gain"], rows), "", lesson.why, *written])
