"""BoilerNet in numpy: bags and an LSTM by hand, long pages, model files."""

from __future__ import annotations

from math import exp, log, tanh
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bonmun import Page
from bonmun.errors import BadInput, MissingInput
from bonmun.models.baselines.boilernet import (
    KIND,
    WINDOW,
    BoilerNet,
    default_boilernet,
    load_boilernet,
    run_lstm,
    weigh_counts,
)
from bonmun.models.baselines.leaf_bags import Bags, LeafBags, fill_bags
from bonmun.models.baselines.leaf_files import LeafWeights, pack, read_leaf_weights, save_leaf_weights, unpack

if TYPE_CHECKING:
    from pathlib import Path

SIZE = 3  # of small networks


def sigmoid(x: float) -> float:
    return 1 / (1 + exp(-x))


def make_weights(words: int = 2, tags: int = 1) -> LeafWeights:
    """Return a small network with weights that are not zero."""
    draw = np.random.default_rng(1)

    def some(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return draw.normal(0, 0.5, shape).astype(np.float32)

    arrays = {"tags.weight": some(tags + 1, SIZE), "words.weight": some(words + 1, SIZE), "dense.bias": some(SIZE)}
    for layer, width in ((0, SIZE), (1, 2 * SIZE)):
        for direction in ("", "_reverse"):
            arrays[f"lstm.weight_ih_l{layer}{direction}"] = some(4 * SIZE, width)
            arrays[f"lstm.weight_hh_l{layer}{direction}"] = some(4 * SIZE, SIZE)
            arrays[f"lstm.bias_ih_l{layer}{direction}"] = some(4 * SIZE)
            arrays[f"lstm.bias_hh_l{layer}{direction}"] = some(4 * SIZE)
    arrays |= {"out.weight": some(1, 2 * SIZE), "out.bias": some(1)}
    about = {"kind": KIND, "threshold": 0.5, "tags": ["p"][:tags], "words": ["one", "two"][:words]}
    return LeafWeights(about, arrays)


def test_bags_by_hand() -> None:
    page = Page.parse("<div><div><p>One two two 灯塔<p hidden>two</div></div><p>그 one-one</p>")
    bags = fill_bags(page, {"div": 1, "p": 2}, {"two": 1, "one": 2, "그": 3})
    assert dict(zip(*read_bag(bags.words, 0), strict=True)) == {2: 1, 1: 2, 0: 2}  # each character of 灯塔 is a word
    assert dict(zip(*read_bag(bags.words, 1), strict=True)) == {3: 1, 2: 2}
    assert [dict(zip(*read_bag(bags.tags, path), strict=True)) for path in bags.paths] == [
        {0: 2, 1: 2, 2: 1},  # html and body are unknown
        {0: 2, 2: 1},
    ]


def read_bag(bags: Bags, row: int) -> tuple[list[int], list[int]]:
    first = int(bags.stops[row - 1]) if row else 0
    return bags.numbers[first : bags.stops[row]].tolist(), bags.counts[first : bags.stops[row]].tolist()


def test_repeated_items_count_less() -> None:
    assert weigh_counts(np.array([1, 2, 3], np.int32)).tolist() == pytest.approx([log(2), log(3), log(4)])


def test_an_lstm_by_hand() -> None:
    """One unit, two leaves, both directions; i, f, g, o are the gates, as in any textbook."""
    w = {"i": 0.5, "f": -0.3, "g": 0.8, "o": 0.2}
    u = {"i": 0.1, "f": 0.4, "g": -0.6, "o": 0.7}
    inputs = [1.0, -2.0]

    def read(leaves: list[float]) -> list[float]:
        h = c = 0.0
        states = []
        for x in leaves:
            gate = {name: w[name] * x + u[name] * h for name in w}
            c = sigmoid(gate["f"]) * c + sigmoid(gate["i"]) * tanh(gate["g"])
            h = sigmoid(gate["o"]) * tanh(c)
            states.append(h)
        return states

    half = np.array([0.5, 0.5, 1, 0.5], np.float32)  # see models/baselines/boilernet.py
    weight = np.array([*w.values()] * 2, np.float32).reshape(8, 1, 1) * np.tile(half, 2).reshape(8, 1, 1)
    state = np.array([[[*u.values()]]] * 2, np.float32) * half
    found = run_lstm(np.array(inputs, np.float32).reshape(1, 2, 1), weight, np.zeros(8, np.float32), state)
    forwards, backwards = read(inputs), read(inputs[::-1])[::-1]
    assert found[0, :, 0].tolist() == pytest.approx(forwards, abs=1e-6)
    assert found[0, :, 1].tolist() == pytest.approx(backwards, abs=1e-6)


def test_a_long_page_is_read_in_windows_that_agree() -> None:
    """Distant leaves have little influence, so leaves get the same labels in any window."""
    n = 3 * WINDOW + 17
    draw = np.random.default_rng(2)
    bags = Bags(draw.integers(0, 3, n).astype(np.int32), np.ones(n, np.int32), np.arange(1, n + 1))
    tags = Bags(np.array([1], np.int32), np.array([1], np.int32), np.array([1]))
    network = BoilerNet(make_weights())
    scores = network.scores(LeafBags(bags, tags, np.zeros(n, np.int32)))
    assert len(scores) == n
    for start in (0, 1700, WINDOW - 100, n - 700):
        part = slice(start, start + 700)
        some = LeafBags(Bags(bags.numbers[part], bags.counts[part], np.arange(1, 701)), tags, np.zeros(700, np.int32))
        assert np.abs(network.scores(some)[200:500] - scores[part][200:500]).max() < 1e-3


def test_matrices_are_stored_as_int8() -> None:
    draw = np.random.default_rng(3)
    arrays = {"large": draw.normal(size=(200, 100)).astype(np.float32), "small": np.array([[0.1, 2.0]], np.float32)}
    packed = pack(arrays)
    assert packed["large"].dtype == np.int8
    back = unpack(packed)
    assert np.abs(back["large"] - arrays["large"]).max() <= np.abs(arrays["large"]).max() / 250
    assert back["small"] == pytest.approx(arrays["small"], abs=1e-3)
    assert back.keys() == arrays.keys()


def test_a_model_file_is_read_back(tmp_path: Path) -> None:
    weights = make_weights()
    save_leaf_weights(weights, tmp_path / "m.npz")
    bags = fill_bags(Page.parse("<p>one two<p>two"), {"p": 1}, {"one": 1, "two": 2})
    assert load_boilernet(tmp_path / "m.npz").scores(bags) == pytest.approx(BoilerNet(weights).scores(bags), abs=2e-3)


def test_invalid_model_files_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(MissingInput, match="no model file"):
        load_boilernet(tmp_path / "none.npz")
    path = tmp_path / "m.npz"
    path.write_bytes(b"PK\x03\x04 no model")
    with pytest.raises(BadInput, match="not a model for the method sequence"):
        load_boilernet(path)
    for about, arrays in (
        ({"kind": "web2text"}, {}),
        ({"words": ["one"]}, {}),
        ({"threshold": 2.0}, {}),
        ({}, {"out.weight": np.zeros((1, 1), np.float32)}),
        ({}, {"lstm.weight_hh_l0": np.zeros((4, 9), np.float32)}),
    ):
        weights = make_weights()
        save_leaf_weights(LeafWeights(weights.about | about, weights.arrays | arrays), path)
        with pytest.raises(BadInput, match="not a model for the method sequence"):
            load_boilernet(path)


def test_the_shipped_vocabulary_is_of_many_scripts() -> None:
    """It contains words, not texts: none is longer than a word."""
    about = read_leaf_weights(KIND).about
    assert len(about["words"]) == len(set(about["words"])) == 1000
    assert {"the", "der", "de", "的"} <= set(about["words"])
    assert max(map(len, about["words"])) < 20
    assert len(about["tags"]) == 50
    assert default_boilernet().words["the"] > 0
