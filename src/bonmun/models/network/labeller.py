"""Run the network that lab/train/labeller.py trains, in numpy.

A page takes about a millisecond: a dozen products of small matrices, without a loop over blocks. lab/train/labeller.py
explains each step; the names of the weights are those of its modules.
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
from bonmun.models.features.class_words import KNOWN_WORDS
from bonmun.models.features.element_tree import LEVELS
from bonmun.models.features.page_arrays import PAGE_KINDS
from bonmun.models.features.scaled_features import (
    BLOCK_FEATURES,
    BOX_FEATURES,
    ELEMENT_FEATURES,
    PAGE_FEATURES,
    compute_features,
)
from bonmun.models.features.tags import TAGS
from bonmun.models.network.habits import Habits, read_habits, read_hosts
from bonmun.models.network.packed import TOO_LARGE_WEIGHTS
from bonmun.models.network.products import multiply
from bonmun.work.array_files import READ_ERRORS, load_arrays, read_json, save_arrays

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from bonmun.models.features.page_arrays import PageArrays
    from bonmun.models.features.scaled_features import Features

    Floats = NDArray[np.float32]

__all__ = [
    "Network",
    "Scores",
    "Weights",
    "boxes_network",
    "default_network",
    "default_weights",
    "load_network",
    "load_weights",
    "save_weights",
]

FORMAT = 1  # version of the file format
ABOUT = "about.json"  # the part of the file without weights
TOO_LARGE: Any = {"over": "ignore", "invalid": "ignore"}  # weights that overflow are rejected after scoring


class Scores(NamedTuple):
    """Probabilities for a page."""

    keep: Floats  # (n,) of main text
    comment: Floats  # (n,) of a reader's comment
    kinds: Floats  # (len(PAGE_KINDS),) of each page kind
    groups: NDArray[np.int64]  # (n,) not a probability: equal for blocks with the same path of tags and classes
    habits: Habits = Habits()  # of the network


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The contents of a model file."""

    about: dict[str, Any]  # its configuration, and its training data
    arrays: dict[str, NDArray[np.float32]]


def save_weights(weights: Weights, path: Path) -> None:
    """Write a model file atomically."""
    columns: dict[str, Any] = {name: value.astype(np.float16) for name, value in weights.arrays.items()}
    columns[ABOUT] = np.frombuffer(json.dumps({"format": FORMAT, **weights.about}).encode(), np.uint8)
    save_arrays(path, columns)


def load_weights(path: str | Path) -> Weights:
    """Read a file that `save_weights` wrote."""
    try:
        with Path(path).open("rb") as file:
            return _read_weights(file)
    except FileNotFoundError:
        raise MissingInput(f"There is no model file {str(path)!r}: make one with `bonmun train`.") from None
    except READ_ERRORS as exc:
        raise BadInput(
            f"{str(path)!r} is not a model for this version of bonmun: make one with `bonmun train`."
        ) from exc


def load_network(path: str | Path) -> Network:
    """Load the network of a model file."""
    weights = load_weights(path)
    try:
        return Network(weights)
    except READ_ERRORS as exc:
        raise BadInput(
            f"{str(path)!r} is not a model for this version of bonmun: make one with `bonmun train`."
        ) from exc


def _read_weights(file: BinaryIO) -> Weights:
    arrays = load_arrays(file)
    about = read_json(arrays.pop(ABOUT))
    if about.pop("format") != FORMAT:
        raise ValueError("another format")
    return Weights(about, {name: array.astype(np.float32) for name, array in arrays.items()})


def default_weights(name: str = "default.npz") -> Weights:
    """Return the shipped weights."""
    with files("bonmun.models.network").joinpath(name).open("rb") as file:
        return _read_weights(cast("BinaryIO", file))


@cache
def default_network() -> Network:
    """Return the shipped network, loaded on first use."""
    return Network(default_weights())


@cache
def boxes_network() -> Network:
    """Return the shipped network for rendered pages, loaded on first use."""
    return Network(default_weights("boxes.npz"))


class Network:
    """A network with prepared weights: products that do not depend on the page are computed once."""

    @np.errstate(**TOO_LARGE)
    def __init__(self, weights: Weights) -> None:
        w: Mapping[str, Floats] = weights.arrays
        self.about = weights.about
        # knots of the confidence: expected and measured F1
        self.expected, self.measured = np.array(self.about["confidence"], np.float64)
        self.confidence(0.5)  # raises if the knots are invalid
        self.habits, self.hosts = read_habits(self.about), read_hosts(self.about)
        _check_shapes(w)
        self.width = len(w["block.bias"])
        # the first layers include the scaling of features, and the embeddings of tags and words
        element, self.element_bias = _read_first_layer(w, "element", "elements")
        self.element, tag, word = _split(element, ELEMENT_FEATURES, w["tag.weight"].shape[1])
        self.tags, self.words = _multiply(w["tag.weight"], tag), _multiply(w["word.weight"], word)
        block, block_bias = _read_first_layer(w, "block", "blocks")
        self.block, tag, self.around = _split(block, BLOCK_FEATURES, w["tag.weight"].shape[1])
        self.inner = _multiply(w["tag.weight"], tag)
        self.page, page_bias = _read_first_layer(w, "page", "page")
        self.block_bias = block_bias + page_bias
        # a network that was trained without boxes ignores them
        self.box = _read_first_layer(w, "box", "boxes") if "box.weight" in w else None
        config = self.about["config"]
        _check_steps([*config["dilations"], *config["last"]])
        self.near = [(step, *_read_convolution(w, f"near.{i}.mix")) for i, step in enumerate(config["dilations"])]
        self.last = [(step, *_read_convolution(w, f"last.{i}.mix")) for i, step in enumerate(config["last"])]
        self.inside, self.inside_bias = _read_linear(w, "inside")
        tree, self.tree_bias = _read_linear(w, "tree")
        self.tree_inside, self.tree_element = tree[: len(self.tree_bias)], tree[len(self.tree_bias) :]
        self.back, self.back_bias = _read_linear(w, "back")
        self.whole, self.whole_bias = _read_linear(w, "whole")
        keep, comment = _read_linear(w, "keep"), _read_linear(w, "comment")
        self.heads, self.heads_bias = np.hstack([keep[0], comment[0]]), np.hstack([keep[1], comment[1]])
        self.kind, self.kind_bias = _read_linear(w, "kind")

    @np.errstate(**TOO_LARGE)
    def scores(self, a: PageArrays) -> Scores:
        """Score the blocks of a page, which must have one."""
        f = compute_features(a)
        e = self._read_elements(a, f)
        return self._score_blocks(f, e, self._read_blocks(a, f, e))

    def _score_blocks(self, f: Features, e: Floats, h: Floats) -> Scores:
        """Return the scores, given the vectors of elements and of blocks; changes the latter."""
        for layer in self.near:
            h += self._convolve(h, *layer)
        back = self._gather_context(f, e, h)
        whole = _relu(np.concatenate([h.mean(0), h.max(0)]) @ self.whole + self.whole_bias)
        h += back
        h += whole + self.back_bias
        h = _relu(h)
        for layer in self.last:
            h += self._convolve(h, *layer)
        heads = _sigmoid(h @ self.heads + self.heads_bias)
        kinds = np.exp(whole @ self.kind + self.kind_bias)
        kinds /= kinds.sum()
        if not (np.isfinite(heads).all() and np.isfinite(kinds).all()):
            raise BadInput(TOO_LARGE_WEIGHTS)
        return Scores(heads[:, 0], heads[:, 1], kinds, f.groups, self.habits)

    def confidence(self, expected: float) -> float:
        """Return the confidence for an expected F1, as measured on labelled pages."""
        return float(np.interp(expected, self.expected, self.measured))

    def _read_elements(self, a: PageArrays, f: Features) -> Floats:
        """Return a vector for each element, from its features, its tag, and its class and id words."""
        e = multiply(f.elements, self.element)
        e += self.tags[a.tags]
        e += self._sum_words(a)[a.keys]
        e += self.element_bias
        return _relu(e)

    def _read_blocks(self, a: PageArrays, f: Features, e: Floats) -> Floats:
        """Return a vector for each block, from its features, elements, first leaf's tag, page and box."""
        h = multiply(f.blocks, self.block)
        h += multiply(_gather(e, f.levels), self.around)
        h += self.inner[a.inner]
        h += f.page @ self.page + self.block_bias
        if f.boxes is not None and self.box is not None:
            weight, bias = self.box
            h += multiply(f.boxes, weight)
            h += bias
        return _relu(h)

    def _gather_context(self, f: Features, e: Floats, h: Floats) -> Floats:
        """Return the context of each block: the blocks in each element around it, and those with its path."""
        part = multiply(h, self.inside)
        part += self.inside_bias
        sums = np.zeros((len(h) + 1, part.shape[1]), np.float32)
        np.cumsum(part, axis=0, out=sums[1:])
        first, stop = f.spans[:, 0], f.spans[:, 1]
        inside = (sums[stop] - sums[first]) / np.maximum(stop - first, 1)[:, None].astype(np.float32)
        t = multiply(inside, self.tree_inside)
        t += multiply(e, self.tree_element)
        t += self.tree_bias
        own = len(self.back) - part.shape[1]
        back = multiply(_gather(_relu(t), f.levels), self.back[:own])
        back += multiply(_relu(_average_groups(part, f.groups))[f.groups], self.back[own:])
        return back

    def _sum_words(self, a: PageArrays) -> Floats:
        """Return the sum of the word vectors of each class and id."""
        sums = np.zeros((len(a.word_stops), self.words.shape[1]), np.float32)
        counts = np.diff(a.word_stops, prepend=0)
        some = np.flatnonzero(counts)
        if len(some):
            sums[some] = np.add.reduceat(self.words[a.words], (a.word_stops - counts)[some])
        return sums

    def _convolve(self, h: Floats, step: int, weight: Floats, bias: Floats) -> Floats:
        width = self.width
        parts = multiply(h, weight)  # the contributions of a block to the next one, to itself, and to the previous one
        out = parts[:, width : 2 * width] + bias
        out[step:] += parts[:-step, :width]
        out[:-step] += parts[step:, 2 * width :]
        return _relu(out)


def _check_shapes(w: Mapping[str, Floats]) -> None:
    """Reject weights that were trained with other features, tags, words or page kinds."""
    (tags, tag_size), (words, word_size) = w["tag.weight"].shape, w["word.weight"].shape
    inputs = [w[f"{name}.weight"].shape[1] for name in ("block", "element", "page")]
    mine = [
        BLOCK_FEATURES + tag_size + LEVELS * len(w["element.bias"]),
        ELEMENT_FEATURES + tag_size + word_size,
        PAGE_FEATURES,
    ]
    if "box.weight" in w and w["box.weight"].shape[1] != BOX_FEATURES:
        raise ValueError("another set of features")
    if inputs != mine or (tags, words, len(w["kind.bias"])) != (len(TAGS) + 1, KNOWN_WORDS, len(PAGE_KINDS)):
        raise ValueError("another set of features")


def _check_steps(steps: list[Any]) -> None:
    """Reject convolutions with invalid dilations."""
    if not all(isinstance(step, int) and step > 0 for step in steps):
        raise ValueError("invalid dilations")


def _read_linear(w: Mapping[str, Floats], name: str) -> tuple[Floats, Floats]:
    return np.ascontiguousarray(w[f"{name}.weight"].T), w[f"{name}.bias"]


def _read_convolution(w: Mapping[str, Floats], name: str) -> tuple[Floats, Floats]:
    """Return a convolution with its three parts side by side instead of stacked."""
    weight, bias = _read_linear(w, name)
    return np.ascontiguousarray(np.hstack(np.vsplit(weight, 3))), bias


def _read_first_layer(w: Mapping[str, Floats], name: str, features: str) -> tuple[Floats, Floats]:
    """Return a first layer that includes the scaling of its features."""
    weight, bias = _read_linear(w, name)
    mean, scale = w[f"{features}_mean"], w[f"{features}_scale"]
    count = len(mean)
    moved = bias - _multiply(mean * scale, weight[:count])
    weight = weight.copy()
    weight[:count] *= scale[:, None]
    return weight, moved


def _multiply(left: Floats, right: Floats) -> Floats:
    """Multiply weights in double precision, so that the result does not depend on the order of summation."""
    return (left.astype(np.float64) @ right).astype(np.float32)


def _split(weight: Floats, features: int, tag_size: int) -> tuple[Floats, Floats, Floats]:
    """Split a first layer into its parts for features, for a tag, and for the rest."""
    return weight[:features], weight[features : features + tag_size], weight[features + tag_size :]


def _relu(x: Floats) -> Floats:
    return np.maximum(x, 0, out=x)


def _sigmoid(x: Floats) -> Floats:
    return (1 / (1 + np.exp(-np.clip(x, -30, 30)))).astype(np.float32)


def _gather(e: Floats, levels: NDArray[np.int32]) -> Floats:
    """Return the vectors of the elements around each block, side by side; zeros for -1."""
    return np.concatenate([e, np.zeros((1, e.shape[1]), np.float32)])[levels].reshape(len(levels), -1)


def _average_groups(values: Floats, groups: NDArray[np.int64]) -> Floats:
    """Return the mean of the values of each group."""
    order = np.argsort(groups, kind="stable")
    counts = np.bincount(groups)
    starts = np.cumsum(counts) - counts
    return (np.add.reduceat(values[order], starts) / counts[:, None]).astype(np.float32)
