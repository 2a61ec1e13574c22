"""Boxes and styles of the blocks of a rendered page, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bonmun.models.features.page_arrays import BOX

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bonmun.page import Page
    from bonmun.page.parse.boxes import Boxes

__all__ = ["count_boxes"]

MAX_DISTANCE_SCREENS = 1000.0  # from the top left of the page
NORMAL_FONT_SIZE, NORMAL_FONT_WEIGHT = 16.0, 400.0  # in pixels, and as CSS font-weight
MAX_FONT_RATIO = 20.0  # to the normal size or weight
MAX_CONTRAST = 21.0  # black on white, by WCAG 2
STICKY_POSITIONS = frozenset({"fixed", "sticky"})  # positions that do not scroll


def count_boxes(page: Page, boxes: Boxes) -> NDArray[np.float32]:
    """Return the columns of BOX, one row per block; the page must have a block. Blocks without a box have zeros."""
    starts = np.array(page.starts, np.intp)
    leaves = np.array(page.leaf_elements, np.intp)
    owners = np.array(page.owners, np.intp)
    width, height = (max(size, 1.0) for size in boxes.viewport)
    shown = (np.asarray(boxes.width) > 0) & (np.asarray(boxes.height) > 0)
    lengths = np.fromiter(map(len, page.texts), np.float64, len(page.texts))
    some = np.maximum(np.add.reduceat(lengths * shown[leaves], starts), 1)

    def average(values: Any) -> Any:
        """Return the mean over the characters that have a box."""
        return np.add.reduceat(lengths * (values * shown)[leaves], starts) / some

    left, right = _unite(boxes.left / width, boxes.right / width, shown, leaves, starts)
    top, bottom = _unite(boxes.top / height, boxes.bottom / height, shown, leaves, starts)
    rows = np.zeros((BOX.width, len(starts)), np.float32)
    rows[BOX["left"]], rows[BOX["width"]] = left, right - left
    rows[BOX["top"]], rows[BOX["height"]] = top, bottom - top
    rows[BOX["column_left"]] = _limit(boxes.left / width)[owners]
    rows[BOX["column_width"]] = _limit(boxes.width / width)[owners]
    rows[BOX["font_size"]] = average(_clean(boxes.font_size / NORMAL_FONT_SIZE, MAX_FONT_RATIO))
    rows[BOX["font_weight"]] = average(_clean(boxes.font_weight / NORMAL_FONT_WEIGHT, MAX_FONT_RATIO))
    contrast = np.maximum(_clean(boxes.contrast, MAX_CONTRAST), 1)
    rows[BOX["contrast"]] = average(np.log(contrast) / np.log(MAX_CONTRAST))
    visible = np.asarray(boxes.visible, np.float64) * shown
    rows[BOX["visible"]] = np.add.reduceat(lengths * visible[leaves], starts) / np.add.reduceat(lengths, starts)
    rows[BOX["stuck"]] = _find_stuck(boxes, page.parents)[leaves[starts]]
    return np.ascontiguousarray(rows.T)


def _unite(low: Any, high: Any, shown: Any, leaves: Any, starts: Any) -> tuple[Any, Any]:
    """Return the edges of the union of a block's boxes; 0 and 0 if it has none."""
    first = np.minimum.reduceat(np.where(shown, _limit(low), MAX_DISTANCE_SCREENS)[leaves], starts)
    last = np.maximum.reduceat(np.where(shown, _limit(high), -MAX_DISTANCE_SCREENS)[leaves], starts)
    empty = last < first
    return np.where(empty, 0, first), np.where(empty, 0, last)


def _find_stuck(boxes: Boxes, parents: list[int]) -> NDArray[np.bool_]:
    """Return for each element whether it, or an ancestor, does not scroll with the page."""
    kinds = np.array([*(look.position in STICKY_POSITIONS for look in boxes.looks), False])
    stuck = np.append(kinds[boxes.styles], False)
    up = np.append(np.array(parents, np.intp), -1)  # -1 leads to -1
    while stuck.any() and up.max() >= 0:
        stuck |= stuck[up]
        up = up[up]
    return stuck


def _limit(values: Any) -> Any:
    return np.clip(
        np.nan_to_num(values, nan=0.0, posinf=MAX_DISTANCE_SCREENS, neginf=-MAX_DISTANCE_SCREENS),
        -MAX_DISTANCE_SCREENS,
        MAX_DISTANCE_SCREENS,
    )


def _clean(values: Any, most: float) -> Any:
    """Clip values of a style sheet, which may be infinite or not a number."""
    return np.clip(np.nan_to_num(values, nan=0.0, posinf=most, neginf=0.0), 0, most)
