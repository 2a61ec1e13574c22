"""Train the two networks of the method `web2text` on the labelled sets of ../shared/data.

    .venv/bin/python -m scripts.fit.web2text SAMPLES src/bonmun/models/baselines/web2text.npz [--device cuda]
    .venv/bin/python -m scripts.fit.web2text SAMPLES out/web2text-en.npz --lang en

SAMPLES is a file for both methods; it is made if it does not exist. Trains on the sites of the part `train`, selects on
those of `valid` (lab/gold/folds.py), and never uses `test`. It takes a minute on a GPU, a quarter of an hour on a CPU.
"""

from __future__ import annotations

from bonmun.lab.train.web2text import Web2TextConfig, train_web2text
from scripts.fit.leaves import fit_from_command_line

if __name__ == "__main__":
    fit_from_command_line(__doc__, lambda samples, device: train_web2text(samples, Web2TextConfig(), device=device))
