"""Train every variant, one after the other or, with --at-once, several in single-threaded processes.

    .venv/bin/python -m scripts.visual.fit ROWS.npz OUT [VARIANT …] [--at-once 8]

Needs torch, pytorch-tabnet and the file that rows.py wrote, but no pages, so it can run on another machine.
"""

from __future__ import annotations

import argparse
import os
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.baselines.tabnet import save_tabnet
from bonmun.models.baselines.visual_columns import CENTRE, RELATIVE
from scripts.visual.rows import Table, load_table
from scripts.visual.variants import READINGS, VARIANTS, Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["fit", "main"]


def fit(variant: Variant, table: Table, out: Path, minutes: float, device: str) -> str:
    """Train one variant and write its weights; return a summary line."""
    import torch

    from bonmun.lab.train.tabular import TabularSettings, train

    torch.set_num_threads(1)
    start = time.monotonic()
    more: dict[str, Any] = dict(variant.more)
    settings = TabularSettings(balanced=variant.balanced, seed=variant.seed, device=device, **more)
    train_rows, valid_rows = (select(table, variant, part) for part in ("train", "valid"))
    weights, _ = train(variant.columns, train_rows, valid_rows, settings, seconds=60 * minutes)
    weights.about.update(
        variant=variant.name,
        target=variant.target,
        rows=len(train_rows[1]),
        positive=round(float(train_rows[1].mean()), 4),
        languages=variant.languages,
    )
    save_tabnet(weights, out / f"{variant.name}.npz")
    history = weights.about["history"]
    return (
        f"{variant.name}: {len(train_rows[1]):,} rows, {train_rows[1].mean():.3%} main, {len(history['auc'])} epochs, "
        f"best {history['best']}, AUC {max(history['auc']):.4f}, {time.monotonic() - start:.0f} s"
    )


def select(table: Table, variant: Variant, part: str) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return the rows of a part of the pages, with the variant's columns, and whether each is main text."""
    wanted = [
        page["part"] == part and (variant.languages == "all" or page["lang"] == variant.languages)
        for page in table.pages
    ]
    rows = np.array(wanted)[table.page]
    if variant.visible:
        rows &= table.centre[:, CENTRE.index("visible")] > 0
    names, values = (RELATIVE, table.relative) if "text_share" in variant.columns else (CENTRE, table.centre)
    x = values[rows][:, [names.index(name) for name in variant.columns]]
    return x, table.targets[rows, READINGS.index(variant.target)].astype(np.int64)


def _fit_by_name(name: str, path: Path, out: Path, minutes: float, device: str) -> str:
    return fit(VARIANTS[name], load_table(path), out, minutes, device)


def main() -> None:
    """Train the variants that have no weights yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("variants", nargs="*", help="default: all in variants.py")
    parser.add_argument("--at-once", type=int, default=1, help="number of single-threaded processes")
    parser.add_argument("--minutes", type=float, default=60, help="maximum per variant")
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    names = [name for name in given.variants or VARIANTS if not (given.out / f"{name}.npz").is_file()]
    os.environ["OMP_NUM_THREADS"] = "1"
    work = partial(_fit_by_name, path=given.rows, out=given.out, minutes=given.minutes, device=given.device)
    if given.at_once == 1:
        for name in names:
            print(work(name), flush=True)
        return
    with get_context("spawn").Pool(given.at_once, maxtasksperchild=1) as pool:
        for line in pool.imap_unordered(work, names):
            print(line, flush=True)


if __name__ == "__main__":
    main()
