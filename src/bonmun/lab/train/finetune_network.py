"""Fine-tuning of a network: its samples, a replay set against forgetting, and its habits.

A network that is trained on thirty pages of one site forgets others. So half of what it sees are synthetic pages,
labelled by the original network. This costs nothing on the site and preserves the quality elsewhere.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from bonmun.lab.train.samples.augment import KEPT
from bonmun.lab.train.samples.samples import make_sample
from bonmun.lab.train.synthetic import board_pages as boards
from bonmun.lab.train.synthetic import simple_pages
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.features.tag_arrays import IS_HEADING
from bonmun.models.network.decide import count_words, find_headline
from bonmun.models.network.habits import HABITS, Habits
from bonmun.models.network.labeller import Network
from bonmun.models.network.thresholds import TITLE_SHARE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bonmun.lab.train.config import Config
    from bonmun.lab.train.fitting import PreparedSamples
    from bonmun.lab.train.labeller import Labeller
    from bonmun.lab.train.samples.sample_files import Sample
    from bonmun.lab.train.steps import Step
    from bonmun.models.network.labeller import Weights

__all__ = ["find_habits", "finetune_weights", "prepare_finetuning"]

REPLAY_PAGES = 60  # board pages, and as many simple pages
REPLAY_SEED = 11
REPLAY_SET = "held"  # name of the replay set, stored in the model file
REPLAY_SHARE = 0.5  # of all pages shown
FILLED = 0.3  # see Habits: a fine-tuned network is more certain about blocks between main text


def prepare_finetuning(
    samples: Sequence[Sample], config: Config, start: Weights, *, device: str, workers: int
) -> tuple[PreparedSamples, Config]:
    """Return the variants of the pages and of a replay set, and the settings for training on both."""
    from bonmun.lab.train.fitting import store_variants, weigh_pages
    from bonmun.lab.train.samples.variants import prepare_variants

    config = replace(config, graft=0.0, second=0.0)  # pages must not leak into each other: they are measured later
    made = _make_replay(Network(start))
    variants = prepare_variants(samples, config, workers)
    variants += prepare_variants(made, replace(config, variants=0), workers)
    config = replace(config, weights=(), pages=round(config.pages / (1 - REPLAY_SHARE)))
    shares = weigh_pages([*samples, *made], config)
    weight = shares[: len(samples)].sum() / shares[len(samples) :].sum() * REPLAY_SHARE / (1 - REPLAY_SHARE)
    return store_variants([*samples, *made], variants, device), replace(config, weights=((REPLAY_SET, float(weight)),))


def _make_replay(network: Network) -> list[Sample]:
    """Return synthetic pages with the labels of a network."""
    made = [
        *boards.make_boards(REPLAY_PAGES, Random(REPLAY_SEED)),
        *simple_pages.make_simple_pages(REPLAY_PAGES, Random(REPLAY_SEED)),
    ]
    replayed = []
    for sample in (make_sample(example, REPLAY_SET) for example in made):
        if sample is None:
            continue
        found = network.scores(sample.arrays)
        comment, kind = (found.comment > KEPT).astype(np.int8), PAGE_KINDS[int(found.kinds.argmax())]
        replayed.append(replace(sample, keep=found.keep.astype(np.float32), comment=comment, gold=(1, 1, 1), kind=kind))
    return replayed


def finetune_weights(
    prepared: PreparedSamples,
    config: Config,
    start: Weights,
    net: Labeller,
    out: frozenset[int],
    progress: Callable[[Step], None],
) -> Weights:
    """Fine-tune a network on all pages except `out`; the confidence calibration of `start` is kept."""
    from bonmun.lab.train.fitting import fit
    from bonmun.lab.train.labeller import export_weights

    with _one_thread():
        tuned = export_weights(fit(prepared, config, start=net, out=out, progress=progress), start.about["confidence"])
    learnt = [each for row, each in enumerate(prepared.samples) if row not in out and each.source != REPLAY_SET]
    return replace(tuned, about=tuned.about | {HABITS: find_habits(learnt)})


@contextmanager
def _one_thread() -> Iterator[None]:
    """Limit torch to one thread: more threads wait for each other and take several times as long on a busy machine."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def find_habits(samples: Sequence[Sample]) -> dict[str, bool | float]:
    """Return the habits of pages like these: headlines are kept if most golds contain them."""
    votes = [vote for sample in samples if sample.trusted and (vote := _keeps_headline(sample)) is not None]
    return Habits(sum(votes) * 2 > len(votes), FILLED)._asdict()


def _keeps_headline(sample: Sample) -> bool | None:
    """Return whether the headline of a page is in its gold; None if no headline precedes or starts the main text."""
    a, kept = sample.arrays, sample.keep > KEPT
    headings = IS_HEADING[a.tags[a.owners]]
    titles = headings & (a.title > TITLE_SHARE) & (sample.keep >= 0)
    row = find_headline(a, kept | titles, count_words(a), headings) if kept.any() else None
    return None if row is None else bool(kept[row])
