"""TabNet trained with pytorch-tabnet, and the same network in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from bonmun.lab.train.tabular import TabularSettings, train
from bonmun.models.baselines.tabnet import TabNet
from bonmun.models.baselines.visual_columns import CENTRE

pytestmark = pytest.mark.slow
ROWS = 3000


def make_rows() -> tuple[np.ndarray, np.ndarray]:
    """Return rows that are main text if they are on the right and have one of the first half of the tags."""
    random = np.random.default_rng(0)
    x = random.normal(size=(ROWS, len(CENTRE))).astype(np.float32) * 10
    x[:, 1], x[:, 5] = random.integers(0, 138, ROWS), random.integers(0, 2, ROWS)
    return x, ((x[:, 6] > 2) & (x[:, 1] < 70)).astype(np.int64)


@pytest.fixture(scope="module")
def trained() -> tuple[TabNet, Any, np.ndarray]:
    torch.set_num_threads(1)
    x, y = make_rows()
    settings = TabularSettings(epochs=12, batch=256, device="cpu", balanced=True)
    weights, model = train(CENTRE, (x[:2000], y[:2000]), (x[2000:], y[2000:]), settings)
    assert len(weights.about["history"]["auc"]) == 12
    return TabNet(weights), model, x


def test_tabnet_agrees_in_torch_and_numpy(trained: tuple[TabNet, Any, np.ndarray]) -> None:
    network, model, x = trained
    right = model.predict_proba(x)[:, 1]
    assert right.std() > 0.05
    assert np.abs(network.predict(x).chances - right).max() < 1e-4


def test_masks_and_importances_match_the_library(trained: tuple[TabNet, Any, np.ndarray]) -> None:
    network, model, x = trained
    reading = network.predict(x)
    weights, masks = model.explain(x)
    assert np.abs(reading.weights - weights).max() < 0.01 * np.abs(weights).max()
    for step, mask in masks.items():
        assert np.abs(reading.masks[step] - mask).max() < 1e-2
    importances = model._compute_feature_importances(x)
    assert reading.importances == pytest.approx(importances, abs=1e-4)


def test_same_seed_gives_same_weights() -> None:
    torch.set_num_threads(1)
    x, y = make_rows()
    settings = TabularSettings(epochs=1, batch=256, device="cpu", decay=0.9)
    one, other = (train(CENTRE, (x[:600], y[:600]), (x[600:900], y[600:900]), settings)[0] for _ in range(2))
    assert all(np.array_equal(value, other.arrays[name]) for name, value in one.arrays.items())
