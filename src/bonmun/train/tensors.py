"""Samples in, tensors out: pages and their variants side by side, as the network takes them."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from bonmun.gold.folds import fold_of
from bonmun.models.features import Features, features_of
from bonmun.models.network import KINDS
from bonmun.train.augment import augmented
from bonmun.train.sample_files import ended_with_us

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bonmun.train.config import Config
    from bonmun.train.sample_files import Sample

__all__ = ["Batch", "Page", "Store", "prepare", "ready"]


class Page(NamedTuple):
    """A sample, or a variant of it, ready for the network."""

    features: Features
    tags: NDArray[np.uint8]
    inner: NDArray[np.uint8]
    keys: NDArray[np.int32]
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
        a.inner,
        a.keys,
        a.words,
        a.word_stops,
        sample.keep,
        sample.comment,
        sample.sizes,
        KINDS.index(kind) if kind in KINDS else -1,
    )


_SAMPLES: Sequence[Sample] = ()
_GUESTS: dict[tuple[int, str | None], list[int]] = {}  # the samples that parts may be taken from, by group


def _variants(job: tuple[int, Config]) -> list[Page]:
    number, config = job
    count = config.variants
    chance = np.random.default_rng([config.seed, number])
    sample = _SAMPLES[number]
    pages = [ready(replace(sample, arrays=replace(sample.arrays, site=None)))]
    guests = [row for row in _GUESTS[_group(sample)] if row != number]
    graft, second = (config.graft, config.second) if guests else (0.0, 0.0)
    for _ in range(count):
        other = _SAMPLES[guests[int(chance.integers(len(guests)))]] if guests else sample
        pages.append(ready(augmented(sample, other, chance, config.parts, graft, second)))
    return pages


def _group(sample: Sample) -> tuple[int, str | None]:
    """Pages of one fold and language lend each other parts: none of a fold or language that is left out gets away."""
    return fold_of(sample.site), sample.lang


def prepare(samples: Sequence[Sample], config: Config, workers: int) -> list[list[Page]]:
    """Each sample as it is, and its variants."""
    global _SAMPLES, _GUESTS
    _SAMPLES, _GUESTS = samples, {}
    for row, sample in enumerate(samples):
        _GUESTS.setdefault(_group(sample), []).append(row)
    jobs = [(number, config) for number in range(len(samples))]
    with get_context("fork").Pool(workers, ended_with_us) as pool:
        return pool.map(_variants, jobs, chunksize=16)


class Batch(NamedTuple):
    """Pages side by side: blocks padded, elements and words one after the other."""

    blocks: Tensor  # (B, N, BLOCK_FEATURES)
    mask: Tensor  # (B, N)
    elements: Tensor  # (M, ELEMENT_FEATURES)
    tags: Tensor  # (M,)
    inner: Tensor  # (B, N) the tag of the first leaf
    keys: Tensor  # (M,)
    words: Tensor  # (W,)
    word_starts: Tensor  # (keys,)
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
        self.inner = joined([page.inner for page in pages], np.uint8)
        self.keys = joined([page.keys for page in pages], np.int32)
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
            torch.where(mask, self.inner[at].long(), 0),
            self.keys[element].long() + name_offset[element_page],
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
