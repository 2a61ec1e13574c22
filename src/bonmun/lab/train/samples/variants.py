"""Variants of samples (the original and augmented pages) with their features. Needs only numpy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.lab.gold.folds import find_fold
from bonmun.lab.train.samples.augment import vary_sample
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.features.scaled_features import Features, compute_features
from bonmun.work.pools import open_pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bonmun.lab.train.config import Config
    from bonmun.lab.train.samples.sample_files import Sample

__all__ = ["UNKNOWN", "Variant", "prepare_variant", "prepare_variants"]

UNKNOWN = -1  # page kind is missing or unknown to the network
ARTICLE_KINDS = {"news": "article", "blog": "article"}  # page kinds of sets that the network does not distinguish
CHUNK = 16  # samples per task of a child process


class Variant(NamedTuple):
    """A page or an augmented page as the network's input; n blocks, m elements."""

    features: Features
    tags: NDArray[np.uint8]  # (m,)
    inner: NDArray[np.uint8]  # (n,)
    keys: NDArray[np.int32]  # (m,)
    words: NDArray[np.int16]
    word_stops: NDArray[np.int32]  # (keys,)
    keep: NDArray[np.float32]  # (n,)
    comment: NDArray[np.int8]  # (n,)
    sizes: NDArray[np.int32]  # (n,)
    page_kind: int  # index in PAGE_KINDS, or UNKNOWN


def prepare_variant(sample: Sample) -> Variant:
    """Compute the features of a sample."""
    a = sample.arrays
    page_kind = ARTICLE_KINDS.get(sample.kind or "", sample.kind)
    _, gold_words, _ = sample.gold
    if sample.labelled and not gold_words:
        page_kind = "none"
    return Variant(
        compute_features(a),
        a.tags,
        a.inner,
        a.keys,
        a.words,
        a.word_stops,
        sample.keep,
        sample.comment,
        sample.sizes,
        PAGE_KINDS.index(page_kind) if page_kind in PAGE_KINDS else UNKNOWN,
    )


# Shared with forked child processes.
_samples: Sequence[Sample] = ()
_groups: dict[tuple[int, str | None], list[int]] = {}  # samples that exchange parts, by group


def prepare_variants(samples: Sequence[Sample], config: Config, workers: int) -> list[list[Variant]]:
    """Return, for each sample, the original and its variants."""
    global _samples, _groups
    _samples, _groups = samples, {}
    for row, sample in enumerate(samples):
        _groups.setdefault(_find_group(sample), []).append(row)
    jobs = [(row, config) for row in range(len(samples))]
    with open_pool(workers, "fork") as pool:
        return pool.map(_make_variants, jobs, chunksize=CHUNK)


def _make_variants(job: tuple[int, Config]) -> list[Variant]:
    row, config = job
    rng = np.random.default_rng([config.seed, row])
    sample = _samples[row]
    variants = [prepare_variant(replace(sample, arrays=replace(sample.arrays, site=None)))]
    others = [other for other in _groups[_find_group(sample)] if other != row]
    graft, second = (config.graft, config.second) if others else (0.0, 0.0)
    for _ in range(config.variants):
        other = _samples[others[int(rng.integers(len(others)))]] if others else sample
        variants.append(prepare_variant(vary_sample(sample, other, rng, config.parts, graft, second)))
    return variants


def _find_group(sample: Sample) -> tuple[int, str | None]:
    """Return the group within which pages exchange parts: fold and language, so that no fold leaks into another."""
    return find_fold(sample.site), sample.lang
