"""A network taught on a few labelled pages, on top of another: what it is shown, what it forgets not, its habits.

A network that sees thirty pages of one site learns them, and forgets others. So it is also shown pages that are made
up, and is to label them as the network that it started from does. That costs nothing on the site, and holds the rest.
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

MADE_PAGES = 60  # of boards, and as many simple ones
MADE_SEED = 11
HELD = "held"  # what their set is called
HELD_SHARE = 0.5  # of all pages that are shown
FILLED = 0.3  # see Habits: a network that was taught is surer of what stands between


def prepare_finetuning(
    samples: Sequence[Sample], config: Config, start: Weights, *, device: str, workers: int
) -> tuple[PreparedSamples, Config]:
    """Make the variants of the pages, and pages for what is to be held; and the settings for both."""
    from bonmun.lab.train.fitting import store_variants, weigh_pages
    from bonmun.lab.train.samples.variants import prepare_variants

    config = replace(config, graft=0.0, second=0.0)  # no page may lend what it is asked about later
    made = _make_held(Network(start))
    variants = prepare_variants(samples, config, workers)
    variants += prepare_variants(made, replace(config, variants=0), workers)
    config = replace(config, weights=(), pages=round(config.pages / (1 - HELD_SHARE)))
    shares = weigh_pages([*samples, *made], config)
    weight = shares[: len(samples)].sum() / shares[len(samples) :].sum() * HELD_SHARE / (1 - HELD_SHARE)
    return store_variants([*samples, *made], variants, device), replace(config, weights=((HELD, float(weight)),))


def _make_held(network: Network) -> list[Sample]:
    """Pages that are made up, as a network labels them."""
    made = [
        *boards.make_boards(MADE_PAGES, Random(MADE_SEED)),
        *simple_pages.make_simple_pages(MADE_PAGES, Random(MADE_SEED)),
    ]
    held = []
    for sample in (make_sample(example, HELD) for example in made):
        if sample is None:
            continue
        found = network.scores(sample.arrays)
        comment, kind = (found.comment > KEPT).astype(np.int8), PAGE_KINDS[int(found.kinds.argmax())]
        held.append(replace(sample, keep=found.keep.astype(np.float32), comment=comment, gold=(1, 1, 1), kind=kind))
    return held


def finetune_weights(
    prepared: PreparedSamples,
    config: Config,
    start: Weights,
    net: Labeller,
    out: frozenset[int],
    say: Callable[[Step], None],
) -> Weights:
    """Teach a network all pages but those in `out`; its confidence is told as that of the network before it."""
    from bonmun.lab.train.fitting import fit
    from bonmun.lab.train.labeller import export_weights

    with _one_thread():
        taught = export_weights(fit(prepared, config, start=net, out=out, say=say), start.about["confidence"])
    learnt = [each for row, each in enumerate(prepared.samples) if row not in out and each.source != HELD]
    return replace(taught, about=taught.about | {HABITS: find_habits(learnt)})


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch use one thread: more wait for each other, and on a busy machine take several times as long."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def find_habits(samples: Sequence[Sample]) -> dict[str, bool | float]:
    """How blocks are to be chosen on pages like these: with their headlines, if most of the golds have them."""
    votes = [vote for sample in samples if sample.trusted and (vote := _keeps_headline(sample)) is not None]
    return Habits(sum(votes) * 2 > len(votes), FILLED)._asdict()


def _keeps_headline(sample: Sample) -> bool | None:
    """Whether the headline of a page is in its gold; None if it has none before or at the start of its main text."""
    a, kept = sample.arrays, sample.keep > KEPT
    headings = IS_HEADING[a.tags[a.owners]]
    titles = headings & (a.title > TITLE_SHARE) & (sample.keep >= 0)
    row = find_headline(a, kept | titles, count_words(a), headings) if kept.any() else None
    return None if row is None else bool(kept[row])
