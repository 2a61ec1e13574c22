"""A packed network (see packing.py), mapped into memory as it is and run by the kernel. Needs no numpy."""

from __future__ import annotations

import json
import mmap
import sys
from bisect import bisect_right
from functools import cache
from pathlib import Path
from typing import Any

from bonmun.errors import BadInput
from bonmun.kernel import load_kernel
from bonmun.models.network.habits import read_habits, read_hosts

__all__ = [
    "ALIGNMENT",
    "DEFAULT",
    "MAGIC",
    "TOO_LARGE_WEIGHTS",
    "PackedNetwork",
    "interpolate",
    "open_default",
    "open_packed",
]

KERNEL: Any = load_kernel("network") if sys.byteorder == "little" else None

MAGIC = b"bonmun network 1\n"  # the number is that of the format
ALIGNMENT = 64  # bytes: where matrices start
DEFAULT = "default.bin"
DAMAGE = (
    json.JSONDecodeError,
    UnicodeDecodeError,
    LookupError,
    TypeError,
    OverflowError,
    AttributeError,
)  # if it is any
TOO_LARGE_WEIGHTS = "The model's weights are too large, and say nothing of this page: make one with `bonmun train`."


class PackedNetwork:
    """A network for the kernel, and what else a model file says."""

    def __init__(self, data: bytes | mmap.mmap) -> None:
        view = memoryview(data)
        start = len(MAGIC) + 4
        if bytes(view[: len(MAGIC)]) != MAGIC:
            raise ValueError("no packed network of this version")
        stop = start + int.from_bytes(view[len(MAGIC) : start], "little")
        about = json.loads(bytes(view[start:stop]))
        self.expected, self.measured = about["confidence"]
        self.habits, self.hosts = read_habits(about), read_hosts(about)
        self.scorer = KERNEL.Scorer(view[-(-stop // ALIGNMENT) * ALIGNMENT :], about)

    def score(self, counts: tuple[bytearray, ...]) -> tuple[bytearray, bytearray, bytearray, bytearray]:
        """The chances of each block of a page, which has one: that it is main text, and a comment; of kinds; groups.

        Three times float32 and once int32, as `Scores` in network.py has them.
        """
        try:
            found: tuple[bytearray, bytearray, bytearray, bytearray] = self.scorer.score(tuple(counts))
        except FloatingPointError:
            raise BadInput(TOO_LARGE_WEIGHTS) from None
        return found

    def confidence(self, expected: float) -> float:
        """How good an answer is likely to be, by what F1 the probabilities lead to expect."""
        return interpolate(expected, self.expected, self.measured)


def interpolate(at: float, places: list[float], values: list[float]) -> float:
    """What lies between the values at some places, in order; as np.interp does it, to the last bit."""
    after = bisect_right(places, at)
    if after == 0:
        return values[0]
    low, low_value = places[after - 1], values[after - 1]
    if after == len(places) or low == at:
        return low_value
    slope: Any = (values[after] - low_value) / (places[after] - low)
    return float(slope * (at - low) + low_value)


def open_packed(data: bytes | mmap.mmap) -> PackedNetwork:
    """A packed network, made ready; there must be a kernel. Raises ValueError for what it cannot run."""
    try:
        return PackedNetwork(data)
    except DAMAGE as exc:
        raise ValueError("no packed network of this version") from exc


@cache
def open_default() -> PackedNetwork | None:
    """The one that comes with the package, mapped on first use; None where there is no kernel."""
    if KERNEL is None:
        return None
    with Path(__file__).with_name(DEFAULT).open("rb") as file:  # importlib.resources takes 5 ms to load
        return open_packed(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
