"""Batches of variants as tensors, as the network takes them. Needs only torch and numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bonmun.lab.train.samples.variants import Variant

__all__ = ["Batch", "VariantStore"]


class Batch(NamedTuple):
    """A batch of B pages: blocks padded to N; all elements (M) and words (W) concatenated."""

    blocks: Tensor  # (B, N, BLOCK_FEATURES)
    mask: Tensor  # (B, N)
    elements: Tensor  # (M, ELEMENT_FEATURES)
    tags: Tensor  # (M,)
    inner: Tensor  # (B, N) tag of the first leaf
    keys: Tensor  # (M,)
    words: Tensor  # (W,)
    word_starts: Tensor  # (keys,)
    levels: Tensor  # (B, N, LEVELS) rows of elements; M for none
    spans: Tensor  # (M, 2) rows of running sums over blocks, (B * (N + 1))
    groups: Tensor  # (B, N) group numbers over all pages; the last is for padding
    page: Tensor  # (B, PAGE_FEATURES)
    source: Tensor  # (B,) set whose habits vector is added; 0 for none
    keep: Tensor  # (B, N)
    teacher: Tensor  # (B, N) predictions of the teachers; -1 where there are none
    comment: Tensor  # (B, N)
    sizes: Tensor  # (B, N)
    page_kind: Tensor  # (B,)
    boxes: tuple[Tensor, Tensor] | None = None  # (B, N, BOX_FEATURES), and (B,) which pages have them


class VariantStore:
    """Variants as a few long tensors on a device, from which batches are cut."""

    def __init__(self, variants: Sequence[Variant], device: str) -> None:
        def join(values: list[Any], dtype: Any) -> Tensor:
            return torch.from_numpy(np.concatenate(values).astype(dtype)).to(device)

        self.device = device
        # for each variant, the number of blocks, elements, words, keys and groups, and the index of the first
        self.block_counts = np.array([len(each.keep) for each in variants])
        self.element_counts = np.array([len(each.tags) for each in variants])
        self.word_counts = np.array([len(each.words) for each in variants])
        self.key_counts = np.array([len(each.word_stops) for each in variants])
        self.group_counts = np.array([int(each.features.groups.max()) + 1 for each in variants])
        self.first_block = _find_starts(self.block_counts)
        self.first_element = _find_starts(self.element_counts)
        self.first_word = _find_starts(self.word_counts)
        self.first_key = _find_starts(self.key_counts)
        self.blocks = join([each.features.blocks for each in variants], np.float16)
        self.elements = join([each.features.elements for each in variants], np.float16)
        self.tags = join([each.tags for each in variants], np.uint8)
        self.inner = join([each.inner for each in variants], np.uint8)
        self.keys = join([each.keys for each in variants], np.int32)
        self.words = join([each.words for each in variants], np.int16)
        self.word_starts = join([np.append(0, each.word_stops[:-1]) for each in variants], np.int32)
        self.levels = join([each.features.levels for each in variants], np.int32)
        self.spans = join([each.features.spans for each in variants], np.int32)
        self.groups = join([each.features.groups for each in variants], np.int32)
        boxes = [each.features.boxes for each in variants]
        self.has_boxes = np.array([each is not None for each in boxes])
        self.first_box = _find_starts(self.block_counts * self.has_boxes)
        found = [each for each in boxes if each is not None]
        self.boxes = join(found, np.float16) if found else None
        self.page = torch.from_numpy(np.stack([each.features.page for each in variants])).to(device)
        self.keep = join([each.keep for each in variants], np.float32)
        self.teacher: Tensor | None = None
        self.comment = join([each.comment for each in variants], np.float32)
        self.sizes = join([each.sizes for each in variants], np.float32)
        self.page_kind = torch.tensor([each.page_kind for each in variants], device=device)

    def batch(self, rows: NDArray[np.int64], sources: Sequence[int]) -> Batch:
        """Return a batch of some variants, each with the number of the set whose habits vector is added."""
        device = self.device

        def tensor(values: Any) -> Tensor:
            return torch.as_tensor(values, device=device)

        def runs(counts: NDArray[np.int64], first: NDArray[np.int64]) -> tuple[Tensor, Tensor]:
            """Return the rows of each page, concatenated, and the page of each row."""
            page = torch.repeat_interleave(
                torch.arange(len(rows), device=device), tensor(counts), output_size=int(counts.sum())
            )
            offset = tensor(first) - tensor(_find_starts(counts))
            return torch.arange(len(page), device=device) + offset[page], page

        counts = self.block_counts[rows]
        longest = int(counts.max())
        place = torch.arange(longest, device=device)[None]
        mask = place < tensor(counts)[:, None]
        at = torch.where(mask, tensor(self.first_block[rows])[:, None] + place, 0)  # (B, N)
        element, element_page = runs(self.element_counts[rows], self.first_element[rows])
        word, _ = runs(self.word_counts[rows], self.first_word[rows])
        key, key_page = runs(self.key_counts[rows], self.first_key[rows])
        total = len(element)
        element_offset = tensor(_find_starts(self.element_counts[rows]))
        word_offset = tensor(_find_starts(self.word_counts[rows]))
        key_offset = tensor(_find_starts(self.key_counts[rows]))
        group_offset = tensor(_find_starts(self.group_counts[rows]))
        levels = self.levels[at].long()
        levels = torch.where((levels < 0) | ~mask[:, :, None], total, levels + element_offset[:, None, None])
        groups = self.groups[at].long() + group_offset[:, None]
        boxes = None
        if self.boxes is not None and self.has_boxes[rows].any():
            has = tensor(self.has_boxes[rows])
            box_at = torch.where(mask & has[:, None], tensor(self.first_box[rows])[:, None] + place, 0)
            boxes = self.boxes[box_at].float(), has.float()
        return Batch(
            self.blocks[at].float(),
            mask.float(),
            self.elements[element].float(),
            self.tags[element].long(),
            torch.where(mask, self.inner[at].long(), 0),
            self.keys[element].long() + key_offset[element_page],
            self.words[word].long(),
            self.word_starts[key].long() + word_offset[key_page],
            levels,
            self.spans[element].long() + element_page[:, None] * (longest + 1),
            torch.where(mask, groups, int(self.group_counts[rows].sum())),
            self.page[tensor(rows)],
            tensor(sources),
            torch.where(mask, self.keep[at], -1.0),
            torch.where(mask, -1.0 if self.teacher is None else self.teacher[at].float(), -1.0),
            torch.where(mask, self.comment[at], -1.0),
            torch.where(mask, self.sizes[at], 0.0),
            self.page_kind[tensor(rows)],
            boxes,
        )


def _find_starts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each run starts when they are concatenated."""
    starts: NDArray[np.int64] = np.cumsum(counts) - counts
    return starts
