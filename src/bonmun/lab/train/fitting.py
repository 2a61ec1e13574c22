"""Samples in, a network out: the loss, the loop, and teachers. Needs torch and numpy alone."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bonmun.lab.train.config import TEACHER
from bonmun.lab.train.labeller import Labeller
from bonmun.lab.train.samples.tensors import VariantStore
from bonmun.lab.train.samples.variants import UNKNOWN, prepare_variants
from bonmun.lab.train.steps import Step, watch_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from bonmun.lab.train.config import Config
    from bonmun.lab.train.samples.sample_files import Sample
    from bonmun.lab.train.samples.tensors import Batch
    from bonmun.lab.train.samples.variants import Variant

__all__ = [
    "PreparedSamples",
    "compute_loss",
    "fit",
    "predict",
    "prepare_samples",
    "store_variants",
    "train_network",
    "weigh_pages",
]

POOL = 20  # batches that are drawn at a time
LEAST_STEPS = 20
STEPS_A_LINE = 10  # steps between two words on how far it is
LARGEST_GRADIENT = 1.0
WARM_UP = 0.1  # the share of the steps in which the learning rate rises
COMMENT_WEIGHT = 0.3  # in the loss, of telling comments apart
PAGE_KIND_WEIGHT = 0.1  # and of telling what kind of page it is
SITE_POWER = 0.6  # n pages of one site are shown n ** (1 - SITE_POWER) times as often as one page
RARE_KINDS = frozenset({"product", "listing", "collection", "service", "forum"})
PREDICTED = 64  # pages at a time
TEACHER_SEEDS = 10  # added to the seed: no teacher starts out as its pupil does


class PreparedSamples(NamedTuple):
    """Samples on a device, with their variants: enough to train one network after another."""

    samples: Sequence[Sample]
    store: VariantStore
    variants: Sequence[Sequence[int]]  # of each sample the rows in the store; the first is the page as it is


def prepare_samples(
    samples: Sequence[Sample], config: Config, *, device: str = "cpu", workers: int = 1
) -> PreparedSamples:
    """Make the variants of all samples; networks that differ in other settings can share them."""
    return store_variants(samples, prepare_variants(samples, config, workers), device)


def store_variants(samples: Sequence[Sample], variants: Sequence[Sequence[Variant]], device: str) -> PreparedSamples:
    """Bring samples and their variants to a device."""
    store = VariantStore([variant for some in variants for variant in some], device)
    stops = np.cumsum([0, *map(len, variants)])
    return PreparedSamples(samples, store, [range(stops[row], stops[row + 1]) for row in range(len(samples))])


def fit(
    prepared: PreparedSamples,
    config: Config,
    *,
    start: Labeller | None = None,
    out: frozenset[int] = frozenset(),
    say: Callable[[Step], None] = print,
) -> Labeller:
    """Train the teachers, if there are to be any, and then the network, from nothing or on from `start`.

    Samples in `out`, whole folds or whole languages, are not learnt from, for measuring on them.
    """
    store = prepared.store
    store.teacher = None  # what those of another network said
    said = torch.zeros(len(store.blocks), device=store.device)
    for number in range(config.teachers):
        watch = watch_part(say, number + 1, config.teachers + 1, f"teacher {number + 1} of {config.teachers}: ")
        other = replace(config, **TEACHER, seed=config.seed + TEACHER_SEEDS + number)
        teacher = train_network(prepared, other, watch, out=out)
        for row, (keep, _, _) in enumerate(predict(teacher, store, range(len(store.block_counts)))):
            first = store.first_block[row]
            said[first : first + len(keep)] += torch.from_numpy(keep).to(store.device) / config.teachers
    if config.teachers:
        store.teacher = said
    return train_network(prepared, config, watch_part(say, config.teachers + 1, config.teachers + 1), start, out)


def train_network(
    prepared: PreparedSamples,
    config: Config,
    say: Callable[[Step], None],
    start: Labeller | None = None,
    out: frozenset[int] = frozenset(),
) -> Labeller:
    """Train one network on all samples but those in `out`; pages without gold count if teachers have labelled them."""
    samples, store, _ = prepared
    _seed(config.seed)
    sources = sorted({sample.source for sample in samples})
    net = Labeller(config, sources).to(store.device)
    if start is None:
        net.measure_features(store)
    else:
        known = {name: value for name, value in start.state_dict().items() if "source" not in name}
        net.load_state_dict(known, strict=False)
        if not bool(net.box.weight.any()):
            net.measure_boxes(store)  # it has seen none
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(config.average)
    )
    steps = max(config.pages // config.batch, LEAST_STEPS)
    optimiser = torch.optim.AdamW(net.parameters(), lr=config.rate, weight_decay=config.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, config.rate, steps, pct_start=WARM_UP)
    batches = _draw_batches(prepared, config, sources, out)
    net.train()
    for step in range(steps):
        loss = compute_loss(net, store.batch(*next(batches)))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), LARGEST_GRADIENT)
        optimiser.step()
        schedule.step()
        average.update_parameters(net)
        if (step + 1) % STEPS_A_LINE == 0 or step == steps - 1:
            say(Step(f"step {step + 1:,} of {steps:,}, loss {loss.item():.3f}", (step + 1) / steps))
    return cast("Labeller", average.module.eval())


def _seed(seed: int) -> None:
    """See that the same seed gives the same weights, to the bit, on the same machine, also on a GPU."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(mode=True)
    torch.manual_seed(seed)


def _draw_batches(
    prepared: PreparedSamples, config: Config, sources: Sequence[str], out: frozenset[int]
) -> Iterator[tuple[Any, Any]]:
    """Without end: rows of the store, and for each the number of the set whose habits count, or 0 for none."""
    samples, store, variants = prepared
    chance = np.random.default_rng(config.seed)
    rows = np.array(
        [
            row
            for row, sample in enumerate(samples)
            if row not in out and (sample.trusted or (store.teacher is not None and not sample.labelled))
        ]
    )
    weight = weigh_pages([samples[row] for row in rows], config)
    neutral = np.array([1.0 if sample.source in config.defaults else config.neutral for sample in samples])
    numbers = np.array([sources.index(sample.source) + 1 for sample in samples])
    while True:
        drawn = rows[chance.choice(len(rows), config.batch * POOL, p=weight)]
        where = np.array([variants[row][int(chance.integers(len(variants[row])))] for row in drawn])
        order = np.argsort(store.block_counts[where], kind="stable")  # pages of about the same length go together
        habits = np.where(chance.random(len(drawn)) < neutral[drawn], 0, numbers[drawn])
        pools = [(where[part], habits[part]) for part in np.split(order, POOL)]
        chance.shuffle(pools)
        yield from reversed(pools)


def compute_loss(net: Labeller, b: Batch) -> Tensor:
    """Cross-entropy over blocks, long ones counting more, and soft F1 over words, for each page; and the side tasks.

    A page without habits is to be labelled as the default would: half as its own gold says, half as the teachers say.
    """
    keep, comment, page_kind = net(b)
    taught = b.teacher >= 0
    trust = torch.where(b.keep < 0, 0.0, torch.where((b.source == 0)[:, None], net.config.gold, 1.0))
    target = torch.where(taught, trust * b.keep.clamp(min=0) + (1 - trust) * b.teacher.clamp(min=0), b.keep)
    known = b.mask * (target >= 0) * ((b.keep >= 0) | taught)
    target = target.clamp(0, 1)
    weight = known * torch.sqrt(b.sizes + 1)
    weight = weight / weight.sum(1, keepdim=True).clamp(min=1e-6)
    cross = functional.binary_cross_entropy_with_logits(keep, target, reduction="none")
    words = b.sizes * known
    p = torch.sigmoid(keep)
    soft = (2 * (p * target * words).sum(1) + 1) / ((p * words).sum(1) + (target * words).sum(1) + 1)
    said = weight * (b.comment >= 0)
    side = (said * functional.binary_cross_entropy_with_logits(comment, b.comment.clamp(0, 1), reduction="none")).sum(1)
    loss = (cross * weight).sum(1) + net.config.soft * (1 - soft) + COMMENT_WEIGHT * side
    total = loss.mean()
    if bool((b.page_kind >= 0).any()):
        total = total + PAGE_KIND_WEIGHT * functional.cross_entropy(page_kind, b.page_kind, ignore_index=UNKNOWN)
    return total


def weigh_pages(samples: Sequence[Sample], config: Config) -> NDArray[np.float64]:
    """How often each page is shown: many pages of one site together are shown little more often than one page.

    What is written and what a browser made of it are one page.
    """
    weights, names = dict(config.weights), [(sample.source, sample.site, sample.id) for sample in samples]
    is_shown = [sample.arrays.boxes is not None for sample in samples]
    both = {name for name, shown in zip(names, is_shown, strict=True) if shown}
    both &= {name for name, shown in zip(names, is_shown, strict=True) if not shown}
    counts = Counter(name[1] for name, shown in zip(names, is_shown, strict=True) if not shown or name not in both)
    each = [
        weights.get(source, 1.0) / counts[site] ** SITE_POWER / (2 if (source, site, id_) in both else 1)
        for source, site, id_ in names
    ]
    rare = [config.rare if sample.kind in RARE_KINDS else 1.0 for sample in samples]
    total = np.array(each) * np.array(rare)
    shares: NDArray[np.float64] = total / total.sum()
    return shares


def predict(net: Labeller, store: VariantStore, rows: Sequence[int]) -> list[tuple[Any, Any, Any]]:
    """What the network says: of each block, to keep it, to be a comment; of the page, each page kind."""
    net.eval()
    order = sorted(rows, key=lambda row: int(store.block_counts[row]))
    found: dict[int, tuple[Any, Any, Any]] = {}
    with torch.no_grad():
        for start in range(0, len(order), PREDICTED):
            some = np.array(order[start : start + PREDICTED])
            keep, comment, kinds = net(store.batch(some, [0] * len(some)))
            values = [each.cpu().numpy() for each in (torch.sigmoid(keep), torch.sigmoid(comment), kinds.softmax(1))]
            for place, row in enumerate(some):
                n = store.block_counts[row]
                found[int(row)] = (values[0][place, :n], values[1][place, :n], values[2][place])
    return [found[row] for row in rows]
