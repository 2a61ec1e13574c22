"""BoilerNet in torch, and its training (models/baselines/boilernet.py is the same network in numpy).

Leonhardt, Anand & Khosla (2020): a dense ReLU layer over the bags, two bidirectional LSTM layers, dropout and a sigmoid
per leaf; binary cross-entropy with balanced classes; Adam; 20 epochs of batches of 16 pages. Needs torch and numpy.
"""

from __future__ import annotations

import copy
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from bonmun.lab.train.samples.leaf_batches import Span, cut_pages, draw_batches, is_measured, rate
from bonmun.lab.train.samples.leaf_sample_files import MIN_SITES, choose_names, renumber
from bonmun.models.baselines.boilernet import KIND, WINDOW, weigh_counts
from bonmun.models.baselines.leaf_files import LeafWeights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bonmun.lab.train.samples.leaf_sample_files import LeafSample, LeafSamples

__all__ = ["SequenceConfig", "SequenceNet", "export_boilernet", "train_boilernet"]

MAX_GRADIENT_NORM = 1.0
THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(2, 19))
WARM_UP = 0.1  # share of the steps in which the learning rate rises
MEASURED_PAGES = 32  # per batch, when measuring


@dataclass(frozen=True)
class SequenceConfig:
    """Training settings, from the paper unless noted otherwise."""

    tags: int = 50
    words: int = 1000
    sites: int = MIN_SITES  # minimum number of sites that use a tag or word
    dense: int = 128  # 256 in the paper
    hidden: int = 128  # 256 in the paper
    dropout: float = 0.5
    balanced: bool = True  # weight both classes equally
    epochs: int = 14  # 20 in the published code
    epoch_pages: int = 4800  # pages drawn per epoch
    batch: int = 32  # 16 in the published code
    rate: float = 2e-3
    unknown: float = 0.0  # share of words replaced by the unknown word in training
    seed: int = 1


class PieceBatch(NamedTuple):
    """A batch of B pieces of pages as tensors; the longest has N leaves."""

    words: tuple[Tensor, Tensor, Tensor]  # numbers, bag starts, weights; one bag per leaf, piece by piece
    tags: tuple[Tensor, Tensor, Tensor]  # one bag per path
    paths: Tensor  # path of each leaf
    lengths: Tensor  # (B,)
    labels: Tensor  # (leaves,), -1 for unknown


class SequenceNet(nn.Module):
    """The BoilerNet network; the layer names are those of the model file."""

    def __init__(self, config: SequenceConfig, tags: Sequence[str], words: Sequence[str]) -> None:
        super().__init__()
        self.config, self.known_tags, self.known_words = config, list(tags), list(words)
        bound = (len(tags) + len(words) + 2) ** -0.5
        self.tags, self.words = (nn.EmbeddingBag(len(names) + 1, config.dense, mode="sum") for names in (tags, words))
        for bag in (self.tags, self.words):
            nn.init.uniform_(bag.weight, -bound, bound)
        self.dense_bias = nn.Parameter(torch.zeros(config.dense))
        self.lstm = nn.LSTM(config.dense, config.hidden, 2, batch_first=True, bidirectional=True)
        self.dropout = nn.Dropout(config.dropout)
        self.out = nn.Linear(2 * config.hidden, 1)

    def forward(self, pieces: PieceBatch) -> Tensor:
        """Return a logit for each leaf, piece by piece."""
        x = self.words(pieces.words[0], pieces.words[1], per_sample_weights=pieces.words[2])
        x = x + self.tags(pieces.tags[0], pieces.tags[1], per_sample_weights=pieces.tags[2])[pieces.paths]
        x = torch.relu(x + self.dense_bias)
        lengths = pieces.lengths.tolist()
        padded = nn.utils.rnn.pad_sequence(list(x.split(lengths)), batch_first=True)
        packed = pack_padded_sequence(padded, pieces.lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        flat = torch.cat([row[:length] for row, length in zip(h, lengths, strict=True)])
        return self.out(self.dropout(flat))[:, 0]


class BagStore:
    """Pages of a sample set, with bags renumbered for the network's vocabulary."""

    def __init__(self, samples: LeafSamples, tags: Sequence[str], words: Sequence[str], device: str) -> None:
        self.pages, self.device = samples.pages, device
        numbers = _number(samples.words, words), _number(samples.tags, tags)
        self.words = [renumber(page.bags.words, numbers[0]) for page in self.pages]
        self.tags = [renumber(page.bags.tags, numbers[1]) for page in self.pages]

    def read(self, spans: Sequence[Span]) -> PieceBatch:
        """Some pieces as tensors."""
        words = self._join((self.words[each.page], each.start, each.stop) for each in spans)
        tags = self._join((self.tags[each.page], 0, len(self.tags[each.page])) for each in spans)
        firsts = np.cumsum([0, *(len(self.tags[each.page]) for each in spans)])
        paths = [
            self.pages[each.page].bags.paths[each.start : each.stop] + first
            for each, first in zip(spans, firsts[:-1], strict=True)
        ]
        labels = [self.pages[each.page].labels[each.start : each.stop] for each in spans]
        return PieceBatch(
            words,
            tags,
            torch.from_numpy(np.concatenate(paths).astype(np.int64)).to(self.device),
            torch.tensor([each.stop - each.start for each in spans]),
            torch.from_numpy(np.concatenate(labels).astype(np.float32)).to(self.device),
        )

    def _join(self, parts: Iterable[tuple[Any, int, int]]) -> tuple[Tensor, Tensor, Tensor]:
        numbers, weights, sizes = [], [], []
        for bags, start, stop in parts:
            first, last = (int(bags.stops[row - 1]) if row else 0 for row in (start, stop))
            numbers.append(bags.numbers[first:last])
            weights.append(weigh_counts(bags.counts[first:last]))
            sizes.append(np.diff(bags.stops, prepend=0)[start:stop])
        size = np.concatenate(sizes)
        return (
            torch.from_numpy(np.concatenate(numbers).astype(np.int64)).to(self.device),
            torch.from_numpy(np.cumsum(size) - size).to(self.device),
            torch.from_numpy(np.concatenate(weights)).to(self.device),
        )


def train_boilernet(
    samples: LeafSamples,
    config: SequenceConfig,
    *,
    device: str = "cpu",
    log: Callable[[str], None] = print,
    keep: Callable[[LeafWeights], None] = lambda _: None,
) -> LeafWeights:
    """Train on the `train` pages; choose the epoch and the threshold by the `valid` pages.

    `keep` receives the weights whenever they are better than all earlier ones.
    """
    torch.manual_seed(config.seed)
    seen = samples.choose(lambda page: page.part == "train")
    valid = samples.choose(lambda page: page.part == "valid" and is_measured(page))
    tags = choose_names([page.bags.tags for page in seen.pages], seen.pages, samples.tags, config.tags, config.sites)
    words = choose_names(
        [page.bags.words for page in seen.pages], seen.pages, samples.words, config.words, config.sites
    )
    store, other = (BagStore(each, tags, words, device) for each in (seen, valid))
    net = SequenceNet(config, tags, words).to(device)
    spans = cut_pages(seen.pages, WINDOW)
    steps = config.epoch_pages // config.batch
    inside = sum(int((page.labels == 1).sum()) for page in seen.pages)
    outside = sum(int((page.labels == 0).sum()) for page in seen.pages)
    main_text_weight = (outside / max(inside, 1)) if config.balanced else 1.0  # weight of a main-text leaf
    optimiser = torch.optim.Adam(net.parameters(), lr=config.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, config.rate, max(steps * config.epochs, 1), pct_start=WARM_UP
    )
    batches = draw_batches(seen.pages, spans, config.batch, config.seed)
    best, threshold, state = -1.0, 0.5, net.state_dict()
    for epoch in range(config.epochs):
        net.train()
        total = 0.0
        for drawn in islice(batches, steps):
            pieces = _hide_words(store.read(drawn), config.unknown)
            loss = compute_loss(net(pieces), pieces.labels, main_text_weight)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), MAX_GRADIENT_NORM)
            optimiser.step()
            schedule.step()
            total += float(loss.detach())
        scores = predict(net, other)
        rated = {limit: _rate_all(other.pages, scores, limit) for limit in THRESHOLDS}
        limit = max(rated, key=lambda each: rated[each])
        log(f"epoch {epoch + 1}: loss {total / max(steps, 1):.3f}, valid {rated[limit]:.4f} at {limit}")
        if rated[limit] > best:
            best, threshold, state = rated[limit], limit, copy.deepcopy(net.state_dict())
            keep(export_boilernet(net, threshold, {"valid": round(best, 4), "pages": len(seen.pages)}))
    net.load_state_dict(state)
    return export_boilernet(net, threshold, {"valid": round(best, 4), "pages": len(seen.pages)})


def compute_loss(logits: Tensor, labels: Tensor, main_text_weight: float) -> Tensor:
    """Return the cross-entropy over the labelled leaves."""
    known = (labels >= 0).float()
    weight = known * torch.where(labels > 0, main_text_weight, 1.0)
    each = functional.binary_cross_entropy_with_logits(logits, labels.clamp(min=0), reduction="none")
    return (each * weight).sum() / weight.sum().clamp(min=1e-6)


def predict(net: SequenceNet, store: BagStore) -> list[Any]:
    """Return the probabilities of all leaves, page by page."""
    net.eval()
    found: list[list[Any]] = [[] for _ in store.pages]
    spans = cut_pages(store.pages, WINDOW)
    for first in range(0, len(spans), MEASURED_PAGES):
        some = spans[first : first + MEASURED_PAGES]
        pieces = store.read(some)
        with torch.no_grad():
            parts = torch.sigmoid(net(pieces)).cpu().numpy()
        for span, part in zip(some, np.split(parts, np.cumsum(pieces.lengths.numpy())[:-1]), strict=True):
            found[span.page].append(part)
    return [np.concatenate(parts) for parts in found]


def _hide_words(pieces: PieceBatch, share: float) -> PieceBatch:
    """Replace a random share of the words by the unknown word."""
    if not share:
        return pieces
    numbers, starts, weights = pieces.words
    kept = torch.rand(len(numbers), device=numbers.device) >= share
    return pieces._replace(words=(numbers * kept, starts, weights))


def _rate_all(pages: Sequence[LeafSample], scores: Sequence[Any], limit: float) -> float:
    return float(np.mean([rate(page, each >= limit) for page, each in zip(pages, scores, strict=True)]))


def _number(names: Sequence[str], known: Sequence[str]) -> Any:
    """Return the new number of each old number."""
    new = {name: number for number, name in enumerate(known, 1)}
    return np.array([0, *(new.get(name, 0) for name in names)], np.int32)


def export_boilernet(net: SequenceNet, threshold: float, about: dict[str, Any]) -> LeafWeights:
    """Return the network as the contents of a model file."""
    arrays = {name: value.cpu().numpy().astype(np.float32) for name, value in net.state_dict().items()}
    arrays["dense.bias"] = arrays.pop("dense_bias")
    known = {"tags": net.known_tags, "words": net.known_words}
    return LeafWeights({"kind": KIND, "threshold": threshold, "config": asdict(net.config), **known, **about}, arrays)
