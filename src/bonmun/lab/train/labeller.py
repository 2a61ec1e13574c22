"""The block labeller in torch (models/network/labeller.py: the same in numpy). Needs only torch and numpy.

Architecture (shapes: B pages of at most N blocks, M elements of all pages together):

1. Every element becomes a vector: its numbers, its tag, its class and id words.
2. Every block becomes a vector: its numbers, the elements around it, the page, the habits of its set, and its position
   and style in the browser, if known.
3. Convolutions along the page with growing dilation connect blocks with their neighbours.
4. Every element pools its blocks and passes the result back to them; so does the page.
5. After a last convolution, each block predicts main text and comment; the page predicts its kind.

Sets differ in what they count as main text. A vector for the set is added to every block. It is left out for some of
the pages (all of those that follow the default's habits), and always at inference.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from bonmun.lab.train.config import Config
from bonmun.models.features.element_tree import LEVELS
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.features.scaled_features import BLOCK_FEATURES, BOX_FEATURES, ELEMENT_FEATURES, PAGE_FEATURES
from bonmun.models.features.tags import TAGS
from bonmun.models.network.labeller import Weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bonmun.lab.train.samples.tensors import Batch, VariantStore

__all__ = ["Labeller", "export_weights", "restore_labeller"]

MEASURED_ROWS = 200_000  # blocks or elements sampled for mean and standard deviation
MIN_SPREAD = 0.05  # added to a feature's standard deviation, so that nearly constant features are not blown up


class Convolution(nn.Module):
    """Convolution over a block and its two neighbours at distance `step`."""

    def __init__(self, width: int, step: int) -> None:
        super().__init__()
        self.step = step
        self.mix = nn.Linear(3 * width, width)

    def forward(self, h: Tensor, mask: Tensor) -> Tensor:
        """Map (B, N, width) to the same shape."""
        d = self.step
        before = functional.pad(h, (0, 0, d, 0))[:, : h.shape[1]]
        after = functional.pad(h, (0, 0, 0, d))[:, d:]
        return torch.relu(self.mix(torch.cat([before, h, after], 2))) * mask


class Labeller(nn.Module):
    """The block labelling network."""

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
        self.kind = nn.Linear(c.width, len(PAGE_KINDS))
        self.dropout = nn.Dropout(c.drop)
        self.inputs = nn.Dropout(c.drop_inputs)
        self.pages = nn.Dropout(c.drop_page)
        self.box = nn.Linear(BOX_FEATURES, c.width)  # zero at first, and unchanged in training without boxes
        nn.init.zeros_(self.box.weight)
        nn.init.zeros_(self.box.bias)
        sizes = {"blocks": BLOCK_FEATURES, "elements": ELEMENT_FEATURES, "page": PAGE_FEATURES, "boxes": BOX_FEATURES}
        for name, size in sizes.items():
            self.register_buffer(f"{name}_mean", torch.zeros(size))
            self.register_buffer(f"{name}_scale", torch.ones(size))

    def measure_features(self, store: VariantStore) -> None:
        """Set the mean and scale of the features."""
        self._measure({"blocks": store.blocks, "elements": store.elements, "page": store.page})
        self.measure_boxes(store)

    def measure_boxes(self, store: VariantStore) -> None:
        """Set the mean and scale of the box features, if there are any."""
        if store.boxes is not None:
            self._measure({"boxes": store.boxes})

    def _measure(self, found: Mapping[str, Tensor]) -> None:
        for name, values in found.items():
            some = values[torch.randperm(len(values), device=values.device)[:MEASURED_ROWS]].float()
            getattr(self, f"{name}_mean").copy_(some.mean(0))
            getattr(self, f"{name}_scale").copy_(1 / (some.std(0) + MIN_SPREAD))

    def forward(self, b: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits: for each block, main text and comment; for each page, each page kind."""
        mask = b.mask[:, :, None]
        blocks = self.inputs((b.blocks - self.blocks_mean) * self.blocks_scale)
        elements = self.inputs((b.elements - self.elements_mean) * self.elements_scale)
        page = self.pages((b.page - self.page_mean) * self.page_scale)
        e = torch.cat(
            [elements, self.tag(b.tags), self.dropout(self.word(b.words, b.word_starts)).index_select(0, b.keys)], 1
        )
        e = torch.relu(self.element(e))  # (M, element)
        none = torch.zeros(1, e.shape[1], device=e.device)
        last = len(e)  # row for "no element"; without a gradient, which would be slow: most levels are padding
        around = functional.embedding(b.levels, torch.cat([e, none]), last).flatten(2)  # (B, N, LEVELS * element)
        h = self.block(torch.cat([blocks, self.tag(b.inner), around], 2))
        h = h + self.page(page)[:, None] + self.source(b.source)[:, None]
        if b.boxes is not None:
            values, has_boxes = b.boxes
            boxes = self.inputs((values - self.boxes_mean) * self.boxes_scale)
            h = h + self.box(boxes) * has_boxes[:, None, None]
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


def export_weights(net: Labeller, confidence: Any) -> Weights:
    """Return the contents of a model file; `confidence` holds the knots that map expected to measured F1."""
    arrays = {name: value.cpu().numpy() for name, value in net.state_dict().items() if "source" not in name}
    if not arrays["box.weight"].any():  # trained without boxes
        arrays = {name: value for name, value in arrays.items() if not name.startswith("box")}
    return Weights({"config": asdict(net.config), "sources": net.sources, "confidence": confidence}, arrays)


def restore_labeller(weights: Weights) -> Labeller:
    """Return the network of a model file, for further training."""
    known = {field.name for field in fields(Config)}
    settings = {name: value for name, value in weights.about["config"].items() if name in known}
    for name in ("dilations", "last", "defaults"):
        settings[name] = tuple(settings[name])
    settings["weights"] = tuple(map(tuple, settings["weights"]))
    net = Labeller(Config(**settings))
    net.load_state_dict({name: torch.from_numpy(value) for name, value in weights.arrays.items()}, strict=False)
    return net
