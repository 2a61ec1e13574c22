"""Shared by the two trained methods over leaves: cached model files, and labels from scores."""

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

__all__ = ["label_shown_leaves", "load_cached"]

Network = TypeVar("Network")


def load_cached(path: str | Path, load: Callable[[str], Network]) -> Network:
    """Load a model file; read it again only if it has changed."""
    check_type("model", path, (str, Path), "the path of a file")
    changed = Path(path).stat().st_mtime_ns if Path(path).is_file() else 0
    network: Network = _read(load, str(path), changed)
    return network


@lru_cache(maxsize=4)
def _read(load: Callable[[str], Any], path: str, changed: int) -> Any:
    return load(path)


def label_shown_leaves(
    method: str, page: Page, scores: NDArray[np.float32], kept: NDArray[np.bool_], reasons: Sequence[str]
) -> Labels:
    """Return the labels of all leaves, given scores for those that are shown. Hidden leaves are not kept."""
    n = len(page.texts)
    all_scores, all_kept, all_reasons = [0.0] * n, [False] * n, ["hidden"] * n
    for leaf, score, keep, reason in zip(page.shown, scores.tolist(), kept.tolist(), reasons, strict=True):
        all_scores[leaf], all_kept[leaf], all_reasons[leaf] = score, keep, reason
    return Labels(method, "leaf", all_scores, all_kept, all_reasons, _compute_confidence(page, scores, kept))


def _compute_confidence(page: Page, scores: NDArray[np.float32], kept: NDArray[np.bool_]) -> float:
    """Return the F1 expected from the scores, reduced for texts shorter than an article."""
    sizes = np.fromiter((len(page.texts[leaf]) for leaf in page.shown), np.float64, len(scores))
    size, likely = float((sizes * kept).sum()), float((sizes * scores).sum())
    right = float((sizes * kept * scores).sum())
    return min(1.0, size / ARTICLE_SIZE) * 2 * right / (size + likely) if size else 0.0
