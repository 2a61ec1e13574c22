"""Rendered pages in training: found by id, augmented with their boxes, the same in torch and numpy."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bonmun import Page
from bonmun.errors import BadConfig
from bonmun.lab.gold.examples import Example
from bonmun.lab.train.config import Config
from bonmun.lab.train.samples import augment
from bonmun.lab.train.samples.augment import graft_blocks, select_blocks, vary_sample
from bonmun.lab.train.samples.sample_files import load_samples, save_samples
from bonmun.lab.train.samples.samples import make_sample, read_samples
from bonmun.lab.train.train_models import TrainingPlan, make_model
from bonmun.models.features.page_arrays import BOX
from bonmun.models.features.scaled_features import compute_features
from bonmun.models.network.labeller import Network, default_weights, load_weights, save_weights
from bonmun.snapshots import SNAPSHOT_SUFFIX, make_stem, save_snapshot
from samples import lay_out, page_samples

if TYPE_CHECKING:
    from pathlib import Path

    from bonmun.lab.train.samples.sample_files import Sample

LIT = "The old lighthouse at the end of the pier was lit again last night."
HTML = f"<body><nav>Home</nav><p>{LIT}</p>"
SHOWN = f"<body #><nav #>Home</nav><p #>{LIT}</p><p #>Scripts wrote this.</p>"
BOXES = [(0, 0, 1000, 900), (0, 0, 1000, 100), (200, 100, 600, 300), (200, 450, 600, 50)]


def example(name: str = "a/1", text: str | None = LIT) -> Example:
    return Example(name, HTML, text, url="https://a.example/1")


@cache
def boxed(count: int = 3) -> list[Sample]:
    """Return pages with text, each block in its own box, in two columns."""
    found = []
    for number in range(count):
        rows = 12 + number
        html = "<body #>" + "".join(f"<p #>{LIT} {row}</p>" for row in range(rows))
        places = [(0, 0, 1000, 100 * rows), *((row % 2 * 600, 100 * row, 400, 80) for row in range(rows))]
        page = Page.from_snapshot(lay_out(html, places))
        assert page.boxes is not None
        text = "\n".join(f"{LIT} {row}" for row in range(3, 9))
        sample = make_sample(Example(f"page {number}", html, text), "set", page=page)
        assert sample is not None
        found.append(sample)
    return found


def boxes_of(sample: Sample) -> np.ndarray:
    assert sample.arrays.boxes is not None
    return sample.arrays.boxes


# --- samples ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A set of two pages, a/1 and b, and the snapshot of the first."""
    rows = [{"id": name, "html": HTML, "text": LIT, "url": f"https://{name[0]}.example/"} for name in ("a/1", "b")]
    (tmp_path / "set.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "shown").mkdir()
    save_snapshot(lay_out(SHOWN, BOXES), tmp_path / "shown" / (make_stem("a/1") + SNAPSHOT_SUFFIX))
    return tmp_path


def test_page_with_snapshot_gives_two_samples(data: Path) -> None:
    found = read_samples([data / "set.jsonl"], 1, lambda problem: None, data / "shown")
    assert [(each.id, len(each.keep), each.arrays.boxes is None) for each in found] == [
        ("a/1", 2, True),
        ("a/1", 3, False),  # as rendered, after scripts
        ("b", 2, True),
    ]
    assert [each.keep.tolist() for each in found] == [[0, 1], [0, 1, 0], [0, 1]]  # each is aligned separately
    assert len({each.site for each in found[:2]}) == 1


def test_snapshots_of_several_sets_are_in_named_folders(data: Path) -> None:
    (data / "all").mkdir()
    (data / "shown").rename(data / "all" / "set")
    found = read_samples([data / "set.jsonl"], 1, lambda problem: None, data / "all")
    assert sum(each.arrays.boxes is not None for each in found) == 1


def test_damaged_snapshot_is_reported_and_page_kept(data: Path) -> None:
    (path,) = (data / "shown").iterdir()
    path.write_bytes(b"PK")
    told: list[str] = []
    found = read_samples([data / "set.jsonl"], 1, lambda problem: told.append(problem or ""), data / "shown")
    assert [each.id for each in found] == ["a/1", "b"]
    assert [problem for problem in told if problem] == [
        "a/1: The snapshot is damaged or not a snapshot; make it again with `bonmun render`."
    ]


def test_missing_folder_is_reported(data: Path) -> None:
    with pytest.raises(BadConfig, match="nowhere: there is no such folder"):
        make_model(
            TrainingPlan([data / "set.jsonl"], snapshots=data / "nowhere"),
            data / "m",
            None,
            lambda _: None,
            lambda _: None,
        )


def test_boxes_round_trip(tmp_path: Path) -> None:
    samples = [boxed()[0], page_samples()["en-news"], boxed()[1]]
    save_samples(samples, tmp_path / "samples")
    again = load_samples(tmp_path / "samples")
    assert [each.arrays.boxes is None for each in again] == [False, True, False]
    for one, other in zip(samples[::2], again[::2], strict=True):
        np.testing.assert_allclose(boxes_of(other), boxes_of(one), rtol=1e-3)


def test_file_without_boxes_is_read(tmp_path: Path) -> None:
    save_samples([page_samples()["en-news"]], tmp_path / "new")
    with np.load(tmp_path / "new") as saved:
        columns = {name: saved[name] for name in saved.files if not name.startswith("boxes")}
    with (tmp_path / "old").open("wb") as file:
        np.savez(file, **columns)
    (again,) = load_samples(tmp_path / "old")
    assert again.arrays.boxes is None


# --- variants -----------------------------------------------------------------------------------------------------------


def test_blocks_keep_their_boxes() -> None:
    sample = boxed()[0]
    which = np.arange(len(sample.keep)) % 3 == 1
    assert boxes_of(select_blocks(sample, which)).tolist() == boxes_of(sample)[which].tolist()


@pytest.mark.parametrize("before", [True, False])
def test_grafted_boxes_are_above_or_below(before: bool) -> None:
    host, guest = boxed()[:2]
    found = boxes_of(graft_blocks(host, guest, before=before))
    upper, lower = (guest, host) if before else (host, guest)
    count, height = len(upper.keep), (boxes_of(upper)[:, BOX["top"]] + boxes_of(upper)[:, BOX["height"]]).max()
    assert found[:count].tolist() == boxes_of(upper).tolist()
    np.testing.assert_allclose(found[count:, BOX["top"]], boxes_of(lower)[:, BOX["top"]] + height, rtol=1e-5)
    assert found[count:, BOX["left"]].tolist() == boxes_of(lower)[:, BOX["left"]].tolist()


def test_graft_without_boxes_removes_boxes() -> None:
    static = page_samples()["en-news"]
    assert graft_blocks(boxed()[0], static, before=True).arrays.boxes is None
    assert graft_blocks(static, boxed()[0], before=False).arrays.boxes is None


def test_half_of_the_variants_lose_their_boxes() -> None:
    rng = np.random.default_rng(5)
    sample = boxed()[0]
    found = [vary_sample(sample, sample, rng, 0.4, 0.0, 0.0).arrays for _ in range(200)]
    lost = sum(each.boxes is None for each in found) / len(found)
    assert lost == pytest.approx(augment.NO_BOXES, abs=0.12)
    for each in found[:40]:
        boxes = compute_features(each).boxes
        assert boxes is None or np.isfinite(boxes).all()


def test_variants_of_pages_without_boxes_are_unchanged() -> None:
    """Without boxes, no extra random numbers are drawn, so seeds keep their meaning."""
    static, rest = page_samples()["en-news"], np.random.default_rng(3)
    vary_sample(static, static, rest, 0.0, 0.0, 0.0)
    assert rest.bit_generator.state["state"] != np.random.default_rng(3).bit_generator.state["state"]
    rng = np.random.default_rng(3)
    rng.random(len(augment.Draws._fields))
    draws = augment.Draws(*np.random.default_rng(3).random(len(augment.Draws._fields)).tolist())
    if augment.NO_WORDS <= draws.lose_words < augment.FEWER_WORDS:
        rng.random(augment.WORD_NUMBERS)
        rng.uniform(0, 1)
    assert rest.bit_generator.state == rng.bit_generator.state


# --- the network --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_page_and_snapshot_count_as_one_page() -> None:
    from bonmun.lab.train.fitting import weigh_pages

    static, shown = page_samples()["en-news"], replace(boxed()[1], source=page_samples()["en-news"].source, kind=None)
    static = replace(static, kind=None)
    twins = [replace(static, id="a", site="s"), replace(shown, id="a", site="s"), replace(static, id="b", site="t")]
    assert weigh_pages(twins, Config()).tolist() == pytest.approx([0.25, 0.25, 0.5])


@pytest.mark.slow
def test_network_with_boxes_agrees_in_numpy(tmp_path: Path) -> None:
    from bonmun.lab.train.fitting import fit, predict, prepare_samples
    from bonmun.lab.train.labeller import export_weights, restore_labeller
    from bonmun.lab.train.samples.tensors import VariantStore
    from bonmun.lab.train.samples.variants import prepare_variant

    config = Config(
        width=12, element=6, tag=4, word=4, dilations=(1, 2), batch=4, pages=160, variants=2, rate=1e-2, average=0.5
    )
    samples = [*boxed(), *(page_samples()[name] for name in ("en-news", "ko-board", "zh-news"))]
    net = fit(prepare_samples(samples, config), config, progress=lambda line: None)
    weights = export_weights(net, [[0.0, 1.0], [0.0, 1.0]])
    assert weights.arrays["box.weight"].any()
    save_weights(weights, tmp_path / "model")
    again = load_weights(tmp_path / "model")
    network, restored = Network(again), restore_labeller(again)
    bare = [replace(each, arrays=replace(each.arrays, boxes=None)) for each in boxed()]
    asked = [samples[0], samples[3], bare[0], samples[1], samples[4], bare[1]]  # with and without boxes in one batch
    store = VariantStore([prepare_variant(each) for each in asked], "cpu")
    assert store.has_boxes.tolist() == [True, False, False, True, False, False]
    for sample, (keep, comment, kinds) in zip(asked, predict(restored, store, range(6)), strict=True):
        scores = network.scores(sample.arrays)
        np.testing.assert_allclose(scores.keep, keep, atol=2e-3)
        np.testing.assert_allclose(scores.comment, comment, atol=2e-3)
        np.testing.assert_allclose(scores.kinds, kinds, atol=2e-3)
    seen, unseen = (network.scores(each.arrays).keep for each in (samples[0], bare[0]))
    assert np.abs(seen - unseen).max() > 0.01


@pytest.mark.slow
def test_network_without_boxes_stores_no_box_weights() -> None:
    from bonmun.lab.train.fitting import fit, prepare_samples
    from bonmun.lab.train.labeller import export_weights

    config = Config(width=8, element=4, tag=4, word=4, batch=2, pages=40, variants=1)
    samples = [page_samples()[name] for name in ("en-news", "ko-board")]
    net = fit(prepare_samples(samples, config), config, progress=lambda line: None)
    assert not [name for name in export_weights(net, []).arrays if name.startswith("box")]


@pytest.mark.slow
def test_network_without_boxes_can_learn_them() -> None:
    """As with `bonmun train --snapshots`, which starts from the default."""
    from bonmun.lab.train.fitting import fit, prepare_samples
    from bonmun.lab.train.labeller import export_weights, restore_labeller

    start = restore_labeller(default_weights())
    config = replace(start.config, pages=64, batch=4, variants=1, average=0.5)
    found = export_weights(fit(prepare_samples(boxed(), config), config, start=start, progress=lambda line: None), [])
    assert set(found.arrays) - set(default_weights().arrays) == {"box.weight", "box.bias", "boxes_mean", "boxes_scale"}
    assert found.arrays["box.weight"].any()
    assert found.arrays["boxes_scale"].max() > 1
