"""`bonmun train`: train or fine-tune a model with labelled pages."""

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
NAME_WIDTH = 60  # characters of a page id in the table
LINE_SECONDS = 10.0  # between two progress lines where there is no terminal
BAR_STEPS = 1000


class TrainCommand(Command):
    """The command with its options in panels."""

    panels: ClassVar = {
        "Experiments": "start fold folds teachers samples snapshots unmeasured pages seed",
        "Machine": "device workers",
    }


def train_command(
    data: Annotated[
        list[Path],
        typer.Argument(
            metavar="DATA", help="Labelled sets: JSON lines, or folders such as those of `bonmun gold init`."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Model file to write (default: DATA.npz next to DATA.jsonl)."
        ),
    ] = None,
    unmeasured: Annotated[
        bool, typer.Option("--unmeasured", help="Write the model without measuring whether it is better.")
    ] = False,
    format_: Annotated[str, typer.Option("--format", "-f", metavar="text|json", help="Output format.")] = "text",
    start: Annotated[
        str, typer.Option("--from", help="Model to start from: default, a model file, or nothing.")
    ] = "default",
    fold: Annotated[
        int | None, typer.Option(min=0, max=4, help="Leave out the sites of this fold (cross-validation).")
    ] = None,
    folds: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write a model per fold into this folder; existing ones are kept.",
        ),
    ] = None,
    teachers: Annotated[
        int, typer.Option(min=0, help="Number of larger teacher networks to train first (distillation).")
    ] = 0,
    pages: Annotated[int | None, typer.Option(min=1, help="Number of pages to train on, counting repetitions.")] = None,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
    device: Annotated[str, typer.Option(help="Device: cpu or cuda.")] = "cpu",
    samples: Annotated[Path | None, typer.Option(metavar="FILE", help="Cache file of training samples.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Number of child processes.")] = CORES,
    snapshots: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Snapshots of the sets, made by `bonmun render`; also trains on rendered pages.",
        ),
    ] = None,
) -> None:
    """Fine-tune the default method with your labelled pages.

    The model is measured on pages it has not seen and written only if it is
    better than the default there. Ten to thirty pages of one site help most and
    take a few minutes. Use the model with `bonmun extract --model FILE`.

    For experiments, `--from nothing`, `--fold`, `--teachers`, `--samples`,
    `--snapshots` and `--unmeasured` write a model without this comparison.
    `--folds DIR` writes the models that `bonmun bench --folds DIR` needs for
    cross-validation. With `--fold` or `--folds`, pages of unseen sites are
    measured at the end, unless you add `--unmeasured`.
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
            with stoppable("run the same command to resume."):
                with _show_steps() as step:
                    make_folds(plan, folds, complain, step)
                if not unmeasured:
                    _show_unseen(plan, {number: model_path(folds, number) for number in range(FOLDS)}, format_)
        elif folds or (not output and not is_measured):
            raise BadConfig("Give --output FILE to write one model, or --folds DIR to write one per fold.")
        elif output and not is_measured:
            with stoppable("nothing was written."), _show_steps() as step:
                make_model(plan, output, fold, complain, step)
            if fold is not None and not unmeasured:
                with stoppable(f"{output} is written."):
                    _show_unseen(plan, {fold: output}, format_)
        else:
            as_json = format_ == "json"
            with stoppable("nothing was written."), _show_steps(every_step=as_json) as step:
                report = finetune_model(
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
            show(json.dumps(report.to_dict(), ensure_ascii=False) if as_json else _format_report(report, start))


@contextmanager
def _show_steps(*, every_step: bool = False) -> Iterator[Callable[[Step], None]]:
    """Yield a function that shows progress: a bar on a terminal, else a line now and then, or one line per step."""
    if every_step:
        yield lambda step: complain(step.message)
        return
    began = last = monotonic()

    def show_step(step: Step) -> None:
        nonlocal last
        now = monotonic()
        if is_terminal(sys.stderr):
            progress.show(round(step.share * BAR_STEPS), step.message)
        elif now - last >= LINE_SECONDS:
            last = now
            left = (now - began) * (1 - step.share) / step.share if step.share else None
            complain(f"{step.share:.0%}, {step.message}" + (f"; about {_format_seconds(left)} left" if left else ""))

    with show_progress("Training", BAR_STEPS) as progress:
        yield show_step


def _format_seconds(seconds: float) -> str:
    """Format a duration: 40 s, 3 min, 2.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _show_unseen(plan: TrainingPlan, models: dict[int, Path], format_: str) -> None:
    """Measure the default and the models on sites that the models have not seen."""
    from bonmun.lab.train.cross_validation import rate_unseen

    found = rate_unseen(plan.data, models, plan.workers)
    as_json = [each._asdict() for each in found]
    show(json.dumps({"sets": as_json}, ensure_ascii=False) if format_ == "json" else _format_unseen(found))


def _format_unseen(found: list[UnseenScores]) -> str:
    """Format the word F1 of each set."""
    from bonmun.text.terminal import format_table

    if not found:
        return "No page belongs to a site that was left out, so nothing is measured."
    rows: list[list[str | int | float | None]] = [
        [each.name, each.pages, each.default, each.yours, f"{each.yours - each.default:+.3f}"] for each in found
    ]
    says = "Word F1 on sites that your model has not seen. The default may have seen them."
    return f"{format_table(['set', 'pages', 'default', 'yours', 'gain'], rows)}\n\n{says}"


def _format_report(report: FinetuneReport, start: str) -> str:
    """Format the F1 of every page before and after, the means, and the decision."""
    from bonmun.text.terminal import format_table, shorten

    rows: list[list[str | float]] = [
        [shorten(page.id, NAME_WIDTH), page.before, page.after, f"{page.after - page.before:+.3f}"]
        for page in report.pages
    ]
    rows.append(["mean", report.before, report.after, f"{report.after - report.before:+.3f}"])
    written = [f"Written: {report.output}"] if report.output else []
    return "\n".join([format_table(["page", Path(start).name, "yours", "gain"], rows), "", report.why, *written])
