"""Web2Text's two networks in torch, and their training (models/baselines/web2text.py is the same in numpy).

Vogels, Ganea & Eickhoff (2018), and their code: convolutions of 50, 50, 50 and 10 filters over 1, 1, 3 and 3 leaves,
and a last one over 3 for the classes; ReLU, dropout, cross-entropy, Adam. Needs only torch and numpy.
"""

from __future__ import annotations

import copy
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bonmun.lab.train.samples.leaf_batches import Span, cut_pages, draw_batches, is_measured, rate
from bonmun.models.baselines.leaf_files import LeafWeights
from bonmun.models.baselines.viterbi import find_best_labels
from bonmun.models.baselines.web2text import KIND, MAX_FEATURE
from bonmun.models.baselines.web2text_features import EDGE_FEATURES, LEAF_FEATURES, compute_web2text_features

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bonmun.lab.train.samples.leaf_sample_files import LeafSample, LeafSamples

__all__ = ["ConvolutionNet", "Web2TextConfig", "export_web2text", "train_web2text"]

MAX_PIECE_LEAVES = 2048  # pieces that pages are cut into
LAMBDAS = (0.1, 0.25, 0.5, 1.0)  # 0.1 in the published code; 0 would not be Web2Text
BIASES = (-0.5, 0.0, 0.5, 1.0, 1.5, 2.0)
MIN_SPREAD = 1e-3
WARM_UP = 0.1  # share of the steps in which the learning rate rises
MEASURED_PAGES = 32  # per batch, when measuring
MEASURED_ROWS = 200_000  # sampled for mean and standard deviation
UNKNOWN = -100  # label that the loss ignores


@dataclass(frozen=True)
class Web2TextConfig:
    """Training settings."""

    filters: tuple[int, ...] = (50, 50, 50, 10)
    widths: tuple[int, ...] = (1, 1, 3, 3, 3)
    dropout: float = 0.1  # of units; in the published code .25, of weights
    epochs: int = 14
    epoch_pages: int = 4800
    batch: int = 32
    rate: float = 4e-3
    decay: float = 1e-4
    seed: int = 1


class ConvolutionNet(nn.Module):
    """The unary or the pairwise network."""

    def __init__(self, config: Web2TextConfig, features: int, classes: int) -> None:
        super().__init__()
        sizes = (features, *config.filters, classes)
        self.layers = nn.ModuleList(
            nn.Conv1d(size, after, width, padding=width // 2)
            for size, after, width in zip(sizes, sizes[1:], config.widths, strict=False)
        )
        self.dropout = nn.Dropout(config.dropout)
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("scale", torch.ones(features))

    def measure(self, rows: Tensor) -> None:
        """Set the mean and scale of the features."""
        self.mean.copy_(rows.mean(0))
        self.scale.copy_(1 / (rows.std(0) + MIN_SPREAD))

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Map features (B, N, features) and a mask (B, N) to logits (B, N, classes)."""
        x = ((x - self.mean) * self.scale).clamp(-MAX_FEATURE, MAX_FEATURE)
        x = x.transpose(1, 2)
        there = mask[:, None].to(x.dtype)
        for number, layer in enumerate(self.layers):
            x = layer(x * there)
            if number < len(self.layers) - 1:
                x = self.dropout(torch.relu(x))
        return x.transpose(1, 2)


class FeatureStore:
    """Features and labels of pages, in half precision."""

    def __init__(self, pages: Sequence[LeafSample], device: str) -> None:
        self.pages, self.device = pages, device
        found = [compute_web2text_features(page.collapsed) for page in pages]
        self.firsts = np.cumsum([0, *(len(page.labels) for page in pages)])
        self.leaves = torch.from_numpy(np.concatenate([each.leaves for each in found]).astype(np.float16)).to(device)
        # one row per leaf and its successor; the row of a page's last leaf is unused
        pad = np.zeros((1, len(EDGE_FEATURES)), np.float32)
        edges = np.concatenate([row for each in found for row in (each.edges, pad)])
        self.edges = torch.from_numpy(edges.astype(np.float16)).to(device)
        self.labels = torch.from_numpy(np.concatenate([page.labels for page in pages]).astype(np.int64)).to(device)

    def read(self, spans: Sequence[Span], *, pairs: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Return features, mask and labels of some pieces, for the unary or the pairwise network."""
        starts = torch.tensor([self.firsts[each.page] + each.start for each in spans])
        sizes = torch.tensor([each.stop - each.start - pairs for each in spans])
        steps = torch.arange(max(int(sizes.max()), 1))
        mask = (steps < sizes[:, None]).to(self.device)
        rows = (starts[:, None] + steps).clamp(max=len(self.labels) - 1).to(self.device)
        labels = self.labels[rows]
        if pairs:
            after = self.labels[(rows + 1).clamp(max=len(self.labels) - 1)]
            labels = torch.where((labels < 0) | (after < 0), -1, 2 * labels + after)
        labels = torch.where(mask & (labels >= 0), labels, UNKNOWN)
        return (self.edges if pairs else self.leaves)[rows].float(), mask, labels


def train_web2text(
    samples: LeafSamples, config: Web2TextConfig, *, device: str = "cpu", log: Callable[[str], None] = print
) -> LeafWeights:
    """Train both networks on the `train` pages; choose epochs, λ and the bias by the `valid` pages."""
    torch.manual_seed(config.seed)
    seen = [page for page in samples.pages if page.part == "train"]
    valid = [page for page in samples.pages if page.part == "valid" and is_measured(page)]
    store, other = FeatureStore(seen, device), FeatureStore(valid, device)
    unary = _train(store, other, config, pairs=False, log=log)
    pair = _train(store, other, config, pairs=True, log=log)
    ones, twos = _predict(unary, other, pairs=False), _predict(pair, other, pairs=True)
    rated = {(trust, bias): _rate_all(valid, ones, twos, trust, bias) for trust in LAMBDAS for bias in BIASES}
    for trust in LAMBDAS:
        bias = max(BIASES, key=lambda each: rated[trust, each])
        log(f"lambda {trust}: valid {rated[trust, bias]:.4f} at {bias}")
    trust, bias = max(rated, key=lambda each: rated[each])
    about = {"lambda": trust, "bias": bias, "valid": round(rated[trust, bias], 4), "pages": len(seen)}
    return export_web2text(unary, pair, config, about)


def _train(
    store: FeatureStore, other: FeatureStore, config: Web2TextConfig, *, pairs: bool, log: Callable[[str], None]
) -> ConvolutionNet:
    """Train one network; choose the epoch by the `other` pages: by F1, or by the loss for pairs."""
    rows = store.edges if pairs else store.leaves
    net = ConvolutionNet(config, rows.shape[1], 4 if pairs else 2)
    net.to(store.device)
    net.measure(rows[torch.randperm(len(rows), device=rows.device)[:MEASURED_ROWS]].float())
    steps = config.epoch_pages // config.batch
    optimiser = torch.optim.AdamW(net.parameters(), lr=config.rate, weight_decay=config.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, config.rate, max(steps * config.epochs, 1), pct_start=WARM_UP
    )
    batches = draw_batches(store.pages, cut_pages(store.pages, MAX_PIECE_LEAVES), config.batch, config.seed)
    best, state = -float("inf"), net.state_dict()
    for epoch in range(config.epochs):
        net.train()
        for drawn in islice(batches, steps):
            features, mask, labels = store.read(drawn, pairs=pairs)
            loss = compute_loss(net(features, mask), labels)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
        found = -_measure_loss(net, other) if pairs else _measure_f1(net, other)
        log(f"{'pairs' if pairs else 'leaves'}, epoch {epoch + 1}: valid {found:.4f}")
        if found > best:
            best, state = found, copy.deepcopy(net.state_dict())
    net.load_state_dict(state)
    return net


def compute_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean over pages of the cross-entropy over labelled leaves."""
    each = functional.cross_entropy(logits.transpose(1, 2), labels, ignore_index=UNKNOWN, reduction="none")
    known = (labels != UNKNOWN).float()
    return ((each * known).sum(1) / known.sum(1).clamp(min=1)).mean()


def _measure_f1(net: ConvolutionNet, store: FeatureStore) -> float:
    """Return the word F1 of the unary network alone, with the best bias."""
    ones = _predict(net, store, pairs=False)
    margins = [one[:, 1] - one[:, 0] for one in ones]
    return max(
        float(np.mean([rate(page, each > -bias) for page, each in zip(store.pages, margins, strict=True)]))
        for bias in BIASES
    )


def _measure_loss(net: ConvolutionNet, store: FeatureStore) -> float:
    """Return the loss over pairs."""
    net.eval()
    losses = []
    spans = cut_pages(store.pages, MAX_PIECE_LEAVES)
    with torch.no_grad():
        for first in range(0, len(spans), MEASURED_PAGES):
            features, mask, labels = store.read(spans[first : first + MEASURED_PAGES], pairs=True)
            losses.append(float(compute_loss(net(features, mask), labels)))
    return float(np.mean(losses)) if losses else 0.0


def _predict(net: ConvolutionNet, store: FeatureStore, *, pairs: bool) -> list[Any]:
    """Return the log probabilities of all classes, page by page."""
    net.eval()
    found = []
    for row, page in enumerate(store.pages):
        features, mask, _ = store.read([Span(row, 0, len(page.labels))], pairs=pairs)
        with torch.no_grad():
            logits = torch.log_softmax(net(features, mask)[0], -1).cpu().numpy()
        found.append(logits[: len(page.labels) - pairs])
    return found


def _rate_all(
    pages: Sequence[LeafSample], ones: Sequence[Any], twos: Sequence[Any], trust: float, bias: float
) -> float:
    values = []
    for page, one, two in zip(pages, ones, twos, strict=True):
        kept = find_best_labels(one + np.array([0.0, bias]), trust * two)
        values.append(rate(page, kept))
    return float(np.mean(values))


def export_web2text(
    unary: ConvolutionNet, pair: ConvolutionNet, config: Web2TextConfig, about: dict[str, Any]
) -> LeafWeights:
    """Return the networks as the contents of a model file."""
    arrays = {}
    for name, net in (("unary", unary), ("pair", pair)):
        for key, value in net.state_dict().items():
            array = value.cpu().numpy().astype(np.float32)
            arrays[f"{name}.{key.removeprefix('layers.')}"] = array.reshape(len(array), -1) if array.ndim > 1 else array
    return LeafWeights(
        {"kind": KIND, "features": [len(LEAF_FEATURES), len(EDGE_FEATURES)], "config": asdict(config), **about}, arrays
    )
