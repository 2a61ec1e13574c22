"""`bonmun train`: a model of one's own, from labelled pages."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from bonmun.commands.shell import complain, output_to, stoppable, wrong_use
from bonmun.errors import BadConfig, BonmunError, MissingExtra

if TYPE_CHECKING:
    from bonmun.train.sample_files import Sample

__all__ = ["train_command"]

CORES = os.cpu_count() or 1
MANY = 300  # labelled pages that are worth a network of one's own
SHOWN = 60  # times that each page is shown when a network is trained on, and at least LEAST pages in all
LEAST = 3000


def train_command(
    data: Annotated[
        list[Path], typer.Argument(metavar="DATA", help="Labelled sets: JSON lines, or folders of a known form.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The model file to write.")],
    start: Annotated[
        str, typer.Option("--from", help="What to train on: default, another model file, or nothing.")
    ] = "default",
    fold: Annotated[
        int | None, typer.Option(min=0, max=4, help="Leave out the sites of this fold, for cross-validation.")
    ] = None,
    teachers: Annotated[
        int, typer.Option(min=0, help="So many larger networks first, to label pages without gold and temper the rest.")
    ] = 0,
    pages: Annotated[int | None, typer.Option(min=1, help="How many pages are shown, with repetition.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed and data give the same model on the same machine.")] = 1,
    device: Annotated[str, typer.Option(help="cpu, or cuda.")] = "cpu",
    samples: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep what was read here, or read it if it is there.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Pages at a time.")] = CORES,
) -> None:
    """Train the network of the default method on labelled pages of your own.

    Some 30 pages of a site, on top of the default, are enough to make it better there. Use the file with
    `bonmun extract --model FILE`, or `extract(html, model="FILE")`.
    """
    with wrong_use(), output_to(str(output)), stoppable("nothing was written."):
        for place in (output, samples):
            if place and not place.parent.is_dir():
                raise BadConfig(f"{place}: there is no such folder.")
        _check_torch(device)
        from bonmun.gold.folds import fold_of
        from bonmun.models.network import default_weights, load_weights, save_weights
        from bonmun.train.config import Config
        from bonmun.train.labeller import fit, labeller_of, trusted, weights_of

        try:
            base = default_weights() if start == "default" else load_weights(start) if start != "nothing" else None
            net = labeller_of(base) if base else None
            found = _samples(data, samples, workers, nothing=base is None)
        except BonmunError as problem:
            raise BadConfig(str(problem)) from None
        except RuntimeError:  # torch's word for weights of another shape
            raise BadConfig(f"{start!r} is no model of this version of bonmun: make one with `bonmun train`.") from None
        out = frozenset(row for row, each in enumerate(found) if fold is not None and fold_of(each.site) == fold)
        labelled = sum(trusted(each) and each.source != "nothing" for row, each in enumerate(found) if row not in out)
        if not labelled:
            raise BadConfig("No page is left to learn from: none has a gold text that is found on it.")
        if net is None and labelled < MANY:
            raise BadConfig(f"{labelled} pages are too few to start from nothing: train on top of the default.")
        if net is None:
            config = Config()
        else:
            config = replace(net.config, rate=1e-3, average=0.97, batch=16, neutral=1.0)
            config = replace(config, pages=max(LEAST, SHOWN * labelled))
        config = replace(config, seed=seed, teachers=teachers, pages=pages or config.pages)
        model = fit(found, config, device=device, workers=workers, start=net, out=out, say=_say)
        confidence = (base or default_weights()).about["confidence"]
        save_weights(weights_of(model, confidence), output)
        complain(f"{labelled:,} labelled pages learnt; written: {output}")


def _check_torch(device: str) -> None:
    try:
        import torch
    except ImportError:
        raise MissingExtra("Training needs torch: pip install 'bonmun[train]'.") from None
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError):
        raise BadConfig(f"Torch has no device {device!r} here: leave --device out, or give cpu or cuda.") from None


def _samples(data: list[Path], kept: Path | None, workers: int, *, nothing: bool) -> list[Sample]:
    """What the sets hold; for a network from nothing, also pages without main text, of which sets have few."""
    from bonmun.gold.examples import Example
    from bonmun.train.nothing import pages_without_text
    from bonmun.train.sample_files import load, save
    from bonmun.train.samples import sample_of, samples_of

    if kept and kept.is_file():
        found = load(kept)
        complain(f"Pages are read from {kept}, not from DATA.")
        return found
    found = samples_of(data, workers, lambda problem: complain(problem) if problem else None)
    if nothing:
        for number, html in enumerate(pages_without_text(400, Random(7))):
            example = Example(f"nothing/{number}", html, "", kind="none", site=f"nothing-{number}")
            if sample := sample_of(example, "nothing"):
                found.append(sample)
    if kept and found:
        save(found, kept)
        return load(kept)  # numbers are rounded there, and the same file must give the same model
    return found


def _say(line: str) -> None:
    """On a terminal, the newest line over the last."""
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
