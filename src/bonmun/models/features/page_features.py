"""What the network is told of the page as a whole; features.py has the table of it, scaled as in block_features.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.features.page_arrays import PAGE_COLUMNS

if TYPE_CHECKING:
    from bonmun.models.features.measures import Measures

__all__ = ["measure_facts", "measure_whole"]


def measure_whole(p: Measures) -> dict[str, Any]:
    """What all blocks have together."""
    n, total = len(p.index), p.total
    return {
        "letters": np.log1p(total.text) / 4,
        "plain": np.log1p(total.plain) / 4,
        "link_share": 1 - total.plain / total.text,
        "blocks": np.log1p(n) / 4,
        "labels": total.labels / n,
        "linked": total.linked / n,
        "hidden": 1 - total.shown / n,
        "sentences": np.log1p(total.sentences) / 4,
    }


def measure_facts(p: Measures) -> dict[str, Any]:
    """What was counted on the page, and what its address says, as it is."""
    facts = p.arrays.facts
    return {column.name: facts[PAGE_COLUMNS[column.name]] for column in PAGE_COLUMNS.columns}
