"""What every kind of training checks and loads before it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bonmun.errors import BadConfig, BonmunError, MissingExtra
from bonmun.models.network.labeller import default_weights, load_weights

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.lab.train.labeller import Labeller
    from bonmun.models.network.labeller import Weights

__all__ = ["TORCH_LINE", "check_folder", "check_torch", "load_start"]

# An extra cannot say where a package comes from, and PyPI's torch for Linux brings all that a GPU needs.
TORCH_LINE = "pip install torch --index-url https://download.pytorch.org/whl/cpu"


def check_folder(path: Path | None) -> None:
    """Raise BadConfig if a file could not be written for want of a folder."""
    if path and not path.parent.is_dir():
        raise BadConfig(f"{path}: there is no such folder.")


def check_torch(device: str) -> None:
    """Raise if torch is not there, or has no such device."""
    try:
        import torch
    except ImportError:
        raise MissingExtra(f"Training needs torch: {TORCH_LINE} (for a GPU: pip install torch).") from None
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError):
        raise BadConfig(f"Torch has no device {device!r} here: leave --device out, or give cpu or cuda.") from None


def load_start(start: str) -> tuple[Weights, Labeller] | tuple[None, None]:
    """The network to train on, as in its file and in torch; none to start from nothing."""
    from bonmun.lab.train.labeller import restore_labeller

    if start == "nothing":
        return None, None
    try:
        weights = default_weights() if start == "default" else load_weights(start)
        return weights, restore_labeller(weights)
    except BonmunError as problem:
        raise BadConfig(str(problem)) from None
    except RuntimeError:  # torch's word for weights of another shape
        raise BadConfig(f"{start!r} is no model of this version of bonmun: make one with `bonmun train`.") from None
