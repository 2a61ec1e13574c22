"""Trains the network of the method `sequence` (BoilerNet) on the labelled sets of ../shared/data.

    .venv/bin/python -m scripts.fit.sequence SAMPLES src/bonmun/models/baselines/sequence.npz [--device cuda]
    .venv/bin/python -m scripts.fit.sequence SAMPLES out/sequence-en.npz --lang en

SAMPLES is a file that is made where there is none, for both methods. Learns from the sites of the part `train`, chooses
by those of `valid` (lab/gold/folds.py), and never looks at `test`. A GPU takes five minutes for all languages, a CPU
hours.
"""

from __future__ import annotations

from bonmun.lab.train.boilernet import SequenceConfig, train_boilernet
from scripts.fit.leaves import fit_from_command_line

if __name__ == "__main__":
    fit_from_command_line(__doc__, lambda samples, device: train_boilernet(samples, SequenceConfig(), device=device))
