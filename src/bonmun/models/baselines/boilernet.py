"""BoilerNet in numpy, as lab/train/boilernet.py trains it: a probability of main text for each leaf.

A dense layer over bags of tags and words, two bidirectional LSTM layers over the leaves, and one output per leaf.
Everything but the recurrence is computed for all leaves at once. A page with more than WINDOW leaves is read in
overlapping windows, in batches, so that time is linear in the number of leaves and memory is bounded.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.baselines.leaf_files import load_leaf_network
from bonmun.models.network.products import multiply

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from bonmun.models.baselines.leaf_bags import Bags, LeafBags
    from bonmun.models.baselines.leaf_files import LeafWeights

    Floats = NDArray[np.float32]

__all__ = ["KIND", "WINDOW", "BoilerNet", "default_boilernet", "load_boilernet", "run_lstm", "weigh_counts"]

KIND = "sequence"
WINDOW = 2048  # leaves; training pages were cut at this length, too
OVERLAP = 256  # leaves at either end of a window that are scored by the adjacent window
WINDOW_BATCH = 4  # more would exceed the size for one thread (see products.py), and a step is too short for two
LAYERS = 2
DIRECTIONS = ("", "_reverse")  # suffixes in torch's names
TOO_LARGE: Any = {"over": "ignore", "invalid": "ignore"}  # weights that overflow are rejected after scoring


def weigh_counts(counts: NDArray[np.int32]) -> Floats:
    """Return the weights of items with these counts in a bag, which grow logarithmically."""
    weights: Floats = np.log1p(counts).astype(np.float32)
    return weights


class BoilerNet:
    """BoilerNet with prepared weights."""

    def __init__(self, weights: LeafWeights) -> None:
        w, self.about = weights.arrays, weights.about
        self.threshold = float(self.about["threshold"])
        self.tags = {tag: number for number, tag in enumerate(self.about["tags"], 1)}
        self.words = {word: number for number, word in enumerate(self.about["words"], 1)}
        self.tag_weight, self.word_weight, self.dense_bias = w["tags.weight"], w["words.weight"], w["dense.bias"]
        if (len(self.tag_weight), len(self.word_weight)) != (len(self.tags) + 1, len(self.words) + 1):
            raise ValueError("another number of tags or words")
        self.layers = [_read_lstm(w, layer) for layer in range(LAYERS)]
        self.out, self.out_bias = w["out.weight"][0], w["out.bias"]
        self.check()

    def check(self) -> None:
        """Raise ValueError if the weights are not finite or their shapes do not match."""
        size = len(self.dense_bias)
        if not np.isfinite(self._label(np.ones((1, size), np.float32))).all() or not 0 < self.threshold < 1:
            raise ValueError("invalid weights")

    def scores(self, bags: LeafBags) -> Floats:
        """Return the probability of main text for each leaf."""
        x = _add_bags(bags.words, self.word_weight)
        x += _add_bags(bags.tags, self.tag_weight)[bags.paths]
        x += self.dense_bias
        np.maximum(x, 0, out=x)
        # rounded, because the last bit of a sum may depend on the number of threads, and must not matter
        return self._label(x).round(4)

    @np.errstate(**TOO_LARGE)
    def _label(self, x: Floats) -> Floats:
        found = np.empty(len(x), np.float32)
        for starts, size in _find_windows(len(x)):
            h = x[starts[:, None] + np.arange(size)]  # (windows, size, dense)
            for layer in self.layers:
                h = run_lstm(h, *layer)
            logits = h @ self.out + self.out_bias
            for start, row in zip(starts.tolist(), logits, strict=True):
                skipped = OVERLAP if start else 0
                found[start + skipped : start + size] = row[skipped:]
        return (1 / (1 + np.exp(-np.clip(found, -30, 30)))).astype(np.float32)


def _find_windows(n: int) -> Iterator[tuple[NDArray[np.int64], int]]:
    """Yield batches of window starts, from left to right, and the window length; the last window ends with the page."""
    if n <= WINDOW:
        if n:
            yield np.zeros(1, np.int64), n
        return
    starts = np.append(np.arange(0, n - WINDOW, WINDOW - 2 * OVERLAP), n - WINDOW)
    for first in range(0, len(starts), WINDOW_BATCH):
        yield starts[first : first + WINDOW_BATCH], WINDOW


def _read_lstm(w: dict[str, Floats], layer: int) -> tuple[Floats, Floats, Floats]:
    """Return the weights of a layer in both directions: input (2 · 4, in, h), bias, and state (2, h, 4h).

    The gates are i, f, g, o, as in torch. Since sigmoid(x) = (1 + tanh(x / 2)) / 2, the weights of the sigmoid gates
    are halved, so that one tanh computes all four gates.
    """
    inputs, biases, states = [], [], []
    for direction in DIRECTIONS:
        name = f"l{layer}{direction}"
        size = w[f"lstm.weight_hh_{name}"].shape[1]
        half = np.repeat(np.array([0.5, 0.5, 1, 0.5], np.float32), size)
        inputs.extend(np.hsplit(w[f"lstm.weight_ih_{name}"].T * half, 4))
        biases.append((w[f"lstm.bias_ih_{name}"] + w[f"lstm.bias_hh_{name}"]) * half)
        states.append(w[f"lstm.weight_hh_{name}"].T * half)
    return np.stack(inputs), np.concatenate(biases), np.stack(states)


def run_lstm(x: Floats, weight: Floats, bias: Floats, state: Floats) -> Floats:
    """Run one layer in both directions: (windows, leaves, in) → (windows, leaves, 2h)."""
    count, steps, _ = x.shape
    size = state.shape[1]
    flat = x.reshape(count * steps, -1)
    gates = np.hstack([multiply(flat, part) for part in weight])  # one gate at a time: small enough for one thread
    gates = (gates + bias).reshape(count, steps, 2, 4 * size)
    # by step, then by direction; the second direction runs from the last leaf to the first
    gates = np.stack([gates[:, :, 0].swapaxes(0, 1), gates[:, ::-1, 1].swapaxes(0, 1)], 1)  # (leaves, 2, windows, 4h)
    out = np.empty((steps, 2, count, size), np.float32)
    h, c = np.zeros((2, count, size), np.float32), np.zeros((2, count, size), np.float32)
    z, part = np.empty((2, count, 4 * size), np.float32), np.empty((2, count, size), np.float32)
    i, f, g, o = (z[:, :, gate * size : (gate + 1) * size] for gate in range(4))
    for step in range(steps):
        np.matmul(h, state, out=z)
        z += gates[step]
        np.tanh(z, out=z)
        # (1 + i) / 2 · g + (1 + f) / 2 · c, and (1 + o) / 2 · tanh c
        np.multiply(i, g, out=part)
        part += g
        c *= f + 1
        c += part
        c *= 0.5
        np.tanh(c, out=part)
        h = out[step]
        np.multiply(o, part, out=h)
        h += part
        h *= 0.5
    return np.concatenate([out[:, 0].swapaxes(0, 1), out[::-1, 1].swapaxes(0, 1)], 2)


def _add_bags(bags: Bags, weight: Floats) -> Floats:
    """Return for each bag the weighted sum of the rows of its items."""
    sums = np.zeros((len(bags), weight.shape[1]), np.float32)
    sizes = np.diff(bags.stops, prepend=0)
    some = np.flatnonzero(sizes)
    if len(some):
        rows = weight[bags.numbers] * weigh_counts(bags.counts)[:, None]
        sums[some] = np.add.reduceat(rows, (bags.stops - sizes)[some])
    return sums


def load_boilernet(path: str | Path) -> BoilerNet:
    """Load the network of a model file."""
    return load_leaf_network(KIND, BoilerNet, path)


@cache
def default_boilernet() -> BoilerNet:
    """Return the shipped network, loaded on first use."""
    return load_leaf_network(KIND, BoilerNet)
