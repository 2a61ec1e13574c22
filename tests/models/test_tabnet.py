"""TabNet in numpy: its parts by hand, its files; tests/lab/train/test_tabular.py holds it against pytorch-tabnet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bonmun.errors import BadInput, MissingInput
from bonmun.models.baselines import tabnet
from bonmun.models.baselines.tabnet import TabNet, TabNetWeights, load_tabnet, save_tabnet, shipped_tabnet
from bonmun.models.baselines.visual_columns import BASIC, CENTRE, RELATIVE
from made_tabnet import make_weights

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TABLE = np.random.default_rng(2).normal(size=(50, 18)).astype(np.float32)
TABLE[:, [1, 5]] = np.abs(TABLE[:, [1, 5]]).round()


def test_sparsemax_by_hand() -> None:
    """[1, .5, 0]: the two largest are left, (1 + .5 - 1) / 2 = .25 is taken off each."""
    z = np.array([[1, 0.5, 0], [3, 0, 0], [0, 0, 0]], np.float32)
    assert tabnet._sparsemax(z).tolist() == [[0.75, 0.25, 0], [1, 0, 0], pytest.approx([1 / 3] * 3)]


def test_a_reading_is_a_chance_for_each_row_and_a_mask_for_each_step() -> None:
    reading = TabNet(make_weights(CENTRE)).read(TABLE)
    assert reading.chances.shape == (50,)
    assert ((reading.chances >= 0) & (reading.chances <= 1)).all()
    assert len(set(reading.chances.tolist())) > 30
    assert reading.masks.shape == (3, 50, 18)
    assert reading.masks.sum(2) == pytest.approx(np.ones((3, 50)), abs=1e-5)
    assert reading.weights.shape == (50, 18)
    assert reading.importances.sum() == pytest.approx(1, abs=1e-5)


def test_rows_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    network = TabNet(make_weights(CENTRE))
    whole = network.read(TABLE)
    monkeypatch.setattr(tabnet, "ROWS_AT_ONCE", 7)
    assert network.read(TABLE).chances == pytest.approx(whole.chances, abs=2e-5)
    assert network.read(TABLE).masks == pytest.approx(whole.masks, abs=1e-4)
    assert network.read(TABLE[::-1]).chances[::-1] == pytest.approx(whole.chances, abs=2e-5)


def test_a_table_may_be_empty_and_must_have_the_right_columns() -> None:
    network = TabNet(make_weights(CENTRE))
    assert len(network.read(TABLE[:0]).chances) == 0
    assert network.read(TABLE[:0]).importances.tolist() == [0] * 18
    with pytest.raises(ValueError, match="another number of columns"):
        network.read(TABLE[:, :17])


@pytest.mark.parametrize("value", [1e9, -1e9, 3e38])
def test_numbers_that_no_page_has_give_numbers(value: float) -> None:
    reading = TabNet(make_weights(CENTRE)).read(np.full((3, 18), value, np.float32))
    assert np.isfinite(reading.chances).all()
    assert np.isfinite(reading.importances).all()


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    save_tabnet(make_weights(BASIC, threshold=0.3, rule="near", made="by hand"), path)
    network = load_tabnet(path)
    assert network.columns == BASIC
    assert (network.threshold, network.rule, network.about["made"]) == (0.3, "near", "by hand")
    table = TABLE[:, :16]
    assert network.read(table).chances.tolist() == TabNet(make_weights(BASIC)).read(table).chances.tolist()


def without(name: str) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    return lambda _, arrays: arrays.pop(name)


DAMAGED: dict[str, Callable[[dict[str, Any], dict[str, Any]], object]] = {
    "no layer": without("tabnet.encoder.att_transformers.1.fc.weight"),
    "no columns": lambda about, _: about.pop("columns"),
    "a column more": lambda about, _: about["columns"].append("colour"),
    "no threshold": lambda about, _: about.update(threshold="high"),
    "a step more": lambda about, _: about.update(steps=4),
    "other tags": lambda _, arrays: arrays.update({"embedder.embeddings.0.weight": np.zeros((5, 1), np.float32)}),
    "a wide layer": lambda _, arrays: arrays.update({"tabnet.final_mapping.weight": np.zeros((2, 9), np.float32)}),
    "no classes": lambda _, arrays: arrays.update({"tabnet.final_mapping.weight": np.zeros((1, 8), np.float32)}),
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED.keys())
def test_weights_that_do_not_go_together_are_refused(damage: Any, tmp_path: Path) -> None:
    weights = make_weights(CENTRE)
    damage(weights.about, weights.arrays)
    path = tmp_path / "model.npz"
    save_tabnet(TabNetWeights(weights.about, weights.arrays), path)
    with pytest.raises(BadInput, match="holds no weights of TabNet"):
        load_tabnet(path)


def test_what_is_no_file_of_weights_is_said(tmp_path: Path) -> None:
    with pytest.raises(MissingInput, match="There is no file of TabNet's weights"):
        load_tabnet(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("text")
    with pytest.raises(BadInput, match="holds no weights of TabNet"):
        load_tabnet(tmp_path / "text.npz")


@pytest.mark.parametrize(("name", "columns"), [("basic", BASIC), ("centre", CENTRE), ("centre+", RELATIVE)])
def test_the_weights_that_come_with_the_package_are_there(name: str, columns: tuple[str, ...]) -> None:
    network = shipped_tabnet(name)
    assert network.columns == columns
    assert 0 < network.threshold < 1
    assert (network.rule == "any") or name.endswith("+")
