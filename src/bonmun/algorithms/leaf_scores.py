"""What the two trained methods over leaves share: model files that are read once, and scores made into labels."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bonmun.algorithms.sizes import ARTICLE_SIZE
from bonmun.labels import Labels
from bonmun.settings import check_type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bonmun.page import Page

__all__ = ["label_shown_leaves", "read_once"]

Network = TypeVar("Network")


def read_once(path: str | Path, load: Callable[[str], Network]) -> Network:
    """Load a model file, and read it again only if it has changed."""
    check_type("model", path, (str, Path), "the name of a file")
    changed = Path(path).stat().st_mtime_ns if Path(path).is_file() else 0
    network: Network = _read(load, str(path), changed)
    return network


@lru_cache(maxsize=4)
def _read(load: Callable[[str], Any], path: str, changed: int) -> Any:
    return load(path)


def label_shown_leaves(
    method: str, page: Page, scores: NDArray[np.float32], kept: NDArray[np.bool_], reasons: Sequence[str]
) -> Labels:
    """The labels of all leaves, by those of the leaves that are shown: no other is kept."""
    n = len(page.texts)
    all_scores, all_kept, all_reasons = [0.0] * n, [False] * n, ["hidden"] * n
    for leaf, score, keep, reason in zip(page.shown, scores.tolist(), kept.tolist(), reasons, strict=True):
        all_scores[leaf], all_kept[leaf], all_reasons[leaf] = score, keep, reason
    return Labels(method, "leaf", all_scores, all_kept, all_reasons, _rate(page, scores, kept))


def _rate(page: Page, scores: NDArray[np.float32], kept: NDArray[np.bool_]) -> float:
    """How sure an answer is: the F1 that its scores lead to expect, less for a text that is shorter than an article."""
    sizes = np.fromiter((len(page.texts[leaf]) for leaf in page.shown), np.float64, len(scores))
    size, likely = float((sizes * kept).sum()), float((sizes * scores).sum())
    right = float((sizes * kept * scores).sum())
    return min(1.0, size / ARTICLE_SIZE) * 2 * right / (size + likely) if size else 0.0
