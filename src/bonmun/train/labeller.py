"""Samples in, weights out: training of the network that labels blocks. Needs torch and numpy alone.

The network (shapes: n blocks and m elements of a page):

1. Every element becomes a vector: its numbers, its tag, its class and id words.
2. Every block becomes a vector: its numbers, the elements around it, the page, and the habits of the set it is from.
3. Convolutions along the page, wider and wider, let blocks see their neighbours.
4. Every element learns what the blocks in it look like by now, and tells them; the page tells them too.
5. A last convolution, and each block says whether it is main text, and whether it is a comment; the page says its kind.

Sets differ in what they count as main text. A vector for the set is added to every block, left out for a part of the
pages (all of those whose habits are the default's), and always left out in use.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bonmun.models.element_tree import LEVELS
from bonmun.models.features import BLOCK_FEATURES, ELEMENT_FEATURES, PAGE_FEATURES
from bonmun.models.network import KINDS, Weights
from bonmun.models.tags import TAGS
from bonmun.train.config import TEACHER, Config
from bonmun.train.tensors import Store, prepare

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bonmun.train.sample_files import Sample
    from bonmun.train.tensors import Batch

__all__ = ["Labeller", "fit", "labeller_of", "trusted", "weights_of"]


POOL = 20  # batches that are drawn at a time
LONGEST = 1500  # blocks: longer pages are not learnt from


class Convolution(nn.Module):
    """A block and two neighbours, `step` away."""

    def __init__(self, width: int, step: int) -> None:
        super().__init__()
        self.step = step
        self.mix = nn.Linear(3 * width, width)

    def forward(self, h: Tensor, mask: Tensor) -> Tensor:
        """(B, N, width) to the same."""
        d = self.step
        before = functional.pad(h, (0, 0, d, 0))[:, : h.shape[1]]
        after = functional.pad(h, (0, 0, 0, d))[:, d:]
        return torch.relu(self.mix(torch.cat([before, h, after], 2))) * mask


class Labeller(nn.Module):
    """The network."""

    def __init__(self, config: Config, sources: Sequence[str] = ()) -> None:
        super().__init__()
        c = config
        self.config = c
        self.sources = list(sources)
        self.tag = nn.Embedding(len(TAGS) + 1, c.tag)
        self.word = nn.EmbeddingBag(c.vocabulary, c.word, mode="sum")
        nn.init.normal_(self.word.weight, std=0.1)
        self.element = nn.Linear(ELEMENT_FEATURES + c.tag + c.word, c.element)
        self.page = nn.Linear(PAGE_FEATURES, c.width)
        self.block = nn.Linear(BLOCK_FEATURES + c.tag + LEVELS * c.element, c.width)
        self.source = nn.Embedding(len(sources) + 1, c.width, padding_idx=0)
        nn.init.zeros_(self.source.weight)
        self.near = nn.ModuleList(Convolution(c.width, step) for step in c.dilations)
        self.inside = nn.Linear(c.width, c.element)
        self.tree = nn.Linear(2 * c.element, c.element)
        self.back = nn.Linear((LEVELS + 1) * c.element, c.width)
        self.whole = nn.Linear(2 * c.width, c.width)
        self.last = nn.ModuleList(Convolution(c.width, step) for step in c.last)
        self.keep = nn.Linear(c.width, 1)
        self.comment = nn.Linear(c.width, 1)
        self.kind = nn.Linear(c.width, len(KINDS))
        self.dropout = nn.Dropout(c.drop)
        self.inputs = nn.Dropout(c.drop_inputs)
        self.pages = nn.Dropout(c.drop_page)
        for name, size in (("blocks", BLOCK_FEATURES), ("elements", ELEMENT_FEATURES), ("page", PAGE_FEATURES)):
            self.register_buffer(f"{name}_mean", torch.zeros(size))
            self.register_buffer(f"{name}_scale", torch.ones(size))

    def scale(self, store: Store) -> None:
        """Learn how large the features are."""
        for name, values in (("blocks", store.blocks), ("elements", store.elements), ("page", store.page)):
            some = values[torch.randperm(len(values), device=values.device)[:200_000]].float()
            getattr(self, f"{name}_mean").copy_(some.mean(0))
            getattr(self, f"{name}_scale").copy_(1 / (some.std(0) + 0.05))

    def forward(self, b: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """For each block a score to keep it and one to be a comment, and for each page one a kind; as logits."""
        mask = b.mask[:, :, None]
        blocks = self.inputs((b.blocks - self.blocks_mean) * self.blocks_scale)
        elements = self.inputs((b.elements - self.elements_mean) * self.elements_scale)
        page = self.pages((b.page - self.page_mean) * self.page_scale)
        e = torch.cat(
            [elements, self.tag(b.tags), self.dropout(self.word(b.words, b.word_starts)).index_select(0, b.keys)], 1
        )
        e = torch.relu(self.element(e))  # (M, element)
        none = torch.zeros(1, e.shape[1], device=e.device)
        last = len(
            e
        )  # the row of no element; no gradient goes there, which would take long: most levels of padding are
        around = functional.embedding(b.levels, torch.cat([e, none]), last).flatten(2)  # (B, N, LEVELS * element)
        h = self.block(torch.cat([blocks, self.tag(b.inner), around], 2))
        h = h + self.page(page)[:, None] + self.source(b.source)[:, None]
        h = torch.relu(h) * mask
        for layer in self.near:
            h = h + layer(self.dropout(h), mask)
        part = self.inside(h) * mask
        group = b.groups.flatten()
        size = int(b.groups.max()) + 1
        sizes = torch.zeros(size, 1, device=h.device).index_add(
            0, group, torch.ones_like(group, dtype=h.dtype)[:, None]
        )
        group_sums = torch.zeros(size, part.shape[2], device=h.device).index_add(0, group, part.flatten(0, 1))
        alike = (group_sums / sizes.clamp(min=1)).index_select(0, group).view_as(part)
        sums = torch.cat([torch.zeros_like(part[:, :1]), torch.cumsum(part, 1)], 1)
        sums = sums.flatten(0, 1)  # (B * (N + 1), element)
        counts = (b.spans[:, 1] - b.spans[:, 0]).clamp(min=1)[:, None]
        inside = (sums.index_select(0, b.spans[:, 1]) - sums.index_select(0, b.spans[:, 0])) / counts
        t = torch.relu(self.tree(torch.cat([inside, e], 1)))
        around = functional.embedding(b.levels, torch.cat([t, none]), last).flatten(2)
        mean = (h * mask).sum(1) / mask.sum(1)
        most = (h * mask).amax(1)
        whole = torch.relu(self.whole(torch.cat([mean, most], 1)))  # (B, width)
        h = torch.relu(h + self.back(self.dropout(torch.cat([around, torch.relu(alike)], 2))) + whole[:, None]) * mask
        for layer in self.last:
            h = h + layer(self.dropout(h), mask)
        return self.keep(h)[:, :, 0], self.comment(h)[:, :, 0], self.kind(whole)


def loss_of(net: Labeller, b: Batch) -> Tensor:
    """Cross-entropy over blocks, long ones counting more, and soft F1 over words, both a page; and the two side tasks.

    A page without habits is to be labelled as the default would: half as its own gold says, half as the teachers say.
    """
    keep, comment, kind = net(b)
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
    loss = (cross * weight).sum(1) + net.config.soft * (1 - soft) + 0.3 * side
    total = loss.mean()
    if bool((b.kind >= 0).any()):
        total = total + 0.1 * functional.cross_entropy(kind, b.kind, ignore_index=-1)
    return total


def train(
    store: Store,
    variants: Sequence[Sequence[int]],
    samples: Sequence[Sample],
    config: Config,
    say: Callable[[str], None],
    start: Labeller | None = None,
    out: frozenset[int] = frozenset(),
) -> Labeller:
    """Fit a network to samples, of which `variants` says where they are in the store; those in `out` are left out."""
    torch.manual_seed(config.seed)
    chance = np.random.default_rng(config.seed)
    sources = {name: number for number, name in enumerate(sorted({sample.source for sample in samples}), 1)}
    net = Labeller(config, sorted(sources)).to(store.device)
    if start is None:
        net.scale(store)
    else:
        net.load_state_dict(
            {name: value for name, value in start.state_dict().items() if "source" not in name}, strict=False
        )
    average = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(config.average)
    )
    rows = np.array(
        [
            row
            for row, sample in enumerate(samples)
            if row not in out and (trusted(sample) or (store.teacher is not None and not sample.labelled))
        ]
    )
    weight = page_weights([samples[row] for row in rows], config)
    steps = max(config.pages // config.batch, 20)
    optimiser = torch.optim.AdamW(net.parameters(), lr=config.rate, weight_decay=config.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, config.rate, steps, pct_start=0.1)
    neutral = np.array([1.0 if sample.source in config.defaults else config.neutral for sample in samples])
    numbers = np.array([sources[sample.source] for sample in samples])
    pools: list[Any] = []
    for step in range(steps):
        net.train()
        if not pools:  # pages of about the same length go together
            drawn = rows[chance.choice(len(rows), config.batch * POOL, p=weight)]
            where = np.array([variants[row][int(chance.integers(len(variants[row])))] for row in drawn])
            order = np.argsort(store.n[where], kind="stable")
            habits = np.where(chance.random(len(drawn)) < neutral[drawn], 0, numbers[drawn])
            pools = [(where[part], habits[part]) for part in np.split(order, POOL)]
            chance.shuffle(pools)
        loss = loss_of(net, store.batch(*pools.pop()))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        average.update_parameters(net)
        if step % 100 == 99 or step == steps - 1:
            say(f"step {step + 1:,} of {steps:,}, loss {loss.item():.3f}")
    return cast("Labeller", average.module.eval())


def trusted(sample: Sample) -> bool:
    """Whether a page's labels are worth learning from: its gold is on it."""
    _, gold, shared = sample.gold
    return bool((sample.keep >= 0).any()) and shared >= 0.8 * gold and len(sample.keep) <= LONGEST


def page_weights(samples: Sequence[Sample], config: Config) -> NDArray[np.float64]:
    """How often each page is shown: pages of one site share what is little more than one's due."""
    weights, counts = dict(config.weights), Counter(sample.site for sample in samples)
    each = [weights.get(sample.source, 1.0) / counts[sample.site] ** 0.6 for sample in samples]
    rare = [config.rare if sample.kind in RARE else 1.0 for sample in samples]
    total = np.array(each) * np.array(rare)
    shares: NDArray[np.float64] = total / total.sum()
    return shares


RARE = frozenset({"product", "listing", "collection", "service", "forum"})


def predict(net: Labeller, store: Store, rows: Sequence[int]) -> list[tuple[Any, Any, Any]]:
    """What the network says: of each block, to keep it, to be a comment; of the page, each kind."""
    net.eval()
    order = sorted(rows, key=lambda row: int(store.n[row]))
    found: dict[int, tuple[Any, Any, Any]] = {}
    with torch.no_grad():
        for start in range(0, len(order), 64):
            some = np.array(order[start : start + 64])
            keep, comment, kind = net(store.batch(some, [0] * len(some)))
            values = [each.cpu().numpy() for each in (torch.sigmoid(keep), torch.sigmoid(comment), kind.softmax(1))]
            for place, row in enumerate(some):
                n = store.n[row]
                found[int(row)] = (values[0][place, :n], values[1][place, :n], values[2][place])
    return [found[row] for row in rows]


def fit(
    samples: Sequence[Sample],
    config: Config,
    *,
    device: str = "cpu",
    workers: int = 1,
    start: Labeller | None = None,
    out: frozenset[int] = frozenset(),
    say: Callable[[str], None] = print,
) -> Labeller:
    """The whole way: variants, teachers, the network.

    Samples in `out`, whole folds or whole languages, are not learnt from, for measuring on them.
    """
    prepared = prepare(samples, config, workers)
    store = Store([page for pages in prepared for page in pages], device)
    counts = np.cumsum([0, *map(len, prepared)])
    variants = [range(counts[row], counts[row + 1]) for row in range(len(samples))]
    said = torch.zeros(len(store.blocks), device=device)
    for number in range(config.teachers):
        say(f"teacher {number + 1} of {config.teachers}")
        teacher = train(
            store, variants, samples, replace(config, **TEACHER, seed=config.seed + 10 + number), say, out=out
        )
        for row, (p, _, _) in enumerate(predict(teacher, store, range(len(store.n)))):
            first = store.starts[0][row]
            said[first : first + len(p)] += torch.from_numpy(p).to(device) / config.teachers
    if config.teachers:
        store.teacher = said
    return train(store, variants, samples, config, say, start, out)


def weights_of(net: Labeller, confidence: Any) -> Weights:
    """What goes into a model file."""
    arrays = {name: value.cpu().numpy() for name, value in net.state_dict().items() if "source" not in name}
    return Weights({"config": asdict(net.config), "sources": net.sources, "confidence": confidence}, arrays)


def labeller_of(weights: Weights) -> Labeller:
    """The network of a model file, to train it on."""
    known = {field.name for field in fields(Config)}
    settings = {name: value for name, value in weights.about["config"].items() if name in known}
    for name in ("dilations", "last", "defaults"):
        settings[name] = tuple(settings[name])
    settings["weights"] = tuple(map(tuple, settings["weights"]))
    net = Labeller(Config(**settings))
    net.load_state_dict({name: torch.from_numpy(value) for name, value in weights.arrays.items()}, strict=False)
    return net
