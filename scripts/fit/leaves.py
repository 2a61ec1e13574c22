"""Samples for the networks over leaves, from the labelled sets: made once, then read from a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.train.leaf_sample_files import load_leaf_samples, save_leaf_samples
from bonmun.train.leaf_samples import make_leaf_samples
from scripts.labelled import read_examples

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.train.leaf_sample_files import LeafSamples

__all__ = ["read_leaf_samples"]


def read_leaf_samples(path: Path, lang: str | None) -> LeafSamples:
    """The samples of a file, of one language or all; the file is made where there is none, which takes minutes."""
    if not path.exists():
        save_leaf_samples(make_leaf_samples(read_examples()), path)
    samples = load_leaf_samples(path)
    return samples.choose(lambda page: lang in (None, page.lang))
