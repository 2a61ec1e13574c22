"""Trains the two networks of the method `web2text` on the labelled sets of ../shared/data.

    .venv/bin/python -m scripts.fit.web2text SAMPLES src/bonmun/models/baselines/web2text.npz [--device cuda]
    .venv/bin/python -m scripts.fit.web2text SAMPLES out/web2text-en.npz --lang en

SAMPLES is a file that is made where there is none, for both methods. Learns from the sites of the part `train`, chooses
by those of `valid` (lab/gold/folds.py), and never looks at `test`. A GPU takes a minute, a CPU a quarter of an hour.
"""

from __future__ import annotations

from bonmun.lab.train.web2text import Web2TextConfig, train_web2text
from scripts.fit.leaves import fit_from_command_line

if __name__ == "__main__":
    fit_from_command_line(__doc__, lambda samples, device: train_web2text(samples, Web2TextConfig(), device=device))
