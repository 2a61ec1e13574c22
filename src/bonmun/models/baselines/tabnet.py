"""TabNet in numpy: the probability of each row of a table, and the columns it is based on. Shapes: n rows, k columns.

Arik, S. Ö. & Pfister, T. (2021), "TabNet: Attentive Interpretable Tabular Learning", AAAI, as implemented by
pytorch-tabnet and trained by lab/train/tabular.py; the names of the weights are those of its modules. Each step chooses
columns for each row (a sparse mask that sums to 1) and computes an output from them; columns that were chosen are less
likely to be chosen again. The prediction is based on the sum of the outputs of all steps.
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

FORMAT = 1  # version of the file format
ABOUT = "about.json"  # the part of the file without weights
EPSILON = 1e-5  # torch's default in batch norm
HALF = np.float32(np.sqrt(0.5))  # keeps the variance when two layers are added
BATCH_ROWS = 1 << 15  # limits the memory for large pages


@dataclass(frozen=True, slots=True, eq=False)
class TabNetWeights:
    """The contents of a file. `about` has `columns`, `steps`, `gamma`, `threshold`, `rule` and training settings."""

    about: dict[str, Any]
    arrays: dict[str, NDArray[np.float32]]


class TabNetOutput(NamedTuple):
    """The output of TabNet for a table."""

    chances: Floats  # (n,) probability of the second class, main text
    weights: Floats  # (n, k) influence of each column, as in pytorch-tabnet's `explain`
    masks: Floats  # (steps, n, k) the columns chosen by each step

    @property
    def importances(self) -> Floats:
        """The influence of each column over all rows, (k,); they sum to 1."""
        sums = self.weights.sum(0, dtype=np.float64)
        return cast("Floats", (sums / (sums.sum() or 1)).astype(np.float32))


class _Dense(NamedTuple):
    """A linear layer merged with the batch norm after it."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        return cast("Floats", x @ self.weight + self.bias)


class TabNet:
    """TabNet with prepared weights."""

    def __init__(self, weights: TabNetWeights) -> None:
        about, w = weights.about, weights.arrays
        self.about = about
        self.columns: tuple[str, ...] = tuple(about["columns"])
        self.threshold = float(about["threshold"])
        rule = about.get("rule", "any")
        if rule not in RULES:
            raise ValueError("invalid rule")
        self.rule: Rule = rule
        self.gamma, self.steps = float(about["gamma"]), int(about["steps"])
        names = [name for name in self.columns if name in CATEGORIES]
        self.embeddings = {name: w[f"embedder.embeddings.{number}.weight"] for number, name in enumerate(names)}
        if any(len(table) != CATEGORIES[name] for name, table in self.embeddings.items()):
            raise ValueError("other categories")
        # the mask value of an embedded column is divided among the components of its embedding
        widths = [self.embeddings[name].shape[1] if name in names else 1 for name in self.columns]
        self.column_of = np.repeat(np.arange(len(widths)), widths)
        self.spread = (1 / np.repeat(widths, widths)).astype(np.float32)
        self.first_scale, self.first_shift = _read_norm(w, "tabnet.encoder.initial_bn")
        self.splitter = _read_transformer(w, "tabnet.encoder.initial_splitter")
        self.transformers = [_read_transformer(w, f"tabnet.encoder.feat_transformers.{i}") for i in range(self.steps)]
        self.attentions = [_read_dense(w, f"tabnet.encoder.att_transformers.{i}") for i in range(self.steps)]
        final = w["tabnet.final_mapping.weight"]
        self.final = final[1] - final[0]  # softmax over two classes is a sigmoid of their difference
        self.predict(np.zeros((1, len(self.columns)), np.float32))  # raises if the shapes of the weights do not match

    def predict(self, table: Floats) -> TabNetOutput:
        """Return the output for a table, which may be empty."""
        if table.shape[1:] != (len(self.columns),):
            raise ValueError("another number of columns")
        parts = [self._predict(table[i : i + BATCH_ROWS]) for i in range(0, max(len(table), 1), BATCH_ROWS)]
        chances, weights, masks = zip(*parts, strict=True)
        return TabNetOutput(np.concatenate(chances), np.concatenate(weights), np.concatenate(masks, axis=1))

    @np.errstate(over="ignore", invalid="ignore")
    def _predict(self, table: Floats) -> TabNetOutput:
        x = self._embed(table) * self.first_scale + self.first_shift
        size = len(self.final)
        attention = _transform(self.splitter, x)[:, size:]
        left = np.ones((len(x), len(self.columns)), np.float32)  # how much each column may still be chosen
        found = np.zeros((len(x), size), np.float32)
        weights = np.zeros_like(left)
        masks = np.empty((self.steps, *left.shape), np.float32)
        for step, (attend, transformer) in enumerate(zip(self.attentions, self.transformers, strict=True)):
            mask = _sparsemax(attend(attention) * left)
            left *= self.gamma - mask
            out = _transform(transformer, mask[:, self.column_of] * self.spread * x)
            output = np.maximum(out[:, :size], 0)
            found += output
            weights += mask * output.sum(1, keepdims=True)
            masks[step] = mask
            attention = out[:, size:]
        chances = _sigmoid(found @ self.final)
        # rounded, because the last bit of a sum may depend on the number of threads, and must not matter
        return TabNetOutput(np.nan_to_num(chances, nan=0.0).round(5), np.nan_to_num(weights), np.nan_to_num(masks))

    def _embed(self, table: Floats) -> Floats:
        """Replace categories by their embeddings; invalid categories count as the last one."""
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
    """Apply gated linear units with residual connections."""
    out = x
    for number, layer in enumerate(layers):
        both = layer(out)
        half = both.shape[1] // 2
        gated = both[:, :half] * _sigmoid(both[:, half:])
        out = gated if number == 0 else (out + gated) * HALF
    return out


def _sparsemax(z: Floats) -> Floats:
    """Return the nearest point on the simplex, in which most entries are zero (Martins & Astudillo, 2016)."""
    z = z - z.max(1, keepdims=True)
    falling = -np.sort(-z, axis=1)
    sums = falling.cumsum(1) - 1
    ranks = np.arange(1, z.shape[1] + 1, dtype=np.float32)
    count = np.maximum((ranks * falling > sums).sum(1, keepdims=True), 1)
    return cast("Floats", np.maximum(z - np.take_along_axis(sums, count - 1, 1) / count, 0).astype(np.float32))


def _sigmoid(x: Floats) -> Floats:
    return (1 / (1 + np.exp(-np.clip(x, -60, 60)))).astype(np.float32)


def _read_norm(w: Mapping[str, Floats], name: str) -> tuple[Floats, Floats]:
    """Return a batch norm after training, as a scale and a shift."""
    scale = w[f"{name}.weight"] / np.sqrt(w[f"{name}.running_var"] + EPSILON)
    return scale.astype(np.float32), (w[f"{name}.bias"] - w[f"{name}.running_mean"] * scale).astype(np.float32)


def _read_dense(w: Mapping[str, Floats], name: str, weight: str = "") -> _Dense:
    scale, shift = _read_norm(w, f"{name}.bn.bn")
    return _Dense(np.ascontiguousarray(w[weight or f"{name}.fc.weight"].T * scale), shift)


def _read_transformer(w: Mapping[str, Floats], name: str) -> list[_Dense]:
    """Return the layers that all steps share except for their batch norms, then those of this step."""
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
    """Write a file atomically."""
    columns: dict[str, Any] = {name: value.astype(np.float32) for name, value in weights.arrays.items()}
    columns[ABOUT] = np.frombuffer(json.dumps({"format": FORMAT, **weights.about}).encode(), np.uint8)
    save_arrays(path, columns)


def read_tabnet_weights(path: str | Path) -> TabNetWeights:
    """Read the weights that `save_tabnet` wrote."""
    try:
        with Path(path).open("rb") as file:
            return _read_weights(file)
    except FileNotFoundError:
        raise MissingInput(f"There is no file with TabNet weights {str(path)!r}.") from None
    except READ_ERRORS as exc:
        raise BadInput(f"{str(path)!r} has no TabNet weights for this version of bonmun.") from exc


def load_tabnet(path: str | Path) -> TabNet:
    """Load the network that `save_tabnet` wrote."""
    weights = read_tabnet_weights(path)
    try:
        return TabNet(weights)
    except READ_ERRORS as exc:
        raise BadInput(f"{str(path)!r} has no TabNet weights for this version of bonmun.") from exc


@cache
def shipped_tabnet(name: str) -> TabNet:
    """Return a shipped network (basic, centre or centre+), loaded on first use."""
    with files("bonmun.models.baselines").joinpath(f"visual-{name.replace('+', '-plus')}.npz").open("rb") as file:
        return TabNet(_read_weights(cast("BinaryIO", file)))


def _read_weights(file: BinaryIO) -> TabNetWeights:
    arrays = load_arrays(file)
    about = read_json(arrays.pop(ABOUT))
    if about.pop("format") != FORMAT:
        raise ValueError("another format")
    return TabNetWeights(about, {name: array.astype(np.float32) for name, array in arrays.items()})
