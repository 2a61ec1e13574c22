"""TabNet in numpy: its parts by hand, its files; tests/lab/train/test_tabular.py compares it with pytorch-tabnet."""

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
    """[1, .5, 0]: the two largest remain, (1 + .5 - 1) / 2 = .25 is subtracted from each."""
    z = np.array([[1, 0.5, 0], [3, 0, 0], [0, 0, 0]], np.float32)
    assert tabnet._sparsemax(z).tolist() == [[0.75, 0.25, 0], [1, 0, 0], pytest.approx([1 / 3] * 3)]


def test_output_has_a_probability_per_row_and_a_mask_per_step() -> None:
    output = TabNet(make_weights(CENTRE)).predict(TABLE)
    assert output.chances.shape == (50,)
    assert ((output.chances >= 0) & (output.chances <= 1)).all()
    assert len(set(output.chances.tolist())) > 30
    assert output.masks.shape == (3, 50, 18)
    assert output.masks.sum(2) == pytest.approx(np.ones((3, 50)), abs=1e-5)
    assert output.weights.shape == (50, 18)
    assert output.importances.sum() == pytest.approx(1, abs=1e-5)


def test_rows_are_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    network = TabNet(make_weights(CENTRE))
    whole = network.predict(TABLE)
    monkeypatch.setattr(tabnet, "BATCH_ROWS", 7)
    assert network.predict(TABLE).chances == pytest.approx(whole.chances, abs=2e-5)
    assert network.predict(TABLE).masks == pytest.approx(whole.masks, abs=1e-4)
    assert network.predict(TABLE[::-1]).chances[::-1] == pytest.approx(whole.chances, abs=2e-5)


def test_a_table_may_be_empty_and_must_have_the_right_columns() -> None:
    network = TabNet(make_weights(CENTRE))
    assert len(network.predict(TABLE[:0]).chances) == 0
    assert network.predict(TABLE[:0]).importances.tolist() == [0] * 18
    with pytest.raises(ValueError, match="another number of columns"):
        network.predict(TABLE[:, :17])


@pytest.mark.parametrize("value", [1e9, -1e9, 3e38])
def test_extreme_values_give_finite_output(value: float) -> None:
    output = TabNet(make_weights(CENTRE)).predict(np.full((3, 18), value, np.float32))
    assert np.isfinite(output.chances).all()
    assert np.isfinite(output.importances).all()


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    save_tabnet(make_weights(BASIC, threshold=0.3, rule="near", made="by hand"), path)
    network = load_tabnet(path)
    assert network.columns == BASIC
    assert (network.threshold, network.rule, network.about["made"]) == (0.3, "near", "by hand")
    table = TABLE[:, :16]
    assert network.predict(table).chances.tolist() == TabNet(make_weights(BASIC)).predict(table).chances.tolist()


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
def test_inconsistent_weights_are_rejected(damage: Any, tmp_path: Path) -> None:
    weights = make_weights(CENTRE)
    damage(weights.about, weights.arrays)
    path = tmp_path / "model.npz"
    save_tabnet(TabNetWeights(weights.about, weights.arrays), path)
    with pytest.raises(BadInput, match="has no TabNet weights"):
        load_tabnet(path)


def test_files_without_weights_are_reported(tmp_path: Path) -> None:
    with pytest.raises(MissingInput, match="There is no file with TabNet weights"):
        load_tabnet(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("text")
    with pytest.raises(BadInput, match="has no TabNet weights"):
        load_tabnet(tmp_path / "text.npz")


@pytest.mark.parametrize(("name", "columns"), [("basic", BASIC), ("centre", CENTRE), ("centre+", RELATIVE)])
def test_shipped_weights_exist(name: str, columns: tuple[str, ...]) -> None:
    network = shipped_tabnet(name)
    assert network.columns == columns
    assert 0 < network.threshold < 1
    assert (network.rule == "any") or name.endswith("+")
