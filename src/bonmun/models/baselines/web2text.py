"""Web2Text's two networks in numpy, and what both say together. What lab/train/web2text.py trains.

Vogels, Ganea & Eickhoff (2018). A network of five convolutions over the leaves says how likely each is main text; one
like it over neighbours says how likely the labels of a leaf and the next are 00, 01, 10, 11. The labels of the page are
those that are likeliest by both (Viterbi), the second weighed by λ.
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

__all__ = ["KIND", "LARGEST_FEATURE", "Web2Text", "Web2TextAnswer", "default_web2text", "load_web2text"]

KIND = "web2text"
LAYERS = 5
WIDTHS = (1, 3)  # leaves that a convolution looks at
LARGEST_FEATURE = 5.0  # standard deviations from the mean


class Web2TextAnswer(NamedTuple):
    """What is said of the leaves of a page."""

    scores: Floats  # (n,) how likely each is main text, by itself
    kept: NDArray[np.bool_]  # (n,)


class Web2Text:
    """Weights made ready."""

    def __init__(self, weights: LeafWeights) -> None:
        w, self.about = weights.arrays, weights.about
        self.trust = float(self.about["lambda"])
        self.bias = float(self.about["bias"])  # added to what speaks for main text
        self.leaf_scaling, self.edge_scaling = (_read_scaling(w, name) for name in ("unary", "pair"))
        self.unary, self.pair = (_read_layers(w, name) for name in ("unary", "pair"))
        self.check()

    def check(self) -> None:
        """Raise ValueError for weights that do not go together, or that say nothing."""
        leaves = np.zeros((2, len(LEAF_FEATURES)), np.float32)
        found = (
            self.unary_logits(leaves),
            self.pair_logits(np.zeros((1, len(EDGE_FEATURES)), np.float32)),
            self.trust,
            self.bias,
        )
        if found[0].shape != (2, 2) or found[1].shape != (1, 4) or not all(np.isfinite(each).all() for each in found):
            raise ValueError("no weights")

    def unary_logits(self, features: Floats) -> Floats:
        """(n, 2): what speaks against and for each leaf."""
        return _convolve_all(_scale(features, *self.leaf_scaling), self.unary)

    def pair_logits(self, features: Floats) -> Floats:
        """(n - 1, 4): what speaks for the labels of a leaf and the next."""
        return _convolve_all(_scale(features, *self.edge_scaling), self.pair)

    def label(self, page: CollapsedTree) -> Web2TextAnswer:
        """Label the leaves of a page."""
        features = compute_web2text_features(page)
        logits = self.unary_logits(features.leaves).astype(np.float64)
        logits[:, 1] += self.bias
        # rounded, so that the last bit of a sum decides nothing
        unary = _log_softmax(logits).round(4)
        pairs = _log_softmax(self.pair_logits(features.edges).astype(np.float64)).round(4)
        kept = find_best_labels(unary, self.trust * pairs)
        return Web2TextAnswer(np.exp(unary[:, 1]).round(4).astype(np.float32), kept)


def _read_scaling(w: dict[str, Floats], name: str) -> tuple[Floats, Floats]:
    return w[f"{name}.mean"], w[f"{name}.scale"]


def _scale(features: Floats, mean: Floats, scale: Floats) -> Floats:
    scaled: Floats = np.clip((features - mean) * scale, -LARGEST_FEATURE, LARGEST_FEATURE)
    return scaled


def _read_layers(w: dict[str, Floats], name: str) -> list[tuple[Floats, Floats]]:
    """The convolutions of a network, each (out, in · width) as torch flattens them: made (width, in, out)."""
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
    """One convolution; beyond the ends of the page there is nothing."""
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
    """A model file, made ready."""
    return load_leaf_network(KIND, Web2Text, path)


@cache
def default_web2text() -> Web2Text:
    """The one that comes with the package, read on first use."""
    return load_leaf_network(KIND, Web2Text)
