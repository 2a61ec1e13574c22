"""Samples of the networks over leaves, and their file format: flat arrays. Needs only numpy.

Words and tags are numbers into lists that the file holds. A network knows only some of them; `choose_names` picks those
that occur on the pages of many sites.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.baselines.collapsed_tree import CollapsedTree
from bonmun.models.baselines.leaf_bags import UNKNOWN, Bags, LeafBags
from bonmun.work.array_files import load_arrays, read_json, save_arrays

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = [
    "MIN_SITES",
    "LeafSample",
    "LeafSamples",
    "choose_names",
    "load_leaf_samples",
    "renumber",
    "save_leaf_samples",
]

MIN_SITES = 5  # that must use a word, so that no model stores text of a single site
SHARE_POWER = 0.5  # n sites of a language count as n ** (1 - SHARE_POWER), so that English does not dominate
ABOUT = "about.json"
SMALL = {2**8: np.uint8, 2**16: np.uint16}


@dataclass(frozen=True, slots=True)
class LeafSample:
    """The shown leaves of a page, and their gold labels."""

    bags: LeafBags
    collapsed: CollapsedTree
    labels: NDArray[np.int8]  # (n,) 1 in the gold, 0 not, -1 a copy of a gold leaf
    sizes: NDArray[np.int32]  # (n,) in words
    gold: int  # in words
    source: str
    site: str
    lang: str | None
    part: str  # train, valid or test
    id: str


@dataclass(frozen=True, slots=True)
class LeafSamples:
    """Pages, and the words and tags that the numbers in their bags refer to, from 1."""

    words: list[str]
    tags: list[str]
    pages: list[LeafSample]

    def choose(self, wanted: Callable[[LeafSample], bool]) -> LeafSamples:
        """Return the same samples with only the pages that pass a test."""
        return replace(self, pages=[page for page in self.pages if wanted(page)])


def choose_names(
    bags: Sequence[Bags], samples: Sequence[LeafSample], names: Sequence[str], count: int, least: int = MIN_SITES
) -> list[str]:
    """Return the names that most sites use, rare languages weighted more; skip those that fewer than `least` use."""
    sites: dict[str, set[int]] = {}
    language: dict[str, str] = {}
    for bag, sample in zip(bags, samples, strict=True):
        sites.setdefault(sample.site, set()).update(np.unique(bag.numbers).tolist())
        language[sample.site] = sample.lang or ""
    of_language = Counter(language.values())
    weight: dict[int, float] = {}
    used: Counter[int] = Counter()
    for site, numbers in sites.items():
        each = of_language[language[site]] ** -SHARE_POWER
        for number in numbers - {UNKNOWN}:
            weight[number] = weight.get(number, 0.0) + each
            used[number] += 1
    best = sorted(weight, key=lambda number: (-weight[number], names[number - 1]))
    return [names[number - 1] for number in best if used[number] >= least][:count]


def renumber(bags: Bags, numbers: NDArray[np.int32]) -> Bags:
    """Return bags with new numbers: `numbers` maps old to new; counts of equal numbers are summed."""
    size = int(numbers.max(initial=0)) + 1
    of_bag = np.repeat(np.arange(len(bags)), np.diff(bags.stops, prepend=0))
    keys, where = np.unique(of_bag * size + numbers[bags.numbers], return_inverse=True)
    counts = np.bincount(where, bags.counts, minlength=len(keys)).astype(np.int32)
    stops = np.cumsum(np.bincount(keys // size, minlength=len(bags)))
    return Bags((keys % size).astype(np.int32), counts, stops)


def save_leaf_samples(samples: LeafSamples, path: Path) -> None:
    """Write samples to a file, atomically."""
    columns: dict[str, list[NDArray[Any]]] = {}
    lengths: dict[str, list[int]] = {}
    rows = []
    for page in samples.pages:
        for name, array in _list_arrays(page):
            columns.setdefault(name, []).append(array)
            lengths.setdefault(name, []).append(len(array))
        rows.append([page.gold, page.source, page.site, page.lang, page.part, page.id])
    about = {"words": samples.words, "tags": samples.tags, "pages": rows}
    arrays: dict[str, Any] = {name: _shrink(np.concatenate(parts)) for name, parts in columns.items()}
    arrays |= {f"{name}.lengths": _shrink(np.array(each)) for name, each in lengths.items()}
    arrays[ABOUT] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    save_arrays(path, arrays)


def load_leaf_samples(path: Path) -> LeafSamples:
    """Read a file written by `save_leaf_samples`."""
    with path.open("rb") as file:
        arrays = load_arrays(file)
    about = read_json(arrays.pop(ABOUT), sys.maxsize)  # our own file, with any number of samples
    names = [name for name in arrays if not name.endswith(".lengths")]
    parts = {name: np.split(arrays[name], np.cumsum(arrays[f"{name}.lengths"].astype(np.int64))[:-1]) for name in names}
    pages = []
    for row, (gold, source, site, lang, part, id_) in enumerate(about["pages"]):
        a = {name: parts[name][row] for name in names}
        words, tags = (
            Bags(
                a[f"{name}.numbers"].astype(np.int32),
                a[f"{name}.counts"].astype(np.int32),
                np.cumsum(a[f"{name}.sizes"].astype(np.int64)),
            )
            for name in ("words", "tags")
        )
        collapsed = CollapsedTree(**{each.name: _restore(each.name, a[each.name]) for each in fields(CollapsedTree)})
        pages.append(
            LeafSample(
                LeafBags(words, tags, a["paths"].astype(np.int32)),
                collapsed,
                a["labels"].astype(np.int8),
                a["sizes"].astype(np.int32),
                gold,
                source,
                site,
                lang,
                part,
                id_,
            )
        )
    return LeafSamples(about["words"], about["tags"], pages)


DTYPES = {"tags": np.uint32, "node_tags": np.uint32, "breaks": np.bool_, "node_forms": np.bool_}


def _restore(name: str, array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(DTYPES.get(name, np.int32))


def _list_arrays(page: LeafSample) -> Iterator[tuple[str, NDArray[Any]]]:
    for name in ("words", "tags"):
        bags: Bags = getattr(page.bags, name)
        yield f"{name}.numbers", bags.numbers
        yield f"{name}.counts", bags.counts
        yield f"{name}.sizes", np.diff(bags.stops, prepend=0)
    yield "paths", page.bags.paths
    yield "labels", page.labels
    yield "sizes", page.sizes
    for each in fields(CollapsedTree):
        yield each.name, getattr(page.collapsed, each.name)


def _shrink(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array with a smaller type, if its numbers are small and not negative."""
    if array.dtype.kind in "iu" and array.size and array.min() >= 0:
        for bound, kind in SMALL.items():
            if array.max() < bound:
                return array.astype(kind)
    return array
