"""Web2Text's two networks in numpy, as lab/train/web2text.py trains them, and their joint decoding.

Vogels, Ganea & Eickhoff (2018). A network of five convolutions gives the probability of main text for each leaf;
another gives the probabilities of the labels 00, 01, 10, 11 for each pair of neighbours. The labels of the page are the
most likely ones by both networks (Viterbi), with the second weighted by λ.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bonmun.models.baselines.leaf_files import load_leaf_network
from bonmun.models.baselines.viterbi import find_best_labels
from bonmun.models.baselines.web2text_features import EDGE_FEATURES, LEAF_FEATURES, compute_web2text_features
from bonmun.models.network.products import multiply

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from bonmun.models.baselines.collapsed_tree import CollapsedTree
    from bonmun.models.baselines.leaf_files import LeafWeights

    Floats = NDArray[np.float32]

__all__ = ["KIND", "MAX_FEATURE", "Web2Text", "Web2TextAnswer", "default_web2text", "load_web2text"]

KIND = "web2text"
LAYERS = 5
WIDTHS = (1, 3)  # of convolutions, in leaves
MAX_FEATURE = 5.0  # in standard deviations from the mean


class Web2TextAnswer(NamedTuple):
    """The labels of the leaves of a page."""

    scores: Floats  # (n,) probability of main text, of each leaf by itself
    kept: NDArray[np.bool_]  # (n,)


class Web2Text:
    """Web2Text with prepared weights."""

    def __init__(self, weights: LeafWeights) -> None:
        w, self.about = weights.arrays, weights.about
        self.pair_weight = float(self.about["lambda"])
        self.bias = float(self.about["bias"])  # added to the logit of main text
        self.leaf_scaling, self.edge_scaling = (_read_scaling(w, name) for name in ("unary", "pair"))
        self.unary, self.pair = (_read_layers(w, name) for name in ("unary", "pair"))
        self.check()

    def check(self) -> None:
        """Raise ValueError if the weights are not finite or their shapes do not match."""
        leaves = np.zeros((2, len(LEAF_FEATURES)), np.float32)
        found = (
            self.unary_logits(leaves),
            self.pair_logits(np.zeros((1, len(EDGE_FEATURES)), np.float32)),
            self.pair_weight,
            self.bias,
        )
        if found[0].shape != (2, 2) or found[1].shape != (1, 4) or not all(np.isfinite(each).all() for each in found):
            raise ValueError("invalid weights")

    def unary_logits(self, features: Floats) -> Floats:
        """Return the logits of both labels of each leaf, (n, 2)."""
        return _convolve_all(_scale(features, *self.leaf_scaling), self.unary)

    def pair_logits(self, features: Floats) -> Floats:
        """Return the logits of the four pairs of labels of each leaf and the next, (n - 1, 4)."""
        return _convolve_all(_scale(features, *self.edge_scaling), self.pair)

    def label(self, page: CollapsedTree) -> Web2TextAnswer:
        """Label the leaves of a page."""
        features = compute_web2text_features(page)
        logits = self.unary_logits(features.leaves).astype(np.float64)
        logits[:, 1] += self.bias
        # rounded, because the last bit of a sum may vary, and must not matter
        unary = _log_softmax(logits).round(4)
        pairs = _log_softmax(self.pair_logits(features.edges).astype(np.float64)).round(4)
        kept = find_best_labels(unary, self.pair_weight * pairs)
        return Web2TextAnswer(np.exp(unary[:, 1]).round(4).astype(np.float32), kept)


def _read_scaling(w: dict[str, Floats], name: str) -> tuple[Floats, Floats]:
    return w[f"{name}.mean"], w[f"{name}.scale"]


def _scale(features: Floats, mean: Floats, scale: Floats) -> Floats:
    scaled: Floats = np.clip((features - mean) * scale, -MAX_FEATURE, MAX_FEATURE)
    return scaled


def _read_layers(w: dict[str, Floats], name: str) -> list[tuple[Floats, Floats]]:
    """Return the convolutions of a network as (width, in, out), from torch's flattened (out, in · width)."""
    layers = []
    for number in range(LAYERS):
        weight, bias = w[f"{name}.{number}.weight"], w[f"{name}.{number}.bias"]
        width = WIDTHS[number >= LAYERS - 3]
        layers.append((np.ascontiguousarray(weight.reshape(len(bias), -1, width).transpose(2, 1, 0)), bias))
    return layers


def _convolve_all(x: Floats, layers: list[tuple[Floats, Floats]]) -> Floats:
    for number, (weight, bias) in enumerate(layers):
        x = _convolve(x, weight, bias)
        if number < len(layers) - 1:
            np.maximum(x, 0, out=x)
    return x


def _convolve(x: Floats, weight: Floats, bias: Floats) -> Floats:
    """Apply one convolution, with zero padding at the ends of the page."""
    if len(weight) == 1:
        return multiply(x, weight[0]) + bias
    out = multiply(x, weight[1]) + bias
    out[1:] += multiply(x[:-1], weight[0])
    out[:-1] += multiply(x[1:], weight[2])
    return out


def _log_softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    if not len(logits):
        return logits
    top = logits.max(1, keepdims=True)
    found: NDArray[np.float64] = logits - top - np.log(np.exp(logits - top).sum(1, keepdims=True))
    return found


def load_web2text(path: str | Path) -> Web2Text:
    """Load the networks of a model file."""
    return load_leaf_network(KIND, Web2Text, path)


@cache
def default_web2text() -> Web2Text:
    """Return the shipped networks, loaded on first use."""
    return load_leaf_network(KIND, Web2Text)
