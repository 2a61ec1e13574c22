"""Shared by the scripts that train the networks over leaves: samples from the labelled sets, and the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.lab.train.samples.leaf_sample_files import load_leaf_samples, save_leaf_samples
from bonmun.lab.train.samples.leaf_samples import make_leaf_samples
from bonmun.models.baselines.leaf_files import save_leaf_weights
from scripts.labelled import read_examples

if TYPE_CHECKING:
    from collections.abc import Callable

    from bonmun.lab.train.samples.leaf_sample_files import LeafSamples
    from bonmun.models.baselines.leaf_files import LeafWeights

__all__ = ["fit_from_command_line", "read_leaf_samples"]


def read_leaf_samples(path: Path, lang: str | None) -> LeafSamples:
    """Read the samples of a file, of one language or all; a missing file is made first, which takes minutes."""
    if not path.exists():
        save_leaf_samples(make_leaf_samples(read_examples()), path)
    samples = load_leaf_samples(path)
    return samples.choose(lambda page: lang in (None, page.lang))


def fit_from_command_line(says: str | None, train: Callable[[LeafSamples, str], LeafWeights]) -> None:
    """Read the arguments, train on a device, and write the model file."""
    parser = argparse.ArgumentParser(description=says, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--lang", help="train on the pages of one language only")
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    save_leaf_weights(train(read_leaf_samples(given.samples, given.lang), given.device), given.model)
