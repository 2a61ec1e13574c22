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
from copy import copy
from dataclasses import asdict, dataclass, fields, replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bonmun.model.features import BLOCK_FEATURES, ELEMENT_FEATURES, LEVELS, PAGE_FEATURES, TAGS, Features, features_of
from bonmun.model.network import KINDS, Weights
from bonmun.train.augment import augmented
from bonmun.train.packed import ended_with_us

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bonmun.train.packed import Sample

__all__ = ["Config", "Labeller", "fit", "labeller_of", "trusted", "weights_of"]


@dataclass(frozen=True)
class Config:
    """Everything that training depends on, beside the samples; it is kept in the model file."""

    vocabulary: int = 3357  # class and id words, see model/words.txt
    width: int = 48  # of a block's vector
    element: int = 20  # of an element's vector
    tag: int = 12
    word: int = 16
    dilations: tuple[int, ...] = (1, 3, 9)
    last: tuple[int, ...] = (1,)
    drop: float = 0.15
    drop_inputs: float = 0.1
    drop_page: float = 0.3
    parts: float = 0.4  # how often a variant of a page loses parts
    graft: float = 0.2  # and gets parts of another
    variants: int = 6  # of each page, beside itself
    pages: int = 100_000  # that are shown in all, with repetition: twice as many, and it learns its pages by heart
    batch: int = 48
    rate: float = 2e-3
    decay: float = 0.01
    average: float = 0.998  # of the weights: so much of the last average, and the rest of the newest
    soft: float = 0.5  # the weight of the soft F1 in the loss
    gold: float = 0.5  # how much of a page's labels is its own gold's where teachers say something else
    neutral: float = 0.15  # how often a set's habits are left out
    teachers: int = 0  # larger networks, trained first, that label what has no gold and temper what has
    seed: int = 1
    # pages of these sets have the default's habits, so no others are learnt for them
    defaults: tuple[str, ...] = ("hand-ml", "wcxb-dev", "nothing")
    # how often pages of a set are shown, beside 1
    weights: tuple[tuple[str, float], ...] = (
        ("hand-ml", 3.0), ("wcxb-dev", 1.5), ("silver", 0.4), ("unlabelled-ml", 0.8), ("crawl-sample", 0.4),
        ("nothing", 0.5),
    )  # fmt: skip
    rare: float = 1.6  # and pages that are no articles


# What a teacher has otherwise.
TEACHER: dict[str, Any] = {
    "width": 96,
    "element": 40,
    "drop": 0.25,
    "drop_inputs": 0.15,
    "drop_page": 0.5,
    "dilations": (1, 2, 4, 8, 16),
}
POOL = 20  # batches that are drawn at a time
LONGEST = 1500  # blocks: longer pages are not learnt from


class Page(NamedTuple):
    """A sample, or a variant of it, ready for the network."""

    features: Features
    tags: NDArray[np.uint8]
    names: NDArray[np.int32]
    words: NDArray[np.int16]
    word_stops: NDArray[np.int32]
    keep: NDArray[np.float32]
    comment: NDArray[np.int8]
    sizes: NDArray[np.int32]
    kind: int  # -1 unknown


def ready(sample: Sample) -> Page:
    """A sample with its features."""
    a = sample.arrays
    kind = {"news": "article", "blog": "article"}.get(sample.kind or "", sample.kind)
    if not sample.gold[1] and (sample.keep >= 0).any():
        kind = "none"
    return Page(
        features_of(a),
        a.tags,
        a.names,
        a.words,
        a.word_stops,
        sample.keep,
        sample.comment,
        sample.sizes,
        KINDS.index(kind) if kind in KINDS else -1,
    )


_SAMPLES: Sequence[Sample] = ()
_GUESTS: Sequence[int] = ()  # the samples that parts may be taken from


def _variants(job: tuple[int, Config]) -> list[Page]:
    number, config = job
    count = config.variants
    chance = np.random.default_rng([config.seed, number])
    sample = _SAMPLES[number]
    pages = [ready(replace(sample, arrays=replace(sample.arrays, site=None)))]
    for _ in range(count):
        other = _SAMPLES[_GUESTS[int(chance.integers(len(_GUESTS)))]]
        pages.append(ready(augmented(_SAMPLES[number], other, chance, config.parts, config.graft)))
    return pages


def prepare(
    samples: Sequence[Sample], config: Config, workers: int, out: frozenset[int] = frozenset()
) -> list[list[Page]]:
    """Each sample as it is, and its variants, which have nothing of the samples in `out`."""
    global _SAMPLES, _GUESTS
    _SAMPLES, _GUESTS = samples, [row for row in range(len(samples)) if row not in out]
    jobs = [(number, config) for number in range(len(samples))]
    with get_context("fork").Pool(workers, ended_with_us) as pool:
        return pool.map(_variants, jobs, chunksize=16)


class Batch(NamedTuple):
    """Pages side by side: blocks padded, elements and words one after the other."""

    blocks: Tensor  # (B, N, BLOCK_FEATURES)
    mask: Tensor  # (B, N)
    elements: Tensor  # (M, ELEMENT_FEATURES)
    tags: Tensor  # (M,)
    names: Tensor  # (M,)
    words: Tensor  # (W,)
    word_starts: Tensor  # (names,)
    levels: Tensor  # (B, N, LEVELS) rows of elements; M for none
    spans: Tensor  # (M, 2) rows of running sums over blocks, (B * (N + 1))
    groups: Tensor  # (B, N) numbers of groups, over all pages; the last is that of padding
    page: Tensor  # (B, PAGE_FEATURES)
    source: Tensor  # (B,)
    keep: Tensor  # (B, N)
    teacher: Tensor  # (B, N) what other networks say; -1 where they were not asked
    comment: Tensor
    sizes: Tensor
    kind: Tensor  # (B,)


class Store:
    """Pages as a few long tensors, from which batches are cut without leaving the device."""

    def __init__(self, pages: Sequence[Page], device: str) -> None:
        def joined(values: list[Any], kind: Any) -> Tensor:
            return torch.from_numpy(np.concatenate(values).astype(kind)).to(device)

        self.device = device
        self.n = np.array([len(page.keep) for page in pages])
        self.m = np.array([len(page.tags) for page in pages])
        self.w = np.array([len(page.words) for page in pages])
        self.k = np.array([len(page.word_stops) for page in pages])
        self.starts = [np.cumsum(count) - count for count in (self.n, self.m, self.w, self.k)]
        self.blocks = joined([page.features.blocks for page in pages], np.float16)
        self.elements = joined([page.features.elements for page in pages], np.float16)
        self.tags = joined([page.tags for page in pages], np.uint8)
        self.names = joined([page.names for page in pages], np.int32)
        self.words = joined([page.words for page in pages], np.int16)
        self.word_starts = joined([np.append(0, page.word_stops[:-1]) for page in pages], np.int32)
        self.levels = joined([page.features.levels for page in pages], np.int32)
        self.spans = joined([page.features.spans for page in pages], np.int32)
        self.groups = joined([page.features.groups for page in pages], np.int32)
        self.g = np.array([int(page.features.groups.max()) + 1 for page in pages])
        self.page = torch.from_numpy(np.stack([page.features.page for page in pages])).to(device)
        self.keep = joined([page.keep for page in pages], np.float32)
        self.teacher: Tensor | None = None
        self.comment = joined([page.comment for page in pages], np.float32)
        self.sizes = joined([page.sizes for page in pages], np.float32)
        self.kind = torch.tensor([page.kind for page in pages], device=device)

    def to(self, device: str) -> Store:
        """The same on another device."""
        moved = copy(self)
        moved.device = device
        for name, value in vars(self).items():
            if isinstance(value, Tensor):
                setattr(moved, name, value.to(device))
        return moved

    def batch(self, rows: NDArray[np.int64], sources: Sequence[int]) -> Batch:
        """Some of the pages."""
        device = self.device

        def tensor(values: Any) -> Tensor:
            return torch.as_tensor(values, device=device)

        n, m, w, k = self.n[rows], self.m[rows], self.w[rows], self.k[rows]
        first, first_element, first_word, first_name = (tensor(start[rows]) for start in self.starts)
        longest = int(n.max())
        place = torch.arange(longest, device=device)[None]
        mask = place < tensor(n)[:, None]
        at = torch.where(mask, first[:, None] + place, 0)  # (B, N)

        def runs(counts: NDArray[np.int64], begin: Tensor) -> tuple[Tensor, Tensor]:
            """The rows of each page, one after the other, and which page each is of."""
            page = torch.repeat_interleave(
                torch.arange(len(rows), device=device), tensor(counts), output_size=int(counts.sum())
            )
            offset = begin - (torch.cumsum(tensor(counts), 0) - tensor(counts))
            return torch.arange(len(page), device=device) + offset[page], page

        element, element_page = runs(m, first_element)
        word, _ = runs(w, first_word)
        name, name_page = runs(k, first_name)
        total = len(element)
        element_offset = torch.cumsum(tensor(m), 0) - tensor(m)
        word_offset = torch.cumsum(tensor(w), 0) - tensor(w)
        name_offset = torch.cumsum(tensor(k), 0) - tensor(k)
        levels = self.levels[at].long()
        levels = torch.where((levels < 0) | ~mask[:, :, None], total, levels + element_offset[:, None, None])
        group_offset = tensor(np.cumsum(self.g[rows]) - self.g[rows])
        groups = torch.where(mask, self.groups[at].long() + group_offset[:, None], int(self.g[rows].sum()))
        return Batch(
            self.blocks[at].float(),
            mask.float(),
            self.elements[element].float(),
            self.tags[element].long(),
            self.names[element].long() + name_offset[element_page],
            self.words[word].long(),
            self.word_starts[name].long() + word_offset[name_page],
            levels,
            self.spans[element].long() + element_page[:, None] * (longest + 1),
            groups,
            self.page[tensor(rows)],
            tensor(sources),
            torch.where(mask, self.keep[at], -1.0),
            torch.where(mask, -1.0 if self.teacher is None else self.teacher[at].float(), -1.0),
            torch.where(mask, self.comment[at], -1.0),
            torch.where(mask, self.sizes[at], 0.0),
            self.kind[tensor(rows)],
        )


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
        self.block = nn.Linear(BLOCK_FEATURES + LEVELS * c.element, c.width)
        self.source = nn.Embedding(len(sources) + 1, c.width, padding_idx=0)
        nn.init.zeros_(self.source.weight)
        self.near = nn.ModuleList(Convolution(c.width, step) for step in c.dilations)
        self.inside = nn.Linear(c.width, c.element)
        self.tree = nn.Linear(2 * c.element, c.element)
        self.back = nn.Linear(LEVELS * c.element, c.width)
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
            [elements, self.tag(b.tags), self.dropout(self.word(b.words, b.word_starts)).index_select(0, b.names)], 1
        )
        e = torch.relu(self.element(e))  # (M, element)
        none = torch.zeros(1, e.shape[1], device=e.device)
        last = len(
            e
        )  # the row of no element; no gradient goes there, which would take long: most levels of padding are
        around = functional.embedding(b.levels, torch.cat([e, none]), last).flatten(2)  # (B, N, LEVELS * element)
        h = self.block(torch.cat([blocks, around], 2)) + self.page(page)[:, None] + self.source(b.source)[:, None]
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
        around = functional.embedding(b.levels[:, :, 1:], torch.cat([t, none]), last).flatten(2)
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
    """The whole way: variants, teachers, the network. Samples in `out` are not learnt from, for measuring on them."""
    prepared = prepare(samples, config, workers, out)
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
