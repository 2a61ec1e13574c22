"""Trains the two networks of the method `web2text` on the labelled sets of ../shared/data.

    .venv/bin/python -m scripts.fit.web2text SAMPLES src/bonmun/models/web2text.npz [--device cuda]
    .venv/bin/python -m scripts.fit.web2text SAMPLES out/web2text-en.npz --lang en

SAMPLES is a file that is made where there is none, for both methods. Learns from the sites of the part `train`, chooses
by those of `valid` (gold/folds.py), and never looks at `test`. A GPU takes a minute, a CPU a quarter of an hour.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bonmun.models.leaf_files import save_leaf_weights
from bonmun.train.web2text import Web2TextConfig, train_web2text
from scripts.fit.leaves import read_leaf_samples


def main() -> None:
    """Train, and write the model file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--lang", help="learn from the pages of one language alone")
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    weights = train_web2text(read_leaf_samples(given.samples, given.lang), Web2TextConfig(), device=given.device)
    save_leaf_weights(weights, given.model)


if __name__ == "__main__":
    main()
