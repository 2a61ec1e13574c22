"""Untrained weights for TabNet, for tests of code that reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.baselines.tabnet import TabNetWeights
from bonmun.models.baselines.visual_columns import CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, STEPS = 8, 3


def make_weights(columns: Sequence[str], **about: Any) -> TabNetWeights:
    """Return random weights, the same every time; `about` is the rest of the file."""
    random = np.random.default_rng(1)
    arrays: dict[str, Any] = {}

    def add_norm(name: str, size: int) -> None:
        arrays[f"{name}.weight"] = random.uniform(0.5, 1.5, size)
        arrays[f"{name}.bias"] = random.normal(size=size)
        arrays[f"{name}.running_mean"] = random.normal(size=size)
        arrays[f"{name}.running_var"] = random.uniform(0.5, 2, size)

    def add_transformer(name: str) -> None:
        for part in ("shared", "specifics"):
            for number in range(2):
                layer = f"{name}.{part}.glu_layers.{number}"
                inputs = len(columns) if (part, number) == ("shared", 0) else 2 * WIDTH
                arrays[f"{layer}.fc.weight"] = random.normal(size=(4 * WIDTH, inputs)) / np.sqrt(inputs)
                add_norm(f"{layer}.bn.bn", 4 * WIDTH)

    for number, name in enumerate(name for name in columns if name in CATEGORIES):
        arrays[f"embedder.embeddings.{number}.weight"] = random.normal(size=(CATEGORIES[name], 1))
    add_norm("tabnet.encoder.initial_bn", len(columns))
    add_transformer("tabnet.encoder.initial_splitter")
    for step in range(STEPS):
        add_transformer(f"tabnet.encoder.feat_transformers.{step}")
        attention = f"tabnet.encoder.att_transformers.{step}"
        arrays[f"{attention}.fc.weight"] = random.normal(size=(len(columns), WIDTH))
        add_norm(f"{attention}.bn.bn", len(columns))
    arrays["tabnet.final_mapping.weight"] = random.normal(size=(2, WIDTH))
    says = {"columns": list(columns), "steps": STEPS, "gamma": 1.3, "threshold": 0.5, **about}
    return TabNetWeights(says, {name: value.astype(np.float32) for name, value in arrays.items()})
