"""Candidates for a fact, and the likeliest of them: a small network weighs the signs for and against each.

The weights are in weights.npz and, the same, in weights.json, which is read without numpy; `scripts/fit/metadata.py`
made both, with lab/train/metadata_rankers.py.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from math import exp
from pathlib import Path
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from bonmun.errors import BadInput, MissingInput
from bonmun.kernel import load_kernel

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "DECLARED_CONFIDENCE",
    "Candidate",
    "Fact",
    "Ranker",
    "Rankers",
    "load_default_rankers",
    "load_rankers",
    "pack_rankers",
    "save_rankers",
]

KERNEL = load_kernel("facts")
WEIGHTS = Path(__file__).with_name("weights.json")
HALF, FLOAT = "e", "f"  # how weights are packed: in two bytes, and in four
TIE = 1e-5  # scores that differ by less are equal: as much comes of summing in another order
DECLARED_CONFIDENCE = 0.9  # of a fact that the page declares, and for which nothing is weighed


@dataclass(slots=True)
class Candidate:
    """Something that a fact may be, and what speaks for it and against it."""

    value: str
    sources: list[str]  # where it was found, in that order
    signs: dict[str, float]  # by name: 1 or True where a sign is there, 0 or False where not, or how much of it


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact, where it was found first, and how sure it is, 0 to 1."""

    value: str
    source: str
    confidence: float


@dataclass(eq=False)
class Ranker:
    """The weights for one field."""

    signs: dict[str, int]  # the row of each sign
    first: list[list[float]]  # for each sign, a weight for each number of the hidden layer
    first_bias: list[float]
    second: list[float]  # a weight for each number of the hidden layer
    none: float  # the score of "none of them"

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        """Score each candidate."""
        scores: list[float] = self._weigh([candidate.signs for candidate in candidates])
        return scores

    def best(self, candidates: Sequence[Candidate]) -> Fact | None:
        """The likeliest candidate, the first of equal ones, unless it is likelier that none of them is right."""
        if not candidates:
            return None
        scores = self.scores(candidates)
        top = max(scores)
        if top < self.none:
            return None
        sure = 1 / (sum([exp(score - top) for score in scores]) + exp(self.none - top))
        chosen = next(each for each, score in zip(candidates, scores, strict=True) if score > top - TIE)
        return Fact(chosen.value, chosen.sources[0], round(sure, 3))

    @cached_property
    def _weigh(self) -> Any:
        """What scores the signs of some candidates: the kernel, or `_weigh_signs`."""
        if KERNEL:
            return KERNEL.Weigher(self.signs, self.first, self.first_bias, self.second)
        return self._weigh_signs

    def _weigh_signs(self, candidates: Sequence[dict[str, float]]) -> list[float]:
        """Score candidates by their signs."""
        import numpy as np  # not before it is needed: it takes as long as all else of bonmun

        first, first_bias, second = self._arrays
        width, find_row = len(self.signs), self.signs.get
        places: list[int] = []
        values: list[float] = []
        for number, signs in enumerate(candidates):
            start = number * width
            for sign, value in signs.items():
                if value and (row := find_row(sign)) is not None:
                    places.append(start + row)
                    values.append(value)
        table = np.zeros((len(candidates), width), np.float32)
        table.put(places, values)
        scores: list[float] = (np.tanh(table @ first + first_bias) @ second).tolist()
        return scores

    @cached_property
    def _arrays(self) -> Any:
        import numpy as np

        return [np.array(each, np.float32) for each in (self.first, self.first_bias, self.second)]

    def __getstate__(self) -> dict[str, Any]:
        """All but what scores, which other processes make anew."""
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}


class Rankers(NamedTuple):
    """The weights for all fields."""

    title: Ranker
    author: Ranker
    date: Ranker


def load_rankers(path: str | Path) -> Rankers:
    """Read what `save_rankers` wrote."""
    from bonmun.work.array_files import READ_ERRORS

    try:
        with Path(path).open("rb") as file:
            return _read_rankers(file)
    except FileNotFoundError:
        raise MissingInput(f"There is no file {str(path)!r}: `bonmun train --folds` makes it.") from None
    except READ_ERRORS as exc:
        raise BadInput(f"{str(path)!r} holds no weights for facts: `bonmun train --folds` makes them.") from exc


def save_rankers(rankers: Rankers, path: Path) -> None:
    """Write the weights for all fields; the file appears when it is whole."""
    import numpy as np

    from bonmun.work.array_files import save_arrays

    arrays: dict[str, Any] = {}
    for field, ranker in rankers._asdict().items():
        arrays[f"{field}.signs"] = np.frombuffer("\n".join(ranker.signs).encode(), np.uint8)
        arrays[f"{field}.first"] = np.array(ranker.first, np.float16)
        arrays[f"{field}.bias"] = np.array(ranker.first_bias, np.float32)
        arrays[f"{field}.second"] = np.array(ranker.second, np.float32)
        arrays[f"{field}.none"] = np.float32(ranker.none)
    save_arrays(path, arrays)


def pack_rankers(rankers: Rankers, path: Path) -> None:
    """Write the same as `save_rankers` does, but to be read without numpy."""
    packed = {}
    for field, ranker in rankers._asdict().items():
        packed[field] = {
            "signs": list(ranker.signs),
            "first": _pack([weight for weights in ranker.first for weight in weights], HALF),
            "bias": _pack(ranker.first_bias, FLOAT),
            "second": _pack(ranker.second, FLOAT),
            "none": _pack([ranker.none], FLOAT),
        }
    path.write_text(json.dumps(packed, indent=0) + "\n", "utf-8")


@cache
def load_default_rankers() -> Rankers:
    """The weights that come with the package, read on first use."""
    packed = json.loads(WEIGHTS.read_bytes())
    return Rankers(*(_unpack_ranker(**packed[field]) for field in Rankers._fields))


def _unpack_ranker(signs: list[str], first: str, bias: str, second: str, none: str) -> Ranker:
    biases, weights = _unpack(bias, FLOAT), _unpack(first, HALF)
    width = len(biases)
    rows = [weights[start : start + width] for start in range(0, len(weights), width)]
    named = {sign: row for row, sign in enumerate(signs)}
    return Ranker(named, rows, biases, _unpack(second, FLOAT), _unpack(none, FLOAT)[0])


def _pack(numbers: Sequence[float], kind: str) -> str:
    """Numbers as hexadecimal digits of their bytes."""
    return pack(f"<{len(numbers)}{kind}", *numbers).hex()


def _unpack(digits: str, kind: str) -> list[float]:
    data = bytes.fromhex(digits)
    return list(unpack(f"<{len(data) // (2 if kind == HALF else 4)}{kind}", data))


def _read_rankers(file: BinaryIO) -> Rankers:
    from bonmun.work.array_files import load_arrays

    saved = load_arrays(file)
    return Rankers(*(_read_ranker(saved, field) for field in Rankers._fields))


def _read_ranker(saved: Any, field: str) -> Ranker:
    signs = {name: row for row, name in enumerate(saved[f"{field}.signs"].tobytes().decode().split("\n"))}
    first, bias, second = (saved[f"{field}.{name}"].astype("f4") for name in ("first", "bias", "second"))
    if first.shape != (len(signs), len(bias)) or bias.shape != second.shape:
        raise ValueError("weights that do not go together")
    return Ranker(signs, first.tolist(), bias.tolist(), second.tolist(), float(saved[f"{field}.none"].item()))
