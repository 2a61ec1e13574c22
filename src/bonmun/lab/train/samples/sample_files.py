"""Samples of the block labeller, and their file format: flat arrays, so that thousands of pages load in seconds.

Needs only numpy.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.errors import BadInput
from bonmun.models.features.page_arrays import BOX, PageArrays
from bonmun.work.array_files import READ_ERRORS, load_arrays, read_json, save_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["MIN_SHARED", "Sample", "load_samples", "save_samples"]

MAX_PAGE_BLOCKS = 1500  # longer pages are not used for training
MIN_SHARED = 0.8  # of the gold's words that must be on the page
BLOCK_COLUMNS = ("keep", "comment", "sizes")
OPTIONAL = ("site", "boxes")  # block columns that a page may lack
SAMPLE_FIELDS = ("gold", "id", "source", "site", "lang", "kind")
SMALL = 0x10000  # first value that two bytes cannot hold


@dataclass(frozen=True, slots=True)
class Sample:
    """A page as arrays, and the gold labels of its blocks."""

    arrays: PageArrays
    keep: NDArray[np.float32]  # (n,) share of the block that is in the gold; -1 unknown, or a copy of a gold block
    comment: NDArray[np.int8]  # (n,) 1 for a reader's comment, 0 for none, -1 unknown
    sizes: NDArray[np.int32]  # (n,) in words, as the metric counts them
    gold: tuple[int, int, int]  # words of the best choice of leaves, of the gold, and of both
    id: str
    source: str
    site: str
    lang: str | None
    kind: str | None

    @property
    def labelled(self) -> bool:
        """Whether the page has a gold."""
        return bool((self.keep >= 0).any())

    @property
    def trusted(self) -> bool:
        """Whether the labels can be trained on: the gold is found on the page, and the page is not too long."""
        _, gold, shared = self.gold
        return self.labelled and shared >= MIN_SHARED * gold and len(self.keep) <= MAX_PAGE_BLOCKS


def save_samples(samples: Sequence[Sample], path: Path) -> None:
    """Write samples to a file, atomically; floats are rounded to half precision."""
    columns: dict[str, Any] = {}
    names = [field.name for field in fields(PageArrays) if field.name not in OPTIONAL]
    none = [] if samples else [np.empty(0, np.int32)]
    for name in names:
        parts = [getattr(sample.arrays, name) for sample in samples]
        columns[name] = np.concatenate(parts or none)
        columns[f"{name}.len"] = np.array([len(part) for part in parts], np.int32)
    for name in OPTIONAL:
        values = [getattr(sample.arrays, name) for sample in samples]
        columns[name] = np.concatenate([each for each in values if each is not None] or [np.empty((0, 2), np.float32)])
        columns[f"{name}.len"] = np.array([-1 if each is None else len(each) for each in values], np.int32)
    for name in BLOCK_COLUMNS:
        columns[name] = np.concatenate([getattr(sample, name) for sample in samples] or none)
    rows = [{name: getattr(sample, name) for name in SAMPLE_FIELDS} for sample in samples]
    columns["facts.json"] = np.frombuffer(json.dumps(rows).encode(), np.uint8)
    for name, column in columns.items():  # most numbers are small
        if column.dtype == np.int32 and column.size and column.min() >= 0 and column.max() < SMALL:
            columns[name] = column.astype(np.uint16)
        elif column.dtype == np.float32:
            columns[name] = column.astype(np.float16)
    save_arrays(path, columns)


def load_samples(path: Path) -> list[Sample]:
    """Read a file written by `save_samples`."""
    try:
        with path.open("rb") as file:
            return _unpack(load_arrays(file))
    except READ_ERRORS as exc:
        raise BadInput(f"{str(path)!r} is not a file of samples: remove it, or name another file.") from exc


def _unpack(columns: dict[str, Any]) -> list[Sample]:
    """Cut the samples out of the concatenated columns."""
    rows = read_json(columns.pop("facts.json"), sys.maxsize)  # our own file, with any number of samples
    wide = {np.dtype(np.uint16): np.int32, np.dtype(np.float16): np.float32}
    columns = {name: column.astype(wide.get(column.dtype, column.dtype)) for name, column in columns.items()}
    names = [field.name for field in fields(PageArrays) if field.name not in OPTIONAL]
    stops = {name: np.cumsum(columns[f"{name}.len"]) for name in names}
    sizes = {name: int(columns[f"{name}.len"].sum()) for name in names}
    sizes |= dict.fromkeys(BLOCK_COLUMNS, sizes["owners"])
    if any(len(columns[name]) != size for name, size in sizes.items()):
        raise ValueError("columns of different lengths")
    if len(columns.get("boxes", ())) and columns["boxes"].shape[1] != BOX.width:
        raise ValueError("boxes of another version")
    samples = []
    block = 0
    used = {name: 0 for name in OPTIONAL if name in columns}  # files from older versions have no boxes
    for number, row in enumerate(rows):
        arrays = {
            name: columns[name][stops[name][number] - columns[f"{name}.len"][number] : stops[name][number]]
            for name in names
        }
        n = len(arrays["owners"])
        for name, start in used.items():
            if columns[f"{name}.len"][number] >= 0:
                arrays[name] = columns[name][start : start + n]
                used[name] = start + n
        values = {name: columns[name][block : block + n] for name in BLOCK_COLUMNS}
        block += n
        row["gold"] = tuple(row["gold"])
        samples.append(Sample(PageArrays(**arrays), **values, **row))
    return samples
