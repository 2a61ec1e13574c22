"""Train the block labeller: the loss, the training loop, and teachers. Needs only torch and numpy."""

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
from bonmun.lab.train.steps import Step, scale_progress

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

POOL = 20  # batches drawn at a time
MIN_STEPS = 20
STEPS_PER_REPORT = 10  # steps between two progress reports
MAX_GRADIENT_NORM = 1.0
WARM_UP = 0.1  # share of the steps in which the learning rate rises
COMMENT_WEIGHT = 0.3  # weight of the comment task in the loss
PAGE_KIND_WEIGHT = 0.1  # weight of the page-kind task in the loss
SITE_POWER = 0.6  # n pages of one site are shown n ** (1 - SITE_POWER) times as often as one page
RARE_KINDS = frozenset({"product", "listing", "collection", "service", "forum"})
PREDICTED_PAGES = 64  # pages per batch
TEACHER_SEEDS = 10  # added to the seed, so that no teacher starts with the student's weights


class PreparedSamples(NamedTuple):
    """Samples and their variants on a device, for training one or more networks."""

    samples: Sequence[Sample]
    store: VariantStore
    variants: Sequence[Sequence[int]]  # rows in the store for each sample; the first is the original page


def prepare_samples(
    samples: Sequence[Sample], config: Config, *, device: str = "cpu", workers: int = 1
) -> PreparedSamples:
    """Make the variants of all samples; networks whose other settings differ can share them."""
    return store_variants(samples, prepare_variants(samples, config, workers), device)


def store_variants(samples: Sequence[Sample], variants: Sequence[Sequence[Variant]], device: str) -> PreparedSamples:
    """Move samples and their variants to a device."""
    store = VariantStore([variant for some in variants for variant in some], device)
    stops = np.cumsum([0, *map(len, variants)])
    return PreparedSamples(samples, store, [range(stops[row], stops[row + 1]) for row in range(len(samples))])


def fit(
    prepared: PreparedSamples,
    config: Config,
    *,
    start: Labeller | None = None,
    out: frozenset[int] = frozenset(),
    progress: Callable[[Step], None] = print,
) -> Labeller:
    """Train the teachers, if any, and then the network, from scratch or on top of `start`.

    Samples in `out` (whole folds or languages) are not trained on, so that they can be measured.
    """
    store = prepared.store
    store.teacher = None  # predictions for another network
    taught_scores = torch.zeros(len(store.blocks), device=store.device)
    for number in range(config.teachers):
        watch = scale_progress(
            progress, number + 1, config.teachers + 1, f"teacher {number + 1} of {config.teachers}: "
        )
        other = replace(config, **TEACHER, seed=config.seed + TEACHER_SEEDS + number)
        teacher = train_network(prepared, other, watch, out=out)
        for row, (keep, _, _) in enumerate(predict(teacher, store, range(len(store.block_counts)))):
            first = store.first_block[row]
            taught_scores[first : first + len(keep)] += torch.from_numpy(keep).to(store.device) / config.teachers
    if config.teachers:
        store.teacher = taught_scores
    last = scale_progress(progress, config.teachers + 1, config.teachers + 1)
    return train_network(prepared, config, last, start, out)


def train_network(
    prepared: PreparedSamples,
    config: Config,
    progress: Callable[[Step], None],
    start: Labeller | None = None,
    out: frozenset[int] = frozenset(),
) -> Labeller:
    """Train one network on all samples except `out`; pages without gold are used if teachers have labelled them."""
    samples, store, _ = prepared
    _set_seed(config.seed)
    sources = sorted({sample.source for sample in samples})
    net = Labeller(config, sources).to(store.device)
    if start is None:
        net.measure_features(store)
    else:
        known = {name: value for name, value in start.state_dict().items() if "source" not in name}
        net.load_state_dict(known, strict=False)
        if not bool(net.box.weight.any()):
            net.measure_boxes(store)  # the network has never seen boxes
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(config.average)
    )
    steps = max(config.pages // config.batch, MIN_STEPS)
    optimiser = torch.optim.AdamW(net.parameters(), lr=config.rate, weight_decay=config.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, config.rate, steps, pct_start=WARM_UP)
    batches = _draw_batches(prepared, config, sources, out)
    net.train()
    for step in range(steps):
        loss = compute_loss(net, store.batch(*next(batches)))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), MAX_GRADIENT_NORM)
        optimiser.step()
        schedule.step()
        average.update_parameters(net)
        if (step + 1) % STEPS_PER_REPORT == 0 or step == steps - 1:
            progress(Step(f"step {step + 1:,} of {steps:,}, loss {loss.item():.3f}", (step + 1) / steps))
    return cast("Labeller", average.module.eval())


def _set_seed(seed: int) -> None:
    """Make training deterministic: the same seed gives the same weights on the same machine, also on a GPU."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.use_deterministic_algorithms(mode=True)
    torch.manual_seed(seed)


def _draw_batches(
    prepared: PreparedSamples, config: Config, sources: Sequence[str], out: frozenset[int]
) -> Iterator[tuple[Any, Any]]:
    """Yield batches forever: rows of the store, and for each the number of its set's habits vector, or 0."""
    samples, store, variants = prepared
    rng = np.random.default_rng(config.seed)
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
        drawn = rows[rng.choice(len(rows), config.batch * POOL, p=weight)]
        where = np.array([variants[row][int(rng.integers(len(variants[row])))] for row in drawn])
        order = np.argsort(store.block_counts[where], kind="stable")  # batch pages of similar length
        habits = np.where(rng.random(len(drawn)) < neutral[drawn], 0, numbers[drawn])
        pools = [(where[part], habits[part]) for part in np.split(order, POOL)]
        rng.shuffle(pools)
        yield from reversed(pools)


def compute_loss(net: Labeller, b: Batch) -> Tensor:
    """Return the loss per page: cross-entropy over blocks, weighted by length, soft F1 over words, and the side tasks.

    Without a habits vector, the target is what the default would say: half the page's own gold, half the teachers.
    """
    keep, comment, page_kind = net(b)
    is_taught = b.teacher >= 0
    trust = torch.where(b.keep < 0, 0.0, torch.where((b.source == 0)[:, None], net.config.gold, 1.0))
    target = torch.where(is_taught, trust * b.keep.clamp(min=0) + (1 - trust) * b.teacher.clamp(min=0), b.keep)
    known = b.mask * (target >= 0) * ((b.keep >= 0) | is_taught)
    target = target.clamp(0, 1)
    weight = known * torch.sqrt(b.sizes + 1)
    weight = weight / weight.sum(1, keepdim=True).clamp(min=1e-6)
    cross = functional.binary_cross_entropy_with_logits(keep, target, reduction="none")
    words = b.sizes * known
    p = torch.sigmoid(keep)
    soft = (2 * (p * target * words).sum(1) + 1) / ((p * words).sum(1) + (target * words).sum(1) + 1)
    labelled = weight * (b.comment >= 0)
    side = functional.binary_cross_entropy_with_logits(comment, b.comment.clamp(0, 1), reduction="none")
    side = (labelled * side).sum(1)
    loss = (cross * weight).sum(1) + net.config.soft * (1 - soft) + COMMENT_WEIGHT * side
    total = loss.mean()
    if bool((b.page_kind >= 0).any()):
        total = total + PAGE_KIND_WEIGHT * functional.cross_entropy(page_kind, b.page_kind, ignore_index=UNKNOWN)
    return total


def weigh_pages(samples: Sequence[Sample], config: Config) -> NDArray[np.float64]:
    """Return how often each page is shown: many pages of one site count little more than one page.

    A page and its browser snapshot count as one page.
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
    """Return the network's probabilities: per block, main text and comment; per page, each page kind."""
    net.eval()
    order = sorted(rows, key=lambda row: int(store.block_counts[row]))
    found: dict[int, tuple[Any, Any, Any]] = {}
    with torch.no_grad():
        for start in range(0, len(order), PREDICTED_PAGES):
            some = np.array(order[start : start + PREDICTED_PAGES])
            keep, comment, kinds = net(store.batch(some, [0] * len(some)))
            values = [each.cpu().numpy() for each in (torch.sigmoid(keep), torch.sigmoid(comment), kinds.softmax(1))]
            for place, row in enumerate(some):
                n = store.block_counts[row]
                found[int(row)] = (values[0][place, :n], values[1][place, :n], values[2][place])
    return [found[row] for row in rows]
