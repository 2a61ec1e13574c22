"""The networks over leaves in torch: they agree with those in numpy, and learn from their samples."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
import torch

from bonmun.lab.gold.datasets import read_dataset
from bonmun.lab.train import boilernet, web2text
from bonmun.lab.train.boilernet import SequenceConfig, SequenceNet, export_boilernet, train_boilernet
from bonmun.lab.train.samples.leaf_batches import Span, cut_pages, draw_batches, rate
from bonmun.lab.train.samples.leaf_sample_files import (
    LeafSamples,
    choose_names,
    load_leaf_samples,
    renumber,
    save_leaf_samples,
)
from bonmun.lab.train.samples.leaf_samples import make_leaf_samples
from bonmun.lab.train.web2text import ConvolutionNet, Web2TextConfig, export_web2text, train_web2text
from bonmun.models.baselines.boilernet import BoilerNet
from bonmun.models.baselines.leaf_bags import Bags
from bonmun.models.baselines.web2text import Web2Text
from bonmun.models.baselines.web2text_features import EDGE_FEATURES, LEAF_FEATURES, compute_web2text_features
from samples import ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

NAMES = frozenset({"en-news", "ko-board", "zh-news", "ja-listing", "de-recipe", "en-forum"})
SMALL = SequenceConfig(sites=1, words=40, tags=10, dense=12, hidden=8, epochs=2, epoch_pages=16, batch=4)
SHORT = Web2TextConfig(epochs=2, epoch_pages=16, batch=4)


def silent(line: str) -> None:
    """Ignore messages."""


@cache
def made() -> LeafSamples:
    """Return some pages, half of them for training."""
    examples = [example for example in read_dataset(ROOT / "tests" / "pages") if example.id in NAMES]
    samples = make_leaf_samples((("pages", example) for example in examples), least_sites=1)
    parts = ("train", "train", "train", "train", "valid", "valid")
    pages = [
        type(page)(**{name: getattr(page, name) for name in page.__slots__} | {"part": part})
        for page, part in zip(samples.pages, parts, strict=True)
    ]
    return LeafSamples(samples.words, samples.tags, pages)


def test_samples_round_trip(tmp_path: Path) -> None:
    samples = made()
    save_leaf_samples(samples, tmp_path / "samples.npz")
    back = load_leaf_samples(tmp_path / "samples.npz")
    assert (back.words, back.tags) == (samples.words, samples.tags)
    for one, other in zip(samples.pages, back.pages, strict=True):
        assert (one.gold, one.source, one.site, one.lang, one.part, one.id) == (
            *(other.gold, other.source, other.site),
            *(other.lang, other.part, other.id),
        )
        assert one.labels.tolist() == other.labels.tolist()
        assert one.bags.words.numbers.tolist() == other.bags.words.numbers.tolist()
        assert one.bags.words.stops.tolist() == other.bags.words.stops.tolist()
        features = [compute_web2text_features(page.collapsed) for page in (one, other)]
        assert np.array_equal(features[0].leaves, features[1].leaves)
        assert np.array_equal(features[0].edges, features[1].edges)


def test_labels_match_the_gold() -> None:
    for page in made().pages:
        assert rate(page, page.labels == 1) > 0.85
        assert rate(page, np.zeros(len(page.labels), bool)) == 0


def test_names_of_many_sites_are_chosen() -> None:
    pages = made().pages
    bags = [Bags(np.array(row, np.int32), np.ones(len(row), np.int32), np.array([len(row)])) for row in ([1, 2], [2, 3], [2], [0], [1], [3])]  # fmt: skip
    assert choose_names(bags, pages, ["one", "two", "three"], 2, least=2)[:1] == ["two"]
    assert choose_names(bags, pages, ["one", "two", "three"], 3, least=3) == ["two"]


def test_renumber_bags() -> None:
    bags = Bags(np.array([1, 2, 3, 2], np.int32), np.array([1, 2, 3, 4], np.int32), np.array([3, 3, 4]))
    found = renumber(bags, np.array([0, 0, 1, 0], np.int32))  # only the second is known
    assert (found.numbers.tolist(), found.counts.tolist(), found.stops.tolist()) == ([0, 1, 1], [4, 2, 4], [2, 2, 3])


def test_long_pages_are_cut() -> None:
    pages = made().pages
    spans = cut_pages(pages, 50)
    assert sum(span.stop - span.start for span in spans) == sum(len(page.labels) for page in pages)
    assert len(next(draw_batches(pages, spans, 4, 1))) == 4


def test_boilernet_agrees_in_torch_and_numpy() -> None:
    torch.manual_seed(1)
    samples = made()
    net = SequenceNet(SMALL, samples.tags[:10], samples.words[:40])
    store = boilernet.BagStore(samples, net.known_tags, net.known_words, "cpu")
    said = boilernet.predict(net, store)
    network = BoilerNet(export_boilernet(net, 0.5, {}))
    for row, page in enumerate(samples.pages):
        bags = type(page.bags)(store.words[row], store.tags[row], page.bags.paths)
        assert np.abs(network.scores(bags) - said[row]).max() <= 1e-4


def test_web2text_agrees_in_torch_and_numpy() -> None:
    torch.manual_seed(1)
    unary = ConvolutionNet(SHORT, len(LEAF_FEATURES), 2).eval()
    pair = ConvolutionNet(SHORT, len(EDGE_FEATURES), 4).eval()
    network = Web2Text(export_web2text(unary, pair, SHORT, {"lambda": 1.0, "bias": 0.0}))
    for page in made().pages:
        features = compute_web2text_features(page.collapsed)
        for net, rows, ours in (
            (unary, features.leaves, network.unary_logits(features.leaves)),
            (pair, features.edges, network.pair_logits(features.edges)),
        ):
            with torch.no_grad():
                said = net(torch.from_numpy(rows)[None], torch.ones(1, len(rows), dtype=torch.bool))[0].numpy()
            assert np.abs(said - ours).max() <= 1e-4


def test_padding_changes_nothing() -> None:
    torch.manual_seed(1)
    store = web2text.FeatureStore(made().pages, "cpu")
    net = ConvolutionNet(SHORT, len(LEAF_FEATURES), 2).eval()
    spans = [Span(row, 0, len(page.labels)) for row, page in enumerate(made().pages)]
    with torch.no_grad():
        together = net(*store.read(spans, pairs=False)[:2])
        for row, span in enumerate(spans):
            alone = net(*store.read([span], pairs=False)[:2])[0]
            assert torch.allclose(together[row, : span.stop], alone, atol=1e-5)


def test_boilernet_learns_reproducibly() -> None:
    first, second = (train_boilernet(made(), SMALL, log=silent) for _ in range(2))
    assert all(np.array_equal(first.arrays[name], second.arrays[name]) for name in first.arrays)
    assert first.about["config"]["hidden"] == SMALL.hidden
    assert len(first.about["words"]) == SMALL.words
    BoilerNet(first)


def test_web2text_learns() -> None:
    weights = train_web2text(made(), SHORT, log=silent)
    assert 0 <= weights.about["valid"] <= 1
    Web2Text(weights)
