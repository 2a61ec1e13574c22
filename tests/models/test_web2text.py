"""Web2Text in numpy: the collapsed tree and its features by hand, convolutions, model files."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bonmun import Page
from bonmun.errors import BadInput
from bonmun.models.baselines.collapsed_tree import COUNTED, collapse, count_texts
from bonmun.models.baselines.leaf_files import LeafWeights, read_leaf_weights, save_leaf_weights
from bonmun.models.baselines.web2text import KIND, Web2Text, default_web2text, load_web2text
from bonmun.models.baselines.web2text_features import EDGE_FEATURES, LEAF_FEATURES, compute_web2text_features
from samples import on_every_page

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (
    "<body><div><h1><span>Title</span></h1><ul><li><a href=x>One</a></li><li>Two<p hidden>no</p></li></ul></div></body>"
)


def count(text: str) -> dict[str, int]:
    row = count_texts([text], np.zeros(1, np.uint8))[0]
    return {name: value for name, value in zip(COUNTED, row.tolist(), strict=True) if value}


def test_there_are_as_many_features_as_published() -> None:
    assert (len(LEAF_FEATURES), len(EDGE_FEATURES)) == (128, 25)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The old sea.", "characters=12 words=3 letters=9 short=2 capitals=1 punctuation=1 sentences=1 ends_punctuation=1"),
        ("a@b.de?", "characters=7 words=3 letters=4 short=3 punctuation=2 sentences=1 ends_punctuation=1 ends_question=1 email=1"),
        ("© 2026", "characters=6 words=1 letters=4 digits=4 sentences=1 copyright=1 year=1"),
        ("2026년", "characters=5 words=1 letters=5 digits=4 sentences=1 year=1"),
        ("x2026 20261", "characters=11 words=2 letters=10 digits=9 sentences=1"),
        ("灯塔亮了。明天", "characters=7 words=3 letters=6 punctuation=1 sentences=1"),
        ("One. Two. Three", "characters=15 words=3 letters=11 capitals=3 punctuation=2 sentences=2"),
        ("https://a.b", "characters=11 words=3 letters=7 short=2 punctuation=2 sentences=1 url=1"),
        ("그 등대", "characters=4 words=2 letters=3 short=1 sentences=1"),
        ("…", "characters=1 punctuation=1 sentences=1 ends_punctuation=1"),
    ],
)  # fmt: skip
def test_counts_by_hand(text: str, expected: str) -> None:
    assert count(text) == {name: int(value) for name, value in (each.split("=") for each in expected.split())}


def test_texts_are_counted_one_by_one() -> None:
    texts = ["One two.", "三四", "x", "5 6 © a@b"]
    rows = count_texts(texts, np.array([0, 1, 0, 1], np.uint8))
    alone = [count_texts([text], np.array([linked], np.uint8))[0] for text, linked in zip(texts, (0, 1, 0, 1), strict=True)]  # fmt: skip
    assert rows.tolist() == [row.tolist() for row in alone]
    assert rows[:, COUNTED.index("link")].tolist() == [0, 2, 0, 9]


def test_the_collapsed_tree_by_hand() -> None:
    """html, body and div have one child each, so they are merged into one node; so are the leaves' elements."""
    found = collapse(Page.parse(PAGE))
    assert found.node_parents.tolist() == [-1, 0]  # div, ul
    assert found.node_starts.tolist() == [0, 1]
    assert found.node_stops.tolist() == [3, 3]
    assert found.parents.tolist() == [0, 1, 1]
    features = compute_web2text_features(found)
    columns = dict(zip(LEAF_FEATURES, features.leaves.T.tolist(), strict=True))
    assert columns["tag_h1"] == [1, 0, 0]
    assert columns["tag_span"] == [1, 0, 0]
    assert columns["tag_li"] == [0, 1, 1]
    assert columns["tag_a"] == [0, 1, 0]
    assert columns["parent_tag_body"] == [1, 0, 0]
    assert columns["parent_tag_ul"] == [0, 1, 1]
    assert columns["has_grandparent"] == [0, 1, 1]
    assert columns["parent_link_density"] == pytest.approx([3 / 11, 0.5, 0.5])
    assert columns["root_share_of_page"] == [1, 1, 1]
    assert columns["position"] == pytest.approx([2.5 / 11, 6.5 / 11, 9.5 / 11])
    assert columns["log_characters"] == [2.5, 2.5, 2.5]  # bounded
    edges = dict(zip(EDGE_FEATURES, features.edges.T.tolist(), strict=True))
    assert edges["distance_2"] == [0, 1]
    assert edges["distance_3"] == [1, 0]
    assert edges["block_break"] == [1, 1]
    assert edges["common_log_characters"] == pytest.approx([2.5, 2.5])


def test_long_texts_are_not_bounded_too_soon() -> None:
    features = compute_web2text_features(collapse(Page.parse(f"<p>{'word ' * 20}<p>x")))
    assert features.leaves[0, LEAF_FEATURES.index("log_characters")] == pytest.approx(log(99))


@on_every_page
def test_features_are_finite(path: Path) -> None:
    features = compute_web2text_features(collapse(Page.parse(path.read_bytes())))
    assert np.isfinite(features.leaves).all()
    assert np.isfinite(features.edges).all()
    assert len(features.edges) == len(features.leaves) - 1


@pytest.mark.parametrize("html", ["<p></p>", "<p>x</p>", "<p hidden>x</p>", "<p>x<b>y</b>", "<input><p>x<p>y"])
def test_small_pages_have_features(html: str) -> None:
    page = Page.parse(html)
    features = compute_web2text_features(collapse(page))
    assert features.leaves.shape == (len(page.shown), 128)
    assert features.edges.shape == (max(len(page.shown) - 1, 0), 25)
    assert len(default_web2text().label(collapse(page)).kept) == len(page.shown)


def test_convolutions_by_hand() -> None:
    """Only the first feature of leaves has a weight: sums over widths of 1, 1, 3, 3, 3."""
    weights = read_leaf_weights(KIND)
    arrays = {name: np.zeros_like(array) for name, array in weights.arrays.items()}
    arrays["unary.scale"] += 1
    for number, width in enumerate((1, 1, 3, 3, 3)):
        arrays[f"unary.{number}.weight"][0, :width] = 1  # out 0, in 0
    network = Web2Text(LeafWeights(weights.about, arrays))
    features = np.zeros((7, 128), np.float32)
    features[3, 0] = 1
    assert network.unary_logits(features)[:, 0].tolist() == [1, 3, 6, 7, 6, 3, 1]
    assert not network.unary_logits(features)[:, 1].any()


def test_invalid_model_files_are_rejected(tmp_path: Path) -> None:
    weights, path = read_leaf_weights(KIND), tmp_path / "m.npz"
    for about, arrays in (
        ({"kind": "sequence"}, {}),
        ({"lambda": None}, {}),
        ({}, {"unary.mean": np.zeros(7, np.float32)}),
        ({}, {"pair.4.weight": np.zeros((3, 30), np.float32), "pair.4.bias": np.zeros(3, np.float32)}),
    ):
        save_leaf_weights(LeafWeights(weights.about | about, weights.arrays | arrays), path)
        with pytest.raises(BadInput, match="not a model for the method web2text"):
            load_web2text(path)
