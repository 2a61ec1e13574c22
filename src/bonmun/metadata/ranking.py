"""Candidates for a fact, and the likeliest of them: a small network weighs the signs for and against each.

The weights are in weights.npz; `scripts/fit/metadata.py` made it, with train/facts.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from bonmun.errors import BadInput, MissingInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "DECLARED_CONFIDENCE",
    "Candidate",
    "Fact",
    "Ranker",
    "Rankers",
    "load_default_rankers",
    "load_rankers",
    "make_table",
    "save_rankers",
]

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


class Ranker(NamedTuple):
    """The weights for one field."""

    signs: dict[str, int]  # the column of each sign
    first: NDArray[np.float32]  # (signs, hidden)
    first_bias: NDArray[np.float32]
    second: NDArray[np.float32]  # (hidden,)
    none: float  # the score of "none of them"

    def scores(self, candidates: Sequence[Candidate]) -> NDArray[np.float32]:
        """Score each candidate."""
        import numpy as np  # not before it is needed: it takes as long as all else of bonmun

        table = make_table(candidates, self.signs)
        scores: NDArray[np.float32] = np.tanh(table @ self.first + self.first_bias) @ self.second
        return scores

    def best(self, candidates: Sequence[Candidate]) -> Fact | None:
        """The likeliest candidate, unless it is likelier that none of them is right."""
        if not candidates:
            return None
        scores = self.scores(candidates).tolist()
        top = max(scores)
        if top < self.none:
            return None
        sure = 1 / (sum(exp(score - top) for score in scores) + exp(self.none - top))
        chosen = candidates[scores.index(top)]
        return Fact(chosen.value, chosen.sources[0], round(sure, 3))


class Rankers(NamedTuple):
    """The weights for all fields."""

    title: Ranker
    author: Ranker
    date: Ranker


def make_table(candidates: Sequence[Candidate], signs: dict[str, int]) -> NDArray[np.float32]:
    """Make a table of signs: one row per candidate, one column per sign."""
    import numpy as np

    width, find_column = len(signs), signs.get
    places: list[int] = []
    values: list[float] = []
    for row, candidate in enumerate(candidates):
        start = row * width
        for sign, value in candidate.signs.items():
            if value and (column := find_column(sign)) is not None:
                places.append(start + column)
                values.append(value)
    table = np.zeros((len(candidates), width), np.float32)
    table.put(places, values)
    return table


def load_rankers(path: str | Path) -> Rankers:
    """Read what `save_rankers` wrote."""
    from bonmun.work.array_files import UNREADABLE

    try:
        with Path(path).open("rb") as file:
            return _read_rankers(file)
    except FileNotFoundError:
        raise MissingInput(f"There is no file {str(path)!r}: `bonmun train --folds` makes it.") from None
    except UNREADABLE as exc:
        raise BadInput(f"{str(path)!r} holds no weights for facts: `bonmun train --folds` makes them.") from exc


def save_rankers(rankers: Rankers, path: Path) -> None:
    """Write the weights for all fields; the file appears when it is whole."""
    import numpy as np

    from bonmun.work.array_files import save_arrays

    arrays: dict[str, Any] = {}
    for field, ranker in rankers._asdict().items():
        arrays[f"{field}.signs"] = np.frombuffer("\n".join(ranker.signs).encode(), np.uint8)
        arrays[f"{field}.first"] = ranker.first.astype(np.float16)
        arrays[f"{field}.bias"], arrays[f"{field}.second"] = ranker.first_bias, ranker.second
        arrays[f"{field}.none"] = np.float32(ranker.none)
    save_arrays(path, arrays)


@cache
def load_default_rankers() -> Rankers:
    """The weights that come with the package, read on first use."""
    with files("bonmun.metadata").joinpath("weights.npz").open("rb") as file:
        return _read_rankers(cast("BinaryIO", file))


def _read_rankers(file: BinaryIO) -> Rankers:
    from bonmun.work.array_files import load_arrays

    saved = load_arrays(file)
    return Rankers(*(_read_ranker(saved, field) for field in Rankers._fields))


def _read_ranker(saved: Any, field: str) -> Ranker:
    import numpy as np

    signs = {name: column for column, name in enumerate(saved[f"{field}.signs"].tobytes().decode().split("\n"))}
    first, bias, second = (saved[f"{field}.{name}"].astype(np.float32) for name in ("first", "bias", "second"))
    if first.shape != (len(signs), len(bias)) or bias.shape != second.shape:
        raise ValueError("weights that do not go together")
    return Ranker(signs, first, bias, second, float(saved[f"{field}.none"].item()))
