"""Train model files from labelled sets: `bonmun train` without its arguments and progress display."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig, BonmunError, TooFewPages
from bonmun.lab.gold.examples import Example
from bonmun.lab.gold.folds import FOLDS, find_fold, model_path, rankers_path
from bonmun.lab.train import metadata_rankers
from bonmun.lab.train.config import MIN_PAGES_FROM_SCRATCH, choose_config
from bonmun.lab.train.prepare import check_folder, check_torch, load_start
from bonmun.lab.train.samples import sample_files, samples
from bonmun.lab.train.steps import Step, scale_progress
from bonmun.lab.train.synthetic import board_pages as boards
from bonmun.lab.train.synthetic import empty_pages as nothing
from bonmun.lab.train.synthetic import simple_pages
from bonmun.metadata.ranking import save_rankers
from bonmun.models.network.labeller import default_weights, save_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bonmun.lab.train.samples.sample_files import Sample

    Log = Callable[[str], None]
    ShowProgress = Callable[[Step], None]

__all__ = ["TrainingPlan", "make_folds", "make_model"]

TEXTLESS_PAGES, BOARD_PAGES, SIMPLE_PAGES = 400, 400, 800  # synthetic, for training from scratch
SYNTHETIC_SEED = 7
SYNTHETIC_SETS = frozenset({"nothing", "boards", "simple"})  # names of the synthetic sets


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What to train a network on, and how."""

    data: Sequence[Path]  # labelled sets
    start: str = "default"  # network to start from: the default, a model file, or "nothing"
    teachers: int = 0
    pages: int | None = None  # shown, with repetition; None for the number in the settings
    seed: int = 1
    device: str = "cpu"
    samples: Path | None = None  # file in which samples are cached
    workers: int = 1
    snapshots: Path | None = None  # folder of snapshots of the sets' pages


def make_model(plan: TrainingPlan, output: Path, fold: int | None, log: Log, progress: ShowProgress) -> None:
    """Write a model trained without the sites of a fold, or on all sites.

    `log` receives messages for the user, `progress` the training steps.
    """
    for path in (output, plan.samples):
        check_folder(path)
    _train_networks(plan, {fold: output}, log, progress)


def make_folds(plan: TrainingPlan, folder: Path, log: Log, progress: ShowProgress) -> None:
    """Write the files that `bonmun bench --folds` needs and the folder lacks: a model per fold, and metadata rankers.

    Rankers are always trained from scratch, so they are made only if the networks are, too.
    """
    for path in (folder, plan.samples):
        check_folder(path)
    models: dict[int | None, Path] = {fold: model_path(folder, fold) for fold in range(FOLDS)}
    rankers = {fold: rankers_path(folder, fold) for fold in range(FOLDS)} if plan.start == "nothing" else {}
    if there := [path.name for path in (*models.values(), *rankers.values()) if path.is_file()]:
        log(f"Already in {folder}, kept unchanged: {', '.join(there)}.")
    parts = 2 if rankers else 1
    if missing := {fold: path for fold, path in models.items() if not path.is_file()}:
        _train_networks(plan, missing, log, scale_progress(progress, 1, parts))
    if missing := {fold: path for fold, path in rankers.items() if not path.is_file()}:
        _fit_rankers(plan, list(models.values()), missing, log, scale_progress(progress, 2, parts))


def _train_networks(plan: TrainingPlan, targets: Mapping[int | None, Path], log: Log, progress: ShowProgress) -> None:
    """Train a network without each of the folds (None: on all pages), and write them one by one."""
    check_torch(plan.device)
    from bonmun.lab.train.fitting import fit, prepare_samples
    from bonmun.lab.train.labeller import export_weights

    start, net = load_start(plan.start)
    progress(Step("reading pages", 0.0))
    found = _get_samples(plan, log)
    outs = {fold: frozenset(row for row, each in enumerate(found) if find_fold(each.site) == fold) for fold in targets}
    counts = {fold: _count_labelled(found, out, from_scratch=net is None) for fold, out in outs.items()}
    configs = {
        fold: choose_config(net and net.config, count, seed=plan.seed, teachers=plan.teachers, pages=plan.pages)
        for fold, count in counts.items()
    }
    confidence = (start or default_weights()).about["confidence"]
    prepared = prepare_samples(found, next(iter(configs.values())), device=plan.device, workers=plan.workers)
    for number, (fold, target) in enumerate(targets.items(), 1):
        watch = scale_progress(progress, number, len(targets), f"model {number} of {len(targets)}: ")
        model = fit(prepared, configs[fold], start=net, out=outs[fold], progress=watch)
        target.parent.mkdir(exist_ok=True)
        save_weights(export_weights(model, confidence), target)
        log(f"Trained on {counts[fold]:,} labelled pages; wrote {target}")


def _fit_rankers(
    plan: TrainingPlan, models: Sequence[Path], targets: Mapping[int, Path], log: Log, progress: ShowProgress
) -> None:
    """Fit the metadata rankers to the answers of the fold networks, and write them."""
    check_torch(plan.device)
    try:
        examples = metadata_rankers.read_examples(plan.data)
        fitted = metadata_rankers.fit_rankers(
            examples, models, list(targets), workers=plan.workers, log=_log_as_progress(progress)
        )
    except TooFewPages as problem:
        log(f"No metadata rankers were written: {problem}")
        return
    except BonmunError as problem:
        raise BadConfig(str(problem)) from None
    for fold, target in targets.items():
        save_rankers(fitted.rankers[fold], target)
    log(f"Wrote {', '.join(map(str, targets.values()))}")


def _log_as_progress(progress: ShowProgress) -> Log:
    """Return a logger that shows its messages as progress; the duration is unknown, so the share is always half."""
    return lambda line: progress(Step(line, 0.5))


def _count_labelled(found: Sequence[Sample], out: frozenset[int], *, from_scratch: bool) -> int:
    """Return the number of labelled pages to train on; raise BadConfig if there are too few."""
    used = [each for row, each in enumerate(found) if row not in out]
    labelled = sum(each.trusted and each.source not in SYNTHETIC_SETS for each in used)
    if not labelled:
        raise BadConfig("No pages to train on: no gold text was found on its page.")
    if from_scratch and labelled < MIN_PAGES_FROM_SCRATCH:
        raise BadConfig(f"{labelled} labelled pages are too few to train from scratch: use --from default.")
    return labelled


def _get_samples(plan: TrainingPlan, log: Log) -> list[Sample]:
    """Return the samples of the sets; for training from scratch, synthetic pages are added."""
    kept = plan.samples
    if plan.snapshots and not plan.snapshots.is_dir():
        raise BadConfig(f"{plan.snapshots}: there is no such folder.")
    try:
        if kept and kept.is_file():
            found = sample_files.load_samples(kept)
            log(f"Reading samples from {kept}, not from DATA.")
            return found
        found = samples.read_samples(
            plan.data, plan.workers, lambda problem: log(problem) if problem else None, plan.snapshots
        )
    except BonmunError as problem:
        raise BadConfig(str(problem)) from None
    if plan.start == "nothing":
        found += _make_synthetic_samples()
    if kept and found:
        sample_files.save_samples(found, kept)
        return sample_files.load_samples(kept)  # the file rounds numbers, and the same file must give the same model
    return found


def _make_synthetic_samples() -> list[Sample]:
    textless = (
        Example(f"nothing/{number}", html, "", kind="none", site=f"nothing-{number}")
        for number, html in enumerate(nothing.make_textless_pages(TEXTLESS_PAGES, Random(SYNTHETIC_SEED)))
    )
    made = chain(
        textless,
        boards.make_boards(BOARD_PAGES, Random(SYNTHETIC_SEED)),
        simple_pages.make_simple_pages(SIMPLE_PAGES, Random(SYNTHETIC_SEED)),
    )
    found = (samples.make_sample(example, example.id.partition("/")[0]) for example in made)
    return [sample for sample in found if sample]
