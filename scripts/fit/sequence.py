"""Train the network of the method `sequence` (BoilerNet) on the labelled sets of ../shared/data.

    .venv/bin/python -m scripts.fit.sequence SAMPLES src/bonmun/models/baselines/sequence.npz [--device cuda]
    .venv/bin/python -m scripts.fit.sequence SAMPLES out/sequence-en.npz --lang en

SAMPLES is a file for both methods; it is made if it does not exist. Trains on the sites of the part `train`, selects on
those of `valid` (lab/gold/folds.py), and never uses `test`. All languages take five minutes on a GPU, hours on a CPU.
"""

from __future__ import annotations

from bonmun.lab.train.boilernet import SequenceConfig, train_boilernet
from scripts.fit.leaves import fit_from_command_line

if __name__ == "__main__":
    fit_from_command_line(__doc__, lambda samples, device: train_boilernet(samples, SequenceConfig(), device=device))
