"""Choose the most likely of the candidates for a field: a small neural network scores the features of each.

weights.npz and weights.json hold the same weights; the JSON file is read without numpy. `scripts/fit/metadata.py` makes
both, with lab/train/metadata_rankers.py.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from math import exp, log
from pathlib import Path
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from bonmun.errors import BadInput, MissingInput
from bonmun.kernel import load_kernel
from bonmun.work.cached import cached_property

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "DECLARED_CONFIDENCE",
    "MAX_LOG_ODDS",
    "Candidate",
    "MetadataField",
    "Ranker",
    "Rankers",
    "correct_confidence",
    "load_default_rankers",
    "load_rankers",
    "pack_rankers",
    "save_rankers",
]

KERNEL = load_kernel("facts")
WEIGHTS = Path(__file__).with_name("weights.json")
HALF, FLOAT = "e", "f"  # struct formats of the packed weights: two bytes, four bytes
TIE_TOLERANCE = 1e-5  # scores that differ by less are equal: the order of summation alone makes such differences
DECLARED_CONFIDENCE = 0.9  # of a field that is taken as declared, without ranking
# Slope and offset of the log odds that a chosen value is right, given those of the ranker, which is too sure of itself.
# Fitted on sites that the ranker was not trained on; `scripts/fit/metadata.py` prints them.
LOG_ODDS = {"title": (0.67, 0.01), "author": (0.58, -0.32), "date": (0.64, -0.74)}
MAX_LOG_ODDS = 7.0  # of a ranker; the share of right values rises no further
LOWEST_CONFIDENCE = 0.001  # of a ranker; confidences are rounded


@dataclass(slots=True)
class Candidate:
    """A possible value of a field, with its sources and features."""

    value: str
    sources: list[str]  # in the order in which they were found
    features: dict[str, float]  # by name; 1 or True if present, 0 or False if absent, or a share


@dataclass(frozen=True, slots=True)
class MetadataField:
    """The value of a metadata field, with its source and a confidence.

    Attributes:
        value: The value as text.
        source: Where the value was found first, such as "JSON-LD", "og:title", "h1" or "byline".
        confidence: How likely the value is right, from 0 to 1.
    """

    value: str
    source: str
    confidence: float


@dataclass(eq=False)
class Ranker:
    """A network with one hidden layer that scores the candidates for one field."""

    features: dict[str, int]  # row of each feature in `first`
    first: list[list[float]]  # (features, hidden)
    first_bias: list[float]  # (hidden,)
    second: list[float]  # (hidden,)
    none: float  # score of "none of the candidates"

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return the score of each candidate."""
        scores: list[float] = self._scorer([candidate.features for candidate in candidates])
        return scores

    def best(self, candidates: Sequence[Candidate]) -> MetadataField | None:
        """Return the candidate with the highest score, the first if several tie, or None if "none" scores higher."""
        if not candidates:
            return None
        scores = self.scores(candidates)
        top = max(scores)
        if top < self.none:
            return None
        confidence = 1 / (sum([exp(score - top) for score in scores]) + exp(self.none - top))
        chosen = next(each for each, score in zip(candidates, scores, strict=True) if score > top - TIE_TOLERANCE)
        return MetadataField(chosen.value, chosen.sources[0], round(confidence, 3))

    @cached_property
    def _scorer(self) -> Any:
        """The function that scores candidates: the kernel's, or `_score_features`."""
        if KERNEL:
            return KERNEL.FeatureScorer(self.features, self.first, self.first_bias, self.second)
        return self._score_features

    def _score_features(self, candidates: Sequence[dict[str, float]]) -> list[float]:
        """Return the score of each candidate, given its features. The reference of the kernel."""
        import numpy as np  # imported late: it takes as long to load as the rest of bonmun

        first, first_bias, second = self._arrays
        width, find_row = len(self.features), self.features.get
        indices: list[int] = []
        values: list[float] = []
        for number, features in enumerate(candidates):
            start = number * width
            for feature, value in features.items():
                if value and (row := find_row(feature)) is not None:
                    indices.append(start + row)
                    values.append(value)
        table = np.zeros((len(candidates), width), np.float32)
        table.put(indices, values)
        scores: list[float] = (np.tanh(table @ first + first_bias) @ second).tolist()
        return scores

    @cached_property
    def _arrays(self) -> Any:
        import numpy as np

        return [np.array(each, np.float32) for each in (self.first, self.first_bias, self.second)]

    def __getstate__(self) -> dict[str, Any]:
        """Return the weights only; the receiving process makes its own scorer."""
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}


def correct_confidence(field: str, confidence: float) -> float:
    """Return the share of right values among those that a ranker chose with a confidence."""
    slope, offset = LOG_ODDS[field]
    confidence = max(confidence, LOWEST_CONFIDENCE)
    odds = confidence / (1 - confidence) if confidence < 1 else exp(MAX_LOG_ODDS)
    return round(1 / (1 + exp(-slope * min(log(odds), MAX_LOG_ODDS) - offset)), 3)


class Rankers(NamedTuple):
    """The rankers of all fields that are ranked."""

    title: Ranker
    author: Ranker
    date: Ranker


def load_rankers(path: str | Path) -> Rankers:
    """Load rankers from a file that `save_rankers` wrote."""
    from bonmun.work.array_files import READ_ERRORS

    try:
        with Path(path).open("rb") as file:
            return _read_rankers(file)
    except FileNotFoundError:
        raise MissingInput(f"File {str(path)!r} does not exist; make it with `bonmun train --folds`.") from None
    except READ_ERRORS as exc:
        raise BadInput(f"{str(path)!r} holds no metadata weights; make them with `bonmun train --folds`.") from exc


def save_rankers(rankers: Rankers, path: Path) -> None:
    """Write all rankers to an .npz file, atomically."""
    import numpy as np

    from bonmun.work.array_files import save_arrays

    arrays: dict[str, Any] = {}
    for field, ranker in rankers._asdict().items():
        arrays[f"{field}.signs"] = np.frombuffer("\n".join(ranker.features).encode(), np.uint8)
        arrays[f"{field}.first"] = np.array(ranker.first, np.float16)
        arrays[f"{field}.bias"] = np.array(ranker.first_bias, np.float32)
        arrays[f"{field}.second"] = np.array(ranker.second, np.float32)
        arrays[f"{field}.none"] = np.float32(ranker.none)
    save_arrays(path, arrays)


def pack_rankers(rankers: Rankers, path: Path) -> None:
    """Write all rankers to a JSON file, which can be read without numpy."""
    packed = {}
    for field, ranker in rankers._asdict().items():
        packed[field] = {
            "signs": list(ranker.features),
            "first": _pack([weight for weights in ranker.first for weight in weights], HALF),
            "bias": _pack(ranker.first_bias, FLOAT),
            "second": _pack(ranker.second, FLOAT),
            "none": _pack([ranker.none], FLOAT),
        }
    path.write_text(json.dumps(packed, indent=0) + "\n", "utf-8")


@cache
def load_default_rankers() -> Rankers:
    """Return the shipped rankers, loaded on first use."""
    packed = json.loads(WEIGHTS.read_bytes())
    return Rankers(*(_unpack_ranker(packed[field]) for field in Rankers._fields))


def _unpack_ranker(packed: dict[str, Any]) -> Ranker:
    bias, weights = _unpack(packed["bias"], FLOAT), _unpack(packed["first"], HALF)
    width = len(bias)
    rows = [weights[start : start + width] for start in range(0, len(weights), width)]
    features = {name: row for row, name in enumerate(packed["signs"])}
    return Ranker(features, rows, bias, _unpack(packed["second"], FLOAT), _unpack(packed["none"], FLOAT)[0])


def _pack(numbers: Sequence[float], number_format: str) -> str:
    """Return the bytes of numbers as hexadecimal digits."""
    return pack(f"<{len(numbers)}{number_format}", *numbers).hex()


def _unpack(digits: str, number_format: str) -> list[float]:
    data = bytes.fromhex(digits)
    return list(unpack(f"<{len(data) // (2 if number_format == HALF else 4)}{number_format}", data))


def _read_rankers(file: BinaryIO) -> Rankers:
    from bonmun.work.array_files import load_arrays

    saved = load_arrays(file)
    return Rankers(*(_read_ranker(saved, field) for field in Rankers._fields))


def _read_ranker(saved: Any, field: str) -> Ranker:
    features = {name: row for row, name in enumerate(saved[f"{field}.signs"].tobytes().decode().split("\n"))}
    first, bias, second = (saved[f"{field}.{name}"].astype("f4") for name in ("first", "bias", "second"))
    if first.shape != (len(features), len(bias)) or bias.shape != second.shape:
        raise ValueError("the shapes of the weights do not match")
    return Ranker(features, first.tolist(), bias.tolist(), second.tolist(), float(saved[f"{field}.none"].item()))
