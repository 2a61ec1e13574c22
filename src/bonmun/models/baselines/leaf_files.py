"""Model files of the networks over leaves: weights and settings.

Large matrices are stored as int8 with a scale for each row, other arrays as float16. One file is shipped for each
network; users can make others, so files are not trusted.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from bonmun.errors import BadInput, MissingInput
from bonmun.work.array_files import READ_ERRORS, load_arrays, read_json, save_arrays

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from numpy.typing import NDArray

    Network = TypeVar("Network")

__all__ = ["LeafWeights", "load_leaf_network", "pack", "read_leaf_weights", "save_leaf_weights", "unpack"]

FORMAT = 1  # version of the file format
ABOUT = "about.json"  # the part of the file without weights
SCALE_SUFFIX = ".row_scale"  # follows the name of a matrix in the name of its scales
MIN_PACKED_SIZE = 10_000  # larger matrices are stored as int8
MAX_INT8 = 127


@dataclass(frozen=True, slots=True, eq=False)
class LeafWeights:
    """The contents of a model file."""

    about: dict[str, Any]  # its kind, its settings, and its training data
    arrays: dict[str, NDArray[np.float32]]


def pack(arrays: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[np.generic]]:
    """Convert arrays to their form in the file."""
    packed: dict[str, NDArray[np.generic]] = {}
    for name, array in arrays.items():
        if array.ndim == 2 and array.size > MIN_PACKED_SIZE:
            scale = np.maximum(np.abs(array).max(1), 1e-8).astype(np.float32) / MAX_INT8
            packed[name] = np.rint(array / scale[:, None]).astype(np.int8)
            packed[name + SCALE_SUFFIX] = scale
        else:
            packed[name] = array.astype(np.float16)
    return packed


def unpack(packed: dict[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """Convert arrays from their form in the file."""
    arrays = {}
    for name, array in packed.items():
        if not name.endswith(SCALE_SUFFIX):
            arrays[name] = array.astype(np.float32)
            if name + SCALE_SUFFIX in packed:
                arrays[name] *= packed[name + SCALE_SUFFIX].astype(np.float32)[:, None]
    return arrays


def save_leaf_weights(weights: LeafWeights, path: Path) -> None:
    """Write a model file atomically."""
    about = json.dumps({"format": FORMAT, **weights.about}, ensure_ascii=False).encode()
    save_arrays(path, {**pack(weights.arrays), ABOUT: np.frombuffer(about, np.uint8)})


def read_leaf_weights(kind: str, path: str | Path | None = None) -> LeafWeights:
    """Read a model file of the given kind: that at `path`, or the shipped one."""
    if path is not None:
        with Path(path).open("rb") as file:
            return _read(file, kind)
    with files("bonmun.models.baselines").joinpath(f"{kind}.npz").open("rb") as file:
        return _read(cast("BinaryIO", file), kind)


def _read(file: BinaryIO, kind: str) -> LeafWeights:
    packed = load_arrays(file)
    about = read_json(packed.pop(ABOUT))
    if about.pop("format") != FORMAT or about["kind"] != kind:
        raise ValueError("another format, or another kind of model")
    return LeafWeights(about, unpack(packed))


def load_leaf_network(kind: str, make: Callable[[LeafWeights], Network], path: str | Path | None = None) -> Network:
    """Make a network from a model file; raises MissingInput or BadInput if that fails."""
    try:
        return make(read_leaf_weights(kind, path))
    except FileNotFoundError:
        raise MissingInput(f"There is no model file {str(path)!r}: make one with scripts/fit/{kind}.py.") from None
    except READ_ERRORS as exc:
        raise BadInput(
            f"{str(path)!r} is not a model for the method {kind} of this version of bonmun: "
            f"make one with scripts/fit/{kind}.py."
        ) from exc
