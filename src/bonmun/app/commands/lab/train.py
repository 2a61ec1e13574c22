"""`bonmun train`: a model of one's own, from labelled pages."""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from bonmun.app.commands.shared.groups import Command
from bonmun.app.commands.shared.shell import complain, output_to, show, stoppable, wrong_use
from bonmun.errors import BadConfig
from bonmun.work.progress import is_terminal, show_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bonmun.lab.train.cross_validation import UnseenScores
    from bonmun.lab.train.finetune_report import FinetuneReport
    from bonmun.lab.train.steps import Step
    from bonmun.lab.train.train_models import TrainingPlan

__all__ = ["TrainCommand", "train_command"]

CORES = os.cpu_count() or 1
NAME_WIDTH = 60  # characters of a page's id in the table
LINE_SECONDS = 10.0  # between two lines on how far it is, where nobody watches a terminal
SHARES = 1000  # that the bar is divided into


class TrainCommand(Command):
    """The command with its options in panels."""

    panels: ClassVar = {
        "Experiments": "start fold folds teachers samples snapshots unmeasured pages seed",
        "This machine": "device workers",
    }


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
        str, typer.Option("--format", "-f", metavar="text|json", help="How to show what came of it.")
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
    has not seen; with `--fold` or `--folds`, such pages are measured at the end,
    unless it is `--unmeasured`.
    """
    from bonmun.lab.gold.folds import FOLDS, model_path
    from bonmun.lab.train.finetune import finetune_model, name_output
    from bonmun.lab.train.train_models import TrainingPlan, make_folds, make_model

    plan = TrainingPlan(data, start, teachers, pages, seed, device, samples, workers, snapshots)
    is_measured = not (unmeasured or start == "nothing" or fold is not None or teachers or samples or snapshots)
    with wrong_use(), output_to(str(output or folds or data[0])):
        if format_ not in ("text", "json"):
            raise BadConfig(f"Unknown format {format_!r}: choose text or json.")
        if folds and not output and fold is None:
            with stoppable("the same command goes on from here."):
                with _show_steps() as step:
                    make_folds(plan, folds, complain, step)
                if not unmeasured:
                    _show_unseen(plan, {number: model_path(folds, number) for number in range(FOLDS)}, format_)
        elif folds or (not output and not is_measured):
            raise BadConfig("Say what to write: --output FILE for one model, or --folds DIR for one for each fold.")
        elif output and not is_measured:
            with stoppable("nothing was written."), _show_steps() as step:
                make_model(plan, output, fold, complain, step)
            if fold is not None and not unmeasured:
                with stoppable(f"{output} is written."):
                    _show_unseen(plan, {fold: output}, format_)
        else:
            as_json = format_ == "json"
            with stoppable("nothing was written."), _show_steps(all_of_them=as_json) as step:
                lesson = finetune_model(
                    data,
                    output or name_output(data),
                    start=start,
                    pages=pages,
                    seed=seed,
                    device=device,
                    workers=workers,
                    log=complain,
                    progress=step,
                )
            show(json.dumps(lesson.to_dict(), ensure_ascii=False) if as_json else _format_lesson(lesson, start))


@contextmanager
def _show_steps(*, all_of_them: bool = False) -> Iterator[Callable[[Step], None]]:
    """What shows how far training is: a bar on a terminal, else a line now and then, or a line for every step."""
    if all_of_them:
        yield lambda step: complain(step.message)
        return
    began = last = monotonic()

    def show_step(step: Step) -> None:
        nonlocal last
        now = monotonic()
        if is_terminal(sys.stderr):
            progress.show(round(step.share * SHARES), step.message)
        elif now - last >= LINE_SECONDS:
            last = now
            left = (now - began) * (1 - step.share) / step.share if step.share else None
            complain(f"{step.share:.0%}, {step.message}" + (f"; about {_say_seconds(left)} left" if left else ""))

    with show_progress("Training", SHARES) as progress:
        yield show_step


def _say_seconds(seconds: float) -> str:
    """`40 s`, `3 min`, `2.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _show_unseen(plan: TrainingPlan, models: dict[int, Path], format_: str) -> None:
    """Pages of sites that a model has not seen, by the default and by it."""
    from bonmun.lab.train.cross_validation import rate_unseen

    found = rate_unseen(plan.data, models, plan.workers)
    as_json = [each._asdict() for each in found]
    show(json.dumps({"sets": as_json}, ensure_ascii=False) if format_ == "json" else _format_unseen(found))


def _format_unseen(found: list[UnseenScores]) -> str:
    """The word F1 of each set."""
    from bonmun.text.terminal import format_table

    if not found:
        return "No page is of a site that was left out, so there is nothing to measure."
    rows: list[list[str | int | float | None]] = [
        [each.name, each.pages, each.default, each.yours, f"{each.yours - each.default:+.3f}"] for each in found
    ]
    says = "Word F1 on sites that yours has not seen; the default may have, if it was made from these sets."
    return f"{format_table(['set', 'pages', 'default', 'yours', 'gain'], rows)}\n\n{says}"


def _format_lesson(lesson: FinetuneReport, start: str) -> str:
    """Every page by the default and by models that have not seen it, the means, and what was decided."""
    from bonmun.text.terminal import format_table, shorten

    rows: list[list[str | float]] = [
        [shorten(page.id, NAME_WIDTH), page.before, page.after, f"{page.after - page.before:+.3f}"]
        for page in lesson.pages
    ]
    rows.append(["mean", lesson.before, lesson.after, f"{lesson.after - lesson.before:+.3f}"])
    written = [f"Written: {lesson.output}"] if lesson.output else []
    return "\n".join([format_table(["page", Path(start).name, "yours", "gain"], rows), "", lesson.why, *written])
