"""Candidates for a fact, and the likeliest of them: a small network weighs the signs for and against each.

The weights are in weights.npz; `examples/fit_metadata.py` fits them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Candidate", "Fact", "Ranker", "best", "ranker", "table_of"]


@dataclass(slots=True)
class Candidate:
    """Something that a fact may be, and what speaks for it and against it."""

    value: str
    source: str  # where it was found first
    signs: dict[str, float]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact, where it is from, and how sure it is, 0 to 1."""

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

    def scores(self, table: NDArray[np.float32]) -> NDArray[np.float32]:
        """A score for each candidate."""
        import numpy as np  # not before it is needed: it takes as long as all else of bonmun

        scores: NDArray[np.float32] = np.tanh(table @ self.first + self.first_bias) @ self.second
        return scores


def table_of(candidates: Sequence[Candidate], signs: dict[str, int]) -> NDArray[np.float32]:
    """A row a candidate, a column a sign."""
    import numpy as np

    table = np.zeros((len(candidates), len(signs)), np.float32)
    for row, candidate in enumerate(candidates):
        for sign, value in candidate.signs.items():
            if value and sign in signs:
                table[row, signs[sign]] = value
    return table


@cache
def _weights() -> dict[str, Any]:
    import numpy as np

    with files("bonmun.metadata").joinpath("weights.npz").open("rb") as file, np.load(cast("BinaryIO", file)) as saved:
        return {name: saved[name] for name in saved.files}


@cache
def ranker(field: str) -> Ranker:
    """The weights that come with the package, read on first use."""
    import numpy as np

    weights = _weights()
    signs = {name: column for column, name in enumerate(weights[f"{field}.signs"].tobytes().decode().split("\n"))}
    first, bias, second = (weights[f"{field}.{name}"].astype(np.float32) for name in ("first", "bias", "second"))
    return Ranker(signs, first, bias, second, float(weights[f"{field}.none"]))


def best(field: str, candidates: Sequence[Candidate]) -> Fact | None:
    """The likeliest candidate, unless it is likelier that none of them is right."""
    import numpy as np

    if not candidates:
        return None
    weights = ranker(field)
    scores = weights.scores(table_of(candidates, weights.signs))
    place = int(scores.argmax())
    if scores[place] < weights.none:
        return None
    chances = np.exp(scores - scores[place])
    sure = float(1 / (chances.sum() + np.exp(weights.none - scores[place])))
    return Fact(candidates[place].value, candidates[place].source, round(sure, 3))
