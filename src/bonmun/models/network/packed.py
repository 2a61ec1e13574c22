"""A packed network (see packing.py), mapped into memory and run by the kernel. Needs no numpy."""

from __future__ import annotations

import json
import mmap
import sys
from bisect import bisect_right
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

from bonmun.errors import BadInput
from bonmun.kernel import load_kernel
from bonmun.models.network.habits import read_habits, read_hosts

__all__ = [
    "ALIGNMENT",
    "DEFAULT_FILE",
    "MAGIC",
    "TOO_LARGE_WEIGHTS",
    "PackedNetwork",
    "interpolate",
    "open_default",
    "open_packed",
]

KERNEL: Any = load_kernel("network") if sys.byteorder == "little" else None

MAGIC = b"bonmun network 1\n"  # with the version of the format
ALIGNMENT = 64  # bytes: where matrices start
DEFAULT_FILE = "default.bin"
FORMAT_ERRORS = (
    json.JSONDecodeError,
    UnicodeDecodeError,
    LookupError,
    TypeError,
    OverflowError,
    AttributeError,
    RecursionError,
)  # if it is any
TOO_LARGE_WEIGHTS = "The model's weights are too large, so scores overflow: make a model with `bonmun train`."


class PackedNetwork:
    """A network for the kernel, with the settings of its model file."""

    def __init__(self, data: bytes | mmap.mmap) -> None:
        view = memoryview(data)
        start = len(MAGIC) + 4
        if bytes(view[: len(MAGIC)]) != MAGIC:
            raise ValueError("not a packed network of this version")
        stop = start + int.from_bytes(view[len(MAGIC) : start], "little")
        about = json.loads(bytes(view[start:stop]))
        self.expected, self.measured = ([float(value) for value in values] for values in about["confidence"])
        if not self.expected or len(self.expected) != len(self.measured) or not all(map(isfinite, self.expected)):
            raise ValueError("not a table of confidences")
        self.habits, self.hosts = read_habits(about), read_hosts(about)
        self.scorer = KERNEL.Scorer(view[-(-stop // ALIGNMENT) * ALIGNMENT :], about)

    def score(self, counts: tuple[bytearray, ...]) -> tuple[bytearray, bytearray, bytearray, bytearray]:
        """Return the probabilities of main text, of comments and of page kinds, and the groups of blocks.

        The first three are float32, the last is int32; see `Scores` in labeller.py. The page must have a block.
        """
        try:
            found: tuple[bytearray, bytearray, bytearray, bytearray] = self.scorer.score(tuple(counts))
        except FloatingPointError:
            raise BadInput(TOO_LARGE_WEIGHTS) from None
        return found

    def confidence(self, expected: float) -> float:
        """Return the confidence for an expected F1, as measured on labelled pages."""
        return interpolate(expected, self.expected, self.measured)


def interpolate(at: float, places: list[float], values: list[float]) -> float:
    """Interpolate linearly between values at ascending places; equal to np.interp to the last bit."""
    after = bisect_right(places, at)
    if after == 0:
        return values[0]
    low, low_value = places[after - 1], values[after - 1]
    if after == len(places) or low == at:
        return low_value
    slope: Any = (values[after] - low_value) / (places[after] - low)
    return float(slope * (at - low) + low_value)


def open_packed(data: bytes | mmap.mmap) -> PackedNetwork:
    """Open a packed network; needs the compiled kernel. Raises ValueError if the kernel cannot run it."""
    try:
        return PackedNetwork(data)
    except FORMAT_ERRORS as exc:
        raise ValueError("not a packed network of this version") from exc


@cache
def open_default() -> PackedNetwork | None:
    """Return the shipped network, mapped into memory on first use; None without a compiled kernel.

    Raises BadInput if its file is missing or damaged.
    """
    if KERNEL is None:
        return None
    try:
        with Path(__file__).with_name(DEFAULT_FILE).open("rb") as file:  # importlib.resources takes 5 ms to load
            return open_packed(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as exc:
        raise BadInput(f"{DEFAULT_FILE}, the network of bonmun, is missing or damaged; install bonmun again.") from exc
