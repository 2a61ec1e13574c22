"""Model files of the networks over leaves: arrays, and what is said about them.

Matrices are kept as whole numbers of one byte, with a scale for each row; small arrays as they are, in two bytes a
number. A file of ours comes with the package; another may be anybody's.
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

FORMAT = 1  # of the file
ABOUT = "about.json"  # the part of the file that holds no weights
SCALE = ".row_scale"  # after the name of a matrix, that of its scales
LARGE = 10_000  # numbers: a matrix of more is kept in bytes
STEPS = 127  # the largest number of a byte with a sign


@dataclass(frozen=True, slots=True, eq=False)
class LeafWeights:
    """What a model file holds."""

    about: dict[str, Any]  # what kind of model it is, its settings, what it was trained on
    arrays: dict[str, NDArray[np.float32]]


def pack(arrays: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[np.generic]]:
    """Arrays as they are kept."""
    packed: dict[str, NDArray[np.generic]] = {}
    for name, array in arrays.items():
        if array.ndim == 2 and array.size > LARGE:
            scale = np.maximum(np.abs(array).max(1), 1e-8).astype(np.float32) / STEPS
            packed[name] = np.rint(array / scale[:, None]).astype(np.int8)
            packed[name + SCALE] = scale
        else:
            packed[name] = array.astype(np.float16)
    return packed


def unpack(packed: dict[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """Arrays as they are used."""
    arrays = {}
    for name, array in packed.items():
        if not name.endswith(SCALE):
            arrays[name] = array.astype(np.float32)
            if name + SCALE in packed:
                arrays[name] *= packed[name + SCALE].astype(np.float32)[:, None]
    return arrays


def save_leaf_weights(weights: LeafWeights, path: Path) -> None:
    """Write a model file; it appears when it is whole."""
    about = json.dumps({"format": FORMAT, **weights.about}, ensure_ascii=False).encode()
    save_arrays(path, {**pack(weights.arrays), ABOUT: np.frombuffer(about, np.uint8)})


def read_leaf_weights(kind: str, path: str | Path | None = None) -> LeafWeights:
    """Read a model file of some kind: that at `path`, or the one that comes with the package."""
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
    """Make a network of a model file, and say what is wrong with the file where that cannot be done."""
    try:
        return make(read_leaf_weights(kind, path))
    except FileNotFoundError:
        raise MissingInput(f"There is no model file {str(path)!r}: make one with scripts/fit/{kind}.py.") from None
    except READ_ERRORS as exc:
        raise BadInput(
            f"{str(path)!r} is no model for the method {kind} of this version of bonmun: "
            f"make one with scripts/fit/{kind}.py."
        ) from exc
