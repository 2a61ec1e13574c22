"""TabNet in numpy: a table in, the chance of each row, and which columns spoke for it, out. Shapes: n rows, k columns.

Arik, S. Ö. & Pfister, T. (2021), "TabNet: Attentive Interpretable Tabular Learning", AAAI, as pytorch-tabnet builds it
and lab/train/tabular.py trains it; the names of the weights are those of its modules. Each step chooses columns for
each
row (a mask that adds up to 1, most of it zeros), looks at what it chose, and says what it found; columns that were
chosen are less likely to be chosen again. What is found in all steps together is the answer.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

import numpy as np

from bonmun.errors import BadInput, MissingInput
from bonmun.models.baselines.visual_columns import CATEGORIES, RULES
from bonmun.work.array_files import READ_ERRORS, load_arrays, read_json, save_arrays

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from bonmun.models.baselines.visual_columns import Rule

    Floats = NDArray[np.float32]

__all__ = [
    "TabNet",
    "TabNetOutput",
    "TabNetWeights",
    "load_tabnet",
    "read_tabnet_weights",
    "save_tabnet",
    "shipped_tabnet",
]

FORMAT = 1  # of the file
ABOUT = "about.json"  # the part of the file that holds no weights
EPSILON = 1e-5  # torch's own, in batch norm
HALF = np.float32(np.sqrt(0.5))  # keeps the variance where two layers are added
ROWS_AT_ONCE = 1 << 15  # so that no page takes much memory


@dataclass(frozen=True, slots=True, eq=False)
class TabNetWeights:
    """What a file holds; `about` has the `columns`, `steps`, `gamma`, `threshold` and `rule`, and how it was made."""

    about: dict[str, Any]
    arrays: dict[str, NDArray[np.float32]]


class TabNetOutput(NamedTuple):
    """What TabNet says of a table."""

    chances: Floats  # (n,) that a row is of the second class, which is main text
    weights: Floats  # (n, k) how much each column had a say, as pytorch-tabnet's `explain` gives it
    masks: Floats  # (steps, n, k) what each step chose

    @property
    def importances(self) -> Floats:
        """How much each column had a say over all rows, (k,); they add up to 1."""
        sums = self.weights.sum(0, dtype=np.float64)
        return cast("Floats", (sums / (sums.sum() or 1)).astype(np.float32))


class _Dense(NamedTuple):
    """A linear layer with the batch norm behind it: one product, one sum."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        return cast("Floats", x @ self.weight + self.bias)


class TabNet:
    """Weights made ready."""

    def __init__(self, weights: TabNetWeights) -> None:
        about, w = weights.about, weights.arrays
        self.about = about
        self.columns: tuple[str, ...] = tuple(about["columns"])
        self.threshold = float(about["threshold"])
        rule = about.get("rule", "any")
        if rule not in RULES:
            raise ValueError("a rule that is none")
        self.rule: Rule = rule
        self.gamma, self.steps = float(about["gamma"]), int(about["steps"])
        names = [name for name in self.columns if name in CATEGORIES]
        self.embeddings = {name: w[f"embedder.embeddings.{number}.weight"] for number, name in enumerate(names)}
        if any(len(table) != CATEGORIES[name] for name, table in self.embeddings.items()):
            raise ValueError("other categories")
        # a column that is embedded may have several places, and then its share of the mask is divided among them
        widths = [self.embeddings[name].shape[1] if name in names else 1 for name in self.columns]
        self.column_of = np.repeat(np.arange(len(widths)), widths)
        self.spread = (1 / np.repeat(widths, widths)).astype(np.float32)
        self.first_scale, self.first_shift = _read_norm(w, "tabnet.encoder.initial_bn")
        self.splitter = _read_transformer(w, "tabnet.encoder.initial_splitter")
        self.transformers = [_read_transformer(w, f"tabnet.encoder.feat_transformers.{i}") for i in range(self.steps)]
        self.attentions = [_read_dense(w, f"tabnet.encoder.att_transformers.{i}") for i in range(self.steps)]
        final = w["tabnet.final_mapping.weight"]
        self.final = final[1] - final[0]  # softmax over two classes is a sigmoid of their difference
        self.read(np.zeros((1, len(self.columns)), np.float32))  # raises if the weights do not go together

    def read(self, table: Floats) -> TabNetOutput:
        """Read the rows of a table, of which there may be none."""
        if table.shape[1:] != (len(self.columns),):
            raise ValueError("another number of columns")
        parts = [self._read(table[i : i + ROWS_AT_ONCE]) for i in range(0, max(len(table), 1), ROWS_AT_ONCE)]
        chances, weights, masks = zip(*parts, strict=True)
        return TabNetOutput(np.concatenate(chances), np.concatenate(weights), np.concatenate(masks, axis=1))

    @np.errstate(over="ignore", invalid="ignore")
    def _read(self, table: Floats) -> TabNetOutput:
        x = self._embed(table) * self.first_scale + self.first_shift
        size = len(self.final)
        attention = _transform(self.splitter, x)[:, size:]
        left = np.ones((len(x), len(self.columns)), np.float32)  # how free each column still is to be chosen
        found = np.zeros((len(x), size), np.float32)
        weights = np.zeros_like(left)
        masks = np.empty((self.steps, *left.shape), np.float32)
        for step, (attend, transformer) in enumerate(zip(self.attentions, self.transformers, strict=True)):
            mask = _sparsemax(attend(attention) * left)
            left *= self.gamma - mask
            out = _transform(transformer, mask[:, self.column_of] * self.spread * x)
            says = np.maximum(out[:, :size], 0)
            found += says
            weights += mask * says.sum(1, keepdims=True)
            masks[step] = mask
            attention = out[:, size:]
        chances = _sigmoid(found @ self.final)
        # rounded, so that the last bit of a sum, which may depend on the number of threads, decides nothing
        return TabNetOutput(np.nan_to_num(chances, nan=0.0).round(5), np.nan_to_num(weights), np.nan_to_num(masks))

    def _embed(self, table: Floats) -> Floats:
        """The rows with vectors in place of categories; a number that is no category is the last one."""
        parts = []
        for place, name in enumerate(self.columns):
            column = table[:, place]
            embedding = self.embeddings.get(name)
            if embedding is None:
                parts.append(column[:, None])
            else:
                parts.append(embedding[np.clip(column, 0, len(embedding) - 1).astype(np.intp)])
        return np.concatenate(parts, axis=1)


def _transform(layers: list[_Dense], x: Floats) -> Floats:
    """Gated linear units, each added to what the one before gave."""
    out = x
    for number, layer in enumerate(layers):
        both = layer(out)
        half = both.shape[1] // 2
        gated = both[:, :half] * _sigmoid(both[:, half:])
        out = gated if number == 0 else (out + gated) * HALF
    return out


def _sparsemax(z: Floats) -> Floats:
    """Martins & Astudillo (2016): the nearest point of the simplex, so that most entries are zero."""
    z = z - z.max(1, keepdims=True)
    falling = -np.sort(-z, axis=1)
    sums = falling.cumsum(1) - 1
    ranks = np.arange(1, z.shape[1] + 1, dtype=np.float32)
    count = np.maximum((ranks * falling > sums).sum(1, keepdims=True), 1)
    return cast("Floats", np.maximum(z - np.take_along_axis(sums, count - 1, 1) / count, 0).astype(np.float32))


def _sigmoid(x: Floats) -> Floats:
    return (1 / (1 + np.exp(-np.clip(x, -60, 60)))).astype(np.float32)


def _read_norm(w: Mapping[str, Floats], name: str) -> tuple[Floats, Floats]:
    """Batch norm, as it is after training: a factor and a term."""
    scale = w[f"{name}.weight"] / np.sqrt(w[f"{name}.running_var"] + EPSILON)
    return scale.astype(np.float32), (w[f"{name}.bias"] - w[f"{name}.running_mean"] * scale).astype(np.float32)


def _read_dense(w: Mapping[str, Floats], name: str, weight: str = "") -> _Dense:
    scale, shift = _read_norm(w, f"{name}.bn.bn")
    return _Dense(np.ascontiguousarray(w[weight or f"{name}.fc.weight"].T * scale), shift)


def _read_transformer(w: Mapping[str, Floats], name: str) -> list[_Dense]:
    """First the layers that all steps share but for their batch norms, then those of this step."""
    layers = []
    for part in ("shared", "specifics"):
        number = 0
        while f"{name}.{part}.glu_layers.{number}.bn.bn.weight" in w:
            layers.append(_read_dense(w, f"{name}.{part}.glu_layers.{number}"))
            number += 1
    if not layers:
        raise ValueError("no layers")
    return layers


def save_tabnet(weights: TabNetWeights, path: Path) -> None:
    """Write a file; it appears when it is whole."""
    columns: dict[str, Any] = {name: value.astype(np.float32) for name, value in weights.arrays.items()}
    columns[ABOUT] = np.frombuffer(json.dumps({"format": FORMAT, **weights.about}).encode(), np.uint8)
    save_arrays(path, columns)


def read_tabnet_weights(path: str | Path) -> TabNetWeights:
    """Read what `save_tabnet` wrote."""
    try:
        with Path(path).open("rb") as file:
            return _read_weights(file)
    except FileNotFoundError:
        raise MissingInput(f"There is no file of TabNet's weights {str(path)!r}.") from None
    except READ_ERRORS as exc:
        raise BadInput(f"{str(path)!r} holds no weights of TabNet that this version of bonmun can read.") from exc


def load_tabnet(path: str | Path) -> TabNet:
    """Read what `save_tabnet` wrote, made ready."""
    weights = read_tabnet_weights(path)
    try:
        return TabNet(weights)
    except READ_ERRORS as exc:
        raise BadInput(f"{str(path)!r} holds no weights of TabNet that this version of bonmun can read.") from exc


@cache
def shipped_tabnet(name: str) -> TabNet:
    """One that comes with the package, read on first use: basic, centre or centre+."""
    with files("bonmun.models.baselines").joinpath(f"visual-{name.replace('+', '-plus')}.npz").open("rb") as file:
        return TabNet(_read_weights(cast("BinaryIO", file)))


def _read_weights(file: BinaryIO) -> TabNetWeights:
    arrays = load_arrays(file)
    about = read_json(arrays.pop(ABOUT))
    if about.pop("format") != FORMAT:
        raise ValueError("another format")
    return TabNetWeights(about, {name: array.astype(np.float32) for name, array in arrays.items()})
