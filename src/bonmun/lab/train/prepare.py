"""Checks and loading that all kinds of training share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.errors import BadConfig, BonmunError, MissingExtra
from bonmun.models.network.labeller import default_weights, load_weights

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.lab.train.labeller import Labeller
    from bonmun.models.network.labeller import Weights

__all__ = ["TORCH_LINE", "check_folder", "check_torch", "load_start"]

# An extra cannot choose a package index, and PyPI's torch for Linux includes everything for GPUs.
TORCH_LINE = "pip install torch --index-url https://download.pytorch.org/whl/cpu"


def check_folder(path: Path | None) -> None:
    """Raise BadConfig if the folder of an output file does not exist."""
    if path and not path.parent.is_dir():
        raise BadConfig(f"{path}: there is no such folder.")


def check_torch(device: str) -> None:
    """Raise an error if torch is missing or does not support the device."""
    try:
        import torch
    except ImportError:
        raise MissingExtra(f"Training needs torch: {TORCH_LINE} (for a GPU: pip install torch).") from None
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError):
        raise BadConfig(f"Torch has no device {device!r}: omit --device, or use cpu or cuda.") from None


def load_start(start: str) -> tuple[Weights, Labeller] | tuple[None, None]:
    """Return the network to start from, as weights and in torch; (None, None) to train from scratch."""
    from bonmun.lab.train.labeller import restore_labeller

    if start == "nothing":
        return None, None
    try:
        weights = default_weights() if start == "default" else load_weights(start)
        return weights, restore_labeller(weights)
    except BonmunError as problem:
        raise BadConfig(str(problem)) from None
    except RuntimeError:  # torch's error for weights of another shape
        raise BadConfig(
            f"{start!r} is not a model for this version of bonmun; train it again with `bonmun train`."
        ) from None
