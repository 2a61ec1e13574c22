"""Labelled sets in, model files out: what `bonmun train` does, but for its arguments and how progress is shown."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from random import Random
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig, BonmunError, TooFewPages
from bonmun.lab.gold.examples import Example
from bonmun.lab.gold.folds import FOLDS, find_fold, model_path, rankers_path
from bonmun.lab.train import metadata_rankers as facts
from bonmun.lab.train.config import LEAST_FROM_NOTHING, choose_config
from bonmun.lab.train.prepare import check_folder, check_torch, load_start
from bonmun.lab.train.samples import sample_files, samples
from bonmun.lab.train.steps import Step, watch_part
from bonmun.lab.train.synthetic import board_pages as boards
from bonmun.lab.train.synthetic import empty_pages as nothing
from bonmun.lab.train.synthetic import simple_pages
from bonmun.metadata.ranking import save_rankers
from bonmun.models.network.labeller import default_weights, save_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bonmun.lab.train.samples.sample_files import Sample

    Say = Callable[[str], None]
    Watch = Callable[[Step], None]

__all__ = ["TrainingPlan", "make_folds", "make_model"]

TEXTLESS_PAGES, BOARD_PAGES, SIMPLE_PAGES = 400, 400, 800  # made up, for a network from nothing
MADE_SEED = 7
MADE_SETS = frozenset({"nothing", "boards", "simple"})  # what their sets are called


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What to train a network on, and how."""

    data: Sequence[Path]  # labelled sets
    start: str = "default"  # the network to train on: the default, a model file, or "nothing"
    teachers: int = 0
    pages: int | None = None  # shown, with repetition; None for as many as the settings say
    seed: int = 1
    device: str = "cpu"
    samples: Path | None = None  # where what was read is kept, or read from if it is there
    workers: int = 1
    snapshots: Path | None = None  # a folder of snapshots of the sets' pages


def make_model(plan: TrainingPlan, output: Path, fold: int | None, tell: Say, step: Watch) -> None:
    """Write a model that has not seen the sites of a fold, or one that has seen all.

    `tell` is given what people should know afterwards, `step` how far it is.
    """
    for path in (output, plan.samples):
        check_folder(path)
    _train_networks(plan, {fold: output}, tell, step)


def make_folds(plan: TrainingPlan, folder: Path, tell: Say, step: Watch) -> None:
    """Write what `bonmun bench --folds` needs and the folder has not: a model for each fold, and rankers of facts.

    Rankers always start from nothing, so they are made only if networks do, too.
    """
    for path in (folder, plan.samples):
        check_folder(path)
    models: dict[int | None, Path] = {fold: model_path(folder, fold) for fold in range(FOLDS)}
    rankers = {fold: rankers_path(folder, fold) for fold in range(FOLDS)} if plan.start == "nothing" else {}
    if there := [path.name for path in (*models.values(), *rankers.values()) if path.is_file()]:
        tell(f"In {folder} already, and left as they are: {', '.join(there)}.")
    parts = 2 if rankers else 1
    if missing := {fold: path for fold, path in models.items() if not path.is_file()}:
        _train_networks(plan, missing, tell, watch_part(step, 1, parts))
    if missing := {fold: path for fold, path in rankers.items() if not path.is_file()}:
        _fit_facts(plan, list(models.values()), missing, tell, watch_part(step, 2, parts))


def _train_networks(plan: TrainingPlan, targets: Mapping[int | None, Path], tell: Say, step: Watch) -> None:
    """Train a network for each fold that is not to be seen, None for none, and write them one by one."""
    check_torch(plan.device)
    from bonmun.lab.train.fitting import fit, prepare_samples
    from bonmun.lab.train.labeller import export_weights

    start, net = load_start(plan.start)
    step(Step("reading pages", 0.0))
    found = _get_samples(plan, tell)
    outs = {fold: frozenset(row for row, each in enumerate(found) if find_fold(each.site) == fold) for fold in targets}
    counts = {fold: _count_labelled(found, out, from_nothing=net is None) for fold, out in outs.items()}
    configs = {
        fold: choose_config(net and net.config, count, seed=plan.seed, teachers=plan.teachers, pages=plan.pages)
        for fold, count in counts.items()
    }
    confidence = (start or default_weights()).about["confidence"]
    prepared = prepare_samples(found, next(iter(configs.values())), device=plan.device, workers=plan.workers)
    for number, (fold, target) in enumerate(targets.items(), 1):
        watch = watch_part(step, number, len(targets), f"model {number} of {len(targets)}: ")
        model = fit(prepared, configs[fold], start=net, out=outs[fold], say=watch)
        target.parent.mkdir(exist_ok=True)
        save_weights(export_weights(model, confidence), target)
        tell(f"{counts[fold]:,} labelled pages learnt; written: {target}")


def _fit_facts(plan: TrainingPlan, models: Sequence[Path], targets: Mapping[int, Path], tell: Say, step: Watch) -> None:
    """Fit the rankers of facts that the networks of all folds lead to, and write them."""
    check_torch(plan.device)
    try:
        examples = facts.read_examples(plan.data)
        fitted = facts.fit_rankers(examples, models, list(targets), workers=plan.workers, say=_say_facts(step))
    except TooFewPages as problem:
        tell(f"There will be no facts: {problem}")
        return
    except BonmunError as problem:
        raise BadConfig(str(problem)) from None
    for fold, target in targets.items():
        save_rankers(fitted.rankers[fold], target)
    tell(f"Written: {', '.join(map(str, targets.values()))}")


def _say_facts(step: Watch) -> Say:
    """Nobody knows how long facts take: half of it is done until all is."""
    return lambda line: step(Step(line, 0.5))


def _count_labelled(found: Sequence[Sample], out: frozenset[int], *, from_nothing: bool) -> int:
    """How many labelled pages are learnt from; raises BadConfig where they are too few."""
    labelled = sum(each.trusted and each.source not in MADE_SETS for row, each in enumerate(found) if row not in out)
    if not labelled:
        raise BadConfig("No page is left to learn from: none has a gold text that is found on it.")
    if from_nothing and labelled < LEAST_FROM_NOTHING:
        raise BadConfig(f"{labelled} pages are too few to start from nothing: train on top of the default.")
    return labelled


def _get_samples(plan: TrainingPlan, tell: Say) -> list[Sample]:
    """The samples of the sets; for a network from nothing, also pages that are made up."""
    kept = plan.samples
    if plan.snapshots and not plan.snapshots.is_dir():
        raise BadConfig(f"{plan.snapshots}: there is no such folder.")
    try:
        if kept and kept.is_file():
            found = sample_files.load_samples(kept)
            tell(f"Pages are read from {kept}, not from DATA.")
            return found
        found = samples.read_samples(
            plan.data, plan.workers, lambda problem: tell(problem) if problem else None, plan.snapshots
        )
    except BonmunError as problem:
        raise BadConfig(str(problem)) from None
    if plan.start == "nothing":
        found += _make_up_samples()
    if kept and found:
        sample_files.save_samples(found, kept)
        return sample_files.load_samples(kept)  # numbers are rounded there, and the same file must give the same model
    return found


def _make_up_samples() -> list[Sample]:
    textless = (
        Example(f"nothing/{number}", html, "", kind="none", site=f"nothing-{number}")
        for number, html in enumerate(nothing.make_textless_pages(TEXTLESS_PAGES, Random(MADE_SEED)))
    )
    made = chain(
        textless,
        boards.make_boards(BOARD_PAGES, Random(MADE_SEED)),
        simple_pages.make_simple_pages(SIMPLE_PAGES, Random(MADE_SEED)),
    )
    found = (samples.make_sample(example, example.id.partition("/")[0]) for example in made)
    return [sample for sample in found if sample]
